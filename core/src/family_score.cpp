// SPDX-License-Identifier: MIT
#include "stigmergy/family_score.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace stigmergy {

namespace {

constexpr std::size_t shape_slots = 4096;
constexpr std::size_t largest_table = std::size_t{1} << 16;
constexpr std::size_t table_budget_bytes = std::size_t{64} << 20;

bool same(const FamilyShape& a, const FamilyShape& b) {
    return a.arity == b.arity && a.configurations == b.configurations &&
           (a.log_configurations == b.log_configurations || std::isfinite(a.configurations));
}

std::size_t slot_of(const FamilyShape& shape) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(
        std::isfinite(shape.configurations) ? shape.configurations : shape.log_configurations);
    bits = (bits ^ (shape.arity * 0x9E3779B97F4A7C15u)) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>(bits >> 52);
}

// Rows of R child counts (R = 0: of r). Values are looked up without a branch; one not yet in the
// tables is noticed by its mark, and the family is then gone through again the slow way.
template <std::size_t R, bool Bounded, typename Count>
bool sum_fast(const FamilyTerms& terms, std::span<const Count> cells, std::uint64_t& result) {
    const std::size_t r = R == 0 ? terms.shape.arity : R;
    const std::atomic<std::int64_t>* g = terms.cell->values();
    const std::atomic<std::int64_t>* h = terms.configuration->values();
    const std::size_t size = std::min(terms.cell->size(), terms.configuration->size());
    std::uint64_t sum = 0;
    bool missing = false;
    for (const Count* row = cells.data(); row != cells.data() + cells.size(); row += r) {
        Count total = 0;
        if constexpr (!Bounded) {
            for (std::size_t k = 0; k < r; ++k) total += row[k];
            if (total >= size) return false;
            total = 0;
        }
        for (std::size_t k = 0; k < r; ++k) {
            const std::int64_t value = g[row[k]].load(std::memory_order_relaxed);
            missing |= value == CountTerm::unknown;
            sum += static_cast<std::uint64_t>(value);
            total += row[k];
        }
        const std::int64_t value = h[total].load(std::memory_order_relaxed);
        missing |= value == CountTerm::unknown;
        sum -= static_cast<std::uint64_t>(value);
    }
    result = sum;
    return !missing;
}

template <bool Bounded, typename Count>
bool sum_by_arity(const FamilyTerms& terms, std::span<const Count> cells, std::uint64_t& result) {
    switch (terms.shape.arity) {
        case 2:
            return sum_fast<2, Bounded>(terms, cells, result);
        case 3:
            return sum_fast<3, Bounded>(terms, cells, result);
        case 4:
            return sum_fast<4, Bounded>(terms, cells, result);
        default:
            return sum_fast<0, Bounded>(terms, cells, result);
    }
}

template <typename Count>
double score_dense(const FamilyTerms& terms, std::span<const Count> cells, bool bounded) {
    std::uint64_t sum = 0;
    if (bounded ? sum_by_arity<true>(terms, cells, sum) : sum_by_arity<false>(terms, cells, sum)) {
        return terms.value(sum);
    }
    sum = 0;
    const std::size_t r = terms.shape.arity;
    for (std::size_t row = 0; row < cells.size(); row += r) {
        std::uint64_t total = 0;
        for (Count count : cells.subspan(row, r)) {
            sum += static_cast<std::uint64_t>((*terms.cell)(count));
            total += count;
        }
        sum -= static_cast<std::uint64_t>((*terms.configuration)(total));
    }
    return terms.value(sum);
}

}  // namespace

double FamilyTerms::value(std::uint64_t sum) const {
    return constant + std::ldexp(static_cast<double>(static_cast<std::int64_t>(sum)), -shift);
}

double FamilyTerms::score(std::span<const std::uint32_t> cells) const {
    return score_dense(*this, cells, bounded);
}

double FamilyTerms::score(std::span<const std::uint64_t> cells) const {
    return score_dense(*this, cells, bounded);
}

double FamilyTerms::score(const SparseCounts& counts) const {
    const CountTerm& g = *cell;
    const CountTerm& h = *configuration;
    std::uint64_t sum = 0;
    for (std::uint64_t count : counts.cells) sum += static_cast<std::uint64_t>(g(count));
    for (std::uint64_t count : counts.configurations) sum -= static_cast<std::uint64_t>(h(count));
    return value(sum);
}

