// SPDX-License-Identifier: MIT
#include "stigmergy/score_cache.hpp"

#include <algorithm>
#include <bit>

namespace stigmergy {

namespace {

constexpr std::size_t window = 16;
constexpr std::size_t first_homes = 48;
constexpr std::size_t most_shards = 64;
constexpr std::uint64_t empty = ~std::uint64_t{0};  // no key: no child is all ones

// All bits of both halves reach all bits of the result (the finaliser of MurmurHash3).
std::uint64_t hash_of(FamilyKey key) {
    std::uint64_t hash = key.low ^ (key.high * 0x9E3779B97F4A7C15u);
    hash = (hash ^ (hash >> 33)) * 0xFF51AFD7ED558CCDu;
    hash = (hash ^ (hash >> 33)) * 0xC4CEB9FE1A85EC53u;
    return hash ^ (hash >> 33);
}

// A place below `homes`, in proportion to 32 bits of the hash: no power of two is needed.
std::size_t home_of(std::uint64_t hash, std::size_t homes) {
    return static_cast<std::size_t>(((hash & 0xFFFFFFFFu) * homes) >> 32);
}

}  // namespace

ScoreCache::Table::Table(std::size_t n_homes)
    : homes(n_homes), slots(std::make_unique<Slot[]>(n_homes + window - 1)) {
    for (std::size_t i = 0; i < homes + window - 1; ++i) {
        slots[i].low.store(empty, std::memory_order_relaxed);
    }
}

std::size_t ScoreCache::LargeFamilies::Hash::operator()(const NodeList& family) const {
    std::uint64_t hash = family.size();
    for (Node node : family) hash = hash_of({hash, node});
    return static_cast<std::size_t>(hash);
}

ScoreCache::ScoreCache(std::size_t n_nodes, std::size_t max_bytes)
    : max_bytes_(max_bytes),
      part_bits_(n_nodes <= 255 ? 8 : 16),
      most_parents_(n_nodes <= 255 ? 15 : 7),
      n_shards_(max_bytes >= (std::size_t{1} << 20) ? most_shards : 1),
      shard_bytes_((max_bytes - max_bytes / 4) / n_shards_),
      large_bytes_(max_bytes / 4),
      shards_(std::make_unique<Shard[]>(n_shards_)) {
    for (std::size_t i = 0; i < n_shards_; ++i) grow(shards_[i]);
}

ScoreCache::Shard& ScoreCache::shard_of(std::uint64_t hash) const {
    return shards_[n_shards_ == 1 ? 0 : hash >> 58];
}

bool ScoreCache::fits(NodeListRef parents, Node extra) const {
    return parents.size() + (extra != no_node) <= most_parents_;
}

FamilyKey ScoreCache::pack(Node child, NodeListRef parents, Node extra) const {
    FamilyKey key{empty, empty};
    unsigned shift = 0;
    auto add = [&](Node node) {
        // Flipping the bits that differ from all ones leaves the node in its part.
        const std::uint64_t part = std::uint64_t{node} ^ ((std::uint64_t{1} << part_bits_) - 1);
        (shift < 64 ? key.low : key.high) ^= part << (shift & 63);
        shift += part_bits_;
    };
    add(child);
    std::size_t i = 0;
    for (; i < parents.size() && parents[i] < extra; ++i) add(parents[i]);
    if (extra != no_node) add(extra);
    for (; i < parents.size(); ++i) add(parents[i]);
    return key;
}

NodeList ScoreCache::unpack(const FamilyKey& key) const {
    const std::uint64_t none = (std::uint64_t{1} << part_bits_) - 1;
    NodeList family;
    for (unsigned shift = 0; shift < 128; shift += part_bits_) {
        const std::uint64_t part = ((shift < 64 ? key.low : key.high) >> (shift & 63)) & none;
        if (part == none) break;
        family.push_back(static_cast<Node>(part));
    }
    return family;
}

void ScoreCache::for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < n_shards_; ++i) {
        const std::lock_guard lock(shards_[i].mutex);
        const Table& table = *shards_[i].tables.back();
        for (std::size_t s = 0; s < table.homes + window - 1; ++s) {
            const Slot& slot = table.slots[s];
            const std::uint64_t low = slot.low.load(std::memory_order_relaxed);
            if (low == empty) continue;
            const NodeList family = unpack({low, slot.high.load(std::memory_order_relaxed)});
            visit(family[0],
                  NodeListRef(family).subspan(1),
                  std::bit_cast<double>(slot.score.load(std::memory_order_relaxed)));
        }
    }
    const std::lock_guard lock(large_.mutex);
    for (const auto& [family, score] : large_.scores) {
        visit(family[0], NodeListRef(family).subspan(1), score);
    }
}

