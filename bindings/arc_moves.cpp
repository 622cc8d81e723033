// SPDX-License-Identifier: MIT
#include "stigmergy/arc_moves.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

namespace {

// What a search over DAGs starts from: a DAG, what it may not break, and where arcs may be added.
sg::ArcState arc_state(const sg::Scorer& scorer,
                       const sg::ArcRules& rules,
                       const sg::Pdag& dag,
                       const std::optional<std::vector<sg::ArcRules::Arc>>& candidates) {
    const std::size_t n = scorer.n_nodes();
    if (dag.size() != n || rules.size() != n) {
        throw std::invalid_argument("scorer, rules and graph must have the same number of nodes");
    }
    std::optional<sg::BitRows> rows;
    if (candidates) {
        rows.emplace(n);
        for (auto [parent, child] : *candidates) {
            if (parent >= n || child >= n) {
                throw std::out_of_range("a candidate arc must join nodes below n_nodes");
            }
            rows->set(child, parent);
        }
    }
    auto limits = std::make_shared<const sg::ArcLimits>(
        rules, scorer.max_parents(), rows ? &*rows : nullptr, n);
    return sg::ArcState(std::move(limits), dag);
}

}  // namespace

void bind_arc_moves(nb::module_& m) {
    using Arcs = std::vector<sg::ArcRules::Arc>;
    nb::class_<sg::ArcMove>(m, "ArcMove", "Addition (0), removal (1) or reversal (2) of x -> y.")
        .def(
            "__init__",
            [](sg::ArcMove* self, int change, sg::Node x, sg::Node y) {
                if (change < 0 || change > 2) throw std::out_of_range("change must be 0, 1 or 2");
                new (self) sg::ArcMove{static_cast<sg::ArcChange>(change), x, y};
            },
            "change"_a,
            "x"_a,
            "y"_a)
        .def_prop_ro("change",
                     [](const sg::ArcMove& move) { return static_cast<int>(move.change); })
        .def_ro("x", &sg::ArcMove::x)
        .def_ro("y", &sg::ArcMove::y)
        .def(
            "__eq__",
            [](const sg::ArcMove& a, const sg::ArcMove& b) { return a == b; },
            nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const sg::ArcMove& move) {
            return static_cast<std::size_t>(move.change) << 32 |
                   static_cast<std::size_t>(move.x) << 16 | move.y;
        });
    nb::class_<sg::TabuList>(m, "TabuList", "The last DAGs that a search went through.")
        .def(nb::init<std::size_t>(), "length"_a)
        .def(
            "insert",
            [](sg::TabuList& self, const sg::ArcMoves& moves) {
                self.insert(moves.state().hash());
            },
            "moves"_a);
    nb::class_<sg::ArcMoves>(m, "ArcMoves", "A DAG with the gains of its legal moves.")
        .def(
            "__init__",
            [](sg::ArcMoves* self,
               sg::Scorer& scorer,
               const sg::ArcRules& rules,
               const sg::Pdag& dag,
               sg::Stop& stop,
               const std::optional<Arcs>& candidates,
               std::size_t n_threads) {
                auto state = arc_state(scorer, rules, dag, candidates);
                nb::gil_scoped_release release;
                new (self) sg::ArcMoves(scorer, std::move(state), n_threads, stop);
            },
            "scorer"_a,
            "rules"_a,
            "dag"_a,
            "stop"_a,
            "candidates"_a = nb::none(),
            "n_threads"_a = 1,
            nb::keep_alive<1, 2>())
        .def_prop_ro("score", &sg::ArcMoves::score)
        .def_prop_ro("dag", [](const sg::ArcMoves& self) { return sg::Pdag(self.state().dag()); })
        .def(
            "best",
            [](sg::ArcMoves& self,
               const sg::TabuList* tabu) -> std::optional<std::pair<sg::ArcMove, double>> {
                nb::gil_scoped_release release;
                const auto found = self.best(tabu);
                if (!found) return std::nullopt;
                return std::pair(found->move, found->gain);
            },
            "tabu"_a = nb::none(),
            "The move with the greatest gain, and the gain; None if no move is legal.")
        .def("legal_moves",
             [](const sg::ArcMoves& self) {
                 std::vector<std::pair<sg::ArcMove, double>> result;
                 for (const auto& [move, gain] : self.legal_moves())
                     result.emplace_back(move, gain);
                 return result;
             })
        .def(
            "apply",
            [](sg::ArcMoves& self, const sg::ArcMove& move, sg::Stop& stop) {
                if (move.x >= self.state().size() || move.y >= self.state().size() ||
                    !self.state().is_legal(move)) {
                    throw std::invalid_argument("the move is not legal here");
                }
                nb::gil_scoped_release release;
                self.apply(move, stop);
            },
            "move"_a,
            "stop"_a);
    m.def(
        "hill_climb",
        [](sg::Scorer& scorer,
           const sg::ArcRules& rules,
           const sg::Pdag& start,
           sg::Stop& stop,
           const std::optional<Arcs>& candidates,
           std::size_t tabu_length,
           std::size_t patience,
           std::size_t n_threads) {
            auto state = arc_state(scorer, rules, start, candidates);
            nb::gil_scoped_release release;
            sg::ArcMoves moves(scorer, std::move(state), n_threads, stop);
            sg::Climb climb = sg::hill_climb(moves, tabu_length, patience, stop);
            return std::tuple(std::move(climb.dag), climb.score, climb.n_moves);
        },
        "scorer"_a,
        "rules"_a,
        "start"_a,
        "stop"_a,
        "candidates"_a = nb::none(),
        "tabu_length"_a = 0,
        "patience"_a = 15,
        "n_threads"_a = 1,
        "Hill climbing over DAGs, with a tabu list if it has a length; arcs (parent, child) are\n"
        "added only among the candidates if these are given. The DAG, its score, moves made.");
}
