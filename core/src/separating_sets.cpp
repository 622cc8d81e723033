// SPDX-License-Identifier: MIT
#include "stigmergy/separating_sets.hpp"

#include <algorithm>

#include "stigmergy/parallel.hpp"

namespace stigmergy {

namespace {

// The subsets of one size of a sorted list, in lexicographic order.
class Subsets {
  public:
    Subsets(const NodeList& nodes, std::size_t size)
        : nodes_(nodes), places_(size), valid_(size <= nodes.size()) {
        for (std::size_t i = 0; i < size; ++i) places_[i] = i;
    }
    // Writes the next one; false when there is none.
    bool next(NodeList& subset) {
        if (!valid_) return false;
        subset.clear();
        for (std::size_t place : places_) subset.push_back(nodes_[place]);
        advance();
        return true;
    }

  private:
    void advance() {
        const std::size_t size = places_.size(), n = nodes_.size();
        std::size_t i = size;
        while (i > 0 && places_[i - 1] == n - size + i - 1) --i;
        valid_ = i > 0;
        if (!valid_) return;
        ++places_[i - 1];
        for (; i < size; ++i) places_[i] = places_[i - 1] + 1;
    }

    const NodeList& nodes_;
    std::vector<std::size_t> places_;
    bool valid_;
};

bool includes(const NodeList& nodes, const NodeList& subset) {
    return std::includes(nodes.begin(), nodes.end(), subset.begin(), subset.end());
}

// Calls visit(set) for the sets of one size in the order that the header gives, until it says true.
template <typename Visit>
bool any_set(const PairToSeparate& pair, std::size_t size, Visit&& visit) {
    NodeList set;
    for (Subsets subsets(pair.around_x, size); subsets.next(set);) {
        if (visit(set)) return true;
    }
    for (Subsets subsets(pair.around_y, size); subsets.next(set);) {
        if (!includes(pair.around_x, set) && visit(set)) return true;
    }
    return false;
}

std::size_t largest_size(const PairToSeparate& pair, SetSizes sizes) {
    return std::min(sizes.largest, std::max(pair.around_x.size(), pair.around_y.size()));
}

}  // namespace

std::vector<std::optional<NodeList>> find_separating_sets(IndependenceTests& tests,
                                                          const std::vector<PairToSeparate>& pairs,
                                                          SetSizes sizes,
                                                          double alpha,
                                                          std::size_t n_threads,
                                                          Stop& stop) {
    std::vector<std::optional<NodeList>> found(pairs.size());
    for_each_task(pairs.size(), n_threads, [&](std::size_t i) {
        const PairToSeparate& pair = pairs[i];
        const std::size_t largest = largest_size(pair, sizes);
        for (std::size_t size = sizes.smallest; size <= largest && !found[i]; ++size) {
            const bool ended = any_set(pair, size, [&](const NodeList& set) {
                if (stop.requested()) return true;
                if (!tests.test(pair.x, pair.y, set).independent(alpha)) return false;
                found[i] = set;
                return true;
            });
            if (ended) break;
        }
    });
    return found;
}

std::vector<SeparationCount> count_separating_sets(IndependenceTests& tests,
                                                   const std::vector<PairToSeparate>& pairs,
                                                   const std::vector<NodeList>& middles,
                                                   SetSizes sizes,
                                                   double alpha,
                                                   std::size_t n_threads,
                                                   Stop& stop) {
    std::vector<SeparationCount> counts(pairs.size());
    for_each_task(pairs.size(), n_threads, [&](std::size_t i) {
        const PairToSeparate& pair = pairs[i];
        const NodeList& middle = middles[i];
        counts[i].containing.assign(middle.size(), 0);
        const std::size_t largest = largest_size(pair, sizes);
        for (std::size_t size = sizes.smallest; size <= largest; ++size) {
            const bool ended = any_set(pair, size, [&](const NodeList& set) {
                if (stop.requested()) return true;
                if (!tests.test(pair.x, pair.y, set).independent(alpha)) return false;
                ++counts[i].sets;
                for (std::size_t m = 0; m < middle.size(); ++m) {
                    counts[i].containing[m] +=
                        std::binary_search(set.begin(), set.end(), middle[m]);
                }
                return false;
            });
            if (ended) break;
        }
    });
    return counts;
}

void lower_to_minimum_association(IndependenceTests& tests,
                                  Node target,
                                  const NodeList& candidates,
                                  const NodeList& base,
                                  const NodeList& always,
                                  std::size_t largest,
                                  double alpha,
                                  std::size_t n_threads,
                                  Stop& stop,
                                  std::vector<Association>& associations) {
    for_each_task(candidates.size(), n_threads, [&](std::size_t i) {
        Association& least = associations[i];
        NodeList free, subset, set;
        for (Node v : base) {
            if (v != candidates[i] && std::find(always.begin(), always.end(), v) == always.end()) {
                free.push_back(v);
            }
        }
        for (std::size_t size = 0; size <= free.size() && size + always.size() <= largest; ++size) {
            bool any_testable = false;
            for (Subsets subsets(free, size); subsets.next(subset);) {
                if (least.independent || stop.requested()) return;
                set = subset;
                set.insert(set.end(), always.begin(), always.end());
                std::sort(set.begin(), set.end());
                if (!tests.testable(target, candidates[i], set)) continue;
                any_testable = true;
                const TestOutcome outcome = tests.test(target, candidates[i], set);
                if (outcome.independent(alpha)) {
                    least = {outcome.log_p_value, outcome.statistic, true, true};
                } else if (!least.tested || outcome.log_p_value > least.log_p_value ||
                           (outcome.log_p_value == least.log_p_value &&
                            outcome.statistic < least.statistic)) {
                    least = {outcome.log_p_value, outcome.statistic, true, false};
                }
            }
            // A set that is too large for the rows stays so with more nodes.
            if (!any_testable) return;
        }
    });
}

}  // namespace stigmergy