bool ScoreCache::find(Node child, NodeListRef parents, Node extra, double& score) const {
    if (!fits(parents, extra)) {
        NodeList family{child};
        family.insert(family.end(), parents.begin(), parents.end());
        if (extra != no_node) {
            family.insert(std::lower_bound(family.begin() + 1, family.end(), extra), extra);
        }
        std::lock_guard lock(large_.mutex);
        auto found = large_.scores.find(family);
        if (found == large_.scores.end()) return false;
        score = found->second;
        return true;
    }
    const FamilyKey key = pack(child, parents, extra);
    const std::uint64_t hash = hash_of(key);
    const Shard& shard = shard_of(hash);
    for (;;) {
        const std::uint32_t version = shard.version.load(std::memory_order_acquire);
        const Table* table = shard.table.load(std::memory_order_acquire);
        const Slot* slot = table->slots.get() + home_of(hash, table->homes);
        bool hit = false;
        for (const Slot* end = slot + window; slot != end; ++slot) {
            const std::uint64_t low = slot->low.load(std::memory_order_acquire);
            if (low == key.low && slot->high.load(std::memory_order_relaxed) == key.high) {
                score = std::bit_cast<double>(slot->score.load(std::memory_order_relaxed));
                hit = true;
                break;
            }
            if (low == empty) break;
        }
        std::atomic_thread_fence(std::memory_order_acquire);
        if ((version & 1) == 0 && shard.version.load(std::memory_order_relaxed) == version) {
            return hit;
        }
    }
}

