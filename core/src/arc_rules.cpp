// SPDX-License-Identifier: MIT
#include "stigmergy/arc_rules.hpp"

namespace stigmergy {

ArcRules::ArcRules(std::size_t n_nodes,
                   const std::vector<Arc>& required,
                   const std::vector<Arc>& forbidden)
    : ArcRules(n_nodes) {
    free_ = required.empty() && forbidden.empty();
    for (auto [parent, child] : required) {
        required_.set(child, parent);
        // The other direction would close a cycle.
        forbidden_.set(parent, child);
    }
    for (auto [parent, child] : forbidden) forbidden_.set(child, parent);
    for (std::size_t v = 0; v < n_nodes; ++v) {
        for_each_bit(forbidden_.row(v), [&](Node p) {
            if (forbidden_.test(p, v)) impossible_.set(v, p);
        });
    }
}

std::vector<ArcRules::Arc> ArcRules::required_arcs() const {
    std::vector<Arc> arcs;
    for (std::size_t v = 0; v < size_; ++v) {
        for_each_bit(required_.row(v), [&](Node p) { arcs.emplace_back(p, static_cast<Node>(v)); });
    }
    return arcs;
}

bool ArcRules::obeyed_by(const Pdag& dag) const {
    for (std::size_t i = 0; i < dag.size(); ++i) {
        const auto v = static_cast<Node>(i);
        BitsRef parents = dag.parents(v);
        BitsRef required = required_.row(v);
        for (std::size_t w = 0; w < parents.size(); ++w) {
            if ((required[w] & ~parents[w]) != 0) return false;
        }
        if (intersects(parents, forbidden_.row(v))) return false;
    }
    return true;
}

std::optional<Pdag> obeying_member(const Pdag& cpdag, const ArcRules& rules) {
    if (rules.is_free()) return cpdag.consistent_extension();
    Pdag oriented = cpdag;
    for (auto [x, y] : cpdag.undirected_edges()) {
        const bool forward = rules.allows(x, y), backward = rules.allows(y, x);
        if (!forward && !backward) return std::nullopt;
        if (!backward) oriented.orient(x, y);
        if (!forward) oriented.orient(y, x);
    }
    auto member = oriented.consistent_extension();
    if (!member || !rules.obeyed_by(*member)) return std::nullopt;
    Pdag completed = *member;
    completed.complete();
    if (!(completed == cpdag)) return std::nullopt;
    return member;
}

}  // namespace stigmergy
