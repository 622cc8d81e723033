// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stigmergy {

// The inner loops of counting for one instruction set. All sets give the same results; the best
// that the processor has is chosen once, at run time, so that one build is fast everywhere.
struct Kernels {
    const char* name;
    // Cells that bit-slices count in the time in which the histogram counts one row: below this
    // number of cells bit-slices are the cheaper way. Measured (docs/counting.md).
    std::size_t slices_crossing;

    // Bit-slices of a column of bytes: bit i % 64 of out[v * words + i / 64] says codes[i] == v.
    void (*slice)(const std::uint8_t* codes,
                  std::size_t n,
                  std::size_t arity,
                  std::size_t words,
                  std::uint64_t* out);
    // counts[p] = bits in (vectors[p] & mask), for `count` bit vectors of `words` words, a
    // multiple of 8; all on 64-byte boundaries.
    void (*and_popcount)(const std::uint64_t* const* vectors,
                         std::size_t count,
                         const std::uint64_t* mask,
                         std::size_t words,
                         std::uint32_t* counts);
    // The same, and the vectors (vectors[p] & mask) themselves to out + p * words.
    void (*and_store)(const std::uint64_t* const* vectors,
                      std::size_t count,
                      const std::uint64_t* mask,
                      std::size_t words,
                      std::uint64_t* out,
                      std::uint32_t* counts);
    // Mixed-radix numbers of n rows: out[i] = start[i] + sum of codes[c][i] * places[c], where a
    // null start is all zeros. Numbers are modulo 2^16.
    void (*index16)(const std::uint16_t* start,
                    const std::uint8_t* const* codes,
                    const std::uint16_t* places,
                    std::size_t columns,
                    std::size_t n,
                    std::uint16_t* out);
    // Adds one to the counter of each of these numbers. Rows take turns in four sets of counters
    // that lie `stride` apart; a stride of 0 makes them one.
    void (*histogram16)(const std::uint16_t* start,
                        const std::uint8_t* const* codes,
                        const std::uint16_t* places,
                        std::size_t columns,
                        std::size_t n,
                        std::uint32_t* counts,
                        std::size_t stride);
};

[[nodiscard]] const Kernels& best_kernels();
// "portable", "avx2" or "avx512"; null when this processor or build does not have it.
[[nodiscard]] const Kernels* find_kernels(std::string_view name);

}  // namespace stigmergy
