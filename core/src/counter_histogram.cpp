// SPDX-License-Identifier: MIT
// Counting with histograms: the cell number of a row is a mixed-radix number, its low digits shared
// by all candidates of a sweep. Rows are taken in blocks so that the numbers stay in the
// first-level cache; several histograms are filled in turn when there are few cells, because adding
// twice to one counter has to wait for the first addition to reach memory.
#include <algorithm>

#include "counter_impl.hpp"

namespace stigmergy {

namespace {

constexpr std::size_t block_rows = 8192;
constexpr std::size_t histograms = 4;
// With more cells than this, clearing and adding up four histograms costs more than it saves.
constexpr std::size_t many_cells = 1024;

template <typename Index, typename Code>
void add_digit(const Index* base, const Code* codes, Index place, std::size_t n, Index* out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Index>(base[i] + codes[i] * place);
}

template <typename Index>
void extend(const Kernels& kernels,
            const Index* base,
            const Column& column,
            std::size_t first,
            Index place,
            std::size_t n,
            Index* out) {
    if (column.wide) {
        add_digit(base, column.wide + first, place, n, out);
    } else if constexpr (sizeof(Index) == 2) {
        kernels.digit16(base, column.narrow + first, place, n, out);
    } else {
        add_digit(base, column.narrow + first, place, n, out);
    }
}

// The four histograms lie `stride` apart; a stride of 0 makes them one.
template <typename Index>
void scatter(const Index* index, std::size_t n, std::uint32_t* counts, std::size_t stride) {
    std::uint32_t* a = counts;
    std::uint32_t* b = a + stride;
    std::uint32_t* c = b + stride;
    std::uint32_t* d = c + stride;
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        ++a[index[i]];
        ++b[index[i + 1]];
        ++c[index[i + 2]];
        ++d[index[i + 3]];
        ++a[index[i + 4]];
        ++b[index[i + 5]];
        ++c[index[i + 6]];
        ++d[index[i + 7]];
    }
    for (; i < n; ++i) ++a[index[i]];
}

template <typename Index>
std::vector<Index>& index_of(CountScratch& scratch) {
    if constexpr (sizeof(Index) == 2) {
        return scratch.index16;
    } else {
        return scratch.index32;
    }
}

template <typename Index>
std::vector<Index>& extended_of(CountScratch& scratch) {
    if constexpr (sizeof(Index) == 2) {
        return scratch.extended16;
    } else {
        return scratch.extended32;
    }
}

// The numbers of the base's cells for the rows [first, first + n).
template <typename Index>
void base_index(const Kernels& kernels,
                const Columns& columns,
                NodeListRef base,
                std::size_t first,
                std::size_t n,
                Index* out) {
    std::fill_n(out, n, Index{0});
    std::size_t place = 1;
    for (Node node : base) {
        extend(kernels, out, columns.column(node), first, static_cast<Index>(place), n, out);
        place *= columns.arity(node);
    }
}

}  // namespace

template <typename Index>
void Counter::run_histogram(const Sweep& sweep, CountsVisitor& visitor) const {
    CountScratch& scratch = count_scratch();
    const std::size_t rows = columns_.n_rows();
    const std::size_t base_cells = static_cast<std::size_t>(sweep.base_cells);
    // Blocks of equal size, so that the last is not a small one.
    const std::size_t n_blocks =
        std::max<std::size_t>((rows + 2 * block_rows - 1) / (2 * block_rows), 1);
    const std::size_t block = (rows + n_blocks - 1) / n_blocks;
    auto& index = index_of<Index>(scratch);
    auto& extended = extended_of<Index>(scratch);
    if (index.size() < block) index.resize(block), extended.resize(block);

    struct Part {
        std::size_t offset, cells, copies;
    };
    std::vector<Part> parts;
    std::size_t begin = 0;
    while (begin < sweep.candidates.size()) {
        // As many candidates at a time as have histograms that fit the second-level cache.
        constexpr std::size_t budget = std::size_t{1} << 16;
        parts.clear();
        std::size_t total = 0;
        std::size_t end = begin;
        for (; end < sweep.candidates.size(); ++end) {
            const std::size_t cells = base_cells * columns_.arity(sweep.candidates[end]);
            const std::size_t copies = cells <= many_cells ? histograms : 1;
            if (end > begin && total + cells * copies > budget) break;
            parts.push_back({total, cells, copies});
            total += cells * copies;
        }
        scratch.counts.assign(total, 0);
        for (std::size_t first = 0; first < rows; first += block) {
            const std::size_t n = std::min(block, rows - first);
            if (n_blocks > 1 || begin == 0) {
                base_index<Index>(kernels_, columns_, sweep.base, first, n, index.data());
            }
            for (std::size_t i = begin; i < end; ++i) {
                const Part& part = parts[i - begin];
                extend(kernels_,
                       index.data(),
                       columns_.column(sweep.candidates[i]),
                       first,
                       static_cast<Index>(base_cells),
                       n,
                       extended.data());
                scatter(extended.data(),
                        n,
                        scratch.counts.data() + part.offset,
                        part.copies == 1 ? 0 : part.cells);
            }
        }
        for (std::size_t i = begin; i < end; ++i) {
            const Part& part = parts[i - begin];
            std::uint32_t* counts = scratch.counts.data() + part.offset;
            for (std::size_t copy = 1; copy < part.copies; ++copy) {
                const std::uint32_t* other = counts + copy * part.cells;
                for (std::size_t c = 0; c < part.cells; ++c) counts[c] += other[c];
            }
            visitor.dense(
                sweep.families[i], std::span<const std::uint32_t>(counts, part.cells), sweep.arity);
        }
        begin = end;
    }
}

template void Counter::run_histogram<std::uint16_t>(const Sweep&, CountsVisitor&) const;
template void Counter::run_histogram<std::uint32_t>(const Sweep&, CountsVisitor&) const;

void Counter::run_weighted(const Sweep& sweep, std::size_t position, CountsVisitor& visitor) const {
    CountScratch& scratch = count_scratch();
    const std::size_t rows = columns_.n_rows();
    const Column& column = columns_.column(sweep.candidates[position]);
    const std::size_t base_cells = static_cast<std::size_t>(sweep.base_cells);
    const std::size_t block = std::min(rows, block_rows);
    auto& index = scratch.index32;
    if (index.size() < block) index.resize(block), scratch.extended32.resize(block);
    scratch.wide_counts.assign(base_cells * column.arity, 0);
    std::uint64_t* counts = scratch.wide_counts.data();
    for (std::size_t first = 0; first < rows; first += block) {
        const std::size_t n = std::min(block, rows - first);
        base_index<std::uint32_t>(kernels_, columns_, sweep.base, first, n, index.data());
        extend(kernels_,
               index.data(),
               column,
               first,
               static_cast<std::uint32_t>(base_cells),
               n,
               index.data());
        const std::uint64_t* weights = columns_.weights().data() + first;
        for (std::size_t i = 0; i < n; ++i) counts[index[i]] += weights[i];
    }
    visitor.dense(
        sweep.families[position], std::span<const std::uint64_t>(scratch.wide_counts), sweep.arity);
}

}  // namespace stigmergy
