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
#else
#define STIGMERGY_INLINE inline
#define STIGMERGY_RESTRICT __restrict
#endif

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define STIGMERGY_X86 1
#endif

namespace stigmergy {

STIGMERGY_INLINE void index16_loop(const std::uint16_t* start,
                                   const std::uint8_t* const* codes,
                                   const std::uint16_t* places,
                                   std::size_t columns,
                                   std::size_t n,
                                   std::uint16_t* out) {
    // One column after the other through a piece of the output that stays in cache.
    constexpr std::size_t piece = 2048;
    for (std::size_t first = 0; first < n; first += piece) {
        const std::size_t here = n - first < piece ? n - first : piece;
        std::uint16_t* STIGMERGY_RESTRICT numbers = out + first;
        if (start) {
            for (std::size_t i = 0; i < here; ++i) numbers[i] = start[first + i];
        } else {
            for (std::size_t i = 0; i < here; ++i) numbers[i] = 0;
        }
        for (std::size_t c = 0; c < columns; ++c) {
            const std::uint8_t* STIGMERGY_RESTRICT column = codes[c] + first;
            const std::uint16_t place = places[c];
            for (std::size_t i = 0; i < here; ++i) {
                numbers[i] = static_cast<std::uint16_t>(numbers[i] + column[i] * unsigned{place});
            }
        }
    }
}

#ifdef STIGMERGY_X86
// Null when the processor lacks the instructions.
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();
#endif

}  // namespace stigmergy
