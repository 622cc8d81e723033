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
};

// Memory that a thread keeps from call to call.
struct CountScratch {
    AlignedWords prefixes;
    std::size_t prefix_words = 0;
    std::vector<std::uint16_t> index16, extended16;
    std::vector<std::uint32_t> index32, extended32;
    std::vector<std::uint32_t> counts, base_counts;
    std::vector<std::uint64_t> wide_counts;
    SparseCounts sparse;
};

CountScratch& count_scratch();

}  // namespace stigmergy
