// SPDX-License-Identifier: MIT
#include "stigmergy/orders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "stigmergy/tolerance.hpp"

namespace stigmergy {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool contains_all(BitsRef set, BitsRef of) {
    for (std::size_t w = 0; w < of.size(); ++w) {
        if ((of[w] & ~set[w]) != 0) return false;
    }
    return true;
}

bool has_parent(const GreedyParents::Path& path, Node p) {
    const NodeList& parents = path.parents();
    return std::binary_search(parents.begin(), parents.end(), p);
}

void add_family(Pdag& dag, Node child, const NodeList& parents) {
    for (Node p : parents) dag.add_directed(p, child);
}

}  // namespace

OrderBuilder::OrderBuilder(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules)
    : greedy_(std::move(scorer), std::move(rules)), placed_(greedy_.n_nodes()) {
    for (std::size_t v = 0; v < greedy_.n_nodes(); ++v) {
        first_paths_.push_back(greedy_.find(static_cast<Node>(v), placed_));
    }
    paths_ = first_paths_;
}

void OrderBuilder::clear() {
    paths_ = first_paths_;
    order_.clear();
    placed_.clear();
    score_ = 0.0;
}

NodeList OrderBuilder::ready() const {
    NodeList nodes;
    for (std::size_t v = 0; v < greedy_.n_nodes(); ++v) {
        const auto node = static_cast<Node>(v);
        if (!placed_.contains(node) &&
            contains_all(placed_, greedy_.rules().required_parents(node))) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

std::vector<double> OrderBuilder::scores(NodeListRef nodes) const {
    std::vector<double> result;
    for (Node v : nodes) result.push_back(paths_.at(v).score());
    return result;
}

void OrderBuilder::place(Node v) {
    if (v >= greedy_.n_nodes() || placed_.contains(v)) {
        throw std::invalid_argument("the node is in the order already, or no node");
    }
    if (!contains_all(placed_, greedy_.rules().required_parents(v))) {
        throw std::invalid_argument("a required parent of the node is not in the order yet");
    }
    order_.push_back(v);
    placed_.insert(v);
    score_ += paths_[v].score();
    for (std::size_t u = 0; u < greedy_.n_nodes(); ++u) {
        const auto node = static_cast<Node>(u);
        if (placed_.contains(node)) continue;
        const std::size_t first = greedy_.first_change(node, paths_[u], no_node, v);
        if (first < paths_[u].steps.size()) {
            paths_[u] = greedy_.resume(node, paths_[u], first, placed_);
        }
    }
}

Pdag OrderBuilder::dag() const {
    Pdag dag(greedy_.n_nodes());
    for (Node v : order_) add_family(dag, v, paths_[v].parents());
    return dag;
}

OrderSearch::OrderSearch(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules)
    : greedy_(std::move(scorer), std::move(rules)),
      joiners_(greedy_.n_nodes()),
      stale_(greedy_.n_nodes()) {}

bool OrderSearch::set_order(NodeList order, Stop& stop) {
    const std::size_t n = greedy_.n_nodes();
    NodeSet placed(n);
    std::vector<NodeSet> predecessors(n);
    for (Node v : order) {
        if (v >= n || placed.contains(v)) {
            throw std::invalid_argument("an order must name every node once");
        }
        if (!contains_all(placed, greedy_.rules().required_parents(v))) {
            throw std::invalid_argument("the order puts a node before one of its required parents");
        }
        predecessors[v] = placed;
        placed.insert(v);
    }
    if (order.size() != n) throw std::invalid_argument("an order must name every node once");
    std::vector<GreedyParents::Path> paths;
    for (std::size_t v = 0; v < n; ++v) {
        if (stop.requested()) return false;
        paths.push_back(greedy_.find(static_cast<Node>(v), predecessors[v]));
    }
    order_ = std::move(order);
    predecessors_ = std::move(predecessors);
    paths_ = std::move(paths);
    for (std::size_t v = 0; v < n; ++v) stale_.insert(static_cast<Node>(v));
    gains_.assign(n * n, unknown);
    return true;
}

double OrderSearch::score() const {
    double total = 0.0;
    for (const auto& path : paths_) total += path.score();
    return total;
}

Pdag OrderSearch::dag() const {
    Pdag dag(greedy_.n_nodes());
    for (std::size_t v = 0; v < paths_.size(); ++v) {
        add_family(dag, static_cast<Node>(v), paths_[v].parents());
    }
    return dag;
}

bool OrderSearch::keeps_required(std::size_t i, std::size_t j) const {
    const ArcRules& rules = greedy_.rules();
    if (rules.is_free()) return true;
    for (std::size_t k = i; k < j; ++k) {
        if (rules.requires_arc(order_[k], order_[j])) return false;
        if (rules.requires_arc(order_[i], order_[k + 1])) return false;
    }
    return true;
}

void OrderSearch::find_joiners(Node v) {
    clear_all(joiners_.row(v));
    for (Node joined : order_) {
        if (joined == v || predecessors_[v].contains(joined)) continue;
        if (greedy_.first_change(v, paths_[v], no_node, joined) < paths_[v].steps.size()) {
            joiners_.set(v, joined);
        }
    }
    stale_.erase(v);
}

// `predecessors` are those of the path and `joined`.
void OrderSearch::join(Node child, GreedyParents::Path& path, Node joined, BitsRef predecessors) {
    const std::size_t first = greedy_.first_change(child, path, no_node, joined);
    if (first < path.steps.size()) path = greedy_.resume(child, path, first, predecessors);
}

// What the nodes between places i and j gain when the nodes there are exchanged.
double OrderSearch::gain_between(std::size_t i, std::size_t j) {
    const Node a = order_[i], b = order_[j];
    double total = 0.0;
    for (std::size_t k = i + 1; k < j; ++k) {
        const Node v = order_[k];
        if (!has_parent(paths_[v], a) && !joiners_.test(v, b)) continue;
        NodeSet changed = predecessors_[v];
        changed.erase(a);
        changed.insert(b);
        const GreedyParents::Path& path = paths_[v];
        const std::size_t first = greedy_.first_change(v, path, a, b);
        total += greedy_.resume(v, path, first, changed).score() - path.score();
    }
    return total;
}

std::optional<OrderSearch::Swap> OrderSearch::best_swap(Stop& stop) {
    const std::size_t n = order_.size();
    Swap best{0, 0, score_tolerance};
    for (Node v : order_) {
        if (stop.requested()) return std::nullopt;
        if (stale_.contains(v)) find_joiners(v);
    }
    if (first_paths_.empty()) {
        const NodeSet nobody(n);
        for (std::size_t v = 0; v < n; ++v) {
            first_paths_.push_back(greedy_.find(static_cast<Node>(v), nobody));
        }
    }
    // Of every node: with the predecessors of place i.
    std::vector<GreedyParents::Path> early = first_paths_;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        if (stop.requested()) return std::nullopt;
        const Node a = order_[i];
        GreedyParents::Path late = paths_[a];
        NodeSet before_late = predecessors_[a];
        for (std::size_t j = i + 1; j < n; ++j) {
            const Node b = order_[j];
            if (i > 0) join(b, early[b], order_[i - 1], predecessors_[a]);
            before_late.insert(b);
            join(a, late, b, before_late);
            double& known = gains_[i * n + j];
            if (std::isnan(known)) {
                known = keeps_required(i, j) ? early[b].score() - paths_[b].score() + late.score() -
                                                   paths_[a].score() + gain_between(i, j)
                                             : -std::numeric_limits<double>::infinity();
            }
            if (known > best.gain) best = {i, j, known};
        }
    }
    if (best.j == 0) return std::nullopt;
    return best;
}

void OrderSearch::swap(std::size_t i, std::size_t j) {
    const std::size_t n = order_.size();
    if (i >= j || j >= n) throw std::out_of_range("places to exchange must be i < j < n_nodes");
    if (!keeps_required(i, j)) {
        throw std::invalid_argument("the order puts a node before one of its required parents");
    }
    NodeSet placed = predecessors_[order_[i]];
    std::swap(order_[i], order_[j]);
    for (std::size_t k = i; k <= j; ++k) {
        const Node v = order_[k];
        predecessors_[v] = placed;
        placed.insert(v);
        paths_[v] = greedy_.find(v, predecessors_[v]);
        stale_.insert(v);
    }
    for (std::size_t k = 0; k <= j; ++k) {
        for (std::size_t l = std::max(i, k + 1); l < n; ++l) gains_[k * n + l] = unknown;
    }
}

}  // namespace stigmergy
