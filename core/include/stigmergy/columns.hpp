// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "stigmergy/nodes.hpp"

namespace stigmergy {

// Memory on a 64-byte boundary, a whole cache line or vector register at a time.
class AlignedWords {
  public:
    AlignedWords() = default;
    explicit AlignedWords(std::size_t words);
    [[nodiscard]] std::uint64_t* data() { return data_.get(); }
    [[nodiscard]] const std::uint64_t* data() const { return data_.get(); }

  private:
    struct Free {
        void operator()(std::uint64_t* words) const;
    };
    std::unique_ptr<std::uint64_t[], Free> data_;
};

// One variable of the data as codes 0..arity-1, borrowed: a byte each, or two when arity > 256.
struct Column {
    std::size_t arity = 1;
    const std::uint8_t* narrow = nullptr;
    const std::uint16_t* wide = nullptr;
};

// A data set as the counters see it: columns of codes and, made at the first use, bit-slices.
//
// The bit-slices of a column are `arity` bit vectors, the v-th with bit i set when row i has the
// value v; each is padded with zeros to `slice_words()` words (a multiple of 8, and not 0) and they
// lie one after the other. They take arity / 8 bytes a row. Safe to read from several threads.
class Columns {
  public:
    // `owner` keeps the borrowed memory alive; `weights` is empty (each row counts once) or has
    // one weight a row. Throws std::invalid_argument for a code outside its arity.
    Columns(std::size_t n_rows,
            std::vector<Column> columns,
            std::span<const std::uint64_t> weights,
            std::shared_ptr<const void> owner);

    [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
    [[nodiscard]] std::size_t size() const { return columns_.size(); }
    [[nodiscard]] std::size_t arity(Node node) const { return columns_[node].arity; }
    [[nodiscard]] const Column& column(Node node) const { return columns_[node]; }
    [[nodiscard]] std::span<const std::uint64_t> weights() const { return weights_; }
    // The sum of the weights, or the number of rows.
    [[nodiscard]] std::uint64_t total() const { return total_; }

    [[nodiscard]] std::size_t slice_words() const { return slice_words_; }
    [[nodiscard]] const std::uint64_t* slices(Node node) const { return sliced(node).words.data(); }
    // How many rows have each value.
    [[nodiscard]] const std::uint32_t* value_counts(Node node) const {
        return sliced(node).counts.data();
    }

  private:
    struct Slices {
        std::atomic<bool> ready{false};
        std::once_flag once;
        AlignedWords words;
        std::vector<std::uint32_t> counts;
    };
    [[nodiscard]] const Slices& sliced(Node node) const {
        const Slices& slices = slices_[node];
        if (!slices.ready.load(std::memory_order_acquire)) make_slices(node);
        return slices;
    }
    void make_slices(Node node) const;

    void check(Node node) const;

    std::size_t n_rows_;
    std::vector<Column> columns_;
    std::span<const std::uint64_t> weights_;
    std::shared_ptr<const void> owner_;
    std::uint64_t total_;
    std::size_t slice_words_;
    std::unique_ptr<Slices[]> slices_;
};

}  // namespace stigmergy
