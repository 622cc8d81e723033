// SPDX-License-Identifier: MIT
#include "stigmergy/greedy_parents.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stigmergy/tolerance.hpp"

namespace stigmergy {

namespace {

// Rows hold 8 n bytes each; beyond this many bytes they are forgotten and asked for again.
constexpr std::size_t row_bytes_limit = std::size_t{256} << 20;

// The written order of ties: the higher score, then the smaller node; to add nobody (no_node) is
// best unless beaten.
bool beats(double score, Node node, double best_score, Node best) {
    return score > best_score || (score == best_score && best != no_node && node < best);
}

}  // namespace

GreedyParents::GreedyParents(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules)
    : scorer_(std::move(scorer)),
      rules_(std::move(rules)),
      n_(scorer_->n_nodes()),
      rows_(n_),
      everybody_(n_),
      scores_(n_) {
    for (std::size_t v = 0; v < n_; ++v) everybody_.insert(static_cast<Node>(v));
}

std::shared_ptr<GreedyParents::Row> GreedyParents::row(Node child, const NodeList& parents) {
    if (n_rows_ * n_ * sizeof(double) > row_bytes_limit) {
        for (auto& of_child : rows_) of_child.clear();
        n_rows_ = 0;
    }
    std::shared_ptr<Row>& found = rows_[child][parents];
    if (!found) {
        ++n_rows_;
        found = std::make_shared<Row>(
            parents,
            scorer_->family(child, parents),
            std::vector<double>(n_, std::numeric_limits<double>::quiet_NaN()));
    }
    return found;
}

void GreedyParents::ask(Node child, Row& row, BitsRef candidates) {
    known_.clear();
    unknown_.clear();
    BitsRef forbidden = rules_->forbidden_parents(child);
    auto parent = row.parents.begin();
    for_each_bit(candidates, [&](Node z) {
        while (parent != row.parents.end() && *parent < z) ++parent;
        if (parent != row.parents.end() && *parent == z) return;
        if (z == child || test_bit(forbidden, z)) return;
        (std::isnan(row.score_with[z]) ? unknown_ : known_).push_back(z);
    });
    scorer_->count_requests(known_.size());
    if (unknown_.empty()) return;
    std::span<double> scores(scores_.data(), unknown_.size());
    scorer_->extensions(child, row.parents, unknown_, scores);
    for (std::size_t i = 0; i < unknown_.size(); ++i) row.score_with[unknown_[i]] = scores[i];
}

double GreedyParents::score_with(Node child, Row& row, Node extra) {
    // Whoever asks for one will ask for others: all in one sweep.
    if (std::isnan(row.score_with[extra])) {
        ask(child, row, everybody_);
    } else {
        scorer_->count_requests(1);
    }
    return row.score_with[extra];
}

void GreedyParents::extend(Node child, BitsRef predecessors, std::vector<Step>& steps) {
    for (;;) {
        Row& row = *steps.back().row;
        if (row.parents.size() >= scorer_->max_parents()) return;
        ask(child, row, predecessors);
        Node best = no_node;
        double best_score = row.score + score_tolerance;
        for (const NodeList* candidates : {&known_, &unknown_}) {
            for (Node z : *candidates) {
                if (beats(row.score_with[z], z, best_score, best)) {
                    best = z;
                    best_score = row.score_with[z];
                }
            }
        }
        if (best == no_node) return;
        steps.back().added = best;
        NodeList parents = row.parents;
        parents.insert(std::lower_bound(parents.begin(), parents.end(), best), best);
        steps.push_back({this->row(child, parents), no_node});
    }
}

GreedyParents::Path GreedyParents::find(Node child, BitsRef predecessors) {
    NodeList required;
    for_each_bit(rules_->required_parents(child), [&](Node p) { required.push_back(p); });
    Path path{{{row(child, required), no_node}}};
    extend(child, predecessors, path.steps);
    return path;
}

std::size_t GreedyParents::first_change(Node child, const Path& path, Node left, Node joined) {
    if (joined != no_node &&
        (!rules_->allows(joined, child) || rules_->requires_arc(joined, child))) {
        joined = no_node;
    }
    for (std::size_t k = 0; k < path.steps.size(); ++k) {
        const auto& [row, added] = path.steps[k];
        if (added != no_node && added == left) return k;
        if (joined == no_node || row->parents.size() >= scorer_->max_parents()) continue;
        const double best =
            added == no_node ? row->score + score_tolerance : row->score_with[added];
        if (beats(score_with(child, *row, joined), joined, best, added)) return k;
    }
    return path.steps.size();
}

GreedyParents::Path GreedyParents::resume(Node child,
                                          const Path& path,
                                          std::size_t first,
                                          BitsRef predecessors) {
    Path result{{path.steps.begin(), path.steps.begin() + static_cast<std::ptrdiff_t>(first) + 1}};
    result.steps.back().added = no_node;
    extend(child, predecessors, result.steps);
    return result;
}

}  // namespace stigmergy
