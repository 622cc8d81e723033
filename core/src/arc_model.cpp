// SPDX-License-Identifier: MIT
#include "stigmergy/arc_model.hpp"

#include <algorithm>

#include "stigmergy/parallel.hpp"

namespace stigmergy {

ArcModel::ArcModel(std::shared_ptr<const ArcLimits> limits,
                   std::size_t n_nodes,
                   double initial,
                   double margin)
    : limits_(std::move(limits)), n_(n_nodes), margin_(margin), p_(n_nodes * n_nodes, 0.0) {
    for (std::size_t cell = 0; cell < p_.size(); ++cell) set(cell, initial);
}

void ArcModel::set(std::size_t cell, double value) {
    p_[cell] = std::clamp(value, margin_, 1.0 - margin_);
}

std::vector<ScoredDag> ArcModel::sample(const Pdag& start,
                                        std::size_t size,
                                        std::uint64_t seed,
                                        std::uint64_t generation,
                                        Scorer& scorer,
                                        std::size_t n_threads,
                                        Stop& stop) const {
    std::vector<ScoredDag> population(size);
    for_each_task(size, n_threads, [&](std::size_t k) {
        if (stop.requested()) return;
        Random random = Random::stream(seed, generation, k);
        std::vector<ArcMove> drawn;
        for (std::size_t y = 0; y < n_; ++y) {
            for_each_bit(limits_->allowed(static_cast<Node>(y)), [&](Node x) {
                if (random.uniform() < p_[y * n_ + x]) {
                    drawn.push_back({ArcChange::add, x, static_cast<Node>(y)});
                }
            });
        }
        random.shuffle(drawn);
        ArcState state(limits_, start);
        for (const ArcMove& move : drawn) {
            if (state.is_legal(move)) state.apply(move);
        }
        double score = 0.0;
        for (std::size_t y = 0; y < n_; ++y) {
            score += scorer.family(static_cast<Node>(y), state.parents(static_cast<Node>(y)));
        }
        population[k] = {state.dag(), score};
    });
    std::erase_if(population, [&](const ScoredDag& one) { return one.dag.size() != n_; });
    std::ranges::stable_sort(population, std::ranges::greater{}, &ScoredDag::score);
    return population;
}

void ArcModel::learn(const std::vector<const Pdag*>& dags, double rate) {
    std::vector<std::size_t> with_arc(p_.size());
    for (const Pdag* dag : dags) {
        for (auto [x, y] : dag->directed_edges()) ++with_arc[y * n_ + x];
    }
    for (std::size_t cell = 0; cell < p_.size(); ++cell) {
        const double share = static_cast<double>(with_arc[cell]) / static_cast<double>(dags.size());
        set(cell, (1.0 - rate) * p_[cell] + rate * share);
    }
}

void ArcModel::mutate(double chance, double shift, Random random) {
    for (std::size_t cell = 0; cell < p_.size(); ++cell) {
        if (random.uniform() >= chance) continue;
        set(cell, (1.0 - shift) * p_[cell] + shift * static_cast<double>(random.below(2)));
    }
}

}  // namespace stigmergy
