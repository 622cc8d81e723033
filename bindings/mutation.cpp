// SPDX-License-Identifier: MIT
#include "stigmergy/mutation.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace sg = stigmergy;

void bind_mutation(nb::module_& m) {
    m.def(
        "mutate",
        [](const sg::Pdag& cpdag,
           sg::Scorer& scorer,
           const sg::ArcRules& rules,
           sg::Random& random) {
            std::optional<std::pair<sg::Pdag, double>> result;
            nb::gil_scoped_release release;
            if (auto mutant = sg::mutate(cpdag, scorer, rules, random)) {
                result.emplace(std::move(mutant->graph), mutant->gain);
            }
            return result;
        },
        "cpdag"_a,
        "scorer"_a,
        "rules"_a,
        "random"_a,
        "A random valid move of Table 2 made: the class it leads to and the gain.");
}
