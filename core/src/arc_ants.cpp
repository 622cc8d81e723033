// SPDX-License-Identifier: MIT
#include "stigmergy/arc_ants.hpp"

#include "stigmergy/parallel.hpp"

namespace stigmergy {

namespace {

std::uint64_t key_of(Node x, Node y) { return std::uint64_t{x} << 16 | y; }

// The columns of an ant: for each child the row of gains of its present parents, and the row by
// which arcs attract.
struct Columns {
    std::vector<GainRow*> now, liked;
};

}  // namespace

ArcColony::ArcColony(Scorer& scorer,
                     std::shared_ptr<const ArcLimits> limits,
                     double beta,
                     bool is_static)
    : scorer_(scorer), limits_(std::move(limits)), is_static_(is_static), rows_(scorer, beta) {}

ArcColony::Build ArcColony::ant(const Pdag& start,
                                Pheromone& pheromone,
                                const AntParameters& parameters,
                                Random random,
                                Stop& stop) {
    ArcState state(limits_, start);
    const std::size_t n = state.size(), words = words_for(n);
    Columns columns{std::vector<GainRow*>(n), std::vector<GainRow*>(n)};
    auto begin_column = [&](Node y) {
        GainRow& row = rows_.row(y, state.parents(y));
        columns.now[y] = &row;
        if (!state.has_room(y)) return;
        NodeSet wanted(n);
        for (std::size_t w = 0; w < words; ++w) wanted.word(w) = state.addable(y, w);
        rows_.ensure(row, y, state.parents(y), wanted);
    };
    for (std::size_t v = 0; v < n && !stop.requested(); ++v) begin_column(static_cast<Node>(v));
    columns.liked = columns.now;

    // Visits (x, y, weight) of every arc that may be added and improves the score.
    auto for_each_choice = [&](auto&& visit) {
        for (std::size_t v = 0; v < n; ++v) {
            const auto y = static_cast<Node>(v);
            if (!state.has_room(y)) continue;
            const GainRow& liked = *(is_static_ ? columns.liked : columns.now)[v];
            for (std::size_t w = 0; w < words; ++w) {
                Word rest = state.addable(y, w) & columns.now[v]->positive(w);
                for (; rest != 0; rest &= rest - 1) {
                    const auto x = static_cast<Node>(
                        w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
                    visit(x, y, pheromone[key_of(x, y)] * liked.attraction(x));
                }
            }
        }
    };

    Build build;
    while (!stop.requested()) {
        // The random proportional rule of the ant colony system: the arc of greatest weight with
        // probability q0, else one drawn by weight. An arc that does not attract is never taken.
        const double q = random.uniform();
        Node chosen_x = no_node, chosen_y = no_node;
        double greatest = 0.0, total = 0.0;
        for_each_choice([&](Node x, Node y, double weight) {
            total += weight;
            const bool first = weight == greatest && weight > 0.0 && x < chosen_x;
            if (!(weight > greatest) && !first) return;
            greatest = weight;
            chosen_x = x;
            chosen_y = y;
        });
        if (chosen_x == no_node) break;
        if (q > parameters.q0) {
            double left = random.uniform() * total;
            bool found = false;
            for_each_choice([&](Node x, Node y, double weight) {
                if (found || !(weight > 0.0)) return;
                chosen_x = x;
                chosen_y = y;
                left -= weight;
                found = left < 0.0;
            });
        }
        const std::uint64_t key = key_of(chosen_x, chosen_y);
        pheromone.update(key, parameters.rho, pheromone.initial());
        build.added.push_back(key);
        state.apply({ArcChange::add, chosen_x, chosen_y});
        begin_column(chosen_y);
    }
    build.walk.dag = state.dag();
    for (std::size_t v = 0; v < n; ++v) {
        const auto y = static_cast<Node>(v);
        build.walk.score += scorer_.family(y, state.parents(y));
    }
    return build;
}

std::vector<ArcWalk> ArcColony::walk(const Pdag& start,
                                     Pheromone& pheromone,
                                     const AntParameters& parameters,
                                     Schedule schedule,
                                     bool local_search,
                                     std::uint64_t seed,
                                     std::uint64_t iteration,
                                     std::size_t ants,
                                     std::size_t threads,
                                     Stop& stop) {
    const bool one_by_one = schedule == Schedule::paper;
    std::vector<Build> builds(ants);
    for_each_task(ants, one_by_one ? 1 : threads, [&](std::size_t k) {
        if (stop.requested()) return;
        Pheromone own = one_by_one ? Pheromone(0.0) : pheromone;
        builds[k] = ant(start,
                        one_by_one ? pheromone : own,
                        parameters,
                        Random::stream(seed, iteration, k),
                        stop);
        if (!local_search) return;
        ArcWalk& walk = builds[k].walk;
        ArcMoves moves(scorer_, ArcState(limits_, std::move(walk.dag)), 1, stop);
        Climb climb = hill_climb(moves, 0, 1, stop);
        walk = {std::move(climb.dag), climb.score};
    });

    std::vector<ArcWalk> walks;
    for (Build& build : builds) {
        if (build.walk.dag.size() == 0) continue;  // kept from starting by the clock
        if (!one_by_one) {
            for (std::uint64_t key : build.added) {
                pheromone.update(key, parameters.rho, pheromone.initial());
            }
        }
        walks.push_back(std::move(build.walk));
    }
    rows_.trim();
    return walks;
}

void ArcColony::reinforce(Pheromone& pheromone, const Pdag& dag, double rho, double target) {
    for (auto [x, y] : dag.directed_edges()) pheromone.update(key_of(x, y), rho, target);
}

}  // namespace stigmergy
