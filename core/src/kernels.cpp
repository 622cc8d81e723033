// SPDX-License-Identifier: MIT
#include "stigmergy/kernels.hpp"

#include <algorithm>
#include <bit>

#include "kernels_impl.hpp"

namespace stigmergy {

namespace {

void slice(const std::uint8_t* codes,
           std::size_t n,
           std::size_t arity,
           std::size_t words,
           std::uint64_t* out) {
    std::fill_n(out, arity * words, 0);
    for (std::size_t i = 0; i < n; ++i) {
        out[codes[i] * words + i / 64] |= std::uint64_t{1} << (i % 64);
    }
}

void and_popcount(const std::uint64_t* vectors,
                  std::size_t stride,
                  std::size_t count,
                  const std::uint64_t* mask,
                  std::size_t words,
                  std::uint32_t* counts) {
    for (std::size_t p = 0; p < count; ++p) {
        const std::uint64_t* vector = vectors + p * stride;
        unsigned bits = 0;
        for (std::size_t i = 0; i < words; ++i) {
            bits += static_cast<unsigned>(std::popcount(vector[i] & mask[i]));
        }
        counts[p] += bits;
    }
}

void popcount(const std::uint64_t* vectors,
              std::size_t stride,
              std::size_t count,
              std::size_t words,
              std::uint32_t* counts) {
    for (std::size_t p = 0; p < count; ++p) {
        unsigned bits = 0;
        for (std::size_t i = 0; i < words; ++i) {
            bits += static_cast<unsigned>(std::popcount(vectors[p * stride + i]));
        }
        counts[p] += bits;
    }
}

void and_words(const std::uint64_t* a,
               const std::uint64_t* b,
               std::size_t words,
               std::uint64_t* out) {
    and_words_loop(a, b, words, out);
}

void digit16(const std::uint16_t* base,
             const std::uint8_t* codes,
             std::uint16_t place,
             std::size_t n,
             std::uint16_t* out) {
    digit16_loop(base, codes, place, n, out);
}

constexpr Kernels portable{"portable", 24, slice, and_popcount, popcount, and_words, digit16};

}  // namespace

const Kernels* find_kernels(std::string_view name) {
    if (name == portable.name) return &portable;
#ifdef STIGMERGY_X86
    if (name == "avx2") return avx2_kernels();
    if (name == "avx512") return avx512_kernels();
#endif
    return nullptr;
}

const Kernels& best_kernels() {
    static const Kernels& best = []() -> const Kernels& {
        for (const char* name : {"avx512", "avx2"}) {
            if (const Kernels* found = find_kernels(name)) return *found;
        }
        return portable;
    }();
    return best;
}

}  // namespace stigmergy
