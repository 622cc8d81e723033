// SPDX-License-Identifier: MIT
#include "stigmergy/sampler.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "stigmergy/philox.hpp"

// The random words are the one part that gains from wide registers; the loader picks the version.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__)
#define STIGMERGY_WIDE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define STIGMERGY_WIDE_CLONES
#endif

namespace stigmergy {

namespace {

constexpr std::size_t block_rows = 2048;  // even, so that a block starts at a whole Philox counter
constexpr std::size_t block_calls = block_rows / 2;
constexpr std::uint64_t unit = std::uint64_t{1} << 48;

// One row of weights as integers that sum to `unit` exactly. What rounding leaves goes to the first
// largest, which is large enough to take it: at least unit / 2^16 against at most 2^15.
void quantize(std::span<const double> weights, std::span<std::uint64_t> out) {
    double sum = 0.0;
    for (const double weight : weights) {
        if (!(weight >= 0.0) || !std::isfinite(weight)) {
            throw std::invalid_argument("a probability must be finite and >= 0, got " +
                                        std::to_string(weight));
        }
        sum += weight;
    }
    if (!(sum > 0.0) || !std::isfinite(sum)) {
        throw std::invalid_argument("a row of probabilities must have a positive finite sum");
    }
    std::uint64_t total = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const double share = weights[k] / sum * static_cast<double>(unit);
        out[k] = static_cast<std::uint64_t>(std::llround(share));
        total += out[k];
    }
    // Unsigned wrap-around makes this right for a negative remainder as well.
    *std::max_element(out.begin(), out.end()) += unit - total;
}

// Vose's construction in integers. Weights times K are spread over K columns of capacity `unit`.
void fill_alias(std::span<std::uint64_t> weights,
                std::vector<std::uint32_t>& small,
                std::vector<std::uint32_t>& large,
                std::span<std::uint64_t> cells) {
    const auto arity = static_cast<std::uint32_t>(weights.size());
    small.clear();
    large.clear();
    for (std::uint32_t k = arity; k-- > 0;) {
        weights[k] *= arity;
        (weights[k] < unit ? small : large).push_back(k);
    }
    while (!small.empty()) {
        // The sums are exact, so as long as a column is short another one has a surplus.
        const std::uint32_t taker = small.back();
        const std::uint32_t giver = large.back();
        small.pop_back();
        cells[taker] = weights[taker] << 16 | giver;
        weights[giver] -= unit - weights[taker];
        if (weights[giver] < unit) {
            large.pop_back();
            small.push_back(giver);
        }
    }
    for (const std::uint32_t full : large) cells[full] = full;  // its alias is itself
}

struct Words {
    std::uint32_t x[4][block_calls];
};

STIGMERGY_WIDE_CLONES
void fill_words(std::uint64_t seed,
                std::uint32_t stream,
                std::uint64_t first_call,
                std::size_t n_calls,
                Words& words) {
    const Philox::Key key{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
    for (std::size_t c = 0; c < n_calls; ++c) {
        const std::uint64_t call = first_call + c;
        std::uint32_t x0 = static_cast<std::uint32_t>(call);
        std::uint32_t x1 = static_cast<std::uint32_t>(call >> 32);
        std::uint32_t x2 = stream;
        std::uint32_t x3 = 0;
        const Philox::Counter block = Philox::block({x0, x1, x2, x3}, key);
        for (std::size_t w = 0; w < 4; ++w) words.x[w][c] = block[w];
    }
}

// The column hit by the 64-bit fraction hi:lo / 2^64 times arity, and where in it (48 bits).
inline std::uint32_t draw(std::uint32_t hi,
                          std::uint32_t lo,
                          std::uint32_t arity,
                          const std::uint64_t* row) {
    const std::uint64_t low = std::uint64_t{lo} * arity;
    const std::uint64_t high = std::uint64_t{hi} * arity + (low >> 32);
    const auto column = static_cast<std::uint32_t>(high >> 32);
    const std::uint64_t place = (high & 0xFFFFFFFF) << 16 | (low & 0xFFFFFFFF) >> 16;
    const std::uint64_t cell = row[column];
    return place < cell >> 16 ? column : static_cast<std::uint32_t>(cell & 0xFFFF);
}

template <typename Code>
void draw_block(const Words& words,
                const std::uint32_t* rows,
                std::uint32_t arity,
                const std::uint64_t* cells,
                std::size_t n_rows,
                Code* out) {
    for (std::size_t i = 0; i + 1 < n_rows; i += 2) {
        const std::size_t c = i / 2;
        out[i] = static_cast<Code>(draw(words.x[1][c], words.x[0][c], arity, cells + rows[i]));
        out[i + 1] =
            static_cast<Code>(draw(words.x[3][c], words.x[2][c], arity, cells + rows[i + 1]));
    }
    if (n_rows % 2 == 1) {
        const std::size_t i = n_rows - 1;
        const std::size_t c = i / 2;
        out[i] = static_cast<Code>(draw(words.x[1][c], words.x[0][c], arity, cells + rows[i]));
    }
}

template <typename Code>
void add_parent(const Code* codes, std::uint32_t stride, std::size_t n_rows, std::uint32_t* rows) {
    for (std::size_t i = 0; i < n_rows; ++i) rows[i] += codes[i] * stride;
}

}  // namespace

struct Sampler::Scratch {
    Words words;
    std::uint32_t rows[block_rows];
};

void Sampler::add(std::uint32_t stream,
                  std::size_t arity,
                  std::vector<std::size_t> parents,
                  std::span<const double> table) {
    if (arity < 1 || arity > 0xFFFF) {
        throw std::invalid_argument("an arity must be 1 to 65535, got " + std::to_string(arity));
    }
    Variable variable{stream, static_cast<std::uint32_t>(arity), {}, {}};
    std::size_t n_cells = arity;
    for (auto parent = parents.rbegin(); parent != parents.rend(); ++parent) {
        if (*parent >= variables_.size()) {
            throw std::invalid_argument("parents must be added before their children");
        }
        variable.parents.push_back({*parent, static_cast<std::uint32_t>(n_cells)});
        n_cells *= variables_[*parent].arity;
        if (n_cells > std::numeric_limits<std::uint32_t>::max()) {
            throw std::invalid_argument("a table must have fewer than 2^32 cells");
        }
    }
    if (table.size() != n_cells) {
        throw std::invalid_argument("a table must have " + std::to_string(n_cells) +
                                    " cells, got " + std::to_string(table.size()));
    }
    variable.cells.resize(n_cells);
    std::vector<std::uint64_t> weights(arity);
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (std::size_t start = 0; start < n_cells; start += arity) {
        quantize(table.subspan(start, arity), weights);
        fill_alias(weights, small, large, std::span(variable.cells).subspan(start, arity));
    }
    variables_.push_back(std::move(variable));
}

void Sampler::sample_block(std::uint64_t seed,
                           std::uint64_t first_row,
                           std::size_t offset,
                           std::size_t n_rows,
                           std::span<const CodeColumn> columns,
                           Scratch& scratch) const {
    for (std::size_t v = 0; v < variables_.size(); ++v) {
        const Variable& variable = variables_[v];
        std::fill_n(scratch.rows, n_rows, 0U);
        for (const Parent& parent : variable.parents) {
            const CodeColumn column = columns[parent.variable];
            if (column.wide) {
                const auto* codes = static_cast<const std::uint16_t*>(column.data) + offset;
                add_parent(codes, parent.stride, n_rows, scratch.rows);
            } else {
                const auto* codes = static_cast<const std::uint8_t*>(column.data) + offset;
                add_parent(codes, parent.stride, n_rows, scratch.rows);
            }
        }
        fill_words(
            seed, variable.stream, (first_row + offset) / 2, (n_rows + 1) / 2, scratch.words);
        const std::uint64_t* cells = variable.cells.data();
        if (columns[v].wide) {
            auto* out = static_cast<std::uint16_t*>(columns[v].data) + offset;
            draw_block(scratch.words, scratch.rows, variable.arity, cells, n_rows, out);
        } else {
            auto* out = static_cast<std::uint8_t*>(columns[v].data) + offset;
            draw_block(scratch.words, scratch.rows, variable.arity, cells, n_rows, out);
        }
    }
}

void Sampler::sample(std::uint64_t seed,
                     std::uint64_t first_row,
                     std::size_t n_rows,
                     std::span<const CodeColumn> columns,
                     std::size_t n_threads) const {
    if (first_row % 2 != 0) throw std::invalid_argument("first_row must be even");
    if (columns.size() != variables_.size()) {
        throw std::invalid_argument("there must be one column per variable");
    }
    for (std::size_t v = 0; v < columns.size(); ++v) {
        if (columns[v].wide != is_wide(v)) {
            throw std::invalid_argument(
                "a column must be 16-bit exactly when its arity exceeds 256");
        }
    }
    // A block passes through all variables while its rows stay in the cache.
    const std::size_t n_blocks = (n_rows + block_rows - 1) / block_rows;
    std::atomic<std::size_t> next{0};
    auto work = [&] {
        Scratch scratch;
        for (std::size_t b = next++; b < n_blocks; b = next++) {
            const std::size_t offset = b * block_rows;
            sample_block(
                seed, first_row, offset, std::min(block_rows, n_rows - offset), columns, scratch);
        }
    };
    std::vector<std::thread> helpers;
    try {
        for (std::size_t t = 1; t < std::min(n_threads, n_blocks); ++t) helpers.emplace_back(work);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
        // No more threads to be had: those there are do it all.
    }
    work();
    for (std::thread& helper : helpers) helper.join();
}

}  // namespace stigmergy
