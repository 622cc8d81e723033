// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "stigmergy/pdag.hpp"

namespace stigmergy {

// What is known about arcs beforehand: arcs that must be there and arcs that must not.
class ArcRules {
  public:
    using Arc = Pdag::Edge;  // parent, child

    // No rules.
    explicit ArcRules(std::size_t n_nodes)
        : size_(n_nodes), required_(n_nodes), forbidden_(n_nodes), impossible_(n_nodes) {}
    ArcRules(std::size_t n_nodes,
             const std::vector<Arc>& required,
             const std::vector<Arc>& forbidden);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool is_free() const { return free_; }
    [[nodiscard]] bool allows(Node parent, Node child) const {
        return !forbidden_.test(child, parent);
    }
    [[nodiscard]] bool requires_arc(Node parent, Node child) const {
        return required_.test(child, parent);
    }
    [[nodiscard]] BitsRef required_parents(Node child) const { return required_.row(child); }
    [[nodiscard]] BitsRef forbidden_parents(Node child) const { return forbidden_.row(child); }
    // Nodes that can be joined to v in neither direction.
    [[nodiscard]] BitsRef never_adjacent(Node v) const { return impossible_.row(v); }
    [[nodiscard]] std::vector<Arc> required_arcs() const;
    [[nodiscard]] bool obeyed_by(const Pdag& dag) const;

  private:
    std::size_t size_;
    bool free_ = true;
    BitRows required_, forbidden_, impossible_;
};

// In the space of classes knowledge speaks of members: a class obeys the rules iff one of its DAGs
// does. The member, or nothing. Undirected edges are first turned as the rules demand, then the
// rest is extended; the extension counts only when it has no v-structure that the class lacks.
[[nodiscard]] std::optional<Pdag> obeying_member(const Pdag& cpdag, const ArcRules& rules);

}  // namespace stigmergy
