// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace stigmergy {

// Estimates how many different 64-bit hashes it was shown, in 64 KiB (Flajolet, Fusy, Gandouet &
// Meunier 2007, "HyperLogLog"). The estimate is a function of the set of hashes: neither order nor
// repetition nor threads change it. Standard error 1.04 / sqrt(65536) = 0.4 %.
class DistinctCount {
  public:
    DistinctCount();
    void show(std::uint64_t hash);
    [[nodiscard]] std::uint64_t estimate() const;

  private:
    static constexpr std::size_t registers = std::size_t{1} << 16;
    std::unique_ptr<std::array<std::atomic<std::uint8_t>, registers>> ranks_;
};

}  // namespace stigmergy
