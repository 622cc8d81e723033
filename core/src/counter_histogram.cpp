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

template <typename Code>
void add_digit(const Code* codes, std::size_t place, std::size_t n, std::uint32_t* out) {
    const auto weight = static_cast<std::uint32_t>(place);
    for (std::size_t i = 0; i < n; ++i) out[i] += codes[i] * weight;
}

// number_rows for at most 2^16 cells and columns of bytes.
void number_rows(const Columns& columns,
                 const Kernels& kernels,
                 const std::uint16_t* start,
                 NodeListRef digits,
                 std::size_t place,
                 std::size_t first,
                 std::size_t n,
                 std::uint16_t* out) {
    constexpr std::size_t most = 16;  // columns of arity 1 add nothing, others double the cells
    const std::uint8_t* codes[most];
    std::uint16_t places[most];
    std::size_t count = 0;
    for (Node node : digits) {
        if (columns.arity(node) == 1) continue;
        codes[count] = columns.column(node).narrow + first;
        places[count++] = static_cast<std::uint16_t>(place);
        place *= columns.arity(node);
    }
    kernels.index16(start, codes, places, count, n, out);
}

void number_rows(const Columns& columns,
                 const Kernels&,
                 const std::uint32_t* start,
                 NodeListRef digits,
                 std::size_t place,
                 std::size_t first,
                 std::size_t n,
                 std::uint32_t* out) {
    stigmergy::number_rows(columns, start, digits, place, first, n, out);
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

// Blocks of about equal size, so that the last is not a small one.
std::size_t block_of(std::size_t rows) {
    const std::size_t blocks = std::max<std::size_t>((rows + block_rows) / (2 * block_rows), 1);
    return std::max<std::size_t>((rows + blocks - 1) / blocks, 1);
}

}  // namespace

void number_rows(const Columns& columns,
                 const std::uint32_t* start,
                 NodeListRef digits,
                 std::size_t place,
                 std::size_t first,
                 std::size_t n,
                 std::uint32_t* out) {
    if (start) {
        std::copy_n(start, n, out);
    } else {
        std::fill_n(out, n, std::uint32_t{0});
    }
    for (Node node : digits) {
        const Column& column = columns.column(node);
        if (column.wide) {
            add_digit(column.wide + first, place, n, out);
        } else {
            add_digit(column.narrow + first, place, n, out);
        }
        place *= column.arity;
    }
}

template <typename Index>
void Counter::run_histogram(CountScratch& scratch,
                            const Sweep& sweep,
                            CountsVisitor& visitor) const {
    const std::size_t rows = columns_.n_rows();
    const std::size_t base_cells = static_cast<std::size_t>(sweep.base_cells);
    const std::size_t block = block_of(rows);
    const std::size_t n_candidates = sweep.candidates.size();
    std::vector<Index>& base_index = scratch.index<Index>();
    std::vector<Index>& index = scratch.extended<Index>();
    // Each by its own size: the other ways of counting use `index` too, and may have grown it.
    if (base_index.size() < block) base_index.resize(block);
    if (index.size() < block) index.resize(block);
    auto copies_of = [](std::size_t cells) { return cells <= many_cells ? histograms : 1; };
    auto cells_of = [&](std::size_t i) { return base_cells * columns_.arity(sweep.candidates[i]); };
    // A single family is numbered in one go, the candidate being its last column.
    NodeList& family = scratch.family;
    family.assign(sweep.base.begin(), sweep.base.end());
    if (n_candidates == 1) family.push_back(sweep.candidates[0]);

    for (std::size_t begin = 0, end = 0; begin < n_candidates; begin = end) {
        // As many candidates at a time as have histograms that fit the second-level cache.
        constexpr std::size_t budget = std::size_t{1} << 16;
        auto& offsets = scratch.offsets;
        offsets.assign(1, 0);
        for (end = begin; end < n_candidates; ++end) {
            const std::size_t needed = cells_of(end) * copies_of(cells_of(end));
            if (end > begin && offsets.back() + needed > budget) break;
            offsets.push_back(offsets.back() + needed);
        }
        scratch.counts.assign(offsets.back(), 0);
        for (std::size_t first = 0; first < rows; first += block) {
            const std::size_t n = std::min(block, rows - first);
            if (block < rows || begin == 0) {
                Index* out = n_candidates == 1 ? index.data() : base_index.data();
                number_rows(
                    columns_, kernels_, static_cast<Index*>(nullptr), family, 1, first, n, out);
            }
            for (std::size_t i = begin; i < end; ++i) {
                if (n_candidates > 1) {
                    number_rows(columns_,
                                kernels_,
                                base_index.data(),
                                {&sweep.candidates[i], 1},
                                base_cells,
                                first,
                                n,
                                index.data());
                }
                const std::size_t cells = cells_of(i);
                scatter(index.data(),
                        n,
                        scratch.counts.data() + offsets[i - begin],
                        copies_of(cells) == 1 ? 0 : cells);
            }
        }
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t cells = cells_of(i);
            std::uint32_t* counts = scratch.counts.data() + offsets[i - begin];
            if (copies_of(cells) == histograms) {
                const std::uint32_t* second = counts + cells;
                const std::uint32_t* third = second + cells;
                const std::uint32_t* fourth = third + cells;
                for (std::size_t c = 0; c < cells; ++c) {
                    counts[c] += second[c] + third[c] + fourth[c];
                }
            }
            visitor.dense(
                sweep.families[i], std::span<const std::uint32_t>(counts, cells), sweep.arity);
        }
    }
}

template void Counter::run_histogram<std::uint16_t>(CountScratch&,
                                                    const Sweep&,
                                                    CountsVisitor&) const;
template void Counter::run_histogram<std::uint32_t>(CountScratch&,
                                                    const Sweep&,
                                                    CountsVisitor&) const;

void Counter::run_weighted(CountScratch& scratch,
                           const Sweep& sweep,
                           std::size_t position,
                           CountsVisitor& visitor) const {
    const std::size_t rows = columns_.n_rows();
    const std::size_t block = block_of(rows);
    NodeList& family = scratch.family;
    family.assign(sweep.base.begin(), sweep.base.end());
    family.push_back(sweep.candidates[position]);
    std::vector<std::uint32_t>& index = scratch.extended<std::uint32_t>();
    if (index.size() < block) index.resize(block);
    double cells = sweep.base_cells;
    cells *= static_cast<double>(columns_.arity(sweep.candidates[position]));
    scratch.wide_counts.assign(static_cast<std::size_t>(cells), 0);
    std::uint64_t* counts = scratch.wide_counts.data();
    for (std::size_t first = 0; first < rows; first += block) {
        const std::size_t n = std::min(block, rows - first);
        stigmergy::number_rows(columns_, nullptr, family, 1, first, n, index.data());
        const std::uint64_t* weights = columns_.weights().data() + first;
        for (std::size_t i = 0; i < n; ++i) counts[index[i]] += weights[i];
    }
    visitor.dense(
        sweep.families[position], std::span<const std::uint64_t>(scratch.wide_counts), sweep.arity);
}

}  // namespace stigmergy
