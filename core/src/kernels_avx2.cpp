// SPDX-License-Identifier: MIT
#include "kernels_impl.hpp"

#ifdef STIGMERGY_X86

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt,bmi,bmi2")))

namespace stigmergy {

namespace {

TARGET void slice(const std::uint8_t* codes,
                  std::size_t n,
                  std::size_t arity,
                  std::size_t words,
                  std::uint64_t* out) {
    for (std::size_t v = 0; v < arity; ++v) {
        const __m256i value = _mm256_set1_epi8(static_cast<char>(v));
        std::uint64_t* row = out + v * words;
        std::size_t i = 0;
        for (; i + 64 <= n; i += 64) {
            auto low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i));
            auto high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i + 32));
            auto low_bits =
                static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, value)));
            auto high_bits =
                static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, value)));
            row[i / 64] = low_bits | (std::uint64_t{high_bits} << 32);
        }
        for (std::size_t w = i / 64; w < words; ++w) row[w] = 0;
        for (; i < n; ++i) row[i / 64] |= std::uint64_t{codes[i] == v} << (i % 64);
    }
}

// Bits per byte by two table look-ups of four bits each (Mula, Kurz & Lemire, 2018, "Faster
// population counts using AVX2 instructions").
TARGET STIGMERGY_INLINE __m256i byte_counts(__m256i bits) {
    const __m256i table = _mm256_setr_epi8(0,
                                           1,
                                           1,
                                           2,
                                           1,
                                           2,
                                           2,
                                           3,
                                           1,
                                           2,
                                           2,
                                           3,
                                           2,
                                           3,
                                           3,
                                           4,
                                           0,
                                           1,
                                           1,
                                           2,
                                           1,
                                           2,
                                           2,
                                           3,
                                           1,
                                           2,
                                           2,
                                           3,
                                           2,
                                           3,
                                           3,
                                           4);
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(table, _mm256_and_si256(bits, nibble)),
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bits, 4), nibble)));
}

TARGET STIGMERGY_INLINE std::uint32_t sum(__m256i lanes) {
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    return static_cast<std::uint32_t>(_mm_extract_epi64(half, 0) + _mm_extract_epi64(half, 1));
}

TARGET STIGMERGY_INLINE __m256i load(const std::uint64_t* words) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(words));
}

template <bool Store>
TARGET STIGMERGY_INLINE std::uint32_t bits_in(const std::uint64_t* a,
                                              const std::uint64_t* b,
                                              std::size_t words,
                                              std::uint64_t* out) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i total = zero;
    // A byte holds 31 sums of at most 8, so bytes are folded after 15 steps of two vectors.
    for (std::size_t i = 0; i < words;) {
        __m256i bytes = zero;
        const std::size_t end = i + 120 < words ? i + 120 : words;
        for (; i < end; i += 8) {
            const __m256i low = _mm256_and_si256(load(a + i), load(b + i));
            const __m256i high = _mm256_and_si256(load(a + i + 4), load(b + i + 4));
            if constexpr (Store) {
                _mm256_store_si256(reinterpret_cast<__m256i*>(out + i), low);
                _mm256_store_si256(reinterpret_cast<__m256i*>(out + i + 4), high);
            }
            bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(byte_counts(low), byte_counts(high)));
        }
        total = _mm256_add_epi64(total, _mm256_sad_epu8(bytes, zero));
    }
    return sum(total);
}

TARGET void and_popcount(const std::uint64_t* const* vectors,
                         std::size_t count,
                         const std::uint64_t* mask,
                         std::size_t words,
                         std::uint32_t* counts) {
    for (std::size_t p = 0; p < count; ++p) {
        counts[p] = bits_in<false>(vectors[p], mask, words, nullptr);
    }
}

TARGET void and_store(const std::uint64_t* const* vectors,
                      std::size_t count,
                      const std::uint64_t* mask,
                      std::size_t words,
                      std::uint64_t* out,
                      std::uint32_t* counts) {
    for (std::size_t p = 0; p < count; ++p) {
        counts[p] = bits_in<true>(vectors[p], mask, words, out + p * words);
    }
}

TARGET void index16(const std::uint16_t* start,
                    const std::uint8_t* const* codes,
                    const std::uint16_t* places,
                    std::size_t columns,
                    std::size_t n,
                    std::uint16_t* out) {
    index16_loop(start, codes, places, columns, n, out);
}

TARGET void histogram16(const std::uint16_t* start,
                        const std::uint8_t* const* codes,
                        const std::uint16_t* places,
                        std::size_t columns,
                        std::size_t n,
                        std::uint32_t* counts,
                        std::size_t stride) {
    histogram16_loop(start, codes, places, columns, n, counts, stride);
}

constexpr Kernels avx2{"avx2", 144, slice, and_popcount, and_store, index16, histogram16};

}  // namespace

const Kernels* avx2_kernels() {
    static const bool present = __builtin_cpu_supports("avx2") &&
                                __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2");
    return present ? &avx2 : nullptr;
}

}  // namespace stigmergy

#endif
