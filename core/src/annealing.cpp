// SPDX-License-Identifier: MIT
#include "stigmergy/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stigmergy {

namespace {

// A uniform draw among the legal changes by rejection: of 2 n (n - 1) named changes at least about
// a quarter is legal in a sparse graph, so a few draws do. A graph that is full of rules may need
// more; after this many per node pair there is nothing worth drawing.
constexpr std::size_t tries_per_pair = 32;

std::size_t draws(const ArcState& state) { return tries_per_pair * state.size() * state.size(); }

NodeList with(const NodeList& parents, Node x) {
    NodeList more = parents;
    more.insert(std::ranges::lower_bound(more, x), x);
    return more;
}

NodeList without(const NodeList& parents, Node x) {
    NodeList fewer = parents;
    std::erase(fewer, x);
    return fewer;
}

}  // namespace

Annealing::Annealing(Scorer& scorer, ArcState state, Random random)
    : scorer_(scorer), state_(std::move(state)), random_(random), best_dag_(state_.dag()) {
    for (std::size_t v = 0; v < state_.size(); ++v) {
        const auto node = static_cast<Node>(v);
        families_.push_back(scorer_.family(node, state_.parents(node)));
    }
    score_ = std::accumulate(families_.begin(), families_.end(), 0.0);
    best_score_ = score_;
}

double Annealing::gain(const ArcMove& move) {
    const auto [change, x, y] = move;
    const NodeList& parents = state_.parents(y);
    const NodeList after = change == ArcChange::add ? with(parents, x) : without(parents, x);
    double gain = scorer_.family(y, after) - families_[y];
    if (change == ArcChange::reverse) {
        gain += scorer_.family(x, with(state_.parents(x), y)) - families_[x];
    }
    return gain;
}

std::size_t Annealing::stage(double temperature,
                             std::size_t tries,
                             std::size_t changes,
                             Stop& stop) {
    std::size_t made = 0;
    for (std::size_t i = 0; i < tries && made < changes && !stop.requested(); ++i) {
        const auto move = state_.random_move(random_, draws(state_));
        if (!move) break;
        const double chance = std::exp(gain(*move) / temperature);
        if (chance < 1.0 && random_.uniform() >= chance) continue;
        state_.apply(*move);
        ++made;
        for (Node v : {move->x, move->y}) families_[v] = scorer_.family(v, state_.parents(v));
        score_ = std::accumulate(families_.begin(), families_.end(), 0.0);
        if (score_ > best_score_) {
            best_score_ = score_;
            best_dag_ = state_.dag();
        }
    }
    return made;
}

Pdag random_walk(ArcState state, std::size_t steps, Random random) {
    for (std::size_t i = 0; i < steps; ++i) {
        const auto move = state.random_move(random, draws(state));
        if (!move) break;
        state.apply(*move);
    }
    return state.dag();
}

}  // namespace stigmergy
