// SPDX-License-Identifier: MIT
// Native parts of the searches over DAGs beside hill climbing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <set>

#include "bindings.hpp"
#include "stigmergy/annealing.hpp"
#include "stigmergy/arc_ants.hpp"
#include "stigmergy/arc_model.hpp"
#include "stigmergy/reinsertion.hpp"
#include "stigmergy/rpdag.hpp"
#include "stigmergy/sparse_candidates.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

namespace {

using ScoredDag = std::pair<sg::Pdag, double>;

std::shared_ptr<const sg::ArcLimits> limits_of(const sg::Scorer& scorer,
                                               const sg::ArcRules& rules) {
    if (rules.size() != scorer.n_nodes()) {
        throw std::invalid_argument("scorer and rules must have the same number of nodes");
    }
    return std::make_shared<const sg::ArcLimits>(
        rules, scorer.max_parents(), nullptr, scorer.n_nodes());
}

sg::ArcState state_of(const sg::Scorer& scorer, const sg::ArcRules& rules, const sg::Pdag& dag) {
    if (dag.size() != scorer.n_nodes()) {
        throw std::invalid_argument("scorer and graph must have the same number of nodes");
    }
    return sg::ArcState(limits_of(scorer, rules), dag);
}

void bind_annealing(nb::module_& m) {
    nb::class_<sg::Annealing>(m, "Annealing", "A chain of random arc changes.")
        .def(
            "__init__",
            [](sg::Annealing* self,
               sg::Scorer& scorer,
               const sg::ArcRules& rules,
               const sg::Pdag& dag,
               std::uint64_t seed) {
                auto state = state_of(scorer, rules, dag);
                nb::gil_scoped_release release;
                new (self) sg::Annealing(scorer, std::move(state), sg::Random::stream(seed, 0));
            },
            "scorer"_a,
            "rules"_a,
            "dag"_a,
            "seed"_a,
            nb::keep_alive<1, 2>())
        .def("stage",
             &sg::Annealing::stage,
             "temperature"_a,
             "tries"_a,
             "changes"_a,
             "stop"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "Try so many changes and make up to so many; how many were made.")
        .def_prop_ro("score", &sg::Annealing::score)
        .def_prop_ro("dag", [](const sg::Annealing& self) { return sg::Pdag(self.dag()); })
        .def_prop_ro("best_score", &sg::Annealing::best_score)
        .def_prop_ro("best_dag",
                     [](const sg::Annealing& self) { return sg::Pdag(self.best_dag()); });
    m.def(
        "random_walk",
        [](const sg::Scorer& scorer,
           const sg::ArcRules& rules,
           const sg::Pdag& dag,
           std::size_t steps,
           std::uint64_t seed,
           std::uint64_t stream) {
            auto state = state_of(scorer, rules, dag);
            nb::gil_scoped_release release;
            return sg::random_walk(std::move(state), steps, sg::Random::stream(seed, stream));
        },
        "scorer"_a,
        "rules"_a,
        "dag"_a,
        "steps"_a,
        "seed"_a,
        "stream"_a,
        "The DAG after so many random legal arc changes.");
}

void bind_arc_colony(nb::module_& m) {
    nb::class_<sg::ArcColony>(m, "ArcColony", "Ants that build DAGs arc by arc.")
        .def(
            "__init__",
            [](sg::ArcColony* self,
               sg::Scorer& scorer,
               const sg::ArcRules& rules,
               double beta,
               bool is_static) {
                new (self) sg::ArcColony(scorer, limits_of(scorer, rules), beta, is_static);
            },
            "scorer"_a,
            "rules"_a,
            "beta"_a,
            "is_static"_a = false,
            nb::keep_alive<1, 2>())
        .def(
            "walk",
            [](sg::ArcColony& self,
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
               sg::Stop& stop) {
                std::vector<ScoredDag> walks;
                nb::gil_scoped_release release;
                for (sg::ArcWalk& walk :
                     self.walk(start,
                               pheromone,
                               {rho, q0},
                               parallel ? sg::Schedule::parallel : sg::Schedule::paper,
                               local_search,
                               seed,
                               iteration,
                               ants,
                               threads,
                               stop)) {
                    walks.emplace_back(std::move(walk.dag), walk.score);
                }
                return walks;
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
            "stop"_a,
            "One iteration: the DAGs of the ants with their scores.")
        .def_static("reinforce",
                    &sg::ArcColony::reinforce,
                    "pheromone"_a,
                    "dag"_a,
                    "rho"_a,
                    "target"_a,
                    "Update every arc of the DAG: tau <- (1 - rho) tau + rho target.");
}

void bind_arc_model(nb::module_& m) {
    nb::class_<sg::ArcModel>(m, "ArcModel", "One independent probability per arc.")
        .def(
            "__init__",
            [](sg::ArcModel* self,
               const sg::Scorer& scorer,
               const sg::ArcRules& rules,
               double initial,
               double margin) {
                new (self)
                    sg::ArcModel(limits_of(scorer, rules), scorer.n_nodes(), initial, margin);
            },
            "scorer"_a,
            "rules"_a,
            "initial"_a,
            "margin"_a)
        .def(
            "probability",
            [](const sg::ArcModel& self, sg::Node x, sg::Node y) {
                if (x >= self.size() || y >= self.size()) {
                    throw std::out_of_range("nodes must be below n_nodes");
                }
                return self.probability(x, y);
            },
            "x"_a,
            "y"_a)
        .def(
            "sample",
            [](const sg::ArcModel& self,
               const sg::Pdag& start,
               std::size_t size,
               std::uint64_t seed,
               std::uint64_t generation,
               sg::Scorer& scorer,
               std::size_t n_threads,
               sg::Stop& stop) {
                std::vector<ScoredDag> population;
                nb::gil_scoped_release release;
                for (sg::ScoredDag& one :
                     self.sample(start, size, seed, generation, scorer, n_threads, stop)) {
                    population.emplace_back(std::move(one.dag), one.score);
                }
                return population;
            },
            "start"_a,
            "size"_a,
            "seed"_a,
            "generation"_a,
            "scorer"_a,
            "n_threads"_a,
            "stop"_a,
            "Individuals drawn and repaired to DAGs, with their scores, best first.")
        .def(
            "learn",
            [](sg::ArcModel& self, const std::vector<const sg::Pdag*>& dags, double rate) {
                if (dags.empty()) throw std::invalid_argument("dags must not be empty");
                self.learn(dags, rate);
            },
            "dags"_a,
            "rate"_a,
            "p <- (1 - rate) p + rate (share of the DAGs with the arc)")
        .def(
            "mutate",
            [](sg::ArcModel& self,
               double chance,
               double shift,
               std::uint64_t seed,
               std::uint64_t generation) {
                self.mutate(chance, shift, sg::Random::stream(seed, generation, ~std::uint64_t{0}));
            },
            "chance"_a,
            "shift"_a,
            "seed"_a,
            "generation"_a,
            "Each p, with this chance, moves by this share towards 0 or 1.");
}

void bind_reinsertion(nb::module_& m) {
    nb::class_<sg::Reinsertion>(m, "Reinsertion", "The best parents and children of one node.")
        .def(
            "__init__",
            [](sg::Reinsertion* self,
               sg::Scorer& scorer,
               const sg::ArcRules& rules,
               std::size_t max_parents,
               std::size_t max_sets) {
                (void)limits_of(scorer, rules);  // for its check
                auto limits = std::make_shared<const sg::ArcLimits>(
                    rules, std::min(max_parents, scorer.max_parents()), nullptr, scorer.n_nodes());
                new (self) sg::Reinsertion(scorer, std::move(limits), max_sets);
            },
            "scorer"_a,
            "rules"_a,
            "max_parents"_a,
            "max_sets"_a,
            nb::keep_alive<1, 2>())
        .def(
            "prepare",
            [](sg::Reinsertion& self,
               const sg::NodeList& targets,
               std::size_t n_threads,
               sg::Stop& stop) {
                const std::set<sg::Node> different(targets.begin(), targets.end());
                if (different.size() != targets.size() ||
                    (!different.empty() && *different.rbegin() >= self.size())) {
                    throw std::invalid_argument("targets must be different nodes below n_nodes");
                }
                nb::gil_scoped_release release;
                self.prepare(targets, n_threads, stop);
            },
            "targets"_a,
            "n_threads"_a,
            "stop"_a,
            "List the parent sets of these nodes.")
        .def(
            "parent_sets",
            [](sg::Reinsertion& self, sg::Node target) {
                if (target >= self.size()) {
                    throw std::out_of_range("target must be a node below n_nodes");
                }
                std::vector<std::pair<sg::NodeList, double>> sets;
                nb::gil_scoped_release release;
                for (const auto& [parents, score] : self.parent_sets(target)) {
                    sets.emplace_back(parents, score);
                }
                return sets;
            },
            "target"_a)
        .def(
            "reinsert",
            [](sg::Reinsertion& self, const sg::Pdag& dag, sg::Node target) {
                if (dag.size() != self.size() || target >= self.size()) {
                    throw std::out_of_range("dag and target must have nodes below n_nodes");
                }
                nb::gil_scoped_release release;
                auto [after, gain] = self.reinsert(dag, target);
                return std::pair(std::move(after), gain);
            },
            "dag"_a,
            "target"_a,
            "The DAG with the target reinserted, and what that gained; 0 if nothing is better.");
}

void bind_rpdag(nb::module_& m) {
    nb::class_<sg::RpdagMove>(m, "RpdagMove", "An operator on restricted PDAGs with its nodes.")
        .def_prop_ro("operator",
                     [](const sg::RpdagMove& move) { return static_cast<int>(move.op); })
        .def_ro("x", &sg::RpdagMove::x)
        .def_ro("y", &sg::RpdagMove::y)
        .def_ro("z", &sg::RpdagMove::z);
    m.def("is_restricted", &sg::is_restricted, "graph"_a, "Whether it is a restricted PDAG.");
    m.def("restricted_of", &sg::restricted_of, "dag"_a, "The restricted PDAG that a DAG extends.");
    nb::class_<sg::RpdagMoves>(m, "RpdagMoves", "A restricted PDAG with its moves.")
        .def(
            "__init__",
            [](sg::RpdagMoves* self,
               sg::Scorer& scorer,
               const sg::ArcRules& rules,
               const sg::Pdag& rpdag) {
                (void)limits_of(scorer, rules);  // for its check
                if (rpdag.size() != scorer.n_nodes()) {
                    throw std::invalid_argument(
                        "scorer and graph must have the same number of nodes");
                }
                new (self) sg::RpdagMoves(scorer, rules, rpdag);
            },
            "scorer"_a,
            "rules"_a,
            "rpdag"_a,
            nb::keep_alive<1, 2>())
        .def_prop_ro("rpdag", [](const sg::RpdagMoves& self) { return sg::Pdag(self.rpdag()); })
        .def_prop_ro("score",
                     [](const sg::RpdagMoves& self) {
                         nb::gil_scoped_release release;
                         return self.score();
                     })
        .def("moves",
             [](sg::RpdagMoves& self) {
                 std::vector<std::pair<sg::RpdagMove, double>> result;
                 nb::gil_scoped_release release;
                 for (const auto& [move, gain] : self.moves()) result.emplace_back(move, gain);
                 return result;
             })
        .def(
            "best",
            [](sg::RpdagMoves& self,
               const sg::TabuList* tabu) -> std::optional<std::pair<sg::RpdagMove, double>> {
                nb::gil_scoped_release release;
                const auto found = self.best(tabu);
                if (!found) return std::nullopt;
                return std::pair(found->move, found->gain);
            },
            "tabu"_a = nb::none())
        .def("apply", &sg::RpdagMoves::apply, "move"_a)
        .def(
            "remember",
            [](const sg::RpdagMoves& self, sg::TabuList& tabu) {
                tabu.insert(sg::hash_of(self.rpdag()));
            },
            "tabu"_a,
            "Put the present graph on a tabu list.");
}

}  // namespace

void bind_dag_searches(nb::module_& m) {
    bind_annealing(m);
    bind_arc_colony(m);
    bind_arc_model(m);
    bind_reinsertion(m);
    bind_rpdag(m);
    m.def(
        "sparse_candidates",
        [](sg::Scorer& scorer,
           const sg::ArcRules& rules,
           const sg::Pdag& dag,
           std::size_t k,
           std::size_t n_threads) {
            (void)state_of(scorer, rules, dag);  // for its checks
            std::vector<sg::Pdag::Edge> arcs;
            nb::gil_scoped_release release;
            const sg::BitRows rows = sg::sparse_candidates(scorer, rules, dag, k, n_threads);
            for (std::size_t child = 0; child < dag.size(); ++child) {
                sg::for_each_bit(rows.row(child), [&](sg::Node parent) {
                    arcs.emplace_back(parent, static_cast<sg::Node>(child));
                });
            }
            return arcs;
        },
        "scorer"_a,
        "rules"_a,
        "dag"_a,
        "k"_a,
        "n_threads"_a = 1,
        "The arcs (parent, child) from k candidate parents to each child.");
}
