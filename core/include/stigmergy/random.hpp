// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace stigmergy {

// Steele, Lea & Flood (2014), "Fast splittable pseudorandom number generators": SplitMix64. Moves
// the state on and returns the next number; here it spreads seeds.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

// xoshiro256++ of Blackman & Vigna (2021), "Scrambled linear pseudorandom number generators": the
// same numbers on every platform, which the standard library's distributions do not promise.
//
// Work that runs on several threads takes one stream per task, named by what the task is (for
// example iteration and ant), so the numbers do not depend on which thread ran it.
class Random {
  public:
    using State = std::array<std::uint64_t, 4>;

    explicit constexpr Random(std::uint64_t seed) : state_{} {
        for (std::uint64_t& word : state_) word = split_mix(seed);
    }
    explicit constexpr Random(const State& state) : state_(state) {}

    // The stream named (a, b) of a seed.
    [[nodiscard]] static constexpr Random stream(std::uint64_t seed,
                                                 std::uint64_t a,
                                                 std::uint64_t b = 0) {
        std::uint64_t mixed = split_mix(seed);
        mixed ^= a;
        mixed = split_mix(mixed);
        mixed ^= b;
        return Random(split_mix(mixed));
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // In [0, 1), a multiple of 2^-53.
    constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    // Each of 0 .. n - 1 equally likely; n >= 1. The top bits are drawn again when they name no
    // number, less than once on average.
    constexpr std::uint64_t below(std::uint64_t n) {
        const auto bits = static_cast<int>(std::bit_width(n - 1));
        if (bits == 0) return 0;
        for (;;) {
            const std::uint64_t drawn = next() >> (64 - bits);
            if (drawn < n) return drawn;
        }
    }

    // Every order of the items equally likely (Fisher & Yates).
    template <typename Items>
    constexpr void shuffle(Items& items) {
        for (std::size_t left = items.size(); left > 1; --left) {
            const auto chosen = static_cast<std::size_t>(below(left));
            auto last = items[left - 1];
            items[left - 1] = items[chosen];
            items[chosen] = last;
        }
    }

  private:
    State state_;
};

}  // namespace stigmergy
