// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "stigmergy/bits.hpp"
#include "stigmergy/scorer.hpp"

namespace stigmergy {

// Score differences up to this are rounding: moves between classes of equal score would cycle for
// ever.
inline constexpr double gain_tolerance = 1e-6;

// How much an ant likes a gain: gain^beta, and nothing for a move that does not improve (Algorithm
// 3 of Daly & Shen 2009, without the pheromone).
[[nodiscard]] double attraction(double gain, double beta);

// s(y, P + x) - s(y, P) for one node y with parents P, by x. Nearly all insertions of Table 2 have
// this gain, whatever the rest of the graph looks like. Filled where asked for; threads may share a
// row.
class GainRow {
  public:
    explicit GainRow(std::size_t n_nodes)
        : gains_(n_nodes),
          attractions_(n_nodes),
          known_(words_for(n_nodes)),
          positive_(words_for(n_nodes)) {}

    [[nodiscard]] double gain(Node x) const { return gains_[x]; }
    [[nodiscard]] double attraction(Node x) const { return attractions_[x]; }
    // Of the known entries, those that improve the score.
    [[nodiscard]] Word positive(std::size_t w) const {
        return positive_[w].load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool knows(BitsRef wanted) const {
        for (std::size_t w = 0; w < wanted.size(); ++w) {
            if ((wanted[w] & ~known_[w].load(std::memory_order_acquire)) != 0) return false;
        }
        return true;
    }
    // Scores what is missing of `wanted` in one sweep.
    void fill(Node y, NodeListRef parents, BitsRef wanted, double beta, Scorer& scorer);

  private:
    std::mutex mutex_;
    std::vector<double> gains_;
    std::vector<double> attractions_;
    std::vector<std::atomic<Word>> known_;
    std::vector<std::atomic<Word>> positive_;
};

// The rows of all (y, P) met so far, shared by the ants of a colony: at most as many bytes as the
// cache of the scorer may have.
class GainRows {
  public:
    GainRows(Scorer& scorer, double beta) : scorer_(scorer), beta_(beta) {}

    [[nodiscard]] GainRow& row(Node y, NodeListRef parents);
    void ensure(GainRow& row, Node y, NodeListRef parents, BitsRef wanted) {
        if (!row.knows(wanted)) row.fill(y, parents, wanted, beta_, scorer_);
    }
    // Forgets everything when the bound is passed. Only while no walk holds a row.
    void trim();
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    struct Hash {
        std::size_t operator()(const NodeList& key) const;
    };
    // Keys are y followed by its parents.
    struct Shard {
        std::mutex mutex;
        std::unordered_map<NodeList, std::unique_ptr<GainRow>, Hash> rows;
    };

    Scorer& scorer_;
    double beta_;
    std::atomic<std::size_t> bytes_{0};
    std::array<Shard, 16> shards_;
};

}  // namespace stigmergy
