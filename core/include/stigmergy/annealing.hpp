// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "stigmergy/arc_state.hpp"
#include "stigmergy/scorer.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

// A chain of random arc changes, each accepted with probability min(1, exp(gain / temperature)).
// Only the families of the change that is looked at are scored.
class Annealing {
  public:
    Annealing(Scorer& scorer, ArcState state, Random random);

    // Tries up to `tries` changes and makes up to `changes` of them; how many were made.
    std::size_t stage(double temperature, std::size_t tries, std::size_t changes, Stop& stop);

    [[nodiscard]] double score() const { return score_; }
    [[nodiscard]] const Pdag& dag() const { return state_.dag(); }
    [[nodiscard]] double best_score() const { return best_score_; }
    [[nodiscard]] const Pdag& best_dag() const { return best_dag_; }

  private:
    [[nodiscard]] double gain(const ArcMove& move);

    Scorer& scorer_;
    ArcState state_;
    Random random_;
    std::vector<double> families_;
    double score_;
    Pdag best_dag_;
    double best_score_;
};

// `steps` random legal changes, one after another.
[[nodiscard]] Pdag random_walk(ArcState state, std::size_t steps, Random random);

}  // namespace stigmergy
