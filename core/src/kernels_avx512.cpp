// SPDX-License-Identifier: MIT
#include "kernels_impl.hpp"

#ifdef STIGMERGY_X86

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 calls the deliberately undefined operands of its own intrinsics uninitialised.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

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

// Up to eight vectors side by side: the mask is loaded once for all, and the chains of additions
// hide each other's latency.
template <std::size_t Count, bool Store>
TARGET STIGMERGY_INLINE void group(const std::uint64_t* const* vectors,
                                   const std::uint64_t* mask,
                                   std::size_t words,
                                   std::uint64_t* out,
                                   std::uint32_t* counts) {
    __m512i totals[8];
    for (auto& total : totals) total = _mm512_setzero_si512();
    for (std::size_t i = 0; i < words; i += 8) {
        const __m512i selected = load(mask + i);
        for (std::size_t p = 0; p < Count; ++p) {
            const __m512i bits = _mm512_and_si512(selected, load(vectors[p] + i));
            if constexpr (Store) _mm512_store_si512(out + p * words + i, bits);
            totals[p] = _mm512_add_epi64(totals[p], _mm512_popcnt_epi64(bits));
        }
    }
    constexpr __mmask8 lanes = (1u << Count) - 1;
    const __m256i old = _mm256_maskz_loadu_epi32(lanes, counts);
    const __m256i added = _mm512_cvtepi64_epi32(sums(totals));
    _mm256_mask_storeu_epi32(counts, lanes, _mm256_add_epi32(old, added));
}

template <bool Store>
TARGET STIGMERGY_INLINE void groups(const std::uint64_t* const* vectors,
                                    std::size_t count,
                                    const std::uint64_t* mask,
                                    std::size_t words,
                                    std::uint64_t* out,
                                    std::uint32_t* counts) {
    std::size_t p = 0;
    for (; p + 8 <= count; p += 8) {
        group<8, Store>(vectors + p, mask, words, Store ? out + p * words : out, counts + p);
    }
    vectors += p;
    counts += p;
    if (Store) out += p * words;
    switch (count - p) {
        case 7:
            return group<7, Store>(vectors, mask, words, out, counts);
        case 6:
            return group<6, Store>(vectors, mask, words, out, counts);
        case 5:
            return group<5, Store>(vectors, mask, words, out, counts);
        case 4:
            return group<4, Store>(vectors, mask, words, out, counts);
        case 3:
            return group<3, Store>(vectors, mask, words, out, counts);
        case 2:
            return group<2, Store>(vectors, mask, words, out, counts);
        case 1:
            return group<1, Store>(vectors, mask, words, out, counts);
        default:
            return;
    }
}

TARGET void and_popcount(const std::uint64_t* const* vectors,
                         std::size_t count,
                         const std::uint64_t* mask,
                         std::size_t words,
                         std::uint32_t* counts) {
    groups<false>(vectors, count, mask, words, nullptr, counts);
}

TARGET void and_store(const std::uint64_t* const* vectors,
                      std::size_t count,
                      const std::uint64_t* mask,
                      std::size_t words,
                      std::uint64_t* out,
                      std::uint32_t* counts) {
    groups<true>(vectors, count, mask, words, out, counts);
}

TARGET void index16(const std::uint16_t* start,
                    const std::uint8_t* const* codes,
                    const std::uint16_t* places,
                    std::size_t columns,
                    std::size_t n,
                    std::uint16_t* out) {
    std::size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        __m512i number = start ? _mm512_loadu_si512(start + i) : _mm512_setzero_si512();
        for (std::size_t c = 0; c < columns; ++c) {
            const __m512i code = _mm512_cvtepu8_epi16(
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes[c] + i)));
            const __m512i place = _mm512_set1_epi16(static_cast<short>(places[c]));
            number = _mm512_add_epi16(number, _mm512_mullo_epi16(code, place));
        }
        _mm512_storeu_si512(out + i, number);
    }
    for (; i < n; ++i) {
        unsigned number = start ? start[i] : 0;
        for (std::size_t c = 0; c < columns; ++c) number += codes[c][i] * unsigned{places[c]};
        out[i] = static_cast<std::uint16_t>(number);
    }
}

constexpr Kernels avx512{"avx512", 256, slice, and_popcount, and_store, index16};

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
