// SPDX-License-Identifier: MIT
// Tests of independence and the searches for separating sets, for Python.
#include "stigmergy/independence.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "stigmergy/chi_squared.hpp"
#include "stigmergy/parallel.hpp"
#include "stigmergy/separating_sets.hpp"
#include "stigmergy/table_tests.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

namespace {

using Outcome = std::tuple<double, double, double, double, bool>;
using Query = std::tuple<sg::Node, sg::Node, sg::NodeList>;
using PairQuery = std::tuple<sg::Node, sg::Node, sg::NodeList, sg::NodeList>;

Outcome as_tuple(const sg::TestOutcome& o) {
    return {o.statistic, o.dof, o.p_value, o.log_p_value, o.testable};
}

template <typename Choice>
Choice chosen(const char* what,
              const std::string& name,
              std::initializer_list<std::pair<const char*, Choice>> choices) {
    std::string allowed;
    for (const auto& [text, choice] : choices) {
        if (name == text) return choice;
        allowed += (allowed.empty() ? "'" : ", '") + std::string(text) + "'";
    }
    throw std::invalid_argument(std::string(what) + " must be one of " + allowed + ", got '" +
                                name + "'");
}

std::shared_ptr<sg::IndependenceTests> from_columns(std::shared_ptr<const sg::Columns> columns,
                                                    const std::string& statistic,
                                                    const std::string& dof,
                                                    double min_rows_per_cell,
                                                    std::size_t cache_bytes) {
    const auto kind = chosen<sg::Statistic>(
        "statistic",
        statistic,
        {{"g2", sg::Statistic::g2}, {"chi2", sg::Statistic::chi2}, {"mi", sg::Statistic::mi}});
    const auto rule = chosen<sg::DofRule>(
        "dof", dof, {{"adaptive", sg::DofRule::adaptive}, {"classical", sg::DofRule::classical}});
    return std::make_shared<sg::IndependenceTests>(
        std::make_shared<sg::TableTests>(std::move(columns), kind, rule, min_rows_per_cell),
        cache_bytes);
}

std::shared_ptr<sg::IndependenceTests> from_dag(const sg::Pdag& dag,
                                                const sg::NodeList& observed,
                                                const sg::NodeList& selected,
                                                std::size_t cache_bytes) {
    for (const sg::NodeList* nodes : {&observed, &selected}) {
        for (sg::Node v : *nodes) {
            if (v >= dag.size()) throw std::out_of_range("observed and selected must be nodes");
        }
    }
    return std::make_shared<sg::IndependenceTests>(
        std::make_shared<sg::SeparationTests>(dag, observed, selected), cache_bytes);
}

std::shared_ptr<sg::IndependenceTests> from_function(
    std::size_t n_nodes,
    std::function<std::tuple<double, double, double>(sg::Node, sg::Node, sg::NodeList)> function,
    std::size_t cache_bytes) {
    auto ask = [function = std::move(function)](sg::Node x, sg::Node y, sg::NodeListRef given) {
        nb::gil_scoped_acquire gil;
        const auto [statistic, dof, p] = function(x, y, sg::NodeList(given.begin(), given.end()));
        sg::TestOutcome outcome{statistic, dof, p, std::log(p), true};
        return outcome;
    };
    return std::make_shared<sg::IndependenceTests>(
        std::make_shared<sg::FunctionTests>(n_nodes, ask), cache_bytes);
}

std::vector<sg::PairToSeparate> as_pairs(const std::vector<PairQuery>& queries) {
    std::vector<sg::PairToSeparate> pairs;
    pairs.reserve(queries.size());
    for (const auto& [x, y, around_x, around_y] : queries) {
        pairs.push_back({x, y, around_x, around_y});
    }
    return pairs;
}

}  // namespace

