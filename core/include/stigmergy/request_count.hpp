// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace stigmergy {

// A counter that many threads add to: each adds to one of several cells on cache lines of their
// own, so that threads do not take the line from each other at every request.
class RequestCount {
  public:
    void add(std::uint64_t requests) {
        cells_[place()].value.fetch_add(requests, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t value() const {
        std::uint64_t sum = 0;
        for (const Cell& cell : cells_) sum += cell.value.load(std::memory_order_relaxed);
        return sum;
    }

  private:
    static constexpr std::size_t n_cells = 32;
    struct alignas(64) Cell {
        std::atomic<std::uint64_t> value{0};
    };
    static std::size_t place() {
        static std::atomic<std::size_t> next{0};
        thread_local const std::size_t mine =
            next.fetch_add(1, std::memory_order_relaxed) % n_cells;
        return mine;
    }

    std::array<Cell, n_cells> cells_;
};

}  // namespace stigmergy
