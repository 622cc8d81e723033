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

// Sums of the lanes of up to eight vectors at once: lane p of the result is that of totals[p].
template <std::size_t Count>
TARGET STIGMERGY_INLINE __m256i sums(const __m512i* totals) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i pairs[4] = {zero, zero, zero, zero};
    for (std::size_t i = 0; 2 * i < Count; ++i) {
        const __m512i second = 2 * i + 1 < Count ? totals[2 * i + 1] : zero;
        pairs[i] = _mm512_add_epi64(_mm512_unpacklo_epi64(totals[2 * i], second),
                                    _mm512_unpackhi_epi64(totals[2 * i], second));
    }
    __m512i quads[2] = {zero, zero};
    for (std::size_t i = 0; 4 * i < Count; ++i) {
        quads[i] = _mm512_add_epi64(_mm512_shuffle_i64x2(pairs[2 * i], pairs[2 * i + 1], 0x88),
                                    _mm512_shuffle_i64x2(pairs[2 * i], pairs[2 * i + 1], 0xDD));
    }
    return _mm512_cvtepi64_epi32(_mm512_add_epi64(_mm512_shuffle_i64x2(quads[0], quads[1], 0x88),
                                                  _mm512_shuffle_i64x2(quads[0], quads[1], 0xDD)));
}

// Up to eight vectors side by side: the mask is loaded once for all, and the chains of additions
// hide each other's latency.
template <std::size_t Count, bool Store>
TARGET STIGMERGY_INLINE void group(const std::uint64_t* const* vectors,
                                   const std::uint64_t* mask,
                                   std::size_t words,
                                   std::uint64_t* out,
                                   std::uint32_t* counts) {
    __m512i totals[Count];
    for (auto& total : totals) total = _mm512_setzero_si512();
    for (std::size_t i = 0; i < words; i += 8) {
        const __m512i selected = load(mask + i);
        for (std::size_t p = 0; p < Count; ++p) {
            const __m512i bits = _mm512_and_si512(selected, load(vectors[p] + i));
            if constexpr (Store) _mm512_store_si512(out + p * words + i, bits);
            totals[p] = _mm512_add_epi64(totals[p], _mm512_popcnt_epi64(bits));
        }
    }
    _mm256_mask_storeu_epi32(counts, static_cast<__mmask8>((1u << Count) - 1), sums<Count>(totals));
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

// Rows whose numbers are made at a time.
constexpr std::size_t step = 64;

// The numbers of `step` rows from the i-th.
struct Numbers {
    __m512i low, high;
};

TARGET STIGMERGY_INLINE Numbers number(const std::uint16_t* start,
                                       const std::uint8_t* const* codes,
                                       const std::uint16_t* places,
                                       std::size_t columns,
                                       std::size_t i) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i low = start ? _mm512_loadu_si512(start + i) : zero;
    __m512i high = start ? _mm512_loadu_si512(start + i + step / 2) : zero;
    for (std::size_t c = 0; c < columns; ++c) {
        const auto* code = reinterpret_cast<const __m256i*>(codes[c] + i);
        // Several long columns at once are more than the processor foresees by itself.
        _mm_prefetch(reinterpret_cast<const char*>(code) + 2048, _MM_HINT_T0);
        const __m512i place = _mm512_set1_epi16(static_cast<short>(places[c]));
        const __m512i first = _mm512_cvtepu8_epi16(_mm256_loadu_si256(code));
        const __m512i second = _mm512_cvtepu8_epi16(_mm256_loadu_si256(code + 1));
        low = _mm512_add_epi16(low, _mm512_mullo_epi16(first, place));
        high = _mm512_add_epi16(high, _mm512_mullo_epi16(second, place));
    }
    return {low, high};
}

TARGET STIGMERGY_INLINE void store(std::uint16_t* out, const Numbers& numbers) {
    _mm512_storeu_si512(out, numbers.low);
    _mm512_storeu_si512(out + step / 2, numbers.high);
}

STIGMERGY_INLINE std::uint16_t number_of_row(const std::uint16_t* start,
                                             const std::uint8_t* const* codes,
                                             const std::uint16_t* places,
                                             std::size_t columns,
                                             std::size_t i) {
    unsigned result = start ? start[i] : 0;
    for (std::size_t c = 0; c < columns; ++c) result += codes[c][i] * unsigned{places[c]};
    return static_cast<std::uint16_t>(result);
}

TARGET void index16(const std::uint16_t* start,
                    const std::uint8_t* const* codes,
                    const std::uint16_t* places,
                    std::size_t columns,
                    std::size_t n,
                    std::uint16_t* out) {
    std::size_t i = 0;
    for (; i + step <= n; i += step) store(out + i, number(start, codes, places, columns, i));
    for (; i < n; ++i) out[i] = number_of_row(start, codes, places, columns, i);
}

TARGET void histogram16(const std::uint16_t* start,
                        const std::uint8_t* const* codes,
                        const std::uint16_t* places,
                        std::size_t columns,
                        std::size_t n,
                        std::uint32_t* counts,
                        std::size_t stride) {
    // Incrementing keeps the store unit busy and leaves the vector units idle, so the numbers of
    // later rows are made beside it. They are made a good while ahead: by the time they are used
    // they have left the store queue, and single ones can be read as fast as anything in cache.
    constexpr std::size_t ahead = 512;
    alignas(64) std::uint16_t numbers[ahead];
    const std::size_t whole = n / step * step;
    std::size_t made = 0;
    std::size_t used = 0;
    for (; made < whole && made < ahead; made += step) {
        store(numbers + made, number(start, codes, places, columns, made));
    }
    for (; made < whole; made += step, used += step) {
        std::uint16_t* oldest = numbers + used % ahead;
        const Numbers newest = number(start, codes, places, columns, made);
        scatter(oldest, step, counts, stride);
        store(oldest, newest);
    }
    for (; used < whole; used += step) scatter(numbers + used % ahead, step, counts, stride);
    for (std::size_t i = whole; i < n; ++i) {
        ++counts[number_of_row(start, codes, places, columns, i)];
    }
}

constexpr Kernels avx512{"avx512", 384, slice, and_popcount, and_store, index16, histogram16};

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