void ScoreCache::enter(Node child, NodeListRef parents, Node extra, double score) {
    if (!fits(parents, extra)) return enter_large(child, parents, extra, score);
    const FamilyKey key = pack(child, parents, extra);
    const std::uint64_t hash = hash_of(key);
    distinct_.show(hash);
    Shard& shard = shard_of(hash);
    std::lock_guard lock(shard.mutex);
    for (;;) {
        Table& table = *shard.tables.back();
        Slot* home = table.slots.get() + home_of(hash, table.homes);
        for (Slot* slot = home; slot != home + window; ++slot) {
            const std::uint64_t low = slot->low.load(std::memory_order_relaxed);
            if (low == key.low && slot->high.load(std::memory_order_relaxed) == key.high) return;
            if (low == empty) break;
        }
        if (table.take(key.low, key.high, std::bit_cast<std::uint64_t>(score))) break;
        const std::size_t before = shard.tables.size();
        grow(shard);
        if (shard.tables.size() > before) continue;
        Slot& victim = home[shard.turn++ % window];
        const std::uint32_t version = shard.version.load(std::memory_order_relaxed);
        shard.version.store(version + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        victim.low.store(key.low, std::memory_order_relaxed);
        victim.high.store(key.high, std::memory_order_relaxed);
        victim.score.store(std::bit_cast<std::uint64_t>(score), std::memory_order_relaxed);
        shard.version.store(version + 2, std::memory_order_release);
        ++shard.dropped;
        break;
    }
    ++shard.entered;
}

bool ScoreCache::Table::take(std::uint64_t low, std::uint64_t high, std::uint64_t score) {
    Slot* slot = slots.get() + home_of(hash_of({low, high}), homes);
    for (Slot* end = slot + window; slot != end; ++slot) {
        if (slot->low.load(std::memory_order_relaxed) != empty) continue;
        // The first half of the key comes last: who sees it, sees the rest.
        slot->score.store(score, std::memory_order_relaxed);
        slot->high.store(high, std::memory_order_relaxed);
        slot->low.store(low, std::memory_order_release);
        return true;
    }
    return false;
}

// Doubles the shard's table, or takes what is left of its bytes; leaves it when that is too little
// to be worth it. A shard has one table at least, whatever the bound.
void ScoreCache::grow(Shard& shard) {
    const Table* old = shard.tables.empty() ? nullptr : shard.tables.back().get();
    const std::size_t left = shard_bytes_ - std::min(shard.bytes, shard_bytes_);
    const std::size_t affordable = left / sizeof(Slot) - std::min(left / sizeof(Slot), window - 1);
    std::size_t homes = std::min(old ? 2 * old->homes : first_homes, affordable);
    if (!old) homes = std::max<std::size_t>(homes, 1);
    if (old && homes < old->homes + old->homes / 4) return;
    for (;; homes = std::min(2 * homes, affordable)) {
        auto table = std::make_unique<Table>(homes);
        std::uint64_t homeless = 0;
        for (std::size_t i = 0; old && i < old->homes + window - 1; ++i) {
            const Slot& slot = old->slots[i];
            const std::uint64_t low = slot.low.load(std::memory_order_relaxed);
            homeless += low != empty && !table->take(low,
                                                     slot.high.load(std::memory_order_relaxed),
                                                     slot.score.load(std::memory_order_relaxed));
        }
        if (homeless > 0 && homes < affordable) continue;
        shard.dropped += homeless;
        shard.bytes += (homes + window - 1) * sizeof(Slot);
        shard.tables.push_back(std::move(table));
        shard.table.store(shard.tables.back().get(), std::memory_order_release);
        return;
    }
}

void ScoreCache::enter_large(Node child, NodeListRef parents, Node extra, double score) {
    NodeList family{child};
    family.insert(family.end(), parents.begin(), parents.end());
    if (extra != no_node) {
        family.insert(std::lower_bound(family.begin() + 1, family.end(), extra), extra);
    }
    distinct_.show(LargeFamilies::Hash()(family));
    // The list and its key, and what a node of the map costs besides.
    const std::size_t bytes = family.size() * sizeof(Node) + 64;
    std::lock_guard lock(large_.mutex);
    if (large_.scores.contains(family)) return;
    if (large_.bytes + bytes > large_bytes_) {
        large_.dropped += large_.scores.size();
        large_.scores.clear();
        large_.bytes = 0;
    }
    ++large_.entered;
    if (bytes > large_bytes_) {
        ++large_.dropped;
        return;
    }
    large_.bytes += bytes;
    large_.scores.emplace(std::move(family), score);
}

std::uint64_t ScoreCache::distinct() const {
    if (dropped() > 0) return distinct_.estimate();
    std::uint64_t entered = 0;
    for (std::size_t i = 0; i < n_shards_; ++i) {
        std::lock_guard lock(shards_[i].mutex);
        entered += shards_[i].entered;
    }
    std::lock_guard lock(large_.mutex);
    return entered + large_.entered;
}

std::uint64_t ScoreCache::dropped() const {
    std::uint64_t dropped = 0;
    for (std::size_t i = 0; i < n_shards_; ++i) {
        std::lock_guard lock(shards_[i].mutex);
        dropped += shards_[i].dropped;
    }
    std::lock_guard lock(large_.mutex);
    return dropped + large_.dropped;
}

std::size_t ScoreCache::bytes() const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < n_shards_; ++i) {
        std::lock_guard lock(shards_[i].mutex);
        bytes += shards_[i].bytes;
    }
    std::lock_guard lock(large_.mutex);
    return bytes + large_.bytes;
}

}  // namespace stigmergy
