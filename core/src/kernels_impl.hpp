// SPDX-License-Identifier: MIT
// Loops that each instruction set compiles for itself: the compiler vectorises them with the
// instructions that the calling function is allowed to use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stigmergy/kernels.hpp"

#if defined(__GNUC__) || defined(__clang__)
#define STIGMERGY_INLINE inline __attribute__((always_inline))
#define STIGMERGY_RESTRICT __restrict__
// GCC would go through two columns at once ("unroll and jam") and then not vectorise the rows,
// which is four times slower.
#define STIGMERGY_ONE_AFTER_THE_OTHER asm volatile("" ::: "memory")
#define STIGMERGY_PREFETCH(address) __builtin_prefetch(address)
#else
#define STIGMERGY_INLINE inline
#define STIGMERGY_RESTRICT __restrict
#define STIGMERGY_ONE_AFTER_THE_OTHER
#define STIGMERGY_PREFETCH(address)
#endif

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define STIGMERGY_X86 1
#endif

namespace stigmergy {

// Rows at a time of what the compiler vectorises: their numbers stay in cache.
constexpr std::size_t piece = 2048;

// The numbers of up to `piece` rows from `first`, one column after the other.
STIGMERGY_INLINE void index16_piece(const std::uint16_t* start,
                                    const std::uint8_t* const* codes,
                                    const std::uint16_t* places,
                                    std::size_t columns,
                                    std::size_t first,
                                    std::size_t n,
                                    std::uint16_t* out) {
    std::uint16_t* STIGMERGY_RESTRICT numbers = out;
    if (start) {
        for (std::size_t i = 0; i < n; ++i) numbers[i] = start[first + i];
    } else {
        for (std::size_t i = 0; i < n; ++i) numbers[i] = 0;
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const std::uint8_t* STIGMERGY_RESTRICT column = codes[c] + first;
        const std::uint16_t place = places[c];
        for (std::size_t i = 0; i < n; ++i) {
            numbers[i] = static_cast<std::uint16_t>(numbers[i] + column[i] * unsigned{place});
        }
        STIGMERGY_ONE_AFTER_THE_OTHER;
    }
}

STIGMERGY_INLINE void index16_loop(const std::uint16_t* start,
                                   const std::uint8_t* const* codes,
                                   const std::uint16_t* places,
                                   std::size_t columns,
                                   std::size_t n,
                                   std::uint16_t* out) {
    for (std::size_t first = 0; first < n; first += piece) {
        const std::size_t here = n - first < piece ? n - first : piece;
        index16_piece(start, codes, places, columns, first, here, out + first);
    }
}

// The four sets of counters lie `stride` apart; a stride of 0 makes them one.
template <typename Index>
STIGMERGY_INLINE void scatter(const Index* numbers,
                              std::size_t n,
                              std::uint32_t* counts,
                              std::size_t stride) {
    std::uint32_t* a = counts;
    std::uint32_t* b = a + stride;
    std::uint32_t* c = b + stride;
    std::uint32_t* d = c + stride;
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        ++a[numbers[i]];
        ++b[numbers[i + 1]];
        ++c[numbers[i + 2]];
        ++d[numbers[i + 3]];
        ++a[numbers[i + 4]];
        ++b[numbers[i + 5]];
        ++c[numbers[i + 6]];
        ++d[numbers[i + 7]];
    }
    for (; i < n; ++i) ++a[numbers[i]];
}

STIGMERGY_INLINE void histogram16_loop(const std::uint16_t* start,
                                       const std::uint8_t* const* codes,
                                       const std::uint16_t* places,
                                       std::size_t columns,
                                       std::size_t n,
                                       std::uint32_t* counts,
                                       std::size_t stride) {
    std::uint16_t numbers[piece];
    for (std::size_t first = 0; first < n; first += piece) {
        const std::size_t here = n - first < piece ? n - first : piece;
        index16_piece(start, codes, places, columns, first, here, numbers);
        scatter(numbers, here, counts, stride);
    }
}

#ifdef STIGMERGY_X86
// Null when the processor lacks the instructions.
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();
#endif

}  // namespace stigmergy
