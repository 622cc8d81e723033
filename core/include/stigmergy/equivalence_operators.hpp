// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "stigmergy/pdag.hpp"
#include "stigmergy/scorer.hpp"

namespace stigmergy {

// The six operators of Chickering (2002a), numbered in the order of Table 2 of Daly & Shen (2009).
enum class Operator : std::uint8_t { insert_u, delete_u, insert_d, delete_d, reverse_d, make_v };
inline constexpr std::size_t n_operators = 6;

// A set of operators, one bit each.
using OperatorSet = std::uint8_t;
inline constexpr OperatorSet all_operators = 0b111111;
[[nodiscard]] constexpr bool contains(OperatorSet set, Operator op) {
    return (set >> static_cast<unsigned>(op)) & 1;
}

// One operator with its arguments. The symmetric ones (InsertU, DeleteU, and x, y of MakeV) are
// written with x < y, so that each move exists once; z is the collider of MakeV, else no_node.
// Moves are ordered by operator, then x, y, z: the order in which ties are broken.
struct Move {
    Operator op;
    Node x;
    Node y;
    Node z = no_node;

    [[nodiscard]] std::uint64_t key() const {
        return std::uint64_t{static_cast<std::uint8_t>(op)} << 48 | std::uint64_t{x} << 32 |
               std::uint64_t{y} << 16 | z;
    }
    static Move from_key(std::uint64_t key) {
        return {static_cast<Operator>(key >> 48),
                static_cast<Node>(key >> 32),
                static_cast<Node>(key >> 16),
                static_cast<Node>(key)};
    }
    auto operator<=>(const Move& other) const { return key() <=> other.key(); }
    bool operator==(const Move&) const = default;
};

struct ScoredMove {
    Move move;
    double gain;
};

// Scratch for path searches, so that a walk allocates once.
class PathSearch {
  public:
    explicit PathSearch(std::size_t n_nodes) : seen_(n_nodes) {}
    // An undirected path x .. y that avoids `blocked`.
    [[nodiscard]] bool undirected(const Pdag& graph, Node x, Node y, BitsRef blocked);
    // A path x .. y along undirected edges and arcs from tail to head that avoids `blocked` and
    // does not use the arc x -> y itself.
    [[nodiscard]] bool semi_directed(const Pdag& graph, Node x, Node y, BitsRef blocked);

  private:
    NodeSet seen_;
    std::vector<Node> queue_;
};

// Table 2, column "validity tests", with the implied preconditions, literally.
[[nodiscard]] bool is_valid(const Pdag& cpdag, const Move& move, PathSearch& paths);

// Table 2, column "change in score". -infinity when a family that the move adds has more parents
// than the scorer allows: from a class within the limit exactly such a move leaves it.
[[nodiscard]] double gain(const Pdag& cpdag, const Move& move, Scorer& scorer, NodeList& scratch);

// Makes the move and completes the result to the CPDAG of the new class. No DAG is needed: skeleton
// and v-structures of the changed graph, closed under Meek's rules, are the new CPDAG.
void apply(Pdag& cpdag, const Move& move);

// Every valid move with its gain, in the order of moves: the literal enumeration.
[[nodiscard]] std::vector<ScoredMove> valid_moves(const Pdag& cpdag,
                                                  OperatorSet operators,
                                                  Scorer& scorer);

// The score of the class: the sum of families of one member.
[[nodiscard]] double score_of_class(const Pdag& cpdag, Scorer& scorer);

}  // namespace stigmergy
