// SPDX-License-Identifier: MIT
#include "stigmergy/reinsertion.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "stigmergy/arc_moves.hpp"
#include "stigmergy/parallel.hpp"

namespace stigmergy {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

NodeList with(NodeListRef parents, Node x) {
    NodeList more(parents.begin(), parents.end());
    more.insert(std::ranges::lower_bound(more, x), x);
    return more;
}

NodeList without(NodeListRef parents, Node x) {
    NodeList fewer(parents.begin(), parents.end());
    std::erase(fewer, x);
    return fewer;
}

bool better(const ScoredParents& a, const ScoredParents& b) {
    return a.score != b.score ? a.score > b.score : a.parents < b.parents;
}

}  // namespace

Reinsertion::Reinsertion(Scorer& scorer,
                         std::shared_ptr<const ArcLimits> limits,
                         std::size_t max_sets)
    : scorer_(scorer), limits_(std::move(limits)), max_sets_(max_sets), sets_(scorer.n_nodes()) {}

Reinsertion::Sets Reinsertion::list_sets(Node target, Stop* stop) {
    const std::size_t n = scorer_.n_nodes();
    NodeList base;
    for_each_bit(limits_->required(target), [&](Node p) { base.push_back(p); });
    Sets sets;
    sets.made = true;
    std::vector<ScoredParents> level{{base, scorer_.family(target, base)}};
    sets.best_first = level;
    // The best score among a set of the present level and all its subsets that were listed.
    std::map<NodeList, double> best_within{{base, level.front().score}};
    for (std::size_t size = base.size(); size < limits_->max_parents() && !level.empty(); ++size) {
        if (stop != nullptr && stop->requested()) break;
        const bool in_full = level.size() * n <= max_sets_ * (size + 1);
        if (!in_full) {
            std::ranges::sort(level, better);
            level.resize(std::min(level.size(), std::max<std::size_t>(max_sets_ / n, 1)));
        }
        std::map<NodeList, double> next_within;
        std::vector<ScoredParents> next;
        for (const ScoredParents& below : level) {
            NodeList missing;
            std::vector<NodeList> grown;
            for_each_bit(limits_->allowed(target), [&](Node x) {
                if (std::ranges::binary_search(below.parents, x)) return;
                NodeList parents = with(below.parents, x);
                const double inherited = best_within.at(below.parents);
                auto [place, is_new] = next_within.try_emplace(parents, inherited);
                if (!is_new) {
                    place->second = std::max(place->second, inherited);
                    return;
                }
                missing.push_back(x);
                grown.push_back(std::move(parents));
            });
            if (missing.empty()) continue;
            std::vector<double> scores(missing.size());
            scorer_.extensions(target, below.parents, missing, scores);
            for (std::size_t i = 0; i < missing.size(); ++i) {
                next.push_back({std::move(grown[i]), scores[i]});
            }
        }
        // A set that does not beat its subsets is not needed itself, but may lead to one that is.
        bool any_needed = false;
        for (const ScoredParents& one : next) {
            double& within = next_within.at(one.parents);
            if (!(one.score > within + score_tolerance)) continue;
            within = one.score;
            sets.best_first.push_back(one);
            any_needed = true;
        }
        if (!any_needed && !in_full) break;
        level = std::move(next);
        best_within = std::move(next_within);
    }
    std::ranges::sort(sets.best_first, better);
    return sets;
}

void Reinsertion::prepare(NodeListRef targets, std::size_t n_threads, Stop& stop) {
    for_each_task(targets.size(), n_threads, [&](std::size_t i) {
        Sets& sets = sets_.at(targets[i]);
        if (!stop.requested() && !sets.made) sets = list_sets(targets[i], &stop);
    });
}

const std::vector<ScoredParents>& Reinsertion::parent_sets(Node target) {
    if (!sets_[target].made) sets_[target] = list_sets(target, nullptr);
    return sets_[target].best_first;
}

Reinsertion::Outcome Reinsertion::reinsert(const Pdag& dag, Node target) {
    const std::size_t n = dag.size();
    const NodeList old_parents = dag.parent_list(target);
    Pdag cut = dag;
    for (Node p : old_parents) cut.remove_edge(p, target);
    NodeList old_children;
    for_each_bit(dag.children(target), [&](Node c) { old_children.push_back(c); });
    for (Node c : old_children) cut.remove_edge(target, c);
    const DagClosure closure(cut);

    // What each node gains as a child of the target, where that is allowed.
    std::vector<double> gains(n, nothing);
    double all_gains = 0.0;
    for (std::size_t v = 0; v < n; ++v) {
        const auto child = static_cast<Node>(v);
        const NodeList parents = cut.parent_list(child);
        if (child == target || !limits_->allows(target, child) ||
            parents.size() >= limits_->max_parents()) {
            continue;
        }
        gains[v] = scorer_.family(child, with(parents, target)) - scorer_.family(child, parents);
        if (gains[v] > score_tolerance || limits_->requires_arc(target, child)) {
            all_gains += gains[v];
        }
    }
    // The value of a parent set with the children that it leaves free.
    NodeSet taken(n);
    auto close = [&](const NodeList& parents) {
        taken.clear();
        for (Node p : parents) {
            taken.insert(p);
            unite(taken, closure.ancestors(p));
        }
    };
    auto value = [&](const ScoredParents& one) {
        close(one.parents);
        double total = one.score;
        for (std::size_t v = 0; v < n; ++v) {
            const auto child = static_cast<Node>(v);
            const bool required = limits_->requires_arc(target, child);
            if (taken.contains(child)) {
                if (required) return nothing;
            } else if (required || gains[v] > score_tolerance) {
                total += gains[v];
            }
        }
        return total;
    };

    double now = scorer_.family(target, old_parents);
    for (Node c : old_children) {
        const NodeList parents = dag.parent_list(c);
        now += scorer_.family(c, parents) - scorer_.family(c, without(parents, target));
    }
    double greatest = now;
    NodeList chosen;
    bool found = false;
    auto consider = [&](const ScoredParents& one) {
        const double total = value(one);
        if (!(total > greatest + score_tolerance)) return;
        greatest = total;
        chosen = one.parents;
        found = true;
    };
    for (const ScoredParents& one : parent_sets(target)) {
        if (!(one.score + all_gains > greatest + score_tolerance)) break;
        consider(one);
    }
    // Where the list is not complete: the present parents, and these with one more or less.
    auto consider_list = [&](const NodeList& parents) {
        consider({parents, scorer_.family(target, parents)});
    };
    consider_list(old_parents);
    for_each_bit(limits_->allowed(target), [&](Node x) {
        if (!std::ranges::binary_search(old_parents, x)) {
            if (old_parents.size() < limits_->max_parents()) consider_list(with(old_parents, x));
        } else if (!limits_->requires_arc(x, target)) {
            consider_list(without(old_parents, x));
        }
    });
    if (!found) return {dag, 0.0};

    close(chosen);
    for (Node p : chosen) cut.add_directed(p, target);
    for (std::size_t v = 0; v < n; ++v) {
        const auto child = static_cast<Node>(v);
        if (taken.contains(child)) continue;
        if (gains[v] > score_tolerance || limits_->requires_arc(target, child)) {
            cut.add_directed(target, child);
        }
    }
    return {std::move(cut), greatest - now};
}

}  // namespace stigmergy
