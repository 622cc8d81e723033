// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "stigmergy/arc_rules.hpp"
#include "stigmergy/dag_closure.hpp"
#include "stigmergy/pdag.hpp"
#include "stigmergy/random.hpp"

namespace stigmergy {

// The three changes of a search over DAGs (Table 1 of Daly & Shen 2009), in the order in which ties
// are broken.
enum class ArcChange : std::uint8_t { add, remove, reverse };

// A change of the arc x -> y; moves are ordered by change, then x, then y.
struct ArcMove {
    ArcChange change;
    Node x;
    Node y;
    auto operator<=>(const ArcMove&) const = default;
};

// What no DAG of a search may break: which parents a child may get, which it must keep, and how
// many it may have.
class ArcLimits {
  public:
    // `candidates`, if given, has for each child the parents that may be added.
    ArcLimits(const ArcRules& rules,
              std::size_t max_parents,
              const BitRows* candidates,
              std::size_t n);

    [[nodiscard]] BitsRef allowed(Node child) const { return allowed_.row(child); }
    [[nodiscard]] BitsRef required(Node child) const { return required_.row(child); }
    [[nodiscard]] bool allows(Node parent, Node child) const {
        return allowed_.test(child, parent);
    }
    [[nodiscard]] bool requires_arc(Node parent, Node child) const {
        return required_.test(child, parent);
    }
    [[nodiscard]] std::size_t max_parents() const { return max_parents_; }

  private:
    BitRows allowed_, required_;
    std::size_t max_parents_;
};

// A DAG that changes by legal moves: no cycle, no rule broken, no parent above the limit.
//
// Holds the parents of each node also as sorted lists, ready for a scorer, and a hash of the arcs
// that does not depend on the way by which they came.
class ArcState {
  public:
    ArcState(std::shared_ptr<const ArcLimits> limits, Pdag dag);

    [[nodiscard]] std::size_t size() const { return dag_.size(); }
    [[nodiscard]] const Pdag& dag() const { return dag_; }
    [[nodiscard]] const ArcLimits& limits() const { return *limits_; }
    [[nodiscard]] const std::shared_ptr<const ArcLimits>& shared_limits() const { return limits_; }
    [[nodiscard]] const DagClosure& closure() const { return closure_; }
    [[nodiscard]] const NodeList& parents(Node v) const { return parents_[v]; }
    [[nodiscard]] bool has_room(Node child) const {
        return parents_[child].size() < limits_->max_parents();
    }
    // Parents that `child` could get by an addition.
    [[nodiscard]] Word addable(Node child, std::size_t w) const {
        return limits_->allowed(child)[w] & ~dag_.parents(child)[w] &
               ~closure_.descendants(child)[w];
    }
    // The arc x -> y, which is there, may be turned.
    [[nodiscard]] bool is_reversible(Node x, Node y) const;
    [[nodiscard]] bool is_legal(const ArcMove& move) const;
    [[nodiscard]] std::vector<ArcMove> legal_moves() const;
    // Each legal move equally likely; nothing when `tries` draws all met illegal ones.
    [[nodiscard]] std::optional<ArcMove> random_move(Random& random, std::size_t tries) const;

    void apply(const ArcMove& move);

    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    [[nodiscard]] std::uint64_t hash_after(const ArcMove& move) const;

  private:
    void add(Node x, Node y);
    void remove(Node x, Node y);

    std::shared_ptr<const ArcLimits> limits_;
    Pdag dag_;
    DagClosure closure_;
    std::vector<NodeList> parents_;
    std::uint64_t hash_ = 0;
};

}  // namespace stigmergy
