// SPDX-License-Identifier: MIT
// This folder is the only place that knows both the core and Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "stigmergy/ants.hpp"
#include "stigmergy/arc_rules.hpp"
#include "stigmergy/equivalence_operators.hpp"
#include "stigmergy/pdag.hpp"
#include "stigmergy/sampler.hpp"
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

void bind_ants(nb::module_& m) {
    nb::class_<sg::Pheromone>(
        m, "Pheromone", "Pheromone by move key; untouched moves have the initial value.")
        .def(nb::init<double>(), "initial"_a)
        .def_prop_ro("initial", &sg::Pheromone::initial)
        .def("__len__", &sg::Pheromone::size)
        .def("__getitem__", [](const sg::Pheromone& self, std::uint64_t key) { return self[key]; })
        .def("__setitem__",
             [](sg::Pheromone& self, std::uint64_t key, double value) { self.set(key, value); })
        .def(
            "update",
            [](sg::Pheromone& self, const sg::Move& move, double rho, double target) {
                self.update(move.key(), rho, target);
            },
            "move"_a,
            "rho"_a,
            "target"_a,
            "tau <- (1 - rho) tau + rho target")
        .def("items", &sg::Pheromone::items);

    nb::class_<sg::Walk>(m, "Walk", "Where an ant or a greedy search went.")
        .def(
            "__init__",
            [](sg::Walk* self, sg::Pdag graph, std::vector<sg::Move> path, double score) {
                new (self) sg::Walk{std::move(graph), std::move(path), score, true, {}};
            },
            "graph"_a,
            "path"_a,
            "score"_a)
        .def_ro("graph", &sg::Walk::graph)
        .def_ro("path", &sg::Walk::path)
        .def_ro("score", &sg::Walk::score)
        .def_ro("finished", &sg::Walk::finished)
        .def_prop_ro("steps", [](const sg::Walk& self) {
            using Candidate = std::tuple<sg::Move, double, double>;
            std::vector<std::tuple<double, sg::Move, std::vector<Candidate>>> steps;
            for (const sg::StepTrace& step : self.steps) {
                std::vector<Candidate> candidates;
                candidates.reserve(step.candidates.size());
                for (const auto& seen : step.candidates) {
                    candidates.emplace_back(seen.move, seen.pheromone, seen.gain);
                }
                steps.emplace_back(step.q, step.chosen, std::move(candidates));
            }
            return steps;
        });

    nb::class_<sg::Colony>(m, "Colony", "GREEDY-E and ANT-E over one scorer.")
        .def(
            "__init__",
            [](sg::Colony* self,
               std::shared_ptr<sg::Scorer> scorer,
               std::shared_ptr<sg::ArcRules> arcs,
               sg::OperatorSet operators,
               double beta,
               bool fixed_gains) {
                sg::MoveRules rules;
                rules.operators = operators;
                rules.beta = beta;
                if (fixed_gains) rules.heuristic = sg::Heuristic::fixed_gains;
                new (self) sg::Colony(std::move(scorer), std::move(arcs), rules);
            },
            "scorer"_a,
            "arcs"_a,
            "operators"_a = sg::all_operators,
            "beta"_a = 1.0,
            "fixed_gains"_a = false)
        .def("greedy",
             &sg::Colony::greedy,
             "start"_a,
             "stop"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def(
            "walk",
            [](sg::Colony& self,
               const sg::Pdag& start,
               sg::Pheromone& pheromone,
               double rho,
               double q0,
               bool parallel,
               bool local_search,
               std::uint64_t seed,
               std::uint64_t iteration,
               std::size_t ants,
               std::size_t threads,
               bool trace,
               sg::Stop& stop) {
                nb::gil_scoped_release release;
                return self.walk(start,
                                 pheromone,
                                 {rho, q0, trace},
                                 parallel ? sg::Schedule::parallel : sg::Schedule::paper,
                                 local_search,
                                 seed,
                                 iteration,
                                 ants,
                                 threads,
                                 stop);
            },
            "start"_a,
            "pheromone"_a,
            nb::kw_only(),
            "rho"_a,
            "q0"_a,
            "parallel"_a,
            "local_search"_a,
            "seed"_a,
            "iteration"_a,
            "ants"_a,
            "threads"_a,
            "trace"_a = false,
            "stop"_a)
        .def_prop_ro("work",
                     [](const sg::Colony& self) {
                         const auto work = self.work();
                         return std::tuple(work.steps, work.rescored, work.validity_tests);
                     })
        .def_prop_ro("row_bytes", &sg::Colony::row_bytes);
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

void bind_sampler(nb::module_& m) {
    using Column = nb::ndarray<nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    using Table = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    nb::class_<sg::Sampler>(m, "Sampler", "Draws rows from a network of probability tables.")
        .def(nb::init<>())
        .def(
            "add",
            [](sg::Sampler& self,
               std::uint32_t stream,
               std::size_t arity,
               std::vector<std::size_t> parents,
               const Table& table) {
                self.add(stream, arity, std::move(parents), {table.data(), table.size()});
            },
            "stream"_a,
            "arity"_a,
            "parents"_a,
            "table"_a)
        .def(
            "sample",
            [](const sg::Sampler& self,
               std::uint64_t seed,
               std::uint64_t first_row,
               const std::vector<Column>& columns,
               std::size_t n_threads) {
                std::vector<sg::CodeColumn> targets;
                for (const Column& column : columns) {
                    const bool wide = column.dtype() == nb::dtype<std::uint16_t>();
                    if (!wide && column.dtype() != nb::dtype<std::uint8_t>()) {
                        throw std::invalid_argument("columns must be uint8 or uint16 arrays");
                    }
                    if (column.shape(0) != columns.front().shape(0)) {
                        throw std::invalid_argument("columns must have the same length");
                    }
                    targets.push_back({column.data(), wide});
                }
                const std::size_t n_rows = columns.empty() ? 0 : columns.front().shape(0);
                nb::gil_scoped_release release;
                self.sample(seed, first_row, n_rows, targets, n_threads);
            },
            "seed"_a,
            "first_row"_a,
            "columns"_a,
            "n_threads"_a,
            nb::sig("def sample(self, seed: int, first_row: int, columns: "
                    "Sequence[NDArray[numpy.uint8] | NDArray[numpy.uint16]], "
                    "n_threads: int) -> None"));
}

}  // namespace

NB_MODULE(_core, m) {
    // A scorer over a Python function may sit in a cycle that the collector cannot see through; at
    // the end of the process that is no news for the user.
    nb::set_leak_warnings(false);
    m.doc() = "The native core of stigmergy; use the stigmergy package.";
    bind_counting(m);
    bind_scorer(m);
    bind_timing(m);
    bind_pdag(m);
    bind_stop(m);
    bind_arc_rules(m);
    bind_equivalence_operators(m);
    bind_ants(m);
    bind_exact(m);
    bind_ges(m);
    bind_mutation(m);
    bind_orders(m);
    bind_independence(m);
    bind_sampler(m);
    bind_arc_moves(m);
    bind_dag_searches(m);
}
