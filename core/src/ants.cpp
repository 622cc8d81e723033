// SPDX-License-Identifier: MIT
#include "stigmergy/ants.hpp"

#include <atomic>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <thread>

#include "stigmergy/parallel.hpp"

namespace stigmergy {

Colony::Colony(std::shared_ptr<Scorer> scorer,
               std::shared_ptr<const ArcRules> arcs,
               const MoveRules& rules)
    : scorer_(std::move(scorer)),
      arcs_(std::move(arcs)),
      rules_(rules),
      rows_(*scorer_, rules.beta) {
    rules_.arcs = arcs_ != nullptr && !arcs_->is_free() ? arcs_.get() : nullptr;
    (void)worker(0);
}

EquivalenceMoves& Colony::worker(std::size_t thread) {
    while (workers_.size() <= thread) {
        workers_.push_back(std::make_unique<EquivalenceMoves>(*scorer_, rows_, rules_));
    }
    return *workers_[thread];
}

MoveWork Colony::work() const {
    MoveWork total;
    for (const auto& moves : workers_) total += moves->work();
    return total;
}

// The score of the end is recomputed; that the gains of the path lead there is what score
// equivalence promises, and a score that breaks it would send the ants astray unnoticed.
void Colony::finish(Walk& walk, const Pdag& start, double gained) {
    walk.score = score_of_class(walk.graph, *scorer_);
    if (walk.path.empty()) return;
    const double expected = score_of_class(start, *scorer_) + gained;
    const double scale = std::max(1.0, std::abs(walk.score));
    if (!(std::abs(walk.score - expected) <= 1e-8 * scale)) {
        throw std::invalid_argument(
            "the score is not the same for all DAGs of a class: the gains of a path differ from "
            "the "
            "difference of its ends. Use a score-equivalent score for searches over classes");
    }
}

Walk Colony::climb(EquivalenceMoves& moves, const Pdag& start, Stop& stop) {
    Walk walk;
    double gained = 0.0;
    moves.reset(start, nullptr);
    while (!stop.requested()) {
        const auto step = moves.best();
        if (!step) {
            walk.finished = true;
            break;
        }
        moves.apply(step->move);
        walk.path.push_back(step->move);
        gained += step->gain;
    }
    walk.graph = moves.graph();
    finish(walk, start, gained);
    return walk;
}

// Algorithm 2, ANT-E.
Walk Colony::ant(EquivalenceMoves& moves,
                 const Pdag& start,
                 Pheromone& pheromone,
                 const AntParameters& parameters,
                 Random random,
                 Stop& stop) {
    Walk walk;
    double gained = 0.0;
    moves.reset(start, &pheromone);
    while (!stop.requested()) {
        const double q = random.uniform();
        const auto step = q <= parameters.q0 ? moves.best() : moves.draw(random);
        if (!step) {
            walk.finished = true;
            break;
        }
        if (parameters.trace) {
            StepTrace seen{{}, q, step->move};
            for (const auto& [move, gain] :
                 valid_moves(moves.graph(), rules_.operators, *scorer_)) {
                seen.candidates.push_back({move, pheromone[move.key()], gain});
            }
            walk.steps.push_back(std::move(seen));
        }
        pheromone.update(step->move.key(), parameters.rho, pheromone.initial());
        moves.touched(step->move);
        moves.apply(step->move);
        walk.path.push_back(step->move);
        gained += step->gain;
    }
    walk.graph = moves.graph();
    finish(walk, start, gained);
    return walk;
}

Walk Colony::greedy(const Pdag& start, Stop& stop) {
    Walk walk = climb(worker(0), start, stop);
    rows_.trim();
    return walk;
}

std::vector<Walk> Colony::walk(const Pdag& start,
                               Pheromone& pheromone,
                               const AntParameters& parameters,
                               Schedule schedule,
                               bool local_search,
                               std::uint64_t seed,
                               std::uint64_t iteration,
                               std::size_t ants,
                               std::size_t threads,
                               Stop& stop) {
    std::vector<Walk> walks(ants);
    const bool one_by_one = schedule == Schedule::paper;
    auto run = [&](EquivalenceMoves& moves, std::size_t k) {
        Random random = Random::stream(seed, iteration, k);
        if (one_by_one) {
            walks[k] = ant(moves, start, pheromone, parameters, random, stop);
        } else {
            Pheromone own = pheromone;
            walks[k] = ant(moves, start, own, parameters, random, stop);
        }
        if (!local_search) return;
        Walk climbed = climb(moves, walks[k].graph, stop);
        walks[k].path.insert(walks[k].path.end(), climbed.path.begin(), climbed.path.end());
        walks[k].graph = std::move(climbed.graph);
        walks[k].score = climbed.score;
        walks[k].finished = climbed.finished;
    };

    const std::size_t n_workers =
        one_by_one ? 1 : std::min(std::max<std::size_t>(threads, 1), ants);
    if (n_workers <= 1) {
        for (std::size_t k = 0; k < ants && !stop.requested(); ++k) run(worker(0), k);
    } else {
        (void)worker(n_workers - 1);
        std::atomic<std::size_t> next{0};
        std::vector<std::exception_ptr> errors(n_workers);
        auto work = [&](std::size_t thread) {
            try {
                for (std::size_t k = next++; k < ants && !stop.requested(); k = next++) {
                    run(*workers_[thread], k);
                }
            } catch (...) {
                errors[thread] = std::current_exception();
                next = ants;
            }
        };
        std::vector<std::thread> pool = start_helpers(n_workers, work);
        work(0);
        for (std::thread& thread : pool) thread.join();
        for (const auto& error : errors) {
            if (error) std::rethrow_exception(error);
        }
    }

    // Ants that the clock kept from starting have no graph.
    std::erase_if(walks, [](const Walk& walk) { return walk.graph.size() == 0; });
    if (!one_by_one) {
        for (const Walk& walk : walks) {
            for (const Move& move : walk.path) {
                pheromone.update(move.key(), parameters.rho, pheromone.initial());
            }
        }
    }
    rows_.trim();
    return walks;
}

}  // namespace stigmergy
