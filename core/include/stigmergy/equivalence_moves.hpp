// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "stigmergy/arc_rules.hpp"
#include "stigmergy/equivalence_operators.hpp"
#include "stigmergy/gain_rows.hpp"
#include "stigmergy/pheromone.hpp"
#include "stigmergy/random.hpp"

namespace stigmergy {

// Where the gains of a walk come from.
enum class Heuristic : std::uint8_t {
    dynamic,     // the score gain of the move from the present class
    fixed_gains  // the gain of the arc on the empty graph (Section 9.5 of Daly & Shen 2009)
};

struct MoveRules {
    OperatorSet operators = all_operators;
    double beta = 1.0;
    Heuristic heuristic = Heuristic::dynamic;
    const ArcRules* arcs = nullptr;
};

// What the upkeep of the moves cost, against looking at every move in every step.
struct MoveWork {
    std::uint64_t steps = 0;
    std::uint64_t rescored = 0;        // moves whose gain was looked up or computed
    std::uint64_t validity_tests = 0;  // path or clique tests made
    MoveWork& operator+=(const MoveWork& other) {
        steps += other.steps;
        rescored += other.rescored;
        validity_tests += other.validity_tests;
        return *this;
    }
};

// The moves of Table 2 from one class, kept up to date while the class changes.
//
// Two kinds. "Plain" insertions have no common neighbour (InsertU) or an empty Omega (InsertD).
// Whether they are valid is read off bit rows: nonadjacent, parents equal or not, chain component,
// semi-directed closure; their gains are a row that depends on the target and its parents only. Per
// target the sum and the maximum of the weights are kept and renewed only where a mask, the row or
// a pheromone changed.
//
// The rest ("special") are few. Their gains change only when an endpoint's parents or neighbours
// do; those that do not improve are dropped at once, and the others are tested for validity only
// when they are about to be taken: drawing from all of them and drawing again after an invalid one
// gives exactly the distribution over the valid ones (Equation 3).
class EquivalenceMoves {
  public:
    EquivalenceMoves(Scorer& scorer, GainRows& rows, const MoveRules& rules);

    // Starts from `graph`. With pheromone the weight of a move is tau * gain^beta; without, its
    // gain. The pheromone must outlive the walk; touched() tells of changes to it.
    void reset(const Pdag& graph, const Pheromone* pheromone);
    [[nodiscard]] const Pdag& graph() const { return graph_; }
    // The valid move with the greatest weight; of moves within 1e-9 of it the first in move order.
    [[nodiscard]] std::optional<ScoredMove> best();
    // A valid move drawn in proportion to its weight.
    [[nodiscard]] std::optional<ScoredMove> draw(Random& random);
    // Makes a move that best() or draw() has just returned.
    void apply(const Move& move);
    // The pheromone of the move has changed.
    void touched(const Move& move);
    [[nodiscard]] const MoveWork& work() const { return work_; }

  private:
    struct Sums {
        double total = 0.0;
        double greatest = 0.0;
    };
    struct Target {
        GainRow* row = nullptr;
        NodeList parents;
        Sums insert_u, insert_d;
        std::size_t n_parents = 0;
        bool new_row = true;
        bool stale = true;
    };
    struct Special {
        Move move;
        double gain;
        double attraction;
        bool rejected = false;
    };

    void changed(const NodeSet& nodes);
    void find_same_parents(const NodeSet& nodes);
    void find_components();
    void find_reach();
    void find_targets();
    void refresh_targets();
    void renew(Node y);
    [[nodiscard]] Sums sum(Node y, Operator op) const;
    void refresh_specials(const NodeSet& nodes);
    void add_specials(Node a, Node b);
    void add_special(const Move& move);
    [[nodiscard]] double weight(const Move& move, double gain, double attraction) const;
    [[nodiscard]] double plain_weight(Operator op, Node x, Node y) const;
    [[nodiscard]] double special_weight(const Special& special) const;
    [[nodiscard]] std::optional<double> accept(const Move& move, bool plain, double gain);
    void reject(const Move& move, bool plain);
    [[nodiscard]] bool greedy() const { return pheromone_ == nullptr; }
    [[nodiscard]] bool uses_fixed_gains() const {
        return !greedy() && rules_.heuristic == Heuristic::fixed_gains;
    }
    template <typename Visit>
    void for_each_open(Operator op, Node y, Visit&& visit) const;

    Scorer& scorer_;
    GainRows& rows_;
    MoveRules rules_;
    std::size_t n_;
    std::size_t words_;
    const Pheromone* pheromone_ = nullptr;
    Pdag graph_;
    Pdag next_;
    Move next_move_{};
    bool has_next_ = false;
    bool components_changed_ = true;

    std::vector<Target> targets_;
    std::vector<Special> specials_;
    std::vector<Node> component_;   // chain component of each node
    std::vector<NodeSet> members_;  // of each component
    std::size_t n_components_ = 0;
    BitRows reach_;  // by component: nodes on semi-directed paths from it, members too
    BitRows same_parents_;
    BitRows open_u_, open_d_;  // by target y: x of the plain insertions that are valid
    NodeSet dirty_, scratch_;
    std::vector<Node> stack_;
    NodeList family_;
    std::vector<std::uint32_t> exits_;
    PathSearch paths_;
    MoveWork work_;
};

}  // namespace stigmergy
