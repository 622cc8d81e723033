// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "stigmergy/arc_moves.hpp"
#include "stigmergy/arc_rules.hpp"
#include "stigmergy/gain_rows.hpp"
#include "stigmergy/pdag.hpp"

namespace stigmergy {

// Restricted PDAGs (Acid & de Campos 2003, Definition 1): no directed and no undirected cycle, a
// node with parents has no links, and an arc x -> y stands only where y has another parent or x has
// one. All extensions of such a graph, which direct its links without a new pair of parents, are
// equivalent.
[[nodiscard]] bool is_restricted(const Pdag& graph);

// The restricted PDAG that a DAG extends: the arcs along which single parents go back to a root
// become links.
[[nodiscard]] Pdag restricted_of(const Pdag& dag);

// The five operators, in the order in which ties are broken.
enum class RpdagOperator : std::uint8_t { add_arc, add_link, add_pattern, delete_arc, delete_link };

// x -> y, x - y with x < y, or for add_pattern x -> y <- z made from the link y - z.
struct RpdagMove {
    RpdagOperator op;
    Node x;
    Node y;
    Node z = no_node;
    auto operator<=>(const RpdagMove&) const = default;
};

struct ScoredRpdagMove {
    RpdagMove move;
    double gain;
};

void apply(Pdag& rpdag, const RpdagMove& move);

// For tabu lists: depends on the edges only.
[[nodiscard]] std::uint64_t hash_of(const Pdag& graph);

// A restricted PDAG with its moves. Reachability is computed anew in each state, n searches of a
// few words a step; the gains come from rows kept per child and parents.
class RpdagMoves {
  public:
    RpdagMoves(Scorer& scorer, const ArcRules& rules, Pdag rpdag);

    [[nodiscard]] const Pdag& rpdag() const { return rpdag_; }
    // The sum of families of an extension.
    [[nodiscard]] double score() const;
    // Every move within the parent limit with its gain, in order; knowledge is not looked at.
    [[nodiscard]] std::vector<ScoredRpdagMove> moves();
    // The greatest gain, of ties the first; not to a graph on the tabu list, and not to a class
    // without a DAG that obeys the rules.
    [[nodiscard]] std::optional<ScoredRpdagMove> best(const TabuList* tabu);
    void apply(const RpdagMove& move) { stigmergy::apply(rpdag_, move); }

  private:
    [[nodiscard]] bool is_allowed(const RpdagMove& move, const TabuList* tabu) const;

    Scorer& scorer_;
    ArcRules rules_;
    Pdag rpdag_;
    GainRows rows_;
};

}  // namespace stigmergy
