// SPDX-License-Identifier: MIT
#include "stigmergy/orders.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "stigmergy/random.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

namespace {

void bind_random(nb::module_& m) {
    nb::class_<sg::Random>(
        m, "Random", "A stream of random numbers, named by a seed and two numbers.")
        .def_static("stream", &sg::Random::stream, "seed"_a, "a"_a, "b"_a = 0, nb::rv_policy::move)
        .def("uniform", &sg::Random::uniform, "In [0, 1).")
        .def(
            "below",
            [](sg::Random& self, std::uint64_t n) {
                if (n == 0) throw std::invalid_argument("n must be at least 1");
                return self.below(n);
            },
            "n"_a,
            "Each of 0 .. n - 1 equally likely.");
}

}  // namespace

void bind_orders(nb::module_& m) {
    bind_random(m);
    using Scorer = std::shared_ptr<sg::Scorer>;
    nb::class_<sg::OrderBuilder>(
        m, "OrderBuilder", "A growing order; K2's score of every node that could come next.")
        .def(
            "__init__",
            [](sg::OrderBuilder* self, Scorer scorer, const sg::ArcRules& rules) {
                nb::gil_scoped_release release;
                new (self)
                    sg::OrderBuilder(std::move(scorer), std::make_shared<sg::ArcRules>(rules));
            },
            "scorer"_a,
            "rules"_a)
        .def("clear", &sg::OrderBuilder::clear)
        .def("ready", &sg::OrderBuilder::ready)
        .def(
            "scores",
            [](const sg::OrderBuilder& self, const sg::NodeList& nodes) {
                return self.scores(nodes);
            },
            "nodes"_a)
        .def(
            "place",
            [](sg::OrderBuilder& self, sg::Node v) {
                nb::gil_scoped_release release;
                self.place(v);
            },
            "node"_a)
        .def_prop_ro("order", &sg::OrderBuilder::order)
        .def_prop_ro("score", &sg::OrderBuilder::score)
        .def("dag", &sg::OrderBuilder::dag);
    nb::class_<sg::OrderSearch>(
        m, "OrderSearch", "An order, its K2 network and the gain of every exchange of two nodes.")
        .def(
            "__init__",
            [](sg::OrderSearch* self, Scorer scorer, const sg::ArcRules& rules) {
                new (self)
                    sg::OrderSearch(std::move(scorer), std::make_shared<sg::ArcRules>(rules));
            },
            "scorer"_a,
            "rules"_a)
        .def(
            "set_order",
            [](sg::OrderSearch& self, const sg::NodeList& order, sg::Stop& stop) {
                nb::gil_scoped_release release;
                return self.set_order(order, stop);
            },
            "order"_a,
            "stop"_a,
            "Finds the parents under this order; False when stopped.")
        .def_prop_ro("order", &sg::OrderSearch::order)
        .def_prop_ro("score", &sg::OrderSearch::score)
        .def("dag", &sg::OrderSearch::dag)
        .def(
            "best_swap",
            [](sg::OrderSearch& self, sg::Stop& stop) {
                std::optional<std::tuple<std::size_t, std::size_t, double>> result;
                nb::gil_scoped_release release;
                if (auto best = self.best_swap(stop)) {
                    result.emplace(best->i, best->j, best->gain);
                }
                return result;
            },
            "stop"_a,
            "The exchange (i, j, gain) that gains most, if any gains.")
        .def(
            "swap",
            [](sg::OrderSearch& self, std::size_t i, std::size_t j) {
                nb::gil_scoped_release release;
                self.swap(i, j);
            },
            "i"_a,
            "j"_a);
}