FamilyScore::FamilyScore(ScoreFormula formula, std::uint64_t total)
    : formula_(formula), total_(total), shapes_(shape_slots) {
    const bool likelihood = formula.kind == ScoreFormula::Kind::likelihood;
    if (!std::isfinite(formula.parameter) ||
        (likelihood ? formula.parameter < 0 : formula.parameter <= 0)) {
        throw std::invalid_argument("the parameter of a score must be positive and finite");
    }
}

FamilyScore::~FamilyScore() {
    for (auto& slot : shapes_) delete slot.load();
}

const FamilyTerms& FamilyScore::terms(const FamilyShape& shape) const {
    std::size_t slot = slot_of(shape);
    for (;; slot = (slot + 1) % shape_slots) {
        const FamilyTerms* found = shapes_[slot].load(std::memory_order_acquire);
        if (!found) break;
        if (same(found->shape, shape)) return *found;
    }
    if (n_shapes_.load(std::memory_order_relaxed) >= shape_slots / 2) {
        // More shapes than anyone has: the same values, but not remembered.
        thread_local FamilyTerms passing;
        passing = make(shape, false);
        return passing;
    }
    auto* made = new FamilyTerms(make(shape, true));
    std::lock_guard lock(mutex_);
    for (;; slot = (slot + 1) % shape_slots) {
        const FamilyTerms* found = shapes_[slot].load(std::memory_order_relaxed);
        if (!found) break;
        if (same(found->shape, shape)) {
            delete made;
            return *found;
        }
    }
    shapes_[slot].store(made, std::memory_order_release);
    n_shapes_.fetch_add(1, std::memory_order_relaxed);
    return *made;
}

FamilyTerms FamilyScore::make(const FamilyShape& shape, bool remember) const {
    FamilyTerms result;
    result.shape = shape;
    const double r = static_cast<double>(shape.arity);
    const double infinity = std::numeric_limits<double>::infinity();
    const bool finite = std::isfinite(shape.configurations);
    double cell = 0;
    double configuration = 0;
    double log_cell = -infinity;
    double log_configuration = -infinity;
    switch (formula_.kind) {
        case ScoreFormula::Kind::bdeu:
            configuration = formula_.parameter / shape.configurations;
            cell = formula_.parameter / (shape.configurations * r);
            break;
        case ScoreFormula::Kind::dirichlet:
            configuration = formula_.parameter * r;
            cell = formula_.parameter;
            break;
        case ScoreFormula::Kind::likelihood:
            if (formula_.parameter > 0) {
                result.constant = -formula_.parameter * shape.configurations * (r - 1);
            }
            break;
    }
    const bool counts_only = formula_.kind == ScoreFormula::Kind::likelihood;
    if (!counts_only) {
        const double log_q = finite ? std::log(shape.configurations) : shape.log_configurations;
        const bool normal = cell >= std::numeric_limits<double>::min();
        log_configuration = normal ? std::log(configuration) : std::log(formula_.parameter) - log_q;
        log_cell = normal ? std::log(cell) : log_configuration - std::log(r);
    }
    // No sum and no single term exceeds this: each row adds at most one logarithm of a count plus
    // its prior to each side, or that of the prior alone.
    const double n = static_cast<double>(total_) + 1;
    const double prior = counts_only ? 0 : std::abs(log_cell) + std::abs(log_configuration);
    const double bound = 2 * n * (prior + std::log(n + configuration + 2));
    result.shift = 61 - std::ilogb(bound);
    result.cell = term(cell, log_cell, result.shift, remember);
    result.configuration = term(configuration, log_configuration, result.shift, remember);
    result.bounded = total_ < std::min(result.cell->size(), result.configuration->size());
    return result;
}

std::shared_ptr<const CountTerm> FamilyScore::term(double a,
                                                   double log_a,
                                                   int shift,
                                                   bool remember) const {
    if (!remember) return std::make_shared<const CountTerm>(a, log_a, shift, 0);
    std::lock_guard lock(mutex_);
    auto& entry = terms_[{a, log_a, shift}];
    if (!entry) {
        std::size_t size = static_cast<std::size_t>(
            std::min<std::uint64_t>(total_ + 1, static_cast<std::uint64_t>(largest_table)));
        if (table_bytes_ + size * sizeof(std::int64_t) > table_budget_bytes) size = 0;
        table_bytes_ += size * sizeof(std::int64_t);
        entry = std::make_shared<const CountTerm>(a, log_a, shift, size);
    }
    return entry;
}

}  // namespace stigmergy
