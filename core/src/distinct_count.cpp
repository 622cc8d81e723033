// SPDX-License-Identifier: MIT
#include "stigmergy/distinct_count.hpp"

#include <bit>
#include <cmath>

namespace stigmergy {

DistinctCount::DistinctCount()
    : ranks_(std::make_unique<std::array<std::atomic<std::uint8_t>, registers>>()) {}

void DistinctCount::show(std::uint64_t hash) {
    std::atomic<std::uint8_t>& largest = (*ranks_)[hash % registers];
    // The place of the first one among the 48 bits that did not choose the register.
    const auto rank =
        static_cast<std::uint8_t>(std::countl_zero((hash & ~std::uint64_t{0xFFFF}) | 0x8000) + 1);
    std::uint8_t seen = largest.load(std::memory_order_relaxed);
    while (seen < rank && !largest.compare_exchange_weak(seen, rank, std::memory_order_relaxed)) {
    }
}

std::uint64_t DistinctCount::estimate() const {
    constexpr double m = registers;
    double sum = 0;
    double empty = 0;
    for (const auto& rank : *ranks_) {
        const int value = rank.load(std::memory_order_relaxed);
        sum += std::ldexp(1.0, -value);
        empty += value == 0;
    }
    const double raw = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    // While many registers are empty, how many says more than their ranks do.
    const bool few = raw <= 2.5 * m && empty > 0;
    return static_cast<std::uint64_t>(std::llround(few ? m * std::log(m / empty) : raw));
}

}  // namespace stigmergy
