// SPDX-License-Identifier: MIT
#include "stigmergy/exact.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "stigmergy/parallel.hpp"
#include "stigmergy/tolerance.hpp"

namespace stigmergy {

namespace {

using Set = ExactSearch::Set;

// Sets of nodes that one task looks at: a few milliseconds' work.
constexpr std::size_t part_size = 16384;

constexpr double nothing = -std::numeric_limits<double>::infinity();

// choose[n][k]: how many sets of k of n. Sets of equal size are numbered in increasing order of
// their words: {e_0 < e_1 < ..} is number sum_i choose[e_i][i + 1].
constexpr auto choose = [] {
    std::array<std::array<std::uint64_t, ExactSearch::most_nodes + 2>, ExactSearch::most_nodes + 2>
        table{};
    for (std::size_t n = 0; n < table.size(); ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}();

// The next larger word with as many bits (Gosper's trick), of a word that is not 0.
Set next_of_size(Set set) {
    const std::uint64_t low = set & (~set + 1);
    const std::uint64_t ripple = std::uint64_t{set} + low;
    return static_cast<Set>(ripple | (((set ^ ripple) >> 2) / low));  // NOLINT(*.DivideZero)
}

Set numbered(std::uint64_t number, std::size_t size) {
    Set set = 0;
    for (std::size_t k = size; k > 0; --k) {
        std::size_t e = k - 1;
        while (choose[e + 1][k] <= number) ++e;
        number -= choose[e][k];
        set |= Set{1} << e;
    }
    return set;
}

template <typename Visit>
void for_each_node(Set set, Visit&& visit) {
    for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

Set word_of(BitsRef bits) { return bits.empty() ? 0 : static_cast<Set>(bits[0]); }

Set everyone(std::size_t n) { return static_cast<Set>((std::uint64_t{1} << n) - 1); }

std::uint64_t widest_layers(std::size_t n, std::size_t largest) {
    std::uint64_t most = 1;
    for (std::size_t k = 1; k <= std::min(n, largest); ++k) {
        most = std::max(most, choose[n][k - 1] + choose[n][k]);
    }
    return most;
}

}  // namespace

ExactSearch::ExactSearch(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules)
    : scorer_(std::move(scorer)), rules_(std::move(rules)), n_(scorer_->n_nodes()), choices_(n_) {
    if (n_ > most_nodes) throw std::invalid_argument("exact search takes at most 30 nodes");
}

std::uint64_t ExactSearch::bytes_needed(std::size_t n_nodes,
                                        std::size_t max_parents,
                                        std::size_t n_threads) {
    if (n_nodes > most_nodes) return std::numeric_limits<std::uint64_t>::max();
    if (n_nodes == 0) return 0;
    const std::uint64_t scoring =
        sizeof(double) * widest_layers(n_nodes - 1, max_parents) * std::min(n_nodes, n_threads);
    const std::uint64_t solving =
        (sizeof(Set) << n_nodes) + std::max(sizeof(double) * widest_layers(n_nodes, n_nodes),
                                            (std::uint64_t{1} << n_nodes) / 8);
    return std::max(scoring, solving);
}

std::uint64_t ExactSearch::n_families(std::size_t n_nodes, std::size_t max_parents) {
    if (n_nodes == 0 || n_nodes > most_nodes) return 0;
    std::uint64_t total = 0;
    for (std::size_t k = 0; k <= std::min(n_nodes - 1, max_parents); ++k) {
        total += choose[n_nodes - 1][k];
    }
    return total * n_nodes;
}

bool ExactSearch::score_families(std::size_t n_threads, Stop& stop) {
    for_each_task(n_, n_threads, [&](std::size_t v) { score_node(static_cast<Node>(v), stop); });
    return !stop.was_requested();
}

void ExactSearch::score_node(Node child, Stop& stop) {
    const Set required = word_of(rules_->required_parents(child));
    NodeList open;
    for_each_node(everyone(n_) & ~required & ~word_of(rules_->forbidden_parents(child)),
                  [&](std::size_t z) {
                      if (z != child) open.push_back(static_cast<Node>(z));
                  });
    const std::size_t n_required = static_cast<std::size_t>(std::popcount(required));
    const std::size_t limit = scorer_->max_parents();
    if (n_required > limit) throw std::invalid_argument("more required parents than max_parents");
    const std::size_t largest = std::min(open.size(), limit - n_required);
    auto nodes_of = [&](Set places) {
        Set set = required;
        for_each_node(places, [&](std::size_t i) { set |= Set{1} << open[i]; });
        return set;
    };

    std::vector<std::pair<double, Set>> kept;
    // By number of the subset of `open`: the best score of it and its subsets.
    NodeList base;
    for_each_node(required, [&](std::size_t p) { base.push_back(static_cast<Node>(p)); });
    std::vector<double> below{scorer_->family(child, base)}, layer;
    kept.emplace_back(below[0], required);
    std::vector<double> scores(open.size());
    for (std::size_t size = 1; size <= largest; ++size) {
        layer.assign(choose[open.size()][size], nothing);
        // A set of this size is a smaller one and a last element: one sweep for each smaller one.
        Set smaller = everyone(size - 1);
        for (std::uint64_t number = 0; number < choose[open.size()][size - 1]; ++number) {
            if (stop.requested()) return;
            const auto first = static_cast<std::size_t>(std::bit_width(smaller));
            if (first < open.size()) {
                base.clear();
                for_each_node(nodes_of(smaller),
                              [&](std::size_t p) { base.push_back(static_cast<Node>(p)); });
                NodeListRef candidates(open.data() + first, open.size() - first);
                scorer_->extensions(child, base, candidates, scores);
                for (std::size_t i = 0; i < candidates.size(); ++i) {
                    layer[number + choose[first + i][size]] = scores[i];
                }
            }
            if (smaller != 0) smaller = next_of_size(smaller);
        }
        Set set = everyone(size);
        for (std::uint64_t number = 0; number < layer.size(); ++number) {
            double best_below = nothing;
            std::array<std::size_t, most_nodes> elements{};
            std::size_t k = 0;
            for_each_node(set, [&](std::size_t e) { elements[k++] = e; });
            // The number of the set without element j, from j = size - 1 down.
            std::uint64_t rest = number;
            for (std::size_t j = size; j-- > 0;) {
                rest -= choose[elements[j]][j + 1];
                if (j + 1 < size) rest += choose[elements[j + 1]][j + 1];
                best_below = std::max(best_below, below[rest]);
            }
            // Equally good sets stay, so that all best networks can be told.
            if (layer[number] >= best_below - score_tolerance) {
                kept.emplace_back(layer[number], nodes_of(set));
            }
            layer[number] = std::max(layer[number], best_below);
            set = next_of_size(set);
        }
        below.swap(layer);
    }
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
        return a.first > b.first || (a.first == b.first && a.second < b.second);
    });
    Choices& of_child = choices_[child];
    of_child.sets.clear();
    of_child.scores.clear();
    for (auto [score, set] : kept) {
        of_child.sets.push_back(set);
        of_child.scores.push_back(score);
    }
}

std::size_t ExactSearch::n_choices() const {
    std::size_t total = 0;
    for (const Choices& of_child : choices_) total += of_child.sets.size();
    return total;
}

std::size_t ExactSearch::best_choice(std::size_t v, Set available) const {
    const std::vector<Set>& sets = choices_[v].sets;
    std::size_t i = 0;
    while (i < sets.size() && (sets[i] & ~available) != 0) ++i;
    return i;
}

bool ExactSearch::solve(std::size_t n_threads, Stop& stop) {
    sinks_.assign(std::size_t{1} << n_, 0);
    std::vector<double> below{0.0}, layer;
    for (std::size_t size = 1; size <= n_; ++size) {
        layer.resize(choose[n_][size]);
        auto work = [&](std::size_t part) {
            const std::uint64_t from = part * part_size;
            const std::uint64_t to = std::min<std::uint64_t>(from + part_size, layer.size());
            if (stop.requested()) return;
            Set set = numbered(from, size);
            std::array<std::size_t, most_nodes> elements{};
            std::array<double, most_nodes> totals{};
            for (std::uint64_t number = from; number < to; ++number) {
                std::size_t k = 0;
                for_each_node(set, [&](std::size_t e) { elements[k++] = e; });
                double best = nothing;
                std::uint64_t rest = number;
                for (std::size_t j = size; j-- > 0;) {
                    rest -= choose[elements[j]][j + 1];
                    if (j + 1 < size) rest += choose[elements[j + 1]][j + 1];
                    const std::size_t v = elements[j];
                    const std::size_t choice = best_choice(v, set & ~(Set{1} << v));
                    totals[j] = choice == choices_[v].sets.size()
                                    ? nothing
                                    : below[rest] + choices_[v].scores[choice];
                    best = std::max(best, totals[j]);
                }
                Set sinks = 0;
                for (std::size_t j = 0; j < size; ++j) {
                    if (totals[j] > nothing && totals[j] >= best - score_tolerance) {
                        sinks |= Set{1} << elements[j];
                    }
                }
                layer[number] = best;
                sinks_[set] = sinks;
                set = next_of_size(set);
            }
        };
        for_each_task((layer.size() + part_size - 1) / part_size, n_threads, work);
        if (stop.requested()) return false;
        below.swap(layer);
    }
    best_score_ = below[0];
    if (!(best_score_ > nothing)) throw std::invalid_argument("no network has a finite score");
    return true;
}

Pdag ExactSearch::best_network() const {
    Pdag dag(n_);
    Set rest = everyone(n_);
    while (rest != 0) {
        const auto sink = static_cast<std::size_t>(std::countr_zero(sinks_[rest]));
        rest &= ~(Set{1} << sink);
        for_each_node(choices_[sink].sets[best_choice(sink, rest)], [&](std::size_t p) {
            dag.add_directed(static_cast<Node>(p), static_cast<Node>(sink));
        });
    }
    return dag;
}

std::vector<std::vector<std::size_t>> ExactSearch::optimal_choices() const {
    // Sets of nodes that are left when best sinks are taken away one after another.
    std::vector<bool> reached(sinks_.size(), false);
    reached.back() = true;
    std::vector<std::vector<bool>> used(n_);
    for (std::size_t v = 0; v < n_; ++v) used[v].assign(choices_[v].sets.size(), false);
    for (std::size_t w = sinks_.size(); w-- > 1;) {
        if (!reached[w]) continue;
        for_each_node(sinks_[w], [&](std::size_t v) {
            const Set rest = static_cast<Set>(w) & ~(Set{1} << v);
            reached[rest] = true;
            const Choices& of_v = choices_[v];
            const std::size_t best = best_choice(v, rest);
            for (std::size_t i = best;
                 i < of_v.sets.size() && of_v.scores[i] >= of_v.scores[best] - score_tolerance;
                 ++i) {
                if ((of_v.sets[i] & ~rest) == 0) used[v][i] = true;
            }
        });
    }
    std::vector<std::vector<std::size_t>> result(n_);
    for (std::size_t v = 0; v < n_; ++v) {
        for (std::size_t i = 0; i < used[v].size(); ++i) {
            if (used[v][i]) result[v].push_back(i);
        }
    }
    return result;
}

ExactSearch::Optima ExactSearch::best_networks(bool one_per_class,
                                               std::size_t most_networks,
                                               std::uint64_t most_steps,
                                               Stop& stop) const {
    const auto options = optimal_choices();
    // What the nodes from v on can add at most.
    std::vector<double> at_most(n_ + 1, 0.0);
    for (std::size_t v = n_; v-- > 0;) {
        at_most[v] = at_most[v + 1] + choices_[v].scores[options[v].front()];
    }
    Optima optima{{}, true};
    std::vector<Set> parents(n_, 0);
    // ancestors[v][u]: the ancestors of u when nodes below v have their parents.
    std::vector<std::vector<Set>> ancestors(n_ + 1, std::vector<Set>(n_, 0));
    std::uint64_t steps = 0;
    auto assign = [&](auto&& self, std::size_t v, double score) -> void {
        if (!optima.complete) return;
        if (v == n_) {
            if (optima.networks.size() == most_networks) {
                optima.complete = false;
                return;
            }
            Pdag& dag = optima.networks.emplace_back(n_);
            for (std::size_t u = 0; u < n_; ++u) {
                for_each_node(parents[u], [&](std::size_t p) {
                    dag.add_directed(static_cast<Node>(p), static_cast<Node>(u));
                });
            }
            return;
        }
        for (std::size_t i : options[v]) {
            const double total = score + choices_[v].scores[i];
            if (total + at_most[v + 1] < best_score_ - score_tolerance) break;
            ++steps;
            if (steps > most_steps || (steps % 1024 == 0 && stop.requested())) {
                optima.complete = false;
                return;
            }
            const Set set = choices_[v].sets[i];
            Set above = set;
            for_each_node(set, [&](std::size_t p) { above |= ancestors[v][p]; });
            if ((above >> v) & 1) continue;
            bool covered_downwards = false;
            for (std::size_t u = 0; one_per_class && u < v; ++u) {
                covered_downwards |= parents[u] == (set | Set{1} << v) && !((set >> v) & 1);
            }
            if (covered_downwards) continue;
            parents[v] = set;
            for (std::size_t u = 0; u < n_; ++u) {
                const Set old = ancestors[v][u];
                ancestors[v + 1][u] = u == v || ((old >> v) & 1) ? old | above : old;
            }
            self(self, v + 1, total);
        }
    };
    assign(assign, 0, 0.0);
    return optima;
}

}  // namespace stigmergy
