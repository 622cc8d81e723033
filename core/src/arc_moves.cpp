// SPDX-License-Identifier: MIT
#include "stigmergy/arc_moves.hpp"

#include <algorithm>

#include "stigmergy/parallel.hpp"

namespace stigmergy {

ArcMoves::ArcMoves(Scorer& scorer, ArcState state, std::size_t n_threads, Stop& stop)
    : scorer_(scorer),
      state_(std::move(state)),
      n_threads_(n_threads),
      families_(state_.size()),
      gains_(state_.size() * state_.size()),
      known_(state_.size()),
      top_(state_.size(), nothing),
      requests_(state_.size()) {
    std::vector<Node> all;
    NodeSet changed(state_.size());
    for (std::size_t v = 0; v < state_.size(); ++v) {
        all.push_back(static_cast<Node>(v));
        changed.insert(static_cast<Node>(v));
    }
    refresh(all, changed, stop);
}

double ArcMoves::score() const {
    double total = 0.0;
    for (double family : families_) total += family;
    return total;
}

double ArcMoves::gain(const ArcMove& move) const {
    const double of_child = gain_at(move.x, move.y);
    return move.change == ArcChange::reverse ? of_child + gain_at(move.y, move.x) : of_child;
}

bool ArcMoves::has_gain(const ArcMove& move) const {
    return known_.test(move.y, move.x) &&
           (move.change != ArcChange::reverse || known_.test(move.x, move.y));
}

// The family and the removals of a column whose parents have changed.
void ArcMoves::begin_column(Node y) {
    const NodeList& parents = state_.parents(y);
    clear_all(known_.row(y));
    families_[y] = scorer_.family(y, parents);
    for (Node x : parents) {
        if (state_.limits().requires_arc(x, y)) continue;
        NodeList fewer = parents;
        std::erase(fewer, x);
        gains_[y * state_.size() + x] = scorer_.family(y, fewer) - families_[y];
        known_.set(y, x);
    }
    asked_ += parents.size();
}

// One sweep over the parents that y could now get, by an addition or by turning an arc y -> x.
void ArcMoves::score_missing(Node y) {
    if (!state_.has_room(y)) return;
    NodeList missing;
    const BitsRef children = state_.dag().children(y);
    for (std::size_t w = 0; w < known_.words_per_row(); ++w) {
        const Word turnable = state_.limits().allowed(y)[w] & children[w];
        for (Word rest = (state_.addable(y, w) | turnable) & ~known_.row(y)[w]; rest != 0;
             rest &= rest - 1) {
            const auto x =
                static_cast<Node>(w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
            if (test_bit(children, x) && !state_.is_reversible(y, x)) continue;
            missing.push_back(x);
        }
    }
    if (missing.empty()) return;
    asked_ += missing.size();
    std::vector<double> scores(missing.size());
    scorer_.extensions(y, state_.parents(y), missing, scores);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        gains_[y * state_.size() + missing[i]] = scores[i] - families_[y];
        known_.set(y, missing[i]);
    }
}

void ArcMoves::refresh(const std::vector<Node>& touched, const NodeSet& changed, Stop& stop) {
    std::vector<Node> columns;
    for_each_bit(changed, [&](Node y) { columns.push_back(y); });
    for (Node y : touched) begin_column(y);
    // A row of bits and of gains belongs to one column, so columns can be scored side by side.
    for_each_task(columns.size(), n_threads_, [&](std::size_t i) {
        if (!stop.requested()) score_missing(columns[i]);
    });
    for (Node y : columns) find_top(y);
}

// Visits (move, gain) of the column: additions and removals of parents of y, and turns of x -> y.
template <typename Visit>
void ArcMoves::scan(Node y, Visit&& visit) const {
    for_each_addition(y, [&](Node x, double gain) { visit(ArcMove{ArcChange::add, x, y}, gain); });
    for (Node x : state_.parents(y)) {
        if (!known_.test(y, x)) continue;
        visit(ArcMove{ArcChange::remove, x, y}, gain_at(x, y));
        if (known_.test(x, y) && state_.is_reversible(x, y)) {
            visit(ArcMove{ArcChange::reverse, x, y}, gain_at(x, y) + gain_at(y, x));
        }
    }
}

void ArcMoves::find_top(Node y) {
    top_[y] = nothing;
    requests_[y] = 0;
    scan(y, [&](const ArcMove& move, double gain) {
        top_[y] = std::max(top_[y], gain);
        requests_[y] += move.change == ArcChange::reverse ? 2 : 1;
    });
}

// The greatest gain of a move of the column that is above `floor` and not tabu.
double ArcMoves::top_allowed(Node y, double floor, const TabuList& tabu) const {
    scan(y, [&](const ArcMove& move, double gain) {
        if (gain > floor && !tabu.contains(state_.hash_after(move))) floor = gain;
    });
    return floor;
}

std::optional<ScoredArcMove> ArcMoves::best(const TabuList* tabu) {
    double greatest = nothing;
    std::uint64_t requests = 0;
    for (std::size_t i = 0; i < state_.size(); ++i) {
        requests += requests_[i];
        if (!(top_[i] > greatest)) continue;
        greatest = tabu == nullptr ? top_[i] : top_allowed(static_cast<Node>(i), greatest, *tabu);
    }
    scorer_.count_requests(requests - std::min(requests, asked_.exchange(0)));
    if (greatest == nothing) return std::nullopt;

    std::optional<ScoredArcMove> first;
    for (std::size_t i = 0; i < state_.size(); ++i) {
        if (top_[i] < greatest - score_tolerance) continue;
        scan(static_cast<Node>(i), [&](const ArcMove& move, double gain) {
            if (gain < greatest - score_tolerance || (first && first->move < move)) return;
            if (tabu != nullptr && tabu->contains(state_.hash_after(move))) return;
            first = {move, gain};
        });
    }
    return first;
}

std::vector<ScoredArcMove> ArcMoves::legal_moves() const {
    std::vector<ScoredArcMove> moves;
    for (const ArcMove& move : state_.legal_moves()) {
        if (has_gain(move)) moves.push_back({move, gain(move)});
    }
    return moves;
}

void ArcMoves::apply(const ArcMove& move, Stop& stop) {
    const auto [change, x, y] = move;
    // Legality changes only at nodes whose ancestors, descendants or children change; a turn of
    // p -> c belongs to the column of c but depends on p.
    NodeSet changed(state_.size());
    auto mark = [&] {
        unite(changed, state_.closure().ancestors(x));
        unite(changed, state_.closure().ancestors(y));
        unite(changed, state_.closure().descendants(x));
        unite(changed, state_.closure().descendants(y));
    };
    changed.insert(x);
    changed.insert(y);
    mark();
    state_.apply(move);
    mark();
    std::vector<Node> touched{y};
    if (change == ArcChange::reverse) touched.push_back(x);
    refresh(touched, changed, stop);
}

Climb hill_climb(ArcMoves& moves, std::size_t tabu_length, std::size_t patience, Stop& stop) {
    TabuList tabu(tabu_length);
    tabu.insert(moves.state().hash());
    Climb best{moves.state().dag(), moves.score(), 0};
    bool at_best = true;
    std::size_t n_moves = 0, without_improvement = 0;
    while (!stop.requested()) {
        const auto next = moves.best(tabu_length == 0 ? nullptr : &tabu);
        if (!next || (tabu_length == 0 && !(next->gain > score_tolerance))) break;
        // The best DAG is copied when the climb leaves it downwards, not at every step up.
        if (at_best && !(next->gain > score_tolerance)) {
            best.dag = moves.state().dag();
            at_best = false;
        }
        moves.apply(next->move, stop);
        tabu.insert(moves.state().hash());
        ++n_moves;
        if (moves.score() > best.score + score_tolerance) {
            best.score = moves.score();
            at_best = true;
            without_improvement = 0;
        } else if (++without_improvement >= patience) {
            break;
        }
    }
    if (at_best) best = {moves.state().dag(), moves.score(), 0};
    best.n_moves = n_moves;
    return best;
}

}  // namespace stigmergy
