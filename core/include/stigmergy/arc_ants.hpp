// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "stigmergy/ants.hpp"
#include "stigmergy/arc_moves.hpp"
#include "stigmergy/gain_rows.hpp"
#include "stigmergy/pheromone.hpp"

namespace stigmergy {

struct ArcWalk {
    Pdag dag;
    double score = 0.0;
};

// Ants that build DAGs arc by arc (ACO-B of de Campos, Fernandez-Luna, Gamez & Puerta 2002). They
// share the gains of all families that one of them has met.
class ArcColony {
  public:
    // With `is_static` an arc is as attractive as it is in the start; else as it is now.
    ArcColony(Scorer& scorer, std::shared_ptr<const ArcLimits> limits, double beta, bool is_static);

    // One iteration: ant k draws from the stream (seed, iteration, k), leaves its local updates in
    // `pheromone`, and if asked for climbs on from where it ended.
    [[nodiscard]] std::vector<ArcWalk> walk(const Pdag& start,
                                            Pheromone& pheromone,
                                            const AntParameters& parameters,
                                            Schedule schedule,
                                            bool local_search,
                                            std::uint64_t seed,
                                            std::uint64_t iteration,
                                            std::size_t ants,
                                            std::size_t threads,
                                            Stop& stop);
    // The global update: every arc of the DAG.
    static void reinforce(Pheromone& pheromone, const Pdag& dag, double rho, double target);

  private:
    struct Build {
        ArcWalk walk;
        std::vector<std::uint64_t> added;
    };
    [[nodiscard]] Build ant(const Pdag& start,
                            Pheromone& pheromone,
                            const AntParameters& parameters,
                            Random random,
                            Stop& stop);

    Scorer& scorer_;
    std::shared_ptr<const ArcLimits> limits_;
    bool is_static_;
    GainRows rows_;
};

}  // namespace stigmergy
