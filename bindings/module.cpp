// SPDX-License-Identifier: MIT
// The only file that knows both the core and Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "stigmergy/scorer.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

namespace {

void bind_scorer(nb::module_& m) {
    nb::class_<sg::Scorer>(m, "Scorer", "Families of one data set and score, behind one cache.")
        .def_static(
            "from_function",
            [](std::size_t n_nodes,
               std::function<double(sg::Node, sg::NodeList)> function,
               std::size_t max_parents,
               std::size_t cache_bytes) {
                auto ask = [function = std::move(function)](sg::Node child, sg::NodeListRef parents) {
                    nb::gil_scoped_acquire gil;
                    return function(child, sg::NodeList(parents.begin(), parents.end()));
                };
                return new sg::Scorer(std::make_shared<sg::FunctionSource>(n_nodes, ask),
                                      max_parents,
                                      cache_bytes);
            },
            "n_nodes"_a,
            "function"_a,
            "max_parents"_a,
            "cache_bytes"_a,
            nb::rv_policy::take_ownership)
        .def(
            "family",
            [](sg::Scorer& self, sg::Node child, const sg::NodeList& parents) {
                nb::gil_scoped_release release;
                return self.family(child, parents);
            },
            "child"_a,
            "parents"_a)
        .def_prop_ro("n_nodes", &sg::Scorer::n_nodes)
        .def_prop_ro("max_parents", &sg::Scorer::max_parents)
        .def_prop_ro("evaluations", [](const sg::Scorer& self) {
            auto evaluations = self.evaluations();
            return std::pair(evaluations.total, evaluations.distinct);
        });
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of stigmergy; use the stigmergy package.";
    bind_scorer(m);
}
