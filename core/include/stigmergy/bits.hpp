// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stigmergy/nodes.hpp"

namespace stigmergy {

using Word = std::uint64_t;
inline constexpr std::size_t word_bits = 64;

[[nodiscard]] constexpr std::size_t words_for(std::size_t bits) {
    return (bits + word_bits - 1) / word_bits;
}

// A set of nodes as borrowed words; all sets that meet in one expression have the same length.
using BitsRef = std::span<const Word>;
using BitsMut = std::span<Word>;

[[nodiscard]] inline bool test_bit(BitsRef bits, std::size_t i) {
    return (bits[i / word_bits] >> (i % word_bits)) & 1;
}
inline void set_bit(BitsMut bits, std::size_t i) {
    bits[i / word_bits] |= Word{1} << (i % word_bits);
}
inline void clear_bit(BitsMut bits, std::size_t i) {
    bits[i / word_bits] &= ~(Word{1} << (i % word_bits));
}
inline void clear_all(BitsMut bits) {
    for (Word& word : bits) word = 0;
}
[[nodiscard]] inline bool any(BitsRef bits) {
    for (Word word : bits)
        if (word != 0) return true;
    return false;
}
[[nodiscard]] inline std::size_t count(BitsRef bits) {
    std::size_t total = 0;
    for (Word word : bits) total += static_cast<std::size_t>(std::popcount(word));
    return total;
}
[[nodiscard]] inline bool equal(BitsRef a, BitsRef b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if (a[w] != b[w]) return false;
    return true;
}
[[nodiscard]] inline bool intersects(BitsRef a, BitsRef b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if ((a[w] & b[w]) != 0) return true;
    return false;
}
inline void unite(BitsMut into, BitsRef other) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] |= other[w];
}

template <typename Visit>
void for_each_bit(BitsRef bits, Visit&& visit) {
    for (std::size_t w = 0; w < bits.size(); ++w) {
        for (Word rest = bits[w]; rest != 0; rest &= rest - 1) {
            visit(static_cast<Node>(w * word_bits +
                                    static_cast<std::size_t>(std::countr_zero(rest))));
        }
    }
}

// A set of nodes that owns its words. Up to 256 nodes it lives without the heap: the tests of moves
// make many small sets.
class NodeSet {
  public:
    NodeSet() = default;
    explicit NodeSet(std::size_t n_nodes) : n_words_(words_for(n_nodes)) {
        if (n_words_ > few_.size()) many_.resize(n_words_);
    }
    operator BitsRef() const { return {data(), n_words_}; }
    operator BitsMut() { return {data(), n_words_}; }
    [[nodiscard]] bool contains(Node v) const { return test_bit(*this, v); }
    void insert(Node v) { set_bit(*this, v); }
    void erase(Node v) { clear_bit(*this, v); }
    void clear() { clear_all(*this); }
    [[nodiscard]] Word& word(std::size_t w) { return data()[w]; }
    [[nodiscard]] Word word(std::size_t w) const { return data()[w]; }
    bool operator==(const NodeSet&) const = default;

  private:
    [[nodiscard]] Word* data() { return many_.empty() ? few_.data() : many_.data(); }
    [[nodiscard]] const Word* data() const { return many_.empty() ? few_.data() : many_.data(); }

    std::size_t n_words_ = 0;
    std::array<Word, 4> few_{};
    std::vector<Word> many_;
};

// One set of nodes per node, in one block of memory: row v is the set of v.
class BitRows {
  public:
    BitRows() = default;
    explicit BitRows(std::size_t n_nodes) : BitRows(n_nodes, n_nodes) {}
    BitRows(std::size_t n_rows, std::size_t n_bits)
        : words_per_row_(words_for(n_bits)), words_(n_rows * words_per_row_, 0) {}
    [[nodiscard]] BitsRef row(std::size_t v) const {
        return {words_.data() + v * words_per_row_, words_per_row_};
    }
    [[nodiscard]] BitsMut row(std::size_t v) {
        return {words_.data() + v * words_per_row_, words_per_row_};
    }
    [[nodiscard]] bool test(std::size_t v, std::size_t i) const { return test_bit(row(v), i); }
    void set(std::size_t v, std::size_t i) { set_bit(row(v), i); }
    void clear(std::size_t v, std::size_t i) { clear_bit(row(v), i); }
    [[nodiscard]] std::size_t words_per_row() const { return words_per_row_; }
    bool operator==(const BitRows&) const = default;

  private:
    std::size_t words_per_row_ = 0;
    std::vector<Word> words_;
};

}  // namespace stigmergy
