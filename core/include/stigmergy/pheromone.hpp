// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace stigmergy {

// Pheromone by move key. A move that was never updated has the initial value and takes no memory,
// so the table grows with the moves used, not with n^3 (Daly & Shen 2009, Section 5.5).
class Pheromone {
  public:
    explicit Pheromone(double initial)
        : initial_(initial), keys_(min_slots, free_slot), values_(min_slots) {}

    [[nodiscard]] double initial() const { return initial_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] double operator[](std::uint64_t key) const {
        const std::size_t slot = find(key);
        return keys_[slot] == key ? values_[slot] : initial_;
    }
    void set(std::uint64_t key, double value);
    // tau <- (1 - rho) tau + rho target: the local rule with target tau0, the global one with
    // 1/|score|.
    void update(std::uint64_t key, double rho, double target) {
        const double old = (*this)[key];
        const double value = (1.0 - rho) * old + rho * target;
        if (value != old) set(key, value);
    }
    // Sorted by key.
    [[nodiscard]] std::vector<std::pair<std::uint64_t, double>> items() const;

  private:
    static constexpr std::uint64_t free_slot = ~std::uint64_t{0};
    static constexpr std::size_t min_slots = 64;

    // The slot of the key, or the free slot where it would go.
    [[nodiscard]] std::size_t find(std::uint64_t key) const {
        const std::size_t mask = keys_.size() - 1;
        std::size_t slot = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 32) & mask;
        while (keys_[slot] != key && keys_[slot] != free_slot) slot = (slot + 1) & mask;
        return slot;
    }

    double initial_;
    std::size_t size_ = 0;
    std::vector<std::uint64_t> keys_;
    std::vector<double> values_;
};

}  // namespace stigmergy
