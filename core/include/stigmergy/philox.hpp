// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stigmergy {

// Philox4x32-10 of Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as
// 1, 2, 3", SC'11: a bijection of 128-bit counters for each 64-bit key. It has no state, so any
// part of any stream is computed alone, and only integer arithmetic, so it is the same everywhere.
struct Philox {
    using Counter = std::array<std::uint32_t, 4>;
    using Key = std::array<std::uint32_t, 2>;

    [[nodiscard]] static constexpr Counter block(Counter x, Key key) {
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t p = std::uint64_t{0xD2511F53} * x[0];
            const std::uint64_t q = std::uint64_t{0xCD9E8D57} * x[2];
            x = {static_cast<std::uint32_t>(q >> 32) ^ x[1] ^ key[0],
                 static_cast<std::uint32_t>(q),
                 static_cast<std::uint32_t>(p >> 32) ^ x[3] ^ key[1],
                 static_cast<std::uint32_t>(p)};
            key[0] += 0x9E3779B9;
            key[1] += 0xBB67AE85;
        }
        return x;
    }
};

}  // namespace stigmergy
