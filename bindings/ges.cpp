// SPDX-License-Identifier: MIT
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "stigmergy/ges_operators.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

namespace {

std::vector<std::pair<sg::GesMove, double>> as_pairs(std::vector<sg::ScoredGesMove>&& moves) {
    std::vector<std::pair<sg::GesMove, double>> pairs;
    pairs.reserve(moves.size());
    for (auto& [move, gain] : moves) pairs.emplace_back(std::move(move), gain);
    return pairs;
}

}  // namespace

void bind_ges(nb::module_& m) {
    nb::class_<sg::GesMove>(
        m, "GesMove", "Insert(x, y, T), Delete(x, y, H) or Turn(x, y, C); kinds 0, 1, 2.")
        .def(
            "__init__",
            [](sg::GesMove* self, int kind, sg::Node x, sg::Node y, const sg::NodeList& set) {
                if (kind < 0 || kind >= static_cast<int>(sg::n_ges_kinds)) {
                    throw std::invalid_argument("kind must be 0, 1 or 2");
                }
                new (self) sg::GesMove{static_cast<sg::GesKind>(kind), x, y, set};
            },
            "kind"_a,
            "x"_a,
            "y"_a,
            "set"_a)
        .def_prop_ro("kind", [](const sg::GesMove& move) { return static_cast<int>(move.kind); })
        .def_ro("x", &sg::GesMove::x)
        .def_ro("y", &sg::GesMove::y)
        .def_ro("set", &sg::GesMove::set)
        .def(
            "__eq__",
            [](const sg::GesMove& a, const sg::GesMove& b) { return a == b; },
            nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__repr__", [](const sg::GesMove& move) {
            static constexpr const char* names[] = {"Insert", "Delete", "Turn"};
            std::string text = names[static_cast<int>(move.kind)];
            text += "(" + std::to_string(move.x) + ", " + std::to_string(move.y) + ", {";
            for (std::size_t i = 0; i < move.set.size(); ++i) {
                text += (i == 0 ? "" : ", ") + std::to_string(move.set[i]);
            }
            return nb::str((text + "})").c_str());
        });
    m.attr("GES_INSERT") = 1 << static_cast<int>(sg::GesKind::insert);
    m.attr("GES_DELETE") = 1 << static_cast<int>(sg::GesKind::remove);
    m.attr("GES_TURN") = 1 << static_cast<int>(sg::GesKind::turn);
    m.def(
        "valid_ges_moves",
        [](const sg::Pdag& cpdag, sg::GesKinds kinds, sg::Scorer& scorer) {
            nb::gil_scoped_release release;
            return as_pairs(sg::valid_ges_moves(cpdag, kinds, scorer));
        },
        "cpdag"_a,
        "kinds"_a,
        "scorer"_a,
        "Every valid operator with its gain.");
    m.def(
        "apply_ges_move",
        [](const sg::Pdag& cpdag, const sg::GesMove& move) {
            for (sg::Node v : {move.x, move.y}) {
                if (v >= cpdag.size()) throw std::out_of_range("the move names no node");
            }
            for (sg::Node v : move.set) {
                if (!(v < cpdag.size() && cpdag.has_undirected(v, move.y))) {
                    throw std::invalid_argument("the set of a move holds neighbours of y");
                }
            }
            sg::Pdag result = cpdag;
            sg::apply(result, move);
            return result;
        },
        "cpdag"_a,
        "move"_a);
    nb::class_<sg::GesMoves>(
        m, "GesMoves", "The improving operators of a class, kept up to date from move to move.")
        .def(nb::init<std::shared_ptr<sg::Scorer>,
                      std::shared_ptr<const sg::ArcRules>,
                      const sg::Pdag&>(),
             "scorer"_a,
             "rules"_a,
             "cpdag"_a)
        .def_prop_ro("graph", [](const sg::GesMoves& self) { return sg::Pdag(self.graph()); })
        .def(
            "best",
            [](sg::GesMoves& self, sg::GesKinds kinds, sg::Stop& stop) {
                std::optional<std::pair<sg::GesMove, double>> result;
                nb::gil_scoped_release release;
                if (auto best = self.best(kinds, stop)) result.emplace(best->move, best->gain);
                return result;
            },
            "kinds"_a,
            "stop"_a,
            "The operator that gains most, if any gains.")
        .def(
            "improving",
            [](sg::GesMoves& self, sg::GesKinds kinds, sg::Stop& stop) {
                nb::gil_scoped_release release;
                return as_pairs(self.improving(kinds, stop));
            },
            "kinds"_a,
            "stop"_a,
            "All operators that gain, one for each class they lead to.")
        .def(
            "apply",
            [](sg::GesMoves& self, const sg::GesMove& move) {
                nb::gil_scoped_release release;
                self.apply(move);
            },
            "move"_a);
}
