// SPDX-License-Identifier: MIT
// Measurements inside the core, for benchmarks/.
#include "stigmergy/timing.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>

#include "scorer_arguments.hpp"

using namespace nb::literals;

void bind_timing(nb::module_& m) {
    m.def(
        "limits",
        [] {
            const sg::Limits limits = sg::measure_limits();
            return std::map<std::string, double>{{"scatter_rows_per_ns", limits.scatter_rows},
                                                 {"slice_cell_rows_per_ns", limits.slice_cell_rows},
                                                 {"read_bytes_per_ns", limits.read_bytes}};
        },
        "What this processor can do at best of the operations that counting is made of.");
    m.def(
        "time_count",
        [](const sg::Columns& columns,
           sg::Node child,
           const sg::NodeList& parents,
           const std::string& method,
           const std::string& kernels,
           std::size_t loops) {
            check_family(columns.size(), child, parents);
            return sg::time_count(
                sg::Counter(columns, sg::count_method(method), kernels_named(kernels)),
                child,
                parents,
                loops);
        },
        "Nanoseconds to count one family.",
        "columns"_a,
        "child"_a,
        "parents"_a,
        "method"_a = "automatic",
        "kernels"_a = "",
        "loops"_a = 1000);
    m.def(
        "time_score",
        [](const std::shared_ptr<sg::Columns>& columns,
           const std::string& kind,
           double parameter,
           sg::Node child,
           const sg::NodeList& parents,
           std::size_t loops) {
            check_family(columns->size(), child, parents);
            const sg::CountingSource source(columns, formula_named(kind, parameter));
            return sg::time_score(source, child, parents, loops);
        },
        "Nanoseconds to count and score one family, without the cache.",
        "columns"_a,
        "kind"_a,
        "parameter"_a,
        "child"_a,
        "parents"_a,
        "loops"_a = 1000);
    m.def(
        "time_sweep",
        [](const std::shared_ptr<sg::Columns>& columns,
           const std::string& kind,
           double parameter,
           sg::Node child,
           const sg::NodeList& base,
           const sg::NodeList& candidates,
           std::size_t loops) {
            check_extensions(columns->size(), child, base, candidates);
            const sg::CountingSource source(columns, formula_named(kind, parameter));
            return sg::time_sweep(source, child, base, candidates, loops);
        },
        "Nanoseconds per family of a sweep over all candidates, without the cache.",
        "columns"_a,
        "kind"_a,
        "parameter"_a,
        "child"_a,
        "base"_a,
        "candidates"_a,
        "loops"_a = 100);
    m.def(
        "time_cached",
        [](sg::Scorer& scorer,
           const Vector<sg::Node>& children,
           const Vector<sg::Node>& parents,
           const Vector<std::uint64_t>& offsets,
           std::size_t loops) {
            return sg::time_cached(
                scorer, make_batch(scorer.n_nodes(), children, parents, offsets), loops);
        },
        "Nanoseconds to look up one family that the cache has.",
        "scorer"_a,
        "children"_a,
        "parents"_a,
        "offsets"_a,
        "loops"_a = 10);
}
