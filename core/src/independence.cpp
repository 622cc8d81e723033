// SPDX-License-Identifier: MIT
#include "stigmergy/independence.hpp"

#include <algorithm>
#include <stdexcept>

namespace stigmergy {

SeparationTests::SeparationTests(Pdag dag, NodeList observed, NodeList selected)
    : dag_(std::move(dag)), observed_(std::move(observed)), selected_(std::move(selected)) {}

TestOutcome SeparationTests::test(Node x, Node y, NodeListRef given) const {
    const std::size_t n = dag_.size();
    NodeSet conditioned(n);
    for (Node v : given) conditioned.insert(observed_[v]);
    for (Node v : selected_) conditioned.insert(v);
    // Nodes with a conditioned descendant (or conditioned themselves) open a collider.
    NodeSet opens = conditioned;
    std::vector<Node> queue;
    for_each_bit(conditioned, [&](Node v) { queue.push_back(v); });
    while (!queue.empty()) {
        const Node v = queue.back();
        queue.pop_back();
        for_each_bit(dag_.parents(v), [&](Node p) {
            if (opens.contains(p)) return;
            opens.insert(p);
            queue.push_back(p);
        });
    }
    // Reachability over (node, arrived from a child or from a parent), each once: Koller &
    // Friedman (2009), algorithm 3.1.
    NodeSet seen_up(n), seen_down(n);
    std::vector<std::pair<Node, bool>> open;  // node, arrived against the arc (from a child)
    auto arrive = [&](Node v, bool up) {
        NodeSet& seen = up ? seen_up : seen_down;
        if (seen.contains(v)) return;
        seen.insert(v);
        open.emplace_back(v, up);
    };
    arrive(observed_[x], true);
    const Node goal = observed_[y];
    while (!open.empty()) {
        const auto [v, up] = open.back();
        open.pop_back();
        if (v == goal) return {.statistic = 1, .dof = 1, .p_value = 0, .log_p_value = -1e300};
        const bool blocked = conditioned.contains(v);
        if (!blocked) for_each_bit(dag_.children(v), [&](Node c) { arrive(c, false); });
        if (up ? !blocked : opens.contains(v)) {
            for_each_bit(dag_.parents(v), [&](Node p) { arrive(p, true); });
        }
    }
    return {.statistic = 0, .dof = 1, .p_value = 1, .log_p_value = 0};
}

std::size_t IndependenceTests::Hash::operator()(const NodeList& key) const {
    std::uint64_t hash = 0x9E3779B97F4A7C15;
    for (Node v : key) {
        hash = (hash ^ v) * 0xD6E8FEB86659FD93;
        hash ^= hash >> 32;
    }
    return hash;
}

IndependenceTests::IndependenceTests(std::shared_ptr<const TestSource> source,
                                     std::size_t max_bytes)
    : source_(std::move(source)), max_bytes_(max_bytes) {}

TestOutcome IndependenceTests::test(Node x, Node y, NodeListRef given) {
    if (x > y) std::swap(x, y);
    NodeList key{x, y};
    key.insert(key.end(), given.begin(), given.end());
    const std::size_t n = n_nodes();
    bool fits = x < y && y < n;
    for (std::size_t i = 0; i < given.size(); ++i) {
        fits &= given[i] < n && given[i] != x && given[i] != y;
        fits &= i == 0 || given[i - 1] < given[i];
    }
    if (!fits) {
        throw std::invalid_argument(
            "a test needs two different nodes and a sorted set without them, all below n_nodes");
    }
    ++requests_;
    Shard& shard = shards_[(Hash{}(key) >> 48) % n_shards];
    {
        std::lock_guard lock(shard.mutex);
        if (auto found = shard.outcomes.find(key); found != shard.outcomes.end()) {
            return found->second;
        }
    }
    const TestOutcome outcome = source_->test(x, y, given);
    // What an entry takes: node of the table, its share of buckets, and the key's own memory.
    const std::size_t size =
        sizeof(TestOutcome) + sizeof(NodeList) + 64 + key.size() * sizeof(Node);
    std::lock_guard lock(shard.mutex);
    if (bytes_ + size > max_bytes_) {
        ++computed_;
    } else if (shard.outcomes.emplace(std::move(key), outcome).second) {
        // Two threads may compute one test at the same time; it counts once.
        ++computed_;
        bytes_ += size;
    }
    return outcome;
}

}  // namespace stigmergy
