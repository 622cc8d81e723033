// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "stigmergy/arc_state.hpp"
#include "stigmergy/scorer.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

// Score differences up to this are rounding, not improvement.
inline constexpr double score_tolerance = 1e-6;

struct ScoredArcMove {
    ArcMove move;
    double gain;
};

// The last `length` DAGs that a search went through, by their hashes.
class TabuList {
  public:
    explicit TabuList(std::size_t length) : length_(length) {}
    void insert(std::uint64_t hash) {
        if (length_ == 0) return;
        if (order_.size() == length_) {
            hashes_.erase(hashes_.find(order_.front()));
            order_.pop_front();
        }
        order_.push_back(hash);
        hashes_.insert(hash);
    }
    [[nodiscard]] bool contains(std::uint64_t hash) const { return hashes_.contains(hash); }

  private:
    std::size_t length_;
    std::deque<std::uint64_t> order_;
    std::unordered_multiset<std::uint64_t> hashes_;
};

// A DAG with the gain of every legal addition, removal and reversal.
//
// One number per ordered pair: column y holds, for each x, what the score of y's family gains when
// x joins or leaves the parents of y; a reversal is the sum of two. A move changes the columns of
// one or two children. These are scored again in one sweep each, and elsewhere only what has become
// legal, so no family is scored that no legal move asks for. Each column remembers its greatest
// gain; a query looks at n columns and scans the few that can hold the answer.
class ArcMoves {
  public:
    ArcMoves(Scorer& scorer, ArcState state, std::size_t n_threads, Stop& stop);

    [[nodiscard]] const ArcState& state() const { return state_; }
    // The sum of the scores of all families, in the order of nodes.
    [[nodiscard]] double score() const;
    // Of a legal move.
    [[nodiscard]] double gain(const ArcMove& move) const;

    // The greatest gain; of all moves within the tolerance of it the first in the order of moves.
    // Moves that lead to a DAG on the tabu list do not count.
    [[nodiscard]] std::optional<ScoredArcMove> best(const TabuList* tabu = nullptr);
    // Every legal move with its gain, in order.
    [[nodiscard]] std::vector<ScoredArcMove> legal_moves() const;
    // Visits (x, gain) of the legal additions x -> y in the order of x.
    template <typename Visit>
    void for_each_addition(Node y, Visit&& visit) const {
        if (!state_.has_room(y)) return;
        for (std::size_t w = 0; w < known_.words_per_row(); ++w) {
            for (Word rest = state_.addable(y, w) & known_.row(y)[w]; rest != 0; rest &= rest - 1) {
                const auto x = static_cast<Node>(w * word_bits +
                                                 static_cast<std::size_t>(std::countr_zero(rest)));
                visit(x, gain_at(x, y));
            }
        }
    }
    // When `stop` ends the scoring early, moves whose gain is missing are left out from then on.
    void apply(const ArcMove& move, Stop& stop);

  private:
    static constexpr double nothing = -std::numeric_limits<double>::infinity();

    [[nodiscard]] double gain_at(Node x, Node y) const { return gains_[y * state_.size() + x]; }
    [[nodiscard]] bool has_gain(const ArcMove& move) const;
    void begin_column(Node y);
    void score_missing(Node y);
    void refresh(const std::vector<Node>& touched, const NodeSet& changed, Stop& stop);
    template <typename Visit>
    void scan(Node y, Visit&& visit) const;
    void find_top(Node y);
    [[nodiscard]] double top_allowed(Node y, double floor, const TabuList& tabu) const;

    Scorer& scorer_;
    ArcState state_;
    std::size_t n_threads_;
    std::vector<double> families_;
    std::vector<double> gains_;
    BitRows known_;
    // Of column y: the greatest gain of a legal move, and how many families its moves ask for.
    std::vector<double> top_;
    std::vector<std::uint32_t> requests_;
    // Families asked of the scorer since the last query; the query does not count them again.
    std::atomic<std::uint64_t> asked_{0};
};

struct Climb {
    Pdag dag;
    double score;
    std::size_t n_moves;
};

// Hill climbing from where `moves` stands. With a tabu list of length 0 it ends at the first local
// maximum. Otherwise (Tsamardinos, Brown & Aliferis 2006) the best move to a DAG that is not on the
// list is made even when it does not improve, until `patience` moves in a row have not raised the
// greatest score seen; the result is the DAG that had it.
[[nodiscard]] Climb hill_climb(ArcMoves& moves,
                               std::size_t tabu_length,
                               std::size_t patience,
                               Stop& stop);

}  // namespace stigmergy
