// SPDX-License-Identifier: MIT
// The module; with its neighbours in this folder the only files that know both the core and Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "stigmergy/arc_rules.hpp"
#include "stigmergy/chi_squared.hpp"
#include "stigmergy/equivalence_operators.hpp"
#include "stigmergy/pdag.hpp"
#include "stigmergy/scorer.hpp"
#include "stigmergy/stop.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

namespace {

void bind_pdag(nb::module_& m) {
    using Edges = std::vector<sg::Pdag::Edge>;
    nb::class_<sg::Pdag>(m, "Pdag", "A partially directed graph over node numbers.")
        .def(
            "__init__",
            [](sg::Pdag* self,
               std::size_t n_nodes,
               const Edges& directed,
               const Edges& undirected) {
                for (const Edges* edges : {&directed, &undirected}) {
                    for (auto [x, y] : *edges) {
                        if (x >= n_nodes || y >= n_nodes || x == y) {
                            throw std::out_of_range(
                                "an edge must join two different nodes below n_nodes");
                        }
                    }
                }
                new (self) sg::Pdag(n_nodes);
                for (auto [x, y] : directed) self->add_directed(x, y);
                for (auto [x, y] : undirected) self->add_undirected(x, y);
            },
            "n_nodes"_a,
            "directed"_a = Edges{},
            "undirected"_a = Edges{})
        .def("__len__", &sg::Pdag::size)
        .def(
            "__eq__",
            [](const sg::Pdag& a, const sg::Pdag& b) { return a == b; },
            nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("copy", [](const sg::Pdag& self) { return sg::Pdag(self); })
        .def("directed_edges", &sg::Pdag::directed_edges)
        .def("undirected_edges", &sg::Pdag::undirected_edges)
        .def("consistent_extension",
             [](const sg::Pdag& self) -> std::optional<sg::Pdag> {
                 nb::gil_scoped_release release;
                 return self.consistent_extension();
             })
        .def(
            "completed",
            [](const sg::Pdag& self) {
                nb::gil_scoped_release release;
                sg::Pdag result = self;
                result.complete();
                return result;
            },
            "Same skeleton and v-structures, closed under Meek's rules 1-3.");
}

void bind_equivalence_operators(nb::module_& m) {
    nb::class_<sg::Move>(m, "Move", "An operator of Table 2 with its nodes.")
        .def_prop_ro("operator", [](const sg::Move& move) { return static_cast<int>(move.op); })
        .def_ro("x", &sg::Move::x)
        .def_ro("y", &sg::Move::y)
        .def_ro("z", &sg::Move::z)
        .def_prop_ro("key", &sg::Move::key)
        .def_static("from_key", &sg::Move::from_key)
        .def(
            "__eq__",
            [](const sg::Move& a, const sg::Move& b) { return a == b; },
            nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", &sg::Move::key);
    m.def(
        "valid_moves",
        [](const sg::Pdag& cpdag, sg::OperatorSet operators, sg::Scorer& scorer) {
            std::vector<std::pair<sg::Move, double>> result;
            nb::gil_scoped_release release;
            for (const auto& [move, gain] : sg::valid_moves(cpdag, operators, scorer)) {
                result.emplace_back(move, gain);
            }
            return result;
        },
        "cpdag"_a,
        "operators"_a,
        "scorer"_a);
    m.def(
        "is_valid_move",
        [](const sg::Pdag& cpdag, const sg::Move& move) {
            sg::PathSearch paths(cpdag.size());
            return sg::is_valid(cpdag, move, paths);
        },
        "cpdag"_a,
        "move"_a);
    m.def(
        "apply_move",
        [](const sg::Pdag& cpdag, const sg::Move& move) {
            sg::Pdag result = cpdag;
            sg::apply(result, move);
            return result;
        },
        "cpdag"_a,
        "move"_a);
    m.def(
        "score_of_class",
        [](const sg::Pdag& cpdag, sg::Scorer& scorer) {
            nb::gil_scoped_release release;
            return sg::score_of_class(cpdag, scorer);
        },
        "cpdag"_a,
        "scorer"_a);
}

void bind_stop(nb::module_& m) {
    // Ctrl-C must end a native loop between two steps: the poll runs Python's signal handlers, and
    // an exception raised there becomes "interrupted" on the Stop.
    auto poll = [] {
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() == 0) return false;
        PyErr_Clear();
        return true;
    };
    nb::class_<sg::Stop>(
        m, "Stop", "A deadline and Ctrl-C, asked for between the steps of native loops.")
        .def(
            "__init__",
            [poll](sg::Stop* self, std::optional<double> seconds_left) {
                new (self) sg::Stop(seconds_left, poll);
            },
            "seconds_left"_a = nb::none())
        .def("requested",
             [](sg::Stop& self) {
                 nb::gil_scoped_release release;
                 return self.requested();
             })
        .def_prop_ro("was_interrupted", &sg::Stop::was_interrupted);
}

void bind_arc_rules(nb::module_& m) {
    using Arcs = std::vector<sg::ArcRules::Arc>;
    nb::class_<sg::ArcRules>(m, "ArcRules", "Arcs (parent, child) that must and must not be there.")
        .def(
            "__init__",
            [](sg::ArcRules* self,
               std::size_t n_nodes,
               const Arcs& required,
               const Arcs& forbidden) {
                for (const Arcs* arcs : {&required, &forbidden}) {
                    for (auto [x, y] : *arcs) {
                        if (x >= n_nodes || y >= n_nodes || x == y) {
                            throw std::out_of_range(
                                "an arc must join two different nodes below n_nodes");
                        }
                    }
                }
                new (self) sg::ArcRules(n_nodes, required, forbidden);
            },
            "n_nodes"_a,
            "required"_a = Arcs{},
            "forbidden"_a = Arcs{})
        .def_prop_ro("is_free", &sg::ArcRules::is_free)
        .def("allows", &sg::ArcRules::allows, "parent"_a, "child"_a)
        .def("requires_arc", &sg::ArcRules::requires_arc, "parent"_a, "child"_a)
        .def("required_arcs", &sg::ArcRules::required_arcs)
        .def("obeyed_by", &sg::ArcRules::obeyed_by, "dag"_a);
    m.def("obeying_member", &sg::obeying_member, "cpdag"_a, "rules"_a);
}

void bind_chi_squared(nb::module_& m) {
    m.def(
        "chi_squared_tail",
        [](double statistic, double dof) {
            const sg::Tail tail = sg::chi_squared_tail(statistic, dof);
            return std::pair(tail.p, tail.log_p);
        },
        "statistic"_a,
        "dof"_a,
        "The upper tail P(X >= statistic) and its natural logarithm.");
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The native core of stigmergy; use the stigmergy package.";
    bind_counting(m);
    bind_scorer(m);
    bind_pdag(m);
    bind_stop(m);
    bind_arc_rules(m);
    bind_equivalence_operators(m);
    bind_chi_squared(m);
}