void bind_independence(nb::module_& m) {
    m.def(
        "chi_squared_tail",
        [](double statistic, double dof) {
            const sg::Tail tail = sg::chi_squared_tail(statistic, dof);
            return std::pair(tail.p, tail.log_p);
        },
        "statistic"_a,
        "dof"_a,
        "The upper tail P(X >= statistic) and its natural logarithm.");

    using Tests = sg::IndependenceTests;
    nb::class_<Tests>(m, "IndependenceTests", "Tests of independence behind one cache.")
        .def_static("from_columns",
                    &from_columns,
                    "columns"_a,
                    "statistic"_a,
                    "dof"_a,
                    "min_rows_per_cell"_a,
                    "cache_bytes"_a)
        .def_static("from_dag", &from_dag, "dag"_a, "observed"_a, "selected"_a, "cache_bytes"_a)
        .def_static("from_function", &from_function, "n_nodes"_a, "function"_a, "cache_bytes"_a)
        .def(
            "test",
            [](Tests& self, sg::Node x, sg::Node y, const sg::NodeList& given) {
                nb::gil_scoped_release release;
                return as_tuple(self.test(x, y, given));
            },
            "x"_a,
            "y"_a,
            "given"_a,
            "Statistic, degrees of freedom, p-value, its logarithm, whether the test was made.")
        .def(
            "test_all",
            [](Tests& self, const std::vector<Query>& queries, std::size_t n_threads) {
                std::vector<Outcome> outcomes(queries.size());
                nb::gil_scoped_release release;
                sg::for_each_task(queries.size(), n_threads, [&](std::size_t i) {
                    const auto& [x, y, given] = queries[i];
                    outcomes[i] = as_tuple(self.test(x, y, given));
                });
                return outcomes;
            },
            "queries"_a,
            "n_threads"_a)
        .def_prop_ro("n_nodes", &Tests::n_nodes)
        .def_prop_ro("requests", &Tests::requests)
        .def_prop_ro("computed", &Tests::computed);

    m.def(
        "find_separating_sets",
        [](Tests& tests,
           const std::vector<PairQuery>& pairs,
           std::size_t smallest,
           std::size_t largest,
           double alpha,
           std::size_t n_threads,
           sg::Stop& stop) {
            nb::gil_scoped_release release;
            return sg::find_separating_sets(
                tests, as_pairs(pairs), {smallest, largest}, alpha, n_threads, stop);
        },
        "tests"_a,
        "pairs"_a,
        "smallest"_a,
        "largest"_a,
        "alpha"_a,
        "n_threads"_a,
        "stop"_a,
        "For each (x, y, around x, around y) the first separating set, or None.");
    m.def(
        "count_separating_sets",
        [](Tests& tests,
           const std::vector<PairQuery>& pairs,
           const std::vector<sg::NodeList>& middles,
           std::size_t smallest,
           std::size_t largest,
           double alpha,
           std::size_t n_threads,
           sg::Stop& stop) {
            if (middles.size() != pairs.size()) {
                throw std::invalid_argument("middles must have one list for each pair");
            }
            std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> result;
            nb::gil_scoped_release release;
            for (auto& count : sg::count_separating_sets(tests,
                                                         as_pairs(pairs),
                                                         middles,
                                                         {smallest, largest},
                                                         alpha,
                                                         n_threads,
                                                         stop)) {
                result.emplace_back(count.sets, std::move(count.containing));
            }
            return result;
        },
        "tests"_a,
        "pairs"_a,
        "middles"_a,
        "smallest"_a,
        "largest"_a,
        "alpha"_a,
        "n_threads"_a,
        "stop"_a,
        "For each pair how many sets separate it, and how many of them contain each middle node.");

    nb::class_<sg::Association>(m, "Association", "The least association found so far.")
        .def(nb::init<>())
        .def_ro("log_p_value", &sg::Association::log_p_value)
        .def_ro("statistic", &sg::Association::statistic)
        .def_ro("tested", &sg::Association::tested)
        .def_ro("independent", &sg::Association::independent);
    m.def(
        "lower_to_minimum_association",
        [](Tests& tests,
           sg::Node target,
           const sg::NodeList& candidates,
           std::vector<sg::Association> associations,
           const sg::NodeList& base,
           const sg::NodeList& always,
           std::size_t largest,
           double alpha,
           std::size_t n_threads,
           sg::Stop& stop) {
            if (associations.size() != candidates.size()) {
                throw std::invalid_argument("associations must have one entry per candidate");
            }
            nb::gil_scoped_release release;
            sg::lower_to_minimum_association(tests,
                                             target,
                                             candidates,
                                             base,
                                             always,
                                             largest,
                                             alpha,
                                             n_threads,
                                             stop,
                                             associations);
            return associations;
        },
        "tests"_a,
        "target"_a,
        "candidates"_a,
        "associations"_a,
        "base"_a,
        "always"_a,
        "largest"_a,
        "alpha"_a,
        "n_threads"_a,
        "stop"_a);
}
