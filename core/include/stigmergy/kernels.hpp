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
    // number of cells bit-slices are the cheaper way. Measured (docs/performance.md).
    std::size_t slices_crossing;

    // Bit-slices of a column of bytes: bit i % 64 of out[v * words + i / 64] says codes[i] == v.
    void (*slice)(const std::uint8_t* codes,
                  std::size_t n,
                  std::size_t arity,
                  std::size_t words,
                  std::uint64_t* out);
    // counts[p] += bits in (vectors[p] & mask), for `count` bit vectors `stride` words apart;
    // `words` is a multiple of 8.
    void (*and_popcount)(const std::uint64_t* vectors,
                         std::size_t stride,
                         std::size_t count,
                         const std::uint64_t* mask,
                         std::size_t words,
                         std::uint32_t* counts);
    // counts[p] += bits in vectors[p].
    void (*popcount)(const std::uint64_t* vectors,
                     std::size_t stride,
                     std::size_t count,
                     std::size_t words,
                     std::uint32_t* counts);
    // out = a & b, word by word.
    void (*and_words)(const std::uint64_t* a,
                      const std::uint64_t* b,
                      std::size_t words,
                      std::uint64_t* out);
    // One more digit of a mixed-radix number: out[i] = base[i] + codes[i] * place.
    void (*digit16)(const std::uint16_t* base,
                    const std::uint8_t* codes,
                    std::uint16_t place,
                    std::size_t n,
                    std::uint16_t* out);
};

[[nodiscard]] const Kernels& best_kernels();
// "portable", "avx2" or "avx512"; null when this processor or build does not have it.
[[nodiscard]] const Kernels* find_kernels(std::string_view name);

}  // namespace stigmergy
