// SPDX-License-Identifier: MIT
#include "kernels_impl.hpp"

#ifdef STIGMERGY_X86

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,bmi,bmi2,popcnt")))

namespace stigmergy {

namespace {

TARGET STIGMERGY_INLINE __m512i load(const std::uint64_t* words) {
    return _mm512_load_si512(reinterpret_cast<const void*>(words));
}

TARGET void slice(const std::uint8_t* codes,
                  std::size_t n,
                  std::size_t arity,
                  std::size_t words,
                  std::uint64_t* out) {
    for (std::size_t w = 0; w < words; ++w) {
        const std::size_t first = w * 64;
        const std::size_t rows = n <= first ? 0 : n - first;
        const __mmask64 present = rows >= 64 ? ~__mmask64{0} : (__mmask64{1} << rows) - 1;
        const __m512i block = _mm512_maskz_loadu_epi8(present, codes + (rows ? first : 0));
        for (std::size_t v = 0; v < arity; ++v) {
            out[v * words + w] =
                _mm512_mask_cmpeq_epi8_mask(present, block, _mm512_set1_epi8(static_cast<char>(v)));
        }
    }
}

// Eight sums at once: lane p of the result is the sum of the lanes of totals[p].
TARGET STIGMERGY_INLINE __m512i sums(const __m512i totals[8]) {
    __m512i pairs[4];
    for (int i = 0; i < 4; ++i) {
        pairs[i] = _mm512_add_epi64(_mm512_unpacklo_epi64(totals[2 * i], totals[2 * i + 1]),
                                    _mm512_unpackhi_epi64(totals[2 * i], totals[2 * i + 1]));
    }
    __m512i quads[2];
    for (int i = 0; i < 2; ++i) {
        quads[i] = _mm512_add_epi64(_mm512_shuffle_i64x2(pairs[2 * i], pairs[2 * i + 1], 0x88),
                                    _mm512_shuffle_i64x2(pairs[2 * i], pairs[2 * i + 1], 0xDD));
    }
    return _mm512_add_epi64(_mm512_shuffle_i64x2(quads[0], quads[1], 0x88),
                            _mm512_shuffle_i64x2(quads[0], quads[1], 0xDD));
}

// Eight vectors side by side: the mask is loaded once for all, and the eight chains of additions
// hide each other's latency.
template <bool Masked>
TARGET STIGMERGY_INLINE void eight(const std::uint64_t* vectors,
                                   std::size_t stride,
                                   const std::uint64_t* mask,
                                   std::size_t words,
                                   std::uint32_t* counts) {
    __m512i totals[8];
    for (auto& total : totals) total = _mm512_setzero_si512();
    for (std::size_t i = 0; i < words; i += 8) {
        const __m512i selected = Masked ? load(mask + i) : _mm512_set1_epi64(-1);
        for (std::size_t p = 0; p < 8; ++p) {
            __m512i bits = load(vectors + p * stride + i);
            if constexpr (Masked) bits = _mm512_and_si512(bits, selected);
            totals[p] = _mm512_add_epi64(totals[p], _mm512_popcnt_epi64(bits));
        }
    }
    __m256i old = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(counts));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(counts),
                        _mm256_add_epi32(old, _mm512_cvtepi64_epi32(sums(totals))));
}

template <bool Masked>
TARGET STIGMERGY_INLINE void many(const std::uint64_t* vectors,
                                  std::size_t stride,
                                  std::size_t count,
                                  const std::uint64_t* mask,
                                  std::size_t words,
                                  std::uint32_t* counts) {
    std::size_t p = 0;
    for (; p + 8 <= count; p += 8)
        eight<Masked>(vectors + p * stride, stride, mask, words, counts + p);
    for (; p < count; ++p) {
        const std::uint64_t* vector = vectors + p * stride;
        __m512i even = _mm512_setzero_si512();
        __m512i odd = even;
        std::size_t i = 0;
        for (; i + 16 <= words; i += 16) {
            __m512i a = load(vector + i);
            __m512i b = load(vector + i + 8);
            if constexpr (Masked) {
                a = _mm512_and_si512(a, load(mask + i));
                b = _mm512_and_si512(b, load(mask + i + 8));
            }
            even = _mm512_add_epi64(even, _mm512_popcnt_epi64(a));
            odd = _mm512_add_epi64(odd, _mm512_popcnt_epi64(b));
        }
        for (; i < words; i += 8) {
            __m512i a = load(vector + i);
            if constexpr (Masked) a = _mm512_and_si512(a, load(mask + i));
            even = _mm512_add_epi64(even, _mm512_popcnt_epi64(a));
        }
        counts[p] +=
            static_cast<std::uint32_t>(_mm512_reduce_add_epi64(_mm512_add_epi64(even, odd)));
    }
}

TARGET void and_popcount(const std::uint64_t* vectors,
                         std::size_t stride,
                         std::size_t count,
                         const std::uint64_t* mask,
                         std::size_t words,
                         std::uint32_t* counts) {
    many<true>(vectors, stride, count, mask, words, counts);
}

TARGET void popcount(const std::uint64_t* vectors,
                     std::size_t stride,
                     std::size_t count,
                     std::size_t words,
                     std::uint32_t* counts) {
    many<false>(vectors, stride, count, nullptr, words, counts);
}

TARGET void and_words(const std::uint64_t* a,
                      const std::uint64_t* b,
                      std::size_t words,
                      std::uint64_t* out) {
    for (std::size_t i = 0; i < words; i += 8) {
        _mm512_store_si512(out + i, _mm512_and_si512(load(a + i), load(b + i)));
    }
}

TARGET void digit16(const std::uint16_t* base,
                    const std::uint8_t* codes,
                    std::uint16_t place,
                    std::size_t n,
                    std::uint16_t* out) {
    digit16_loop(base, codes, place, n, out);
}

constexpr Kernels avx512{"avx512", 160, slice, and_popcount, popcount, and_words, digit16};

}  // namespace

const Kernels* avx512_kernels() {
    static const bool present =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return present ? &avx512 : nullptr;
}

}  // namespace stigmergy

#endif
