// SPDX-License-Identifier: MIT
#include "stigmergy/sparse_candidates.hpp"

#include <algorithm>
#include <numeric>

#include "stigmergy/parallel.hpp"

namespace stigmergy {

BitRows sparse_candidates(
    Scorer& scorer, const ArcRules& rules, const Pdag& dag, std::size_t k, std::size_t n_threads) {
    const std::size_t n = dag.size();
    BitRows candidates(n);
    for_each_task(n, n_threads, [&](std::size_t v) {
        const auto child = static_cast<Node>(v);
        unite(candidates.row(v), dag.parents(child));
        const NodeList parents = dag.parent_list(child);
        NodeList others;
        for (std::size_t p = 0; p < n; ++p) {
            const auto parent = static_cast<Node>(p);
            if (p == v || dag.has_directed(parent, child) || !rules.allows(parent, child)) continue;
            others.push_back(parent);
        }
        if (parents.size() >= k || others.empty()) return;
        const NodeList base = parents.size() < scorer.max_parents() ? parents : NodeList{};
        if (base.size() >= scorer.max_parents()) return;
        std::vector<double> scores(others.size());
        scorer.extensions(child, base, others, scores);
        std::vector<std::size_t> order(others.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(
            order, std::ranges::greater{}, [&](std::size_t i) { return scores[i]; });
        for (std::size_t i = 0; i < std::min(k - parents.size(), order.size()); ++i) {
            candidates.set(v, others[order[i]]);
        }
    });
    return candidates;
}

}  // namespace stigmergy
