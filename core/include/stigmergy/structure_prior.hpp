// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "stigmergy/nodes.hpp"

namespace stigmergy {

// A prior over structures that is a product over families, P(G) = c kappa^delta with delta the sum
// over nodes of the symmetric difference between their parents in G and in a prior graph
// (Heckerman, Geiger & Chickering 1995). The constant c is left out. Without `parents` the prior
// graph is empty; with log_kappa 0 the prior is uniform.
class StructurePrior {
  public:
    StructurePrior() = default;
    // parents[i]: the parents of node i in the prior graph, ascending; or empty for no graph.
    StructurePrior(double log_kappa, std::vector<NodeList> parents)
        : log_kappa_(log_kappa), parents_(std::move(parents)) {}

    // log(kappa) times the symmetric difference at one node.
    [[nodiscard]] double term(Node child, NodeListRef parents) const {
        if (log_kappa_ == 0) return 0;
        return log_kappa_ * static_cast<double>(difference(child, parents));
    }

  private:
    [[nodiscard]] std::size_t difference(Node child, NodeListRef parents) const;

    double log_kappa_ = 0;
    std::vector<NodeList> parents_;
};

}  // namespace stigmergy
