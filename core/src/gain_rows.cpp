// SPDX-License-Identifier: MIT
#include "stigmergy/gain_rows.hpp"

#include <cmath>

namespace stigmergy {

double attraction(double gain, double beta) {
    if (!(gain > gain_tolerance)) return 0.0;
    if (beta == 1.0) return gain;
    return std::pow(gain, beta);
}

void GainRow::fill(Node y, NodeListRef parents, BitsRef wanted, double beta, Scorer& scorer) {
    const std::lock_guard lock(mutex_);
    NodeList missing;
    for (std::size_t w = 0; w < wanted.size(); ++w) {
        Word rest = wanted[w] & ~known_[w].load(std::memory_order_relaxed);
        for (; rest != 0; rest &= rest - 1) {
            missing.push_back(static_cast<Node>(w * word_bits +
                                                static_cast<std::size_t>(std::countr_zero(rest))));
        }
    }
    if (missing.empty()) return;
    const double without = scorer.look_up(y, parents);
    std::vector<double> scores(missing.size());
    scorer.look_up_extensions(y, parents, missing, scores);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        const Node x = missing[i];
        gains_[x] = scores[i] - without;
        attractions_[x] = stigmergy::attraction(gains_[x], beta);
        const Word bit = Word{1} << (x % word_bits);
        if (attractions_[x] > 0.0)
            positive_[x / word_bits].fetch_or(bit, std::memory_order_relaxed);
        known_[x / word_bits].fetch_or(bit, std::memory_order_release);
    }
}

std::size_t GainRows::Hash::operator()(const NodeList& key) const {
    std::uint64_t hash = key.size();
    for (Node v : key) hash = (hash ^ v) * 0x9E3779B97F4A7C15ULL + (hash >> 29);
    return static_cast<std::size_t>(hash ^ (hash >> 32));
}

GainRow& GainRows::row(Node y, NodeListRef parents) {
    NodeList key;
    key.reserve(parents.size() + 1);
    key.push_back(y);
    key.insert(key.end(), parents.begin(), parents.end());
    Shard& shard = shards_[Hash{}(key) % shards_.size()];
    const std::lock_guard lock(shard.mutex);
    auto [place, is_new] = shard.rows.try_emplace(std::move(key));
    if (is_new) {
        const std::size_t n = scorer_.n_nodes();
        place->second = std::make_unique<GainRow>(n);
        bytes_ += sizeof(GainRow) + 2 * n * sizeof(double) + 2 * words_for(n) * sizeof(Word) + 128;
    }
    return *place->second;
}

void GainRows::trim() {
    if (bytes_ <= scorer_.cache().max_bytes()) return;
    for (Shard& shard : shards_) shard.rows.clear();
    bytes_ = 0;
}

}  // namespace stigmergy
