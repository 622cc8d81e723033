// SPDX-License-Identifier: MIT
// Counting with bit-slices: the rows of a cell are the AND of one slice per column.
//
// The last value of a column is what the others leave, so it is never counted: in its place stands
// "any value" and the counts are turned into those of the last value by subtraction at the end, one
// column after the other (the elided value of Moore & Lee's AD-trees, 1998). A family of columns
// with arities r_i thus costs prod(r_i) - 1 - sum(r_i - 1) population counts, those of single
// columns being known.
//
// The base of a sweep is parted in two, the joint values of its fast columns and those of its slow
// ones, so that few vectors are ever stored and all of them stay in the first-level cache: a family
// of 256 cells needs some 20, not 128. Both are made once for all candidates.
#include <algorithm>

#include "counter_impl.hpp"
#include "kernels_impl.hpp"

namespace stigmergy {

namespace {

// The vectors at work should stay in the first-level cache.
constexpr std::size_t budget_words = 5632;
constexpr std::size_t least_block = 64;
// Fast columns are those with so many joint values together: kernels work on eight at a time. When
// candidates share the base, the more of it is made beforehand, the less is left for each of them.
constexpr std::size_t fast_cells = 8;
constexpr std::size_t fast_cells_shared = 32;

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

// Some columns of a family and the vectors of their joint values, the first column changing
// fastest. The last value of a column stands for any; where all have any value there is no vector.
struct Joint {
    NodeListRef columns;
    std::size_t cells = 1;
    const std::uint64_t** vectors = nullptr;
    std::uint32_t* counts = nullptr;  // but not those that single columns know
};

// How many vectors of a Joint have to be stored: slices lie there already.
std::size_t n_stored(const Columns& columns, const Joint& joint) {
    std::size_t result = joint.cells - 1;
    for (Node node : joint.columns) result -= columns.arity(node) - 1;
    return result;
}

// Makes the vectors of the words [first, first + words) in the memory at `free` and returns what is
// free then. `spare` and `found` have room for all cells.
std::uint64_t* make_vectors(const Columns& columns,
                            const Kernels& kernels,
                            std::size_t first,
                            std::size_t words,
                            const Joint& joint,
                            const std::uint64_t** spare,
                            std::uint32_t* found,
                            std::uint64_t* free) {
    const std::uint64_t** now = joint.vectors;
    const std::uint64_t** next = spare;
    if (joint.columns.size() % 2 == 1) std::swap(now, next);  // the last shall be joint.vectors
    now[0] = nullptr;
    std::size_t cells = 1;
    std::size_t place = joint.cells;
    // From the slowest column to the fastest, so that cells come out in their order.
    for (std::size_t c = joint.columns.size(); c-- > 0;) {
        const Node node = joint.columns[c];
        const std::size_t arity = columns.arity(node);
        place /= arity;
        for (std::size_t v = 0; v + 1 < arity; ++v) {
            const std::uint64_t* slice = columns.slices(node) + v * columns.slice_words() + first;
            if (cells > 1) kernels.and_store(now, cells - 1, slice, words, free, found);
            for (std::size_t p = 0; p + 1 < cells; ++p, free += words) {
                next[p * arity + v] = free;
                // With any value of the columns still to come, this is a cell already.
                joint.counts[(p * arity + v + 1) * place - 1] = found[p];
            }
            next[(cells - 1) * arity + v] = slice;
        }
        for (std::size_t p = 0; p < cells; ++p) next[p * arity + arity - 1] = now[p];
        cells *= arity;
        std::swap(now, next);
    }
    return free;
}

// Asks for the slices of the words [first, last) before they are needed: short pieces of many
// slices are more than the processor foresees by itself.
void prefetch(const Columns& columns, NodeListRef nodes, std::size_t first, std::size_t last) {
    constexpr std::size_t line = 8;
    for (Node node : nodes) {
        const std::uint64_t* slice = columns.slices(node);
        for (std::size_t v = 0; v + 1 < columns.arity(node); ++v, slice += columns.slice_words()) {
            for (std::size_t w = first; w < last; w += line) STIGMERGY_PREFETCH(slice + w);
        }
    }
}

// Blocks of about equal size whose vectors fit the cache.
std::size_t block_of(std::size_t words, std::size_t vectors) {
    const std::size_t fitting = std::max(budget_words / (vectors + 1), least_block);
    const std::size_t blocks = (words + fitting - 1) / fitting;
    return ((words + blocks - 1) / blocks + 7) / 8 * 8;
}

}  // namespace

void Counter::run_slices(CountScratch& scratch, const Sweep& sweep, CountsVisitor& visitor) const {
    const std::size_t words = columns_.slice_words();
    const std::size_t base_cells = static_cast<std::size_t>(sweep.base_cells);
    const std::size_t n_candidates = sweep.candidates.size();

    std::size_t n_fast = 0;
    Joint fast, slow;
    const std::size_t enough = n_candidates > 1 ? fast_cells_shared : fast_cells;
    while (n_fast < sweep.base.size() && fast.cells < enough) {
        fast.cells *= columns_.arity(sweep.base[n_fast++]);
    }
    fast.columns = NodeListRef(sweep.base).first(n_fast);
    slow.columns = NodeListRef(sweep.base).subspan(n_fast);
    slow.cells = base_cells / fast.cells;

    const std::size_t stored =
        n_stored(columns_, fast) + n_stored(columns_, slow) + (slow.cells > 1 ? fast.cells - 1 : 0);
    std::size_t slices = 0;
    for (Node node : sweep.base) slices += columns_.arity(node) - 1;
    const std::size_t block = block_of(words, stored + slices);
    if (scratch.prefix_words < stored * block) {
        scratch.prefixes = AlignedWords(stored * block);
        scratch.prefix_words = stored * block;
    }

    auto& offsets = scratch.offsets;
    offsets.assign(1, base_cells);
    for (Node candidate : sweep.candidates) {
        offsets.push_back(offsets.back() + base_cells * columns_.arity(candidate));
    }
    const std::size_t most = std::max(fast.cells, slow.cells);
    const std::size_t total = offsets.back();
    // The counts of the base and of the candidates; behind them those of a block.
    scratch.counts.resize((block < words ? 2 : 1) * total + fast.cells + slow.cells + most);
    scratch.vectors.resize(2 * fast.cells + slow.cells + most);
    std::uint32_t* base_counts = scratch.counts.data() + (block < words ? total : 0);
    fast.counts = base_counts + total;
    slow.counts = fast.counts + fast.cells;
    std::uint32_t* found = slow.counts + slow.cells;
    fast.vectors = scratch.vectors.data();
    slow.vectors = fast.vectors + fast.cells;
    const std::uint64_t** with_value = slow.vectors + slow.cells;
    const std::uint64_t** spare = with_value + fast.cells;

    // counts[s * fast.cells + f] of the rows in one of the slow vectors and in one of `vectors`.
    auto count_pairs = [&](const std::uint64_t** vectors,
                           std::size_t n_vectors,
                           std::size_t here,
                           std::uint32_t* counts) {
        for (std::size_t s = 0; s + 1 < slow.cells; ++s, counts += fast.cells) {
            kernels_.and_popcount(vectors, n_vectors, slow.vectors[s], here, counts);
        }
    };

    for (std::size_t first = 0; first < words; first += block) {
        const std::size_t here = std::min(block, words - first);
        if (first + here < words) {
            const std::size_t end = std::min(first + 2 * block, words);
            prefetch(columns_, sweep.base, first + here, end);
            if (n_candidates == 1) prefetch(columns_, sweep.candidates, first + here, end);
        }
        std::uint64_t* free = scratch.prefixes.data();
        free = make_vectors(columns_, kernels_, first, here, fast, spare, found, free);
        free = make_vectors(columns_, kernels_, first, here, slow, spare, found, free);
        count_pairs(fast.vectors, fast.cells - 1, here, base_counts);
        for (std::size_t s = 0; s + 1 < slow.cells; ++s) {
            base_counts[(s + 1) * fast.cells - 1] = slow.counts[s];
        }
        std::copy_n(fast.counts, fast.cells - 1, base_counts + base_cells - fast.cells);
        for (std::size_t i = 0; i < n_candidates; ++i) {
            const std::size_t arity = columns_.arity(sweep.candidates[i]);
            const std::uint64_t* slice = columns_.slices(sweep.candidates[i]) + first;
            std::uint32_t* counts = base_counts + offsets[i];
            for (std::size_t v = 0; v + 1 < arity; ++v, slice += words, counts += base_cells) {
                std::uint32_t* with_any = counts + base_cells - fast.cells;
                if (slow.cells == 1) {
                    kernels_.and_popcount(fast.vectors, fast.cells - 1, slice, here, with_any);
                    continue;
                }
                kernels_.and_store(fast.vectors, fast.cells - 1, slice, here, free, with_any);
                for (std::size_t f = 0; f + 1 < fast.cells; ++f) with_value[f] = free + f * here;
                with_value[fast.cells - 1] = slice;
                count_pairs(with_value, fast.cells, here, counts);
            }
        }
        if (block == words) break;
        std::uint32_t* sums = scratch.counts.data();
        for (std::size_t c = 0; c < total; ++c) {
            sums[c] = (first == 0 ? 0 : sums[c]) + base_counts[c];
        }
    }

    // What is known without counting: the rows in all, and those with a value of one column.
    base_counts = scratch.counts.data();
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
        const std::span<std::uint32_t> counts(base_counts + offsets[i], base_cells * arity);
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
