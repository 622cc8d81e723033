// SPDX-License-Identifier: MIT
#include "stigmergy/counter.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "counter_impl.hpp"

namespace stigmergy {

namespace {

// Tables beyond this do not fit any cache; hashing what occurs is then never worse.
constexpr double largest_table = 1 << 24;

// A table of this size (4 MiB) is kept by each thread and lies in the third-level cache.
constexpr double largest_touched = 1 << 20;

// Bit-slices of columns with more values than this take more memory than the codes are worth.
constexpr std::size_t largest_sliced_arity = 64;

}  // namespace

CountMethod count_method(std::string_view name) {
    if (name == "automatic") return CountMethod::automatic;
    if (name == "slices") return CountMethod::slices;
    if (name == "histogram") return CountMethod::histogram;
    if (name == "touched") return CountMethod::touched;
    if (name == "sparse") return CountMethod::sparse;
    throw std::invalid_argument(
        "method must be 'automatic', 'slices', 'histogram', 'touched' or 'sparse', got '" +
        std::string(name) + "'");
}

void SparseCounts::clear() {
    configurations.clear();
    cells.clear();
    cell_configuration.clear();
    cell_value.clear();
}

CountScratch& count_scratch() {
    thread_local CountScratch scratch;
    return scratch;
}

CountMethod Counter::choose(double base_cells, std::size_t arity) const {
    const double cells = base_cells * static_cast<double>(arity);
    const double rows = static_cast<double>(columns_.n_rows());
    const bool weighted = !columns_.weights().empty();
    if (cells > std::min(std::max(8 * rows, 256.0), largest_table)) {
        return cells > largest_touched || weighted ? CountMethod::sparse : CountMethod::touched;
    }
    const bool sliced = cells <= static_cast<double>(kernels_.slices_crossing) && !weighted;
    return sliced ? CountMethod::slices : CountMethod::histogram;
}

void Counter::count(Node child, NodeListRef parents, CountsVisitor& visitor) const {
    if (!parents.empty()) {
        return count_extensions(child, parents.first(parents.size() - 1), parents.last(1), visitor);
    }
    CountScratch& scratch = count_scratch();
    Sweep& sweep = scratch.whole;
    sweep.clear();
    sweep.candidates.push_back(child);
    sweep.families.push_back(0);
    sweep.arity = columns_.arity(child);
    run(scratch, sweep, visitor);
}

void Counter::count_extensions(Node child,
                               NodeListRef base,
                               NodeListRef candidates,
                               CountsVisitor& visitor) const {
    CountScratch& scratch = count_scratch();
    Sweep& sweep = scratch.whole;
    sweep.clear();
    sweep.arity = columns_.arity(child);
    sweep.base.push_back(child);
    sweep.base.insert(sweep.base.end(), base.begin(), base.end());
    sweep.candidates.assign(candidates.begin(), candidates.end());
    for (std::size_t i = 0; i < candidates.size(); ++i) sweep.families.push_back(i);
    run(scratch, sweep, visitor);
}

// How one family of the sweep is counted: as asked for or else the cheapest way, where it can be
// had.
Counter::Way Counter::way_of(const Sweep& sweep, Node candidate, bool cells_needed) const {
    const std::size_t arity = columns_.arity(candidate);
    const double cells = sweep.base_cells * static_cast<double>(arity);
    const bool weighted = !columns_.weights().empty();
    CountMethod method =
        method_ == CountMethod::automatic ? choose(sweep.base_cells, arity) : method_;
    if (method == CountMethod::slices &&
        (weighted || std::max(sweep.largest_arity, arity) > largest_sliced_arity)) {
        method = CountMethod::histogram;
    }
    if (method == CountMethod::touched && weighted) method = CountMethod::histogram;
    if (method == CountMethod::touched && (cells_needed || cells > largest_touched)) {
        method = CountMethod::sparse;
    }
    if (method == CountMethod::sparse || cells > largest_table) return Way::sparse;
    if (method == CountMethod::touched) return Way::touched;
    if (method == CountMethod::slices) return Way::slices;
    if (weighted) return Way::weighted;
    const bool bytes = std::max(sweep.largest_arity, arity) <= 256;
    return bytes && cells <= 65536 ? Way::index16 : Way::index32;
}

// Runs a sweep whose candidates are all counted in one way.
void Counter::run_one_way(CountScratch& scratch,
                          const Sweep& sweep,
                          Way way,
                          CountsVisitor& visitor) const {
    switch (way) {
        case Way::slices:
            return run_slices(scratch, sweep, visitor);
        case Way::index16:
            return run_histogram<std::uint16_t>(scratch, sweep, visitor);
        case Way::index32:
            return run_histogram<std::uint32_t>(scratch, sweep, visitor);
        case Way::weighted:
            for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
                run_weighted(scratch, sweep, i, visitor);
            }
            return;
        case Way::touched:
            for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
                run_touched(scratch, sweep, i, visitor);
            }
            return;
        case Way::sparse:
            for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
                run_sparse(scratch, sweep, i, visitor);
            }
            return;
    }
}

void Counter::run(CountScratch& scratch, Sweep& sweep, CountsVisitor& visitor) const {
    for (Node node : sweep.base) {
        sweep.base_cells *= static_cast<double>(columns_.arity(node));
        sweep.largest_arity = std::max(sweep.largest_arity, columns_.arity(node));
    }
    const bool cells_needed = visitor.needs_cells();
    if (sweep.candidates.size() == 1) {
        return run_one_way(
            scratch, sweep, way_of(sweep, sweep.candidates[0], cells_needed), visitor);
    }
    for (Sweep& part : scratch.parts) part.clear();
    for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
        const Way way = way_of(sweep, sweep.candidates[i], cells_needed);
        Sweep& part = scratch.parts[static_cast<std::size_t>(way)];
        if (part.candidates.empty()) {
            part.base.assign(sweep.base.begin(), sweep.base.end());
            part.arity = sweep.arity;
            part.base_cells = sweep.base_cells;
        }
        part.candidates.push_back(sweep.candidates[i]);
        part.families.push_back(sweep.families[i]);
    }
    for (std::size_t way = 0; way < n_ways; ++way) {
        if (scratch.parts[way].candidates.empty()) continue;
        run_one_way(scratch, scratch.parts[way], static_cast<Way>(way), visitor);
    }
}

}  // namespace stigmergy
