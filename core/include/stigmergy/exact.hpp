// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "stigmergy/arc_rules.hpp"
#include "stigmergy/scorer.hpp"
#include "stigmergy/stop.hpp"

namespace stigmergy {

// The best network of all, by dynamic programming over sets of nodes (Ott, Imoto & Miyano 2004;
// Silander & Myllymaki 2006): the best network on W has a sink v with its best parents in W - v and
// the best network on W - v below it.
//
// A set of nodes is a 32-bit word. Kept for every W: the sinks of its best networks (4 bytes). The
// scores of best networks are kept for two layers of equal-sized W only. The best parents of v in U
// are the first subset of U in the list of v's parent sets, best first, which holds only sets that
// no subset beats (more parents never help those).
class ExactSearch {
  public:
    using Set = std::uint32_t;
    static constexpr std::size_t most_nodes = 30;

    ExactSearch(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules);

    // The most bytes held at one time, without the lists of parent sets.
    [[nodiscard]] static std::uint64_t bytes_needed(std::size_t n_nodes,
                                                    std::size_t max_parents,
                                                    std::size_t n_threads);
    // How many families have to be scored when nothing is known beforehand.
    [[nodiscard]] static std::uint64_t n_families(std::size_t n_nodes, std::size_t max_parents);

    // Both return false when told to stop, and then nothing is known.
    [[nodiscard]] bool score_families(std::size_t n_threads, Stop& stop);
    [[nodiscard]] bool solve(std::size_t n_threads, Stop& stop);
    // How many parent sets are left in the lists.
    [[nodiscard]] std::size_t n_choices() const;
    [[nodiscard]] double best_score() const { return best_score_; }
    // One best network; of equally good sinks and parent sets the first.
    [[nodiscard]] Pdag best_network() const;

    struct Optima {
        std::vector<Pdag> networks;
        bool complete;
    };
    // All networks with the best score, up to rounding. When all members of a class score equally
    // and none is ruled out, `one_per_class` leaves out those with a covered arc from a greater to
    // a smaller node: every class has a member without one, because reversing such an arc stays in
    // the class and lowers the number of arcs that lead downwards. Not complete beyond so many
    // networks, so many steps, or when told to stop.
    [[nodiscard]] Optima best_networks(bool one_per_class,
                                       std::size_t most_networks,
                                       std::uint64_t most_steps,
                                       Stop& stop) const;

  private:
    struct Choices {
        std::vector<Set> sets;  // the best first
        std::vector<double> scores;
    };

    void score_node(Node child, Stop& stop);
    [[nodiscard]] std::size_t best_choice(std::size_t v, Set available) const;
    [[nodiscard]] std::vector<std::vector<std::size_t>> optimal_choices() const;

    std::shared_ptr<Scorer> scorer_;
    std::shared_ptr<const ArcRules> rules_;
    std::size_t n_;
    std::vector<Choices> choices_;
    std::vector<Set> sinks_;  // by set of nodes
    double best_score_ = 0.0;
};

}  // namespace stigmergy
