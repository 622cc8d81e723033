// SPDX-License-Identifier: MIT
#include "stigmergy/arc_state.hpp"

#include <algorithm>
#include <stdexcept>

namespace stigmergy {

namespace {

// A graph's hash is the XOR of one number per arc (Zobrist 1970), so a move changes it by a word.
std::uint64_t hash_of_arc(Node x, Node y) {
    std::uint64_t state = std::uint64_t{x} << 16 | y;
    return split_mix(state);
}

}  // namespace

ArcLimits::ArcLimits(const ArcRules& rules,
                     std::size_t max_parents,
                     const BitRows* candidates,
                     std::size_t n)
    : allowed_(n), required_(n), max_parents_(max_parents) {
    for (std::size_t v = 0; v < n; ++v) {
        const auto child = static_cast<Node>(v);
        unite(required_.row(v), rules.required_parents(child));
        for (std::size_t p = 0; p < n; ++p) {
            const auto parent = static_cast<Node>(p);
            if (p == v || !rules.allows(parent, child)) continue;
            if (candidates != nullptr && !candidates->test(v, p)) continue;
            allowed_.set(v, p);
        }
        unite(allowed_.row(v), required_.row(v));
    }
}

ArcState::ArcState(std::shared_ptr<const ArcLimits> limits, Pdag dag)
    : limits_(std::move(limits)), dag_(std::move(dag)), closure_(dag_), parents_(dag_.size()) {
    for (std::size_t v = 0; v < size(); ++v) {
        const auto child = static_cast<Node>(v);
        if (any(dag_.neighbours(child))) {
            throw std::invalid_argument("a search over DAGs starts from a graph without links");
        }
        parents_[v] = dag_.parent_list(child);
        for (Node p : parents_[v]) hash_ ^= hash_of_arc(p, child);
    }
}

bool ArcState::is_reversible(Node x, Node y) const {
    // Any other way from x to y goes through another child of x that is an ancestor of y.
    return !limits_->requires_arc(x, y) && limits_->allows(y, x) && has_room(x) &&
           !intersects(dag_.children(x), closure_.ancestors(y));
}

bool ArcState::is_legal(const ArcMove& move) const {
    const auto [change, x, y] = move;
    if (x == y) return false;
    switch (change) {
        case ArcChange::add:
            return !dag_.is_adjacent(x, y) && limits_->allows(x, y) && has_room(y) &&
                   !closure_.has_path(y, x);
        case ArcChange::remove:
            return dag_.has_directed(x, y) && !limits_->requires_arc(x, y);
        case ArcChange::reverse:
            return dag_.has_directed(x, y) && is_reversible(x, y);
    }
    return false;
}

std::vector<ArcMove> ArcState::legal_moves() const {
    std::vector<ArcMove> moves;
    for (ArcChange change : {ArcChange::add, ArcChange::remove, ArcChange::reverse}) {
        for (std::size_t x = 0; x < size(); ++x) {
            for (std::size_t y = 0; y < size(); ++y) {
                const ArcMove move{change, static_cast<Node>(x), static_cast<Node>(y)};
                if (is_legal(move)) moves.push_back(move);
            }
        }
    }
    return moves;
}

std::optional<ArcMove> ArcState::random_move(Random& random, std::size_t tries) const {
    if (size() < 2) return std::nullopt;
    for (std::size_t i = 0; i < tries; ++i) {
        // An ordered pair and a coin name each move once: an addition or a removal with heads, a
        // reversal with tails.
        const auto x = static_cast<Node>(random.below(size()));
        auto y = static_cast<Node>(random.below(size() - 1));
        if (y >= x) ++y;
        const bool tails = random.below(2) == 1;
        ArcMove move{ArcChange::add, x, y};
        if (tails) {
            move.change = ArcChange::reverse;
        } else if (dag_.has_directed(x, y)) {
            move.change = ArcChange::remove;
        }
        if (is_legal(move)) return move;
    }
    return std::nullopt;
}

void ArcState::add(Node x, Node y) {
    dag_.add_directed(x, y);
    closure_.added(x, y);
    NodeList& parents = parents_[y];
    parents.insert(std::ranges::lower_bound(parents, x), x);
    hash_ ^= hash_of_arc(x, y);
}

void ArcState::remove(Node x, Node y) {
    dag_.remove_edge(x, y);
    closure_.removed(dag_, x, y);
    std::erase(parents_[y], x);
    hash_ ^= hash_of_arc(x, y);
}

void ArcState::apply(const ArcMove& move) {
    const auto [change, x, y] = move;
    if (change != ArcChange::add) remove(x, y);
    if (change == ArcChange::add) add(x, y);
    if (change == ArcChange::reverse) add(y, x);
}

std::uint64_t ArcState::hash_after(const ArcMove& move) const {
    const std::uint64_t after = hash_ ^ hash_of_arc(move.x, move.y);
    return move.change == ArcChange::reverse ? after ^ hash_of_arc(move.y, move.x) : after;
}

}  // namespace stigmergy
