// SPDX-License-Identifier: MIT
// Every native search over DAGs once, on more nodes than a word has bits and on two threads, for
// the sanitizers.
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "stigmergy/annealing.hpp"
#include "stigmergy/arc_ants.hpp"
#include "stigmergy/arc_model.hpp"
#include "stigmergy/arc_moves.hpp"
#include "stigmergy/reinsertion.hpp"
#include "stigmergy/rpdag.hpp"
#include "stigmergy/sparse_candidates.hpp"

using namespace stigmergy;

namespace {

constexpr std::size_t n = 70;

// Symmetric gains of pairs, shared out evenly: equal for equivalent DAGs as long as every node has
// one parent, and good enough to climb on.
double family(Node child, NodeListRef parents) {
    double score = -4.0 * static_cast<double>(parents.size() * parents.size());
    for (Node p : parents) score += 6.0 + 5.0 * std::sin(static_cast<double>(child * p));
    return score;
}

double score_of(const Pdag& dag, Scorer& scorer) {
    double total = 0.0;
    for (std::size_t v = 0; v < n; ++v) {
        total += scorer.family(static_cast<Node>(v), dag.parent_list(static_cast<Node>(v)));
    }
    return total;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

}  // namespace

int main() {
    Scorer scorer(std::make_shared<FunctionSource>(n, family), 3, 1 << 24);
    const ArcRules rules(n, {{69, 0}}, {{1, 68}});
    const auto limits = std::make_shared<const ArcLimits>(rules, 3, nullptr, n);
    Pdag start(n);
    start.add_directed(69, 0);
    Stop stop;

    ArcMoves moves(scorer, ArcState(limits, start), 2, stop);
    const Climb climb = hill_climb(moves, 10, 5, stop);
    CHECK(near(climb.score, score_of(climb.dag, scorer)));
    CHECK(climb.score > score_of(start, scorer));
    CHECK(rules.obeyed_by(climb.dag));
    CHECK(DagClosure(climb.dag) == ArcState(limits, climb.dag).closure());

    ArcState walked(limits, start);
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        walked.apply(*walked.random_move(random, 100000));
        CHECK(DagClosure(walked.dag()) == walked.closure());
        CHECK(ArcState(limits, walked.dag()).hash() == walked.hash());
    }

    Annealing chain(scorer, ArcState(limits, start), Random(1));
    (void)chain.stage(5.0, 500, 500, stop);
    CHECK(near(chain.score(), score_of(chain.dag(), scorer)));
    CHECK(rules.obeyed_by(chain.best_dag()));

    ArcColony colony(scorer, limits, 2.0, false);
    Pheromone pheromone(1e-3);
    for (std::uint64_t t = 1; t <= 2; ++t) {
        for (const ArcWalk& walk : colony.walk(
                 start, pheromone, {0.1, 0.8}, Schedule::parallel, t == 2, 1, t, 4, 2, stop)) {
            CHECK(near(walk.score, score_of(walk.dag, scorer)));
            CHECK(rules.obeyed_by(walk.dag));
            ArcColony::reinforce(pheromone, walk.dag, 0.1, 1e-2);
        }
    }

    ArcModel model(limits, n, 0.05, 1e-3);
    const auto population = model.sample(start, 6, 1, 1, scorer, 2, stop);
    CHECK(population.size() == 6);
    for (const ScoredDag& one : population) CHECK(near(one.score, score_of(one.dag, scorer)));
    model.learn({&population[0].dag, &population[1].dag}, 0.5);
    model.mutate(0.5, 0.1, Random(1));

    Reinsertion reinsertion(scorer, limits, 100);
    NodeList everyone(n);
    std::iota(everyone.begin(), everyone.end(), Node{0});
    reinsertion.prepare(everyone, 2, stop);
    Pdag dag = start;
    for (std::size_t v = 0; v < n; ++v) {
        auto [after, gain] = reinsertion.reinsert(dag, static_cast<Node>(v));
        CHECK(near(score_of(after, scorer), score_of(dag, scorer) + gain));
        CHECK(rules.obeyed_by(after));
        dag = after;
    }

    const BitRows candidates = sparse_candidates(scorer, rules, dag, 5, 2);
    for (std::size_t v = 0; v < n; ++v) CHECK(count(candidates.row(v)) <= 5);

    RpdagMoves restricted(scorer, ArcRules(n), restricted_of(climb.dag));
    TabuList tabu(20);
    for (int i = 0; i < 15; ++i) {
        tabu.insert(hash_of(restricted.rpdag()));
        const auto best = restricted.best(&tabu);
        CHECK(best.has_value());
        restricted.apply(best->move);
        CHECK(is_restricted(restricted.rpdag()));
        CHECK(!tabu.contains(hash_of(restricted.rpdag())));
    }
    return 0;
}
