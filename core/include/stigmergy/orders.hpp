// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "stigmergy/greedy_parents.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

// An order that grows from its first node on. For every node that is not in it yet: the parents
// that K2 would give it if it came next.
class OrderBuilder {
  public:
    OrderBuilder(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules);

    // Back to the empty order.
    void clear();
    // Every node not placed whose required parents are placed, in increasing order.
    [[nodiscard]] NodeList ready() const;
    // The score of each of `nodes` if it came next.
    [[nodiscard]] std::vector<double> scores(NodeListRef nodes) const;
    void place(Node v);
    [[nodiscard]] const NodeList& order() const { return order_; }
    // The sum of the scores of the nodes placed.
    [[nodiscard]] double score() const { return score_; }
    // The nodes placed with their parents.
    [[nodiscard]] Pdag dag() const;

  private:
    GreedyParents greedy_;
    std::vector<GreedyParents::Path> first_paths_;  // with no predecessors
    std::vector<GreedyParents::Path> paths_;
    NodeList order_;
    NodeSet placed_;
    double score_ = 0.0;
};

// A complete order, its K2 network, and what every exchange of two nodes would gain.
//
// An exchange of places i < j changes the predecessors of the nodes at i .. j only, and of those
// between them only by the two nodes exchanged; a gain stays known until a node of its interval
// gets other predecessors.
class OrderSearch {
  public:
    struct Swap {
        std::size_t i;
        std::size_t j;
        double gain;
    };

    OrderSearch(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules);

    // A permutation of all nodes, each after its required parents.
    void set_order(NodeList order);
    [[nodiscard]] const NodeList& order() const { return order_; }
    [[nodiscard]] double score() const;
    [[nodiscard]] Pdag dag() const;
    // The exchange that gains most (of equals the one with the smallest i, then j), if it gains
    // more than rounding. Nothing when told to stop.
    [[nodiscard]] std::optional<Swap> best_swap(Stop& stop);
    void swap(std::size_t i, std::size_t j);

  private:
    [[nodiscard]] double gain(std::size_t i, std::size_t j);
    [[nodiscard]] double score_after(Node child, Node left, Node joined, BitsRef predecessors);
    [[nodiscard]] bool keeps_required(std::size_t i, std::size_t j) const;

    GreedyParents greedy_;
    NodeList order_;
    std::vector<NodeSet> predecessors_;
    std::vector<GreedyParents::Path> paths_;
    std::vector<double> gains_;  // of (i, j) at i * n + j; NaN when not known
};

}  // namespace stigmergy
