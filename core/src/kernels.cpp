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

void and_popcount(const std::uint64_t* const* vectors,
                  std::size_t count,
                  const std::uint64_t* mask,
                  std::size_t words,
                  std::uint32_t* counts) {
    for (std::size_t p = 0; p < count; ++p) {
        const std::uint64_t* vector = vectors[p];
        unsigned bits = 0;
        for (std::size_t i = 0; i < words; ++i) {
            bits += static_cast<unsigned>(std::popcount(vector[i] & mask[i]));
        }
        counts[p] = bits;
    }
}

void and_store(const std::uint64_t* const* vectors,
               std::size_t count,
               const std::uint64_t* mask,
               std::size_t words,
               std::uint64_t* out,
               std::uint32_t* counts) {
    for (std::size_t p = 0; p < count; ++p, out += words) {
        unsigned bits = 0;
        for (std::size_t i = 0; i < words; ++i) {
            out[i] = vectors[p][i] & mask[i];
            bits += static_cast<unsigned>(std::popcount(out[i]));
        }
        counts[p] = bits;
    }
}

void index16(const std::uint16_t* start,
             const std::uint8_t* const* codes,
             const std::uint16_t* places,
             std::size_t columns,
             std::size_t n,
             std::uint16_t* out) {
    index16_loop(start, codes, places, columns, n, out);
}

void histogram16(const std::uint16_t* start,
                 const std::uint8_t* const* codes,
                 const std::uint16_t* places,
                 std::size_t columns,
                 std::size_t n,
                 std::uint32_t* counts,
                 std::size_t stride) {
    histogram16_loop(start, codes, places, columns, n, counts, stride);
}

constexpr Kernels portable{"portable", 24, slice, and_popcount, and_store, index16, histogram16};

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
