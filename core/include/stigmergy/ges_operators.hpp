// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "stigmergy/arc_rules.hpp"
#include "stigmergy/equivalence_operators.hpp"
#include "stigmergy/pdag.hpp"
#include "stigmergy/scorer.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

// The operators of greedy equivalence search: Insert and Delete of Chickering (2002b) and Turn of
// Hauser & Buehlmann (2012).
enum class GesKind : std::uint8_t { insert, remove, turn };
inline constexpr std::size_t n_ges_kinds = 3;

// A set of kinds, one bit each.
using GesKinds = std::uint8_t;
[[nodiscard]] constexpr bool contains(GesKinds set, GesKind kind) {
    return (set >> static_cast<unsigned>(kind)) & 1;
}

// One operator with its arguments; `set` is T of Insert(X, Y, T), H of Delete(X, Y, H), C of
// Turn(X, Y, C), after which X -> Y. Ordered by kind, X, Y, set: the order in which ties are
// broken.
struct GesMove {
    GesKind kind;
    Node x;
    Node y;
    NodeList set;
    auto operator<=>(const GesMove&) const = default;
};

struct ScoredGesMove {
    GesMove move;
    double gain;
};

// With N_Y the neighbours and Pi_Y the parents of Y, NA = N_Y & Adj(X):
//
//   Insert   X, Y not adjacent, T a subset of N_Y - Adj(X): NA + T a clique that every
//   semi-directed
//            path Y .. X meets. Gain s(Y, NA+T+Pi_Y+X) - s(Y, NA+T+Pi_Y).
//   Delete   X - Y or X -> Y, H a subset of NA: NA - H a clique.
//            Gain s(Y, (NA-H)+Pi_Y-X) - s(Y, (NA-H)+Pi_Y+X).
//   Turn     Y -> X: C a clique, NA a subset of C, and C + N_X meets every semi-directed path Y ..
//   X
//            but the arc. Gain s(Y, Pi_Y+C+X) + s(X, Pi_X-Y) - s(Y, Pi_Y+C) - s(X, Pi_X).
//            X - Y: C a clique without X, C - NA not empty, and C & NA separates C - NA from NA - C
//            in the graph induced on N_Y. Gain s(Y, Pi_Y+C+X) + s(X, Pi_X+(C&NA)) - s(Y, Pi_Y+C)
//            - s(X, Pi_X+(C&NA)+Y).
//
// Everything but the paths depends on what is around X and Y only.

// Makes a valid move and completes the result to the CPDAG of the new class.
void apply(Pdag& cpdag, const GesMove& move);

// Every valid move with its gain, in the order of moves; moves over the parent limit left out.
[[nodiscard]] std::vector<ScoredGesMove> valid_ges_moves(const Pdag& cpdag,
                                                         GesKinds kinds,
                                                         Scorer& scorer);

// The improving moves from one class, kept up to date while the class changes.
//
// One table per kind and node Y with the moves (.., Y, ..) that satisfy all local conditions and
// gain something, the best first. A move renews only the tables of nodes whose surroundings it
// changed, and only when their kind is asked for. Path tests and knowledge are looked at when a
// move is about to be taken: a few times per step, not once per move.
class GesMoves {
  public:
    GesMoves(std::shared_ptr<Scorer> scorer,
             std::shared_ptr<const ArcRules> rules,
             const Pdag& cpdag);

    [[nodiscard]] const Pdag& graph() const { return graph_; }
    // The valid move of these kinds that gains most; of those within 1e-9 of it the first in the
    // order of moves. Nothing when none improves or when told to stop.
    [[nodiscard]] std::optional<ScoredGesMove> best(GesKinds kinds, Stop& stop);
    // All valid improving moves in their order, but one only for each class that insertions or
    // deletions lead to: (X, Y, T) and (Y, X, T') lead to the same one exactly when their families
    // without X and Y are equal. Cut short when told to stop.
    [[nodiscard]] std::vector<ScoredGesMove> improving(GesKinds kinds, Stop& stop);
    void apply(const GesMove& move);

  private:
    struct Table {
        std::vector<ScoredGesMove> moves;
        bool stale = true;
    };
    [[nodiscard]] Table& table(GesKind kind, Node y) {
        return tables_[static_cast<std::size_t>(kind) * graph_.size() + y];
    }
    [[nodiscard]] bool refresh(GesKinds kinds, Stop& stop);
    [[nodiscard]] bool is_allowed(const GesMove& move);

    std::shared_ptr<Scorer> scorer_;
    std::shared_ptr<const ArcRules> rules_;
    Pdag graph_;
    PathSearch paths_;
    std::vector<Table> tables_;
};

}  // namespace stigmergy
