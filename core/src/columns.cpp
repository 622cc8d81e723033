// SPDX-License-Identifier: MIT
#include "stigmergy/columns.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "stigmergy/kernels.hpp"

namespace stigmergy {

namespace {

constexpr std::align_val_t line{64};

template <typename Code>
std::size_t largest(const Code* codes, std::size_t n) {
    Code result = 0;
    for (std::size_t i = 0; i < n; ++i) result = std::max(result, codes[i]);
    return result;
}

}  // namespace

AlignedWords::AlignedWords(std::size_t words)
    : data_(new (line) std::uint64_t[std::max<std::size_t>(words, 1)]) {}

void AlignedWords::Free::operator()(std::uint64_t* words) const {
    ::operator delete[](words, line);
}

Columns::Columns(std::size_t n_rows,
                 std::vector<Column> columns,
                 std::span<const std::uint64_t> weights,
                 std::shared_ptr<const void> owner)
    : n_rows_(n_rows),
      columns_(std::move(columns)),
      weights_(weights),
      owner_(std::move(owner)),
      total_(n_rows),
      slice_words_((std::max<std::size_t>(n_rows, 1) + 511) / 512 * 8),
      slices_(std::make_unique<Slices[]>(columns_.size())) {
    if (columns_.size() > max_nodes) {
        throw std::invalid_argument("at most 65535 columns are allowed, got " +
                                    std::to_string(columns_.size()));
    }
    if (n_rows > std::numeric_limits<std::uint32_t>::max()) {
        throw std::invalid_argument("at most 4294967295 rows are allowed, got " +
                                    std::to_string(n_rows));
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) check(static_cast<Node>(i));
    if (weights_.empty()) return;
    if (weights_.size() != n_rows) {
        throw std::invalid_argument("weights must have one value per row (" +
                                    std::to_string(n_rows) + "), got " +
                                    std::to_string(weights_.size()));
    }
    total_ = 0;
    for (std::uint64_t weight : weights_) {
        if (weight > (std::uint64_t{1} << 62) - total_) {
            throw std::invalid_argument("weights must sum to at most 2**62");
        }
        total_ += weight;
    }
}

void Columns::check(Node node) const {
    const Column& column = columns_[node];
    if (n_rows_ == 0) return;
    std::size_t top = column.wide ? largest(column.wide, n_rows_) : largest(column.narrow, n_rows_);
    if (top >= column.arity) {
        throw std::invalid_argument("codes of column " + std::to_string(node) +
                                    " must be below its arity " + std::to_string(column.arity) +
                                    ", got " + std::to_string(top));
    }
}

void Columns::make_slices(Node node) const {
    Slices& slices = slices_[node];
    std::call_once(slices.once, [&] {
        const Column& column = columns_[node];
        slices.words = AlignedWords(column.arity * slice_words_);
        std::uint64_t* out = slices.words.data();
        if (column.wide) {
            std::fill_n(out, column.arity * slice_words_, 0);
            for (std::size_t i = 0; i < n_rows_; ++i) {
                out[column.wide[i] * slice_words_ + i / 64] |= std::uint64_t{1} << (i % 64);
            }
        } else {
            best_kernels().slice(column.narrow, n_rows_, column.arity, slice_words_, out);
        }
        slices.counts.assign(column.arity, 0);
        for (std::size_t v = 0; v < column.arity; ++v) {
            const std::uint64_t* slice = out + v * slice_words_;
            best_kernels().and_popcount(&slice, 1, slice, slice_words_, &slices.counts[v]);
        }
        slices.ready.store(true, std::memory_order_release);
    });
}

}  // namespace stigmergy
