// SPDX-License-Identifier: MIT
// Counting with histograms: the cell number of a row is a mixed-radix number, its low digits shared
// by all candidates of a sweep. Rows are taken in blocks so that the numbers stay in the
// first-level cache; several histograms are filled in turn when there are few cells, because adding
// twice to one counter has to wait for the first addition to reach memory.
#include <algorithm>

#include "counter_impl.hpp"
#include "kernels_impl.hpp"

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

// The columns of a mixed-radix number of 16 bits.
struct Digits16 {
    // Columns of arity 1 add nothing, others double the cells at least.
    static constexpr std::size_t most = 16;
    const std::uint8_t* codes[most];
    std::uint16_t places[most];
    std::size_t count = 0;

    Digits16(const Columns& columns, NodeListRef nodes, std::size_t place, std::size_t first) {
        for (Node node : nodes) {
            if (columns.arity(node) == 1) continue;
            codes[count] = columns.column(node).narrow + first;
            places[count++] = static_cast<std::uint16_t>(place);
            place *= columns.arity(node);
        }
    }
};

// One family's histogram of `cells` counters, or several of them when it has few.
struct Histogram {
    std::uint32_t* counts;
    std::size_t cells;

    // Counters that a family takes.
    static std::size_t size(std::size_t cells) {
        return cells * (cells <= many_cells ? histograms : 1);
    }
    std::size_t stride() const { return cells <= many_cells ? cells : 0; }

    std::span<const std::uint32_t> added_up() const {
        if (stride() != 0) {
            const std::uint32_t* second = counts + cells;
            const std::uint32_t* third = second + cells;
            const std::uint32_t* fourth = third + cells;
            for (std::size_t c = 0; c < cells; ++c) counts[c] += second[c] + third[c] + fourth[c];
        }
        return {counts, cells};
    }
};

// Rows [first, first + n) of a sweep: numbers of the base, and counts of what extends it.
struct Rows {
    const Columns& columns;
    const Kernels& kernels;
    std::size_t first, n;

    void number(NodeListRef base, std::uint16_t* out) const {
        const Digits16 digits(columns, base, 1, first);
        kernels.index16(nullptr, digits.codes, digits.places, digits.count, n, out);
    }
    void number(NodeListRef base, std::uint32_t* out) const {
        number_rows(columns, nullptr, base, 1, first, n, out);
    }

    // `start` has the numbers of the base, or is null. `spare` has room for n numbers.
    void count(const std::uint16_t* start,
               NodeListRef nodes,
               std::size_t place,
               std::uint16_t* /*spare*/,
               const Histogram& histogram) const {
        const Digits16 digits(columns, nodes, place, first);
        kernels.histogram16(start,
                            digits.codes,
                            digits.places,
                            digits.count,
                            n,
                            histogram.counts,
                            histogram.stride());
    }
    void count(const std::uint32_t* start,
               NodeListRef nodes,
               std::size_t place,
               std::uint32_t* spare,
               const Histogram& histogram) const {
        number_rows(columns, start, nodes, place, first, n, spare);
        scatter(spare, n, histogram.counts, histogram.stride());
    }
};

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
    std::vector<Index>& spare = scratch.extended<Index>();
    // Each by its own size: the other ways of counting use `spare` too, and may have grown it.
    if (base_index.size() < block) base_index.resize(block);
    if (spare.size() < block) spare.resize(block);
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
            const std::size_t needed = Histogram::size(cells_of(end));
            if (end > begin && offsets.back() + needed > budget) break;
            offsets.push_back(offsets.back() + needed);
        }
        scratch.counts.assign(offsets.back(), 0);
        auto histogram_of = [&](std::size_t i) {
            return Histogram{scratch.counts.data() + offsets[i - begin], cells_of(i)};
        };
        for (std::size_t first = 0; first < rows; first += block) {
            const Rows here{columns_, kernels_, first, std::min(block, rows - first)};
            if (n_candidates == 1) {
                const Index* none = nullptr;
                here.count(none, family, 1, spare.data(), histogram_of(begin));
                continue;
            }
            if (block < rows || begin == 0) here.number(family, base_index.data());
            for (std::size_t i = begin; i < end; ++i) {
                const NodeListRef candidate{&sweep.candidates[i], 1};
                here.count(base_index.data(), candidate, base_cells, spare.data(), histogram_of(i));
            }
        }
        for (std::size_t i = begin; i < end; ++i) {
            visitor.dense(sweep.families[i], histogram_of(i).added_up(), sweep.arity);
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
