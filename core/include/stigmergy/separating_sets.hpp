// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "stigmergy/independence.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

// A pair whose separating sets are sought among the subsets of `around_x` and of `around_y`, each
// sorted and without x and y.
struct PairToSeparate {
    Node x, y;
    NodeList around_x, around_y;
};

struct SetSizes {
    std::size_t smallest, largest;
};

// For each pair the first set that makes it independent (p > alpha): smaller sets first; of one
// size the subsets of around_x before those of around_y, each in lexicographic order. The pairs are
// shared among the threads; the answer of one does not depend on another's. When `stop` asks, what
// is not yet found stays empty.
[[nodiscard]] std::vector<std::optional<NodeList>> find_separating_sets(
    IndependenceTests& tests,
    const std::vector<PairToSeparate>& pairs,
    SetSizes sizes,
    double alpha,
    std::size_t n_threads,
    Stop& stop);

// How many of all these sets make the pair independent, and how many of those contain each node of
// `middle`.
struct SeparationCount {
    std::uint64_t sets = 0;
    std::vector<std::uint64_t> containing;
};
[[nodiscard]] std::vector<SeparationCount> count_separating_sets(
    IndependenceTests& tests,
    const std::vector<PairToSeparate>& pairs,
    const std::vector<NodeList>& middles,
    SetSizes sizes,
    double alpha,
    std::size_t n_threads,
    Stop& stop);

// How strongly two nodes are associated: the smaller the p-value, the stronger; of equal p-values
// the larger statistic. Its logarithm tells p-values apart that a double cannot hold.
struct Association {
    double log_p_value = -std::numeric_limits<double>::infinity();
    double statistic = std::numeric_limits<double>::infinity();
    bool tested = false;
    bool independent = false;
};

// MinAssoc of Tsamardinos, Brown & Aliferis (2006): lowers associations[i] to the least association
// of `target` with candidates[i] given any subset of `base` of at most `largest` nodes that
// contains all of `always`. A candidate found independent is done. Sets too large to be tested are
// left out, as no smaller association is shown by them.
void lower_to_minimum_association(IndependenceTests& tests,
                                  Node target,
                                  const NodeList& candidates,
                                  const NodeList& base,
                                  const NodeList& always,
                                  std::size_t largest,
                                  double alpha,
                                  std::size_t n_threads,
                                  Stop& stop,
                                  std::vector<Association>& associations);

}  // namespace stigmergy
