// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "stigmergy/distinct_count.hpp"
#include "stigmergy/nodes.hpp"

namespace stigmergy {

// A family packed exactly into 128 bits: the child and then its parents in ascending order, in
// parts of 8 bits (up to 255 nodes, 15 parents) or 16 bits (7 parents); unused parts are all ones.
struct FamilyKey {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const FamilyKey&) const = default;
};

// (child, parents) -> score, for all threads of a search at once. Keys are exact.
//
// The cache has shards, each an open-addressing table of slots of 24 bytes in which a key is found
// in the 16 slots from its home. Finding takes no lock and writes nothing, so that threads do not
// take cache lines from each other; entering locks the shard. A shard without a free slot for a key
// grows; at its share of the byte bound it replaces one of the 16 slots, in turn. Outgrown tables
// are kept until the end, because a reader may still be in one: they count towards the bound.
//
// Families with too many parents for a key are held in a map under a lock, at most a quarter of the
// bound; when that is full it is emptied.
class ScoreCache {
  public:
    ScoreCache(std::size_t n_nodes, std::size_t max_bytes);

    // The family of `child` with `parents` and, unless it is no_node, `extra` among them.
    [[nodiscard]] bool find(Node child, NodeListRef parents, Node extra, double& score) const;
    void enter(Node child, NodeListRef parents, Node extra, double score);

    // All families held with their scores, in no particular order. Not while others enter.
    using Visit = std::function<void(Node child, NodeListRef parents, double score)>;
    void for_each(const Visit& visit) const;

    // How many different families have been entered. Exact until scores were dropped; then a
    // HyperLogLog estimate with a standard error of 0.4 %. Either depends on the set of families
    // alone, not on the order or the threads in which they came.
    [[nodiscard]] std::uint64_t distinct() const;
    // How many scores were dropped to stay within the bound.
    [[nodiscard]] std::uint64_t dropped() const;
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t max_bytes() const { return max_bytes_; }

  private:
    struct Slot {
        std::atomic<std::uint64_t> low, high, score;
    };
    struct Table {
        explicit Table(std::size_t n_homes);
        // Enters a key in the first free slot of its window; false when there is none.
        bool take(std::uint64_t low, std::uint64_t high, std::uint64_t score);
        std::size_t homes;
        std::unique_ptr<Slot[]> slots;  // homes + window - 1 of them
    };
    // A line of its own for what readers read, another for what writers write.
    struct Shard {
        alignas(64) std::atomic<const Table*> table{nullptr};
        std::atomic<std::uint32_t> version{0};  // odd while a slot is being replaced
        alignas(64) mutable std::mutex mutex;
        std::vector<std::unique_ptr<Table>> tables;
        std::size_t bytes = 0;
        std::uint64_t entered = 0;
        std::uint64_t dropped = 0;
        std::uint32_t turn = 0;
    };
    struct LargeFamilies {
        struct Hash {
            std::size_t operator()(const NodeList& family) const;
        };
        mutable std::mutex mutex;
        std::unordered_map<NodeList, double, Hash> scores;
        std::size_t bytes = 0;
        std::uint64_t entered = 0;
        std::uint64_t dropped = 0;
    };

    [[nodiscard]] FamilyKey pack(Node child, NodeListRef parents, Node extra) const;
    [[nodiscard]] NodeList unpack(const FamilyKey& key) const;
    [[nodiscard]] bool fits(NodeListRef parents, Node extra) const;
    [[nodiscard]] Shard& shard_of(std::uint64_t hash) const;
    void grow(Shard& shard);
    void enter_large(Node child, NodeListRef parents, Node extra, double score);

    std::size_t max_bytes_;
    unsigned part_bits_;
    std::size_t most_parents_;
    std::size_t n_shards_;
    std::size_t shard_bytes_;
    std::size_t large_bytes_;
    std::unique_ptr<Shard[]> shards_;
    LargeFamilies large_;
    DistinctCount distinct_;
};

}  // namespace stigmergy
