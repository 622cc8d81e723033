// SPDX-License-Identifier: MIT
#include "stigmergy/sampler.hpp"

#include <stdexcept>

#include "check.hpp"
#include "stigmergy/philox.hpp"

using stigmergy::CodeColumn;
using stigmergy::Philox;
using stigmergy::Sampler;

namespace {

// Known answers published with the generator (Salmon et al. 2011).
static_assert(Philox::block({0, 0, 0, 0}, {0, 0}) ==
              Philox::Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(Philox::block({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                            {0xffffffff, 0xffffffff}) ==
              Philox::Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(Philox::block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                            {0xa4093822, 0x299f31d0}) ==
              Philox::Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

Sampler small_network() {
    Sampler sampler;
    const std::vector<double> a{0.2, 0.5, 0.3};
    const std::vector<double> b{1.0, 0.0, 0.25, 0.75, 0.0, 1.0};
    sampler.add(0, 3, {}, a);
    sampler.add(1, 2, {0}, b);
    return sampler;
}

void rows_do_not_depend_on_threads_or_parts() {
    const Sampler sampler = small_network();
    const std::size_t n = 10'001;
    std::vector<std::uint8_t> a(n), b(n), c(n), d(n);
    const std::vector<CodeColumn> whole{{a.data()}, {b.data()}};
    sampler.sample(7, 0, n, whole, 1);
    const std::vector<CodeColumn> again{{c.data()}, {d.data()}};
    sampler.sample(7, 0, n, again, 3);
    CHECK(a == c && b == d);
    const std::size_t cut = 4'444;
    const std::vector<CodeColumn> head{{c.data()}, {d.data()}};
    const std::vector<CodeColumn> tail{{c.data() + cut}, {d.data() + cut}};
    sampler.sample(7, cut, n - cut, tail, 2);
    sampler.sample(7, 0, cut, head, 1);
    CHECK(a == c && b == d);
    sampler.sample(8, 0, n, again, 1);
    CHECK(a != c);
}

void impossible_states_do_not_occur() {
    const Sampler sampler = small_network();
    const std::size_t n = 100'000;
    std::vector<std::uint8_t> a(n), b(n);
    const std::vector<CodeColumn> columns{{a.data()}, {b.data()}};
    sampler.sample(1, 0, n, columns, 1);
    std::size_t counts[3][2] = {};
    for (std::size_t i = 0; i < n; ++i) ++counts[a[i]][b[i]];
    CHECK(counts[0][1] == 0 && counts[2][0] == 0);
    // Six standard deviations around the expected 20,000, 12,500, 37,500 and 30,000.
    CHECK(counts[0][0] > 19'200 && counts[0][0] < 20'800);
    CHECK(counts[1][0] > 11'800 && counts[1][0] < 13'200);
    CHECK(counts[1][1] > 36'500 && counts[1][1] < 38'500);
}

void wide_arities_use_wide_codes() {
    Sampler sampler;
    const std::vector<double> table(1000, 0.001);
    sampler.add(0, 1000, {}, table);
    CHECK(sampler.is_wide(0));
    const std::size_t n = 1'000'000;
    std::vector<std::uint16_t> codes(n);
    const std::vector<CodeColumn> columns{{codes.data(), true}};
    sampler.sample(3, 0, n, columns, 2);
    std::vector<std::size_t> counts(1000);
    for (const std::uint16_t code : codes) ++counts[code];
    for (const std::size_t count : counts) CHECK(count > 800 && count < 1200);
}

template <typename Call>
bool throws(Call call) {
    try {
        call();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void bad_tables_are_refused() {
    Sampler sampler;
    const std::vector<double> zero{0.0, 0.0};
    const std::vector<double> negative{-0.5, 1.5};
    const std::vector<double> fine{0.5, 0.5};
    CHECK(throws([&] { sampler.add(0, 2, {}, zero); }));
    CHECK(throws([&] { sampler.add(0, 2, {}, negative); }));
    CHECK(throws([&] { sampler.add(0, 3, {}, fine); }));
    CHECK(throws([&] { sampler.add(0, 2, {0}, fine); }));
    CHECK(throws([&] { sampler.add(0, 0, {}, {}); }));
    CHECK(sampler.n_variables() == 0);
    sampler.add(0, 2, {}, fine);
    CHECK(throws([&] { sampler.sample(0, 0, 1, {}, 1); }));
}

}  // namespace

int main() {
    rows_do_not_depend_on_threads_or_parts();
    impossible_states_do_not_occur();
    wide_arities_use_wide_codes();
    bad_tables_are_refused();
    return 0;
}
