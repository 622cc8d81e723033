// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "stigmergy/counter.hpp"
#include "stigmergy/scorer.hpp"

// Measurements for benchmarks, made inside the core so that no call from outside is in them. Each
// is the least of several repeats: what the machine can do when nothing disturbs it.
namespace stigmergy {

// What the processor can do at best, of the operations that counting is made of.
struct Limits {
    double scatter_rows;     // increments per nanosecond of counters in cache, index ready-made
    double slice_cell_rows;  // rows per nanosecond and cell, AND and population count in cache
    double read_bytes;       // bytes read per nanosecond from memory beyond the caches
};
[[nodiscard]] Limits measure_limits();

// Nanoseconds to count one family.
[[nodiscard]] double time_count(const Counter& counter,
                                Node child,
                                NodeListRef parents,
                                std::size_t loops);
// Nanoseconds to count and score one family, without the cache.
[[nodiscard]] double time_score(const FamilySource& source,
                                Node child,
                                NodeListRef parents,
                                std::size_t loops);
// Nanoseconds to score one family of a sweep over all `candidates`, without the cache.
[[nodiscard]] double time_sweep(const FamilySource& source,
                                Node child,
                                NodeListRef base,
                                NodeListRef candidates,
                                std::size_t loops);
// Nanoseconds to look up one family of a batch that the cache has.
[[nodiscard]] double time_cached(Scorer& scorer, const FamilyBatch& batch, std::size_t loops);

}  // namespace stigmergy
