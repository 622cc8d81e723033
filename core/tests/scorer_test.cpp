// SPDX-License-Identifier: MIT
#include "stigmergy/scorer.hpp"

#include "check.hpp"

int main() {
    auto size = [](stigmergy::Node, stigmergy::NodeListRef parents) {
        return -static_cast<double>(parents.size());
    };
    stigmergy::Scorer scorer(std::make_shared<stigmergy::FunctionSource>(4, size), 3, 1 << 20);
    const stigmergy::NodeList parents{1, 2};
    CHECK(scorer.family(0, parents) == -2.0);
    CHECK(scorer.family(0, parents) == -2.0);
    CHECK(scorer.evaluations().total == 2);
    CHECK(scorer.evaluations().distinct == 1);
    return 0;
}
