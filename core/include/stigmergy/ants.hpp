// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "stigmergy/equivalence_moves.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

// One step of an ant with everything it could see: the paper's Figure 8 and Table 4.
struct StepTrace {
    struct Candidate {
        Move move;
        double pheromone;
        double gain;
    };
    std::vector<Candidate> candidates;  // every valid move
    double q;                           // the number drawn; the step is greedy when q <= q0
    Move chosen;
};

struct Walk {
    Pdag graph;
    std::vector<Move> path;
    double score = 0.0;
    bool finished = false;  // at a local maximum, not stopped
    std::vector<StepTrace> steps;
};

struct AntParameters {
    double rho;
    double q0;
    bool trace = false;
};

enum class Schedule : std::uint8_t {
    paper,    // ants strictly one after another; each sees the local updates of those before it
    parallel  // the ants of an iteration start from the same pheromone; their local updates are
              // merged in ant order. The same result at any number of threads.
};

// Ants over one scorer: they share the gains of moves met so far.
class Colony {
  public:
    Colony(std::shared_ptr<Scorer> scorer,
           std::shared_ptr<const ArcRules> arcs,
           const MoveRules& rules);

    // GREEDY-E: the move with the greatest gain until none improves.
    [[nodiscard]] Walk greedy(const Pdag& start, Stop& stop);
    // One iteration of Algorithm 1: an ANT-E for each of `ants`, with its own random stream from
    // (seed, iteration, ant), local updates left in `pheromone`; then GREEDY-E if asked for.
    [[nodiscard]] std::vector<Walk> walk(const Pdag& start,
                                         Pheromone& pheromone,
                                         const AntParameters& parameters,
                                         Schedule schedule,
                                         bool local_search,
                                         std::uint64_t seed,
                                         std::uint64_t iteration,
                                         std::size_t ants,
                                         std::size_t threads,
                                         Stop& stop);
    [[nodiscard]] MoveWork work() const;
    [[nodiscard]] std::size_t row_bytes() const { return rows_.bytes(); }

  private:
    [[nodiscard]] EquivalenceMoves& worker(std::size_t thread);
    [[nodiscard]] Walk ant(EquivalenceMoves& moves,
                           const Pdag& start,
                           Pheromone& pheromone,
                           const AntParameters& parameters,
                           Random random,
                           Stop& stop);
    [[nodiscard]] Walk climb(EquivalenceMoves& moves, const Pdag& start, Stop& stop);
    void finish(Walk& walk, const Pdag& start, double gained);

    std::shared_ptr<Scorer> scorer_;
    std::shared_ptr<const ArcRules> arcs_;
    MoveRules rules_;
    GainRows rows_;
    std::vector<std::unique_ptr<EquivalenceMoves>> workers_;
};

}  // namespace stigmergy
