// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "stigmergy/arc_rules.hpp"
#include "stigmergy/equivalence_operators.hpp"
#include "stigmergy/random.hpp"

namespace stigmergy {

struct Mutant {
    Pdag graph;
    double gain;
};

// A move of Table 2 made at random: one of the six operators, each equally likely, and one of its
// valid moves, each equally likely; an operator without one is replaced by another. Moves beyond
// the parent limit or to a class without an obeying member are not valid. Nothing when no move is.
//
// Places for the operator are drawn without return until one is valid, so the validity of the rest
// and the gains of all but the one made need not be known.
[[nodiscard]] std::optional<Mutant> mutate(const Pdag& cpdag,
                                           Scorer& scorer,
                                           const ArcRules& rules,
                                           Random& random);

}  // namespace stigmergy
