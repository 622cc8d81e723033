// SPDX-License-Identifier: MIT
#include "stigmergy/pheromone.hpp"

#include <algorithm>

namespace stigmergy {

void Pheromone::set(std::uint64_t key, double value) {
    std::size_t slot = find(key);
    if (keys_[slot] == free_slot) {
        if (2 * (size_ + 1) > keys_.size()) {
            std::vector<std::uint64_t> old_keys(2 * keys_.size(), free_slot);
            std::vector<double> old_values(old_keys.size());
            old_keys.swap(keys_);
            old_values.swap(values_);
            for (std::size_t i = 0; i < old_keys.size(); ++i) {
                if (old_keys[i] == free_slot) continue;
                const std::size_t moved = find(old_keys[i]);
                keys_[moved] = old_keys[i];
                values_[moved] = old_values[i];
            }
            slot = find(key);
        }
        keys_[slot] = key;
        ++size_;
    }
    values_[slot] = value;
}

std::vector<std::pair<std::uint64_t, double>> Pheromone::items() const {
    std::vector<std::pair<std::uint64_t, double>> result;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (keys_[i] != free_slot) result.emplace_back(keys_[i], values_[i]);
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace stigmergy
