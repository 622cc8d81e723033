// SPDX-License-Identifier: MIT
#include "stigmergy/mutation.hpp"

#include <array>
#include <limits>

namespace stigmergy {

namespace {

// Everywhere that the operator can be written down; most of it may be invalid.
std::vector<Move> places_for(const Pdag& g, Operator op) {
    std::vector<Move> places;
    const auto n = static_cast<Node>(g.size());
    switch (op) {
        case Operator::insert_u:
        case Operator::insert_d:
            for (Node x = 0; x < n; ++x) {
                for (Node y = op == Operator::insert_u ? static_cast<Node>(x + 1) : Node{0}; y < n;
                     ++y) {
                    if (x != y && !g.is_adjacent(x, y)) places.push_back({op, x, y});
                }
            }
            break;
        case Operator::delete_u:
            for (auto [x, y] : g.undirected_edges()) places.push_back({op, x, y});
            break;
        case Operator::delete_d:
        case Operator::reverse_d:
            for (auto [x, y] : g.directed_edges()) places.push_back({op, x, y});
            break;
        case Operator::make_v:
            for (Node z = 0; z < n; ++z) {
                for_each_bit(g.neighbours(z), [&](Node x) {
                    for_each_bit(g.neighbours(z), [&](Node y) {
                        if (x < y && !g.is_adjacent(x, y)) places.push_back({op, x, y, z});
                    });
                });
            }
            break;
    }
    return places;
}

}  // namespace

std::optional<Mutant> mutate(const Pdag& cpdag,
                             Scorer& scorer,
                             const ArcRules& rules,
                             Random& random) {
    std::array<Operator, n_operators> operators{Operator::insert_u,
                                                Operator::delete_u,
                                                Operator::insert_d,
                                                Operator::delete_d,
                                                Operator::reverse_d,
                                                Operator::make_v};
    PathSearch paths(cpdag.size());
    NodeList family;
    random.shuffle(operators);
    for (Operator op : operators) {
        std::vector<Move> places = places_for(cpdag, op);
        while (!places.empty()) {
            const auto drawn = static_cast<std::size_t>(random.below(places.size()));
            const Move move = places[drawn];
            places[drawn] = places.back();
            places.pop_back();
            if (!is_valid(cpdag, move, paths)) continue;
            const double gained = gain(cpdag, move, scorer, family);
            if (!(gained > -std::numeric_limits<double>::infinity())) continue;
            Mutant mutant{cpdag, gained};
            apply(mutant.graph, move);
            if (rules.is_free() || obeying_member(mutant.graph, rules)) return mutant;
        }
    }
    return std::nullopt;
}

}  // namespace stigmergy
