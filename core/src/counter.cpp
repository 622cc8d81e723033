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

// Bit-slices of columns with more values than this take more memory than the codes are worth.
constexpr std::size_t largest_sliced_arity = 64;

}  // namespace

CountMethod count_method(std::string_view name) {
    if (name == "automatic") return CountMethod::automatic;
    if (name == "slices") return CountMethod::slices;
    if (name == "histogram") return CountMethod::histogram;
    if (name == "sparse") return CountMethod::sparse;
    throw std::invalid_argument(
        "method must be 'automatic', 'slices', 'histogram' or 'sparse', got '" + std::string(name) +
        "'");
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
    if (cells > std::min(std::max(4 * rows, 256.0), largest_table)) return CountMethod::sparse;
    const bool sliced =
        cells <= static_cast<double>(kernels_.slices_crossing) && columns_.weights().empty();
    return sliced ? CountMethod::slices : CountMethod::histogram;
}

void Counter::count(Node child, NodeListRef parents, CountsVisitor& visitor) const {
    if (!parents.empty()) {
        return count_extensions(child, parents.first(parents.size() - 1), parents.last(1), visitor);
    }
    Sweep sweep;
    sweep.candidates = {child};
    sweep.families = {0};
    sweep.arity = columns_.arity(child);
    run(sweep, visitor);
}

void Counter::count_extensions(Node child,
                               NodeListRef base,
                               NodeListRef candidates,
                               CountsVisitor& visitor) const {
    Sweep sweep;
    sweep.arity = columns_.arity(child);
    sweep.base.reserve(base.size() + 1);
    sweep.base.push_back(child);
    sweep.base.insert(sweep.base.end(), base.begin(), base.end());
    for (Node node : sweep.base) sweep.base_cells *= static_cast<double>(columns_.arity(node));
    sweep.candidates.assign(candidates.begin(), candidates.end());
    for (std::size_t i = 0; i < candidates.size(); ++i) sweep.families.push_back(i);
    run(sweep, visitor);
}

void Counter::run(const Sweep& sweep, CountsVisitor& visitor) const {
    const bool narrow_base = std::all_of(sweep.base.begin(), sweep.base.end(), [&](Node node) {
        return columns_.column(node).narrow != nullptr;
    });
    const bool sliced_base = std::all_of(sweep.base.begin(), sweep.base.end(), [&](Node node) {
        return columns_.arity(node) <= largest_sliced_arity;
    });
    enum { by_slices, by_index16, by_index32, ways };
    Sweep parts[ways];
    for (Sweep& part : parts) {
        part.base = sweep.base;
        part.arity = sweep.arity;
        part.base_cells = sweep.base_cells;
    }
    for (std::size_t i = 0; i < sweep.candidates.size(); ++i) {
        const Node candidate = sweep.candidates[i];
        const std::size_t arity = columns_.arity(candidate);
        const double cells = sweep.base_cells * static_cast<double>(arity);
        CountMethod method =
            method_ == CountMethod::automatic ? choose(sweep.base_cells, arity) : method_;
        if (method == CountMethod::slices &&
            (!sliced_base || arity > largest_sliced_arity || !columns_.weights().empty())) {
            method = CountMethod::histogram;
        }
        if (method != CountMethod::sparse && cells > largest_table) method = CountMethod::sparse;
        if (method == CountMethod::sparse) {
            run_sparse(sweep, i, visitor);
        } else if (!columns_.weights().empty()) {
            run_weighted(sweep, i, visitor);
        } else {
            const bool short_index =
                narrow_base && columns_.column(candidate).narrow && cells <= 65536;
            Sweep& part = parts[method == CountMethod::slices ? by_slices
                                : short_index                 ? by_index16
                                                              : by_index32];
            part.candidates.push_back(candidate);
            part.families.push_back(sweep.families[i]);
        }
    }
    if (!parts[by_slices].candidates.empty()) run_slices(parts[by_slices], visitor);
    if (!parts[by_index16].candidates.empty()) {
        run_histogram<std::uint16_t>(parts[by_index16], visitor);
    }
    if (!parts[by_index32].candidates.empty()) {
        run_histogram<std::uint32_t>(parts[by_index32], visitor);
    }
}

}  // namespace stigmergy
