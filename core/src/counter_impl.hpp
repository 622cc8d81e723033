// SPDX-License-Identifier: MIT
// What the files of the counter share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stigmergy/counter.hpp"

namespace stigmergy {

// A sweep in the form that the kernels work on: the digits of a cell number, the fastest first.
// `base` holds the columns that all its families share (the child and then parents), and each
// family adds one of `candidates` as its slowest digit. A family without parents is the empty base
// with the child as candidate, so that no kernel needs a special case for it.
struct Counter::Sweep {
    NodeList base;
    NodeList candidates;
    std::vector<std::size_t> families;  // the visitor's number of each candidate
    std::size_t arity = 1;              // of the child
    double base_cells = 1;
    std::size_t largest_arity = 1;  // of the base

    void clear() {
        base.clear();
        candidates.clear();
        families.clear();
        base_cells = 1;
        largest_arity = 1;
    }
};

// Memory that a thread keeps from call to call, so that counting a small family allocates nothing.
struct CountScratch {
    Counter::Sweep whole;
    Counter::Sweep parts[Counter::n_ways];
    AlignedWords prefixes;
    std::size_t prefix_words = 0;
    std::vector<const std::uint64_t*> vectors;
    std::vector<std::size_t> offsets;
    NodeList family;
    std::vector<std::uint16_t> index16, extended16;
    std::vector<std::uint32_t> index32, extended32;
    std::vector<std::uint32_t> counts, base_counts;
    std::vector<std::uint64_t> wide_counts;
    SparseCounts sparse;
    std::vector<std::uint32_t> touched;  // all zeros between calls

    template <typename Index>
    std::vector<Index>& index() {
        if constexpr (sizeof(Index) == 2) {
            return index16;
        } else {
            return index32;
        }
    }
    template <typename Index>
    std::vector<Index>& extended() {
        if constexpr (sizeof(Index) == 2) {
            return extended16;
        } else {
            return extended32;
        }
    }
};

CountScratch& count_scratch();

// Cell numbers of the rows [first, first + n): `start` (or zeros) plus one digit per column, the
// first of them with weight `place`.
void number_rows(const Columns& columns,
                 const std::uint32_t* start,
                 NodeListRef digits,
                 std::size_t place,
                 std::size_t first,
                 std::size_t n,
                 std::uint32_t* out);

}  // namespace stigmergy
