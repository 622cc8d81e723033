// SPDX-License-Identifier: MIT
// Counting with bit-slices: the rows of a cell are the AND of one slice per column.
//
// The last value of a column is what the others leave, so it is never counted: in its place stands
// "any value" and the counts are turned into those of the last value by subtraction at the end, one
// column after the other (the elided value of Moore & Lee's AD-trees, 1998). A family of columns
// with arities r_i thus costs prod(r_i) - 1 - sum(r_i - 1) population counts, those of single
// columns being known. The vectors of the base are made once for all candidates of a sweep.
#include <algorithm>

#include "counter_impl.hpp"

namespace stigmergy {

namespace {

// The vectors of the base should stay in the first-level cache beside a candidate's slices.
constexpr std::size_t budget_words = 4608;
constexpr std::size_t least_block = 64;

// counts[.. last value ..] = counts[.. any value ..] - the counts of the other values, along one
// column: `place` is the distance between its values, `arity` how many there are. Inlined for
// constant places and arities, which is where the time goes when cells are few.
inline void subtract(std::uint32_t* counts,
                     std::size_t size,
                     std::size_t place,
                     std::size_t arity) {
    const std::size_t last = (arity - 1) * place;
    for (std::uint32_t* start = counts; start != counts + size; start += last + place) {
        for (std::size_t i = 0; i < place; ++i) {
            std::uint32_t rest = start[last + i];
            for (std::size_t v = 0; v < last; v += place) rest -= start[v + i];
            start[last + i] = rest;
        }
    }
}

template <std::size_t Arity>
void subtract_at(std::uint32_t* counts, std::size_t size, std::size_t place) {
    switch (place) {
        case 1:
            return subtract(counts, size, 1, Arity);
        case 2:
            return subtract(counts, size, 2, Arity);
        case 3:
            return subtract(counts, size, 3, Arity);
        case 4:
            return subtract(counts, size, 4, Arity);
        case 8:
            return subtract(counts, size, 8, Arity);
        case 16:
            return subtract(counts, size, 16, Arity);
        default:
            return subtract(counts, size, place, Arity);
    }
}

void subtract_others(std::uint32_t* counts,
                     std::size_t size,
                     std::size_t place,
                     std::size_t arity) {
    switch (arity) {
        case 1:
            return;
        case 2:
            return subtract_at<2>(counts, size, place);
        case 3:
            return subtract_at<3>(counts, size, place);
        case 4:
            return subtract_at<4>(counts, size, place);
        default:
            return subtract(counts, size, place, arity);
    }
}

}  // namespace

void Counter::run_slices(CountScratch& scratch, const Sweep& sweep, CountsVisitor& visitor) const {
    const std::size_t words = columns_.slice_words();
    const std::size_t base_cells = static_cast<std::size_t>(sweep.base_cells);
    const std::size_t n_candidates = sweep.candidates.size();

    // A base of one column or none needs no vectors of its own.
    std::size_t made = base_cells;
    std::size_t block = words;
    if (sweep.base.size() < 2) {
        made = 0;
    } else if (base_cells * words > budget_words) {
        block = std::min(std::max(budget_words / base_cells / 8 * 8, least_block), words);
    }
    if (scratch.prefix_words < made * block) {
        scratch.prefix_words = made * block;
        scratch.prefixes = AlignedWords(scratch.prefix_words);
    }

    auto& offsets = scratch.offsets;
    offsets.assign(1, 0);
    for (Node candidate : sweep.candidates) {
        offsets.push_back(offsets.back() + base_cells * columns_.arity(candidate));
    }
    scratch.counts.assign(offsets.back(), 0);
    scratch.base_counts.assign(2 * base_cells, 0);
    scratch.vectors.resize(2 * base_cells);
    const std::uint64_t** vectors = scratch.vectors.data();
    const std::uint64_t** next = vectors + base_cells;
    std::uint32_t* base_counts = scratch.base_counts.data();
    std::uint32_t* found = base_counts + base_cells;

    for (std::size_t first = 0; first < words; first += block) {
        const std::size_t here = std::min(block, words - first);
        std::uint64_t* free = scratch.prefixes.data();
        // vectors[cell] of the columns so far; none for the last, where all of them have any value.
        std::size_t cells = 1;
        vectors[0] = nullptr;
        std::size_t place_in_base = base_cells;
        for (std::size_t c = sweep.base.size(); c-- > 0;) {
            // From the slowest column to the fastest, so that cells come out in their order.
            const Node node = sweep.base[c];
            const std::uint64_t* slices = columns_.slices(node) + first;
            const std::size_t arity = columns_.arity(node);
            place_in_base /= arity;
            for (std::size_t v = 0; v + 1 < arity; ++v) {
                const std::uint64_t* slice = slices + v * words;
                if (cells > 1) {
                    std::fill_n(found, cells - 1, 0);
                    kernels_.and_store(vectors, cells - 1, slice, here, free, found);
                }
                for (std::size_t p = 0; p + 1 < cells; ++p, free += here) {
                    next[p * arity + v] = free;
                    // With any value of the columns still to come, this is a cell of the base.
                    base_counts[(p * arity + v + 1) * place_in_base - 1] += found[p];
                }
                next[(cells - 1) * arity + v] = slice;
            }
            for (std::size_t p = 0; p < cells; ++p) next[p * arity + arity - 1] = vectors[p];
            cells *= arity;
            std::swap(vectors, next);
        }
        for (std::size_t i = 0; i < n_candidates; ++i) {
            const std::uint64_t* slices = columns_.slices(sweep.candidates[i]) + first;
            for (std::size_t v = 0; v + 1 < columns_.arity(sweep.candidates[i]); ++v) {
                kernels_.and_popcount(vectors,
                                      base_cells - 1,
                                      slices + v * words,
                                      here,
                                      scratch.counts.data() + offsets[i] + v * base_cells);
            }
        }
    }

    // What is known without counting: the rows in all, and those with a value of one column.
    base_counts[base_cells - 1] = static_cast<std::uint32_t>(columns_.n_rows());
    std::size_t place = 1;
    for (Node node : sweep.base) {
        const std::size_t arity = columns_.arity(node);
        for (std::size_t v = 0; v + 1 < arity; ++v) {
            base_counts[base_cells - 1 - (arity - 1 - v) * place] = columns_.value_counts(node)[v];
        }
        place *= arity;
    }
    for (std::size_t i = 0; i < n_candidates; ++i) {
        const std::size_t arity = columns_.arity(sweep.candidates[i]);
        const std::span<std::uint32_t> counts(scratch.counts.data() + offsets[i],
                                              base_cells * arity);
        for (std::size_t v = 0; v + 1 < arity; ++v) {
            counts[(v + 1) * base_cells - 1] = columns_.value_counts(sweep.candidates[i])[v];
        }
        std::copy_n(base_counts, base_cells, counts.data() + (arity - 1) * base_cells);
        subtract_others(counts.data(), counts.size(), base_cells, arity);
        place = 1;
        for (Node node : sweep.base) {
            subtract_others(counts.data(), counts.size(), place, columns_.arity(node));
            place *= columns_.arity(node);
        }
        visitor.dense(sweep.families[i], counts, sweep.arity);
    }
}

}  // namespace stigmergy
