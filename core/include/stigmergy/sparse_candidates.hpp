// SPDX-License-Identifier: MIT
#pragma once

#include "stigmergy/arc_rules.hpp"
#include "stigmergy/pdag.hpp"
#include "stigmergy/scorer.hpp"

namespace stigmergy {

// The restrict step of the sparse candidate algorithm (Friedman, Nachman & Pe'er 1999) with its
// score measure: the candidates of a child are its parents in `dag` and, up to `k` in all, those
// that would raise the score of its family most; equal ones in the order of nodes. Where the parent
// limit is reached, the rest is ordered by the score of the child with that one parent.
[[nodiscard]] BitRows sparse_candidates(
    Scorer& scorer, const ArcRules& rules, const Pdag& dag, std::size_t k, std::size_t n_threads);

}  // namespace stigmergy
