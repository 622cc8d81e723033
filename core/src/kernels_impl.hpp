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

STIGMERGY_INLINE void and_words_loop(const std::uint64_t* a,
                                     const std::uint64_t* b,
                                     std::size_t words,
                                     std::uint64_t* STIGMERGY_RESTRICT out) {
    for (std::size_t i = 0; i < words; ++i) out[i] = a[i] & b[i];
}

STIGMERGY_INLINE void digit16_loop(const std::uint16_t* base,
                                   const std::uint8_t* codes,
                                   std::uint16_t place,
                                   std::size_t n,
                                   std::uint16_t* STIGMERGY_RESTRICT out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<std::uint16_t>(base[i] + codes[i] * unsigned{place});
    }
}

#ifdef STIGMERGY_X86
// Null when the processor lacks the instructions.
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();
#endif

}  // namespace stigmergy
