// SPDX-License-Identifier: MIT
// Counting with bit-slices: the rows of a cell are the AND of one slice per column. The vectors of
// the base are made once and each candidate costs one AND and population count per cell; its last
// value needs none, being what is left of the base's counts.
#include <algorithm>

#include "counter_impl.hpp"

namespace stigmergy {

namespace {

// The vectors of the base should stay in the first-level cache beside a candidate's slices.
constexpr std::size_t prefix_budget_words = 4096;

}  // namespace

void Counter::run_slices(const Sweep& sweep, CountsVisitor& visitor) const {
    CountScratch& scratch = count_scratch();
    const std::size_t words = columns_.slice_words();
    const std::size_t base_cells = static_cast<std::size_t>(sweep.base_cells);
    const bool direct = sweep.base.size() == 1;
    std::size_t block = words;
    if (!direct && base_cells * words > prefix_budget_words) {
        block = std::max<std::size_t>(prefix_budget_words / base_cells / 8 * 8, 64);
        block = std::min(block, words);
    }
    if (!direct && scratch.prefix_words < base_cells * block) {
        scratch.prefix_words = base_cells * block;
        scratch.prefixes = AlignedWords(scratch.prefix_words);
    }

    std::vector<std::size_t> offsets(sweep.candidates.size() + 1, 0);
    for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
        offsets[i + 1] = offsets[i] + base_cells * columns_.arity(sweep.candidates[i]);
    }
    scratch.counts.assign(offsets.back(), 0);
    scratch.base_counts.assign(base_cells, 0);

    for (std::size_t first = 0; first < words; first += block) {
        const std::size_t here = std::min(block, words - first);
        const std::uint64_t* vectors = nullptr;
        std::size_t stride = block;
        if (direct) {
            vectors = columns_.slices(sweep.base[0]) + first;
            stride = words;
        } else {
            std::uint64_t* prefixes = scratch.prefixes.data();
            vectors = prefixes;
            std::size_t cells = 1;
            if (sweep.base.empty()) {
                // All rows: ones up to the last row, zeros after it.
                for (std::size_t w = 0; w < here; ++w) {
                    const std::size_t row = (first + w) * 64;
                    const std::size_t left = columns_.n_rows() - std::min(row, columns_.n_rows());
                    prefixes[w] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
                }
            } else {
                const std::uint64_t* slices = columns_.slices(sweep.base[0]) + first;
                cells = columns_.arity(sweep.base[0]);
                for (std::size_t v = 0; v < cells; ++v) {
                    std::copy_n(slices + v * words, here, prefixes + v * stride);
                }
            }
            for (std::size_t c = 1; c < sweep.base.size(); ++c) {
                const std::uint64_t* slices = columns_.slices(sweep.base[c]) + first;
                // From the last value down: value 0 overwrites the vectors it is made from.
                for (std::size_t v = columns_.arity(sweep.base[c]); v-- > 0;) {
                    for (std::size_t p = 0; p < cells; ++p) {
                        kernels_.and_words(prefixes + p * stride,
                                           slices + v * words,
                                           here,
                                           prefixes + (v * cells + p) * stride);
                    }
                }
                cells *= columns_.arity(sweep.base[c]);
            }
        }
        kernels_.popcount(vectors, stride, base_cells, here, scratch.base_counts.data());
        for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
            const std::uint64_t* slices = columns_.slices(sweep.candidates[i]) + first;
            for (std::size_t v = 0; v + 1 < columns_.arity(sweep.candidates[i]); ++v) {
                kernels_.and_popcount(vectors,
                                      stride,
                                      base_cells,
                                      slices + v * words,
                                      here,
                                      scratch.counts.data() + offsets[i] + v * base_cells);
            }
        }
    }

    for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
        const std::span<std::uint32_t> cells(scratch.counts.data() + offsets[i],
                                             offsets[i + 1] - offsets[i]);
        std::uint32_t* last = cells.data() + cells.size() - base_cells;
        std::copy_n(scratch.base_counts.data(), base_cells, last);
        for (const std::uint32_t* known = cells.data(); known != last; known += base_cells) {
            for (std::size_t p = 0; p < base_cells; ++p) last[p] -= known[p];
        }
        visitor.dense(sweep.families[i], cells, sweep.arity);
    }
}

}  // namespace stigmergy
