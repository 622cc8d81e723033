// SPDX-License-Identifier: MIT
#include "stigmergy/structure_prior.hpp"

namespace stigmergy {

std::size_t StructurePrior::difference(Node child, NodeListRef parents) const {
    if (parents_.empty()) return parents.size();
    const NodeList& prior = parents_[child];
    std::size_t both = 0;
    for (std::size_t i = 0, j = 0; i < parents.size() && j < prior.size();) {
        if (parents[i] == prior[j]) {
            ++both, ++i, ++j;
        } else if (parents[i] < prior[j]) {
            ++i;
        } else {
            ++j;
        }
    }
    return parents.size() + prior.size() - 2 * both;
}

}  // namespace stigmergy
