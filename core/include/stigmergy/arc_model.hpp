// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "stigmergy/arc_state.hpp"
#include "stigmergy/scorer.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

struct ScoredDag {
    Pdag dag;
    double score;
};

// One independent probability per arc: the model of the univariate estimation-of-distribution
// algorithms. An individual is a set of arcs drawn from it and repaired to a legal DAG.
class ArcModel {
  public:
    // Every arc has the probability `initial`; none leaves [margin, 1 - margin].
    ArcModel(std::shared_ptr<const ArcLimits> limits,
             std::size_t n_nodes,
             double initial,
             double margin);

    [[nodiscard]] std::size_t size() const { return n_; }
    [[nodiscard]] double probability(Node x, Node y) const { return p_[y * n_ + x]; }
    // `size` scored individuals, best first; individual k draws from the stream (seed, generation,
    // k). Repair: the arcs join the start in random order, those that would close a cycle or break
    // a limit are left out. Individuals that the clock kept from being made are missing.
    [[nodiscard]] std::vector<ScoredDag> sample(const Pdag& start,
                                                std::size_t size,
                                                std::uint64_t seed,
                                                std::uint64_t generation,
                                                Scorer& scorer,
                                                std::size_t n_threads,
                                                Stop& stop) const;
    // p <- (1 - rate) p + rate (share of the DAGs with the arc).
    void learn(const std::vector<const Pdag*>& dags, double rate);
    // With probability `chance` each arc's p <- (1 - shift) p + shift (0 or 1, equally likely).
    void mutate(double chance, double shift, Random random);

  private:
    void set(std::size_t cell, double value);

    std::shared_ptr<const ArcLimits> limits_;
    std::size_t n_;
    double margin_;
    std::vector<double> p_;
};

}  // namespace stigmergy
