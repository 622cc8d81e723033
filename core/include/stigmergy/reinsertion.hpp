// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "stigmergy/arc_state.hpp"
#include "stigmergy/scorer.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

struct ScoredParents {
    NodeList parents;
    double score;
};

// Optimal reinsertion of one node (Moore & Wong 2003): all arcs at the node are cut, and of all
// ways to give it parents and children again the best is taken.
//
// Given parents P, a child is free to be taken unless it is in P or an ancestor of it, and the
// gains of the children add up. So P alone is searched: best score first, ended when not even all
// children could make up for the rest. A P whose subset scores as well is never needed, since the
// smaller one leaves more children free; so each node keeps the list of the others, which does not
// depend on the graph.
class Reinsertion {
  public:
    // Sets of up to `max_parents` parents. They are listed level by level, in full as long as a
    // level asks for at most `max_sets` families, beyond that by extending the best of the level
    // below, until a level brings no set that is needed.
    Reinsertion(Scorer& scorer, std::shared_ptr<const ArcLimits> limits, std::size_t max_sets);

    [[nodiscard]] std::size_t size() const { return sets_.size(); }
    // The lists of these (different) nodes, which `reinsert` otherwise makes when it needs them.
    void prepare(NodeListRef targets, std::size_t n_threads, Stop& stop);
    // The parent sets of the node, best first.
    [[nodiscard]] const std::vector<ScoredParents>& parent_sets(Node target);

    struct Outcome {
        Pdag dag;
        double gain;  // 0 when nothing better was found, the DAG then is the old one
    };
    [[nodiscard]] Outcome reinsert(const Pdag& dag, Node target);

  private:
    struct Sets {
        std::vector<ScoredParents> best_first;
        bool made = false;
    };
    [[nodiscard]] Sets list_sets(Node target, Stop* stop);

    Scorer& scorer_;
    std::shared_ptr<const ArcLimits> limits_;
    std::size_t max_sets_;
    std::vector<Sets> sets_;
};

}  // namespace stigmergy
