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
// An exchange of places i < j moves two nodes, and changes for a node between them only that the
// one leaves its predecessors and the other joins them. That matters to few: those that have the
// one for a parent or would turn to the other somewhere in their search, which is kept as a set per
// node. The two nodes moved are followed from place to place, one more predecessor at a time. A
// gain stays known until a node of its interval gets other predecessors.
class OrderSearch {
  public:
    struct Swap {
        std::size_t i;
        std::size_t j;
        double gain;
    };

    OrderSearch(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules);

    // A permutation of all nodes, each after its required parents. False when told to stop, and
    // then the order is what it was.
    bool set_order(NodeList order, Stop& stop);
    [[nodiscard]] const NodeList& order() const { return order_; }
    [[nodiscard]] double score() const;
    [[nodiscard]] Pdag dag() const;
    // The exchange that gains most (of equals the one with the smallest i, then j), if it gains
    // more than rounding. Nothing when told to stop.
    [[nodiscard]] std::optional<Swap> best_swap(Stop& stop);
    void swap(std::size_t i, std::size_t j);

  private:
    void find_joiners(Node v);
    void join(Node child, GreedyParents::Path& path, Node joined, BitsRef predecessors);
    [[nodiscard]] double gain_between(std::size_t i, std::size_t j);
    [[nodiscard]] bool keeps_required(std::size_t i, std::size_t j) const;

    GreedyParents greedy_;
    NodeList order_;
    std::vector<NodeSet> predecessors_;
    std::vector<GreedyParents::Path> paths_;
    std::vector<GreedyParents::Path> first_paths_;  // with no predecessors
    // By node: those that would change its search as further predecessors; found when stale.
    BitRows joiners_;
    NodeSet stale_;
    std::vector<double> gains_;  // of (i, j) at i * n + j; NaN when not known
};

}  // namespace stigmergy
