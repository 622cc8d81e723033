// SPDX-License-Identifier: MIT
#include "stigmergy/random.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"

using stigmergy::Random;

namespace {

// Published test vectors of both generators.
void known_values() {
    std::uint64_t state = 1234567;
    CHECK(stigmergy::split_mix(state) == 6457827717110365317u);
    CHECK(stigmergy::split_mix(state) == 3203168211198807973u);
    CHECK(stigmergy::split_mix(state) == 9817491932198370423u);

    Random random(Random::State{1, 2, 3, 4});
    CHECK(random.next() == 41943041u);
    CHECK(random.next() == 58720359u);
    CHECK(random.next() == 3588806011781223u);
    CHECK(random.next() == 3591011842654386u);
    CHECK(random.next() == 9228616714210784205u);
}

void streams_are_repeatable_and_differ() {
    CHECK(Random::stream(1, 2, 3).next() == Random::stream(1, 2, 3).next());
    CHECK(Random::stream(1, 2, 3).next() != Random::stream(1, 3, 2).next());
    CHECK(Random::stream(1, 2, 3).next() != Random::stream(2, 2, 3).next());
    CHECK(Random::stream(1, 2, 3).next() != Random::stream(1, 2, 4).next());
}

void numbers_stay_in_range_and_are_even() {
    Random random(7);
    double total = 0;
    std::vector<int> seen(6, 0);
    for (int i = 0; i < 60000; ++i) {
        const double u = random.uniform();
        CHECK(u >= 0 && u < 1);
        total += u;
        ++seen[static_cast<std::size_t>(random.below(6))];
    }
    CHECK(total > 29500 && total < 30500);
    for (int times : seen) CHECK(times > 9500 && times < 10500);
    CHECK(random.below(1) == 0);
    CHECK(random.below(~std::uint64_t{0}) < ~std::uint64_t{0});
}

void shuffles_are_permutations() {
    Random random(3);
    std::vector<int> items{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const std::vector<int> sorted = items;
    random.shuffle(items);
    CHECK(items != sorted);
    std::sort(items.begin(), items.end());
    CHECK(items == sorted);
}

}  // namespace

int main() {
    known_values();
    streams_are_repeatable_and_differ();
    numbers_stay_in_range_and_are_even();
    shuffles_are_permutations();
    return 0;
}
