// SPDX-License-Identifier: MIT
#include "stigmergy/exact.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

void bind_exact(nb::module_& m) {
    nb::class_<sg::ExactSearch>(
        m, "ExactSearch", "The best network of all by dynamic programming over sets of nodes.")
        .def(
            "__init__",
            [](sg::ExactSearch* self,
               std::shared_ptr<sg::Scorer> scorer,
               const sg::ArcRules& rules) {
                new (self)
                    sg::ExactSearch(std::move(scorer), std::make_shared<sg::ArcRules>(rules));
            },
            "scorer"_a,
            "rules"_a)
        .def_ro_static("most_nodes", &sg::ExactSearch::most_nodes)
        .def_static("bytes_needed",
                    &sg::ExactSearch::bytes_needed,
                    "n_nodes"_a,
                    "max_parents"_a,
                    "n_threads"_a,
                    "Bytes of the tables over sets of nodes; the lists of parent sets come on top.")
        .def_static("n_families",
                    &sg::ExactSearch::n_families,
                    "n_nodes"_a,
                    "max_parents"_a,
                    "Families to score without knowledge.")
        .def(
            "score_families",
            [](sg::ExactSearch& self, std::size_t n_threads, sg::Stop& stop) {
                nb::gil_scoped_release release;
                return self.score_families(n_threads, stop);
            },
            "n_threads"_a,
            "stop"_a,
            "Scores all families and keeps those that can matter; False when stopped.")
        .def(
            "solve",
            [](sg::ExactSearch& self, std::size_t n_threads, sg::Stop& stop) {
                nb::gil_scoped_release release;
                return self.solve(n_threads, stop);
            },
            "n_threads"_a,
            "stop"_a,
            "Finds the best score; False when stopped.")
        .def_prop_ro("n_choices", &sg::ExactSearch::n_choices)
        .def_prop_ro("best_score", &sg::ExactSearch::best_score)
        .def("best_network", &sg::ExactSearch::best_network)
        .def(
            "best_networks",
            [](const sg::ExactSearch& self,
               bool one_per_class,
               std::size_t most_networks,
               std::uint64_t most_steps,
               sg::Stop& stop) {
                nb::gil_scoped_release release;
                auto optima = self.best_networks(one_per_class, most_networks, most_steps, stop);
                return std::pair(std::move(optima.networks), optima.complete);
            },
            "one_per_class"_a,
            "most_networks"_a,
            "most_steps"_a,
            "stop"_a,
            "The networks with the best score, and whether these are all.");
}
