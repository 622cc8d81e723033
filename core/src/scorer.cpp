// SPDX-License-Identifier: MIT
#include "stigmergy/scorer.hpp"

#include <algorithm>

namespace stigmergy {

namespace {

NodeList with_node(NodeListRef base, Node extra) {
    NodeList result(base.begin(), base.end());
    result.insert(std::lower_bound(result.begin(), result.end(), extra), extra);
    return result;
}

}  // namespace

void FamilySource::score_extensions(Node child,
                                    NodeListRef base,
                                    NodeListRef candidates,
                                    std::span<double> out) const {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        out[i] = score(child, with_node(base, candidates[i]));
    }
}

Scorer::Scorer(std::shared_ptr<const FamilySource> source,
               std::size_t max_parents,
               std::size_t cache_bytes)
    : source_(std::move(source)), max_parents_(max_parents), cache_bytes_(cache_bytes) {}

double Scorer::family(Node child, NodeListRef parents) {
    ++total_;
    std::pair<Node, NodeList> key{child, NodeList(parents.begin(), parents.end())};
    {
        std::lock_guard lock(mutex_);
        if (auto found = cache_.find(key); found != cache_.end()) return found->second;
    }
    double value = source_->score(child, parents);
    std::lock_guard lock(mutex_);
    return cache_.emplace(std::move(key), value).first->second;
}

void Scorer::extensions(Node child,
                        NodeListRef base,
                        NodeListRef candidates,
                        std::span<double> out) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        out[i] = family(child, with_node(base, candidates[i]));
    }
}

Evaluations Scorer::evaluations() const {
    std::lock_guard lock(mutex_);
    return {total_.load(), cache_.size()};
}

}  // namespace stigmergy
