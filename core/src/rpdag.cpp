// SPDX-License-Identifier: MIT
#include "stigmergy/rpdag.hpp"

#include <algorithm>
#include <stdexcept>

namespace stigmergy {

namespace {

// Nodes that y leads to along links and arcs from tail to head, without using the link to
// `avoided`.
NodeSet reached_from(const Pdag& graph, Node y, Node avoided) {
    NodeSet reached(graph.size());
    reached.insert(y);
    std::vector<Node> waiting{y};
    while (!waiting.empty()) {
        const Node v = waiting.back();
        waiting.pop_back();
        for (std::size_t w = 0; w < words_for(graph.size()); ++w) {
            Word next = (graph.children(v)[w] | graph.neighbours(v)[w]) & ~reached.word(w);
            if (v == y && avoided != no_node && w == avoided / word_bits) {
                next &= ~(Word{1} << (avoided % word_bits));
            }
            reached.word(w) |= next;
            for (; next != 0; next &= next - 1) {
                waiting.push_back(static_cast<Node>(
                    w * word_bits + static_cast<std::size_t>(std::countr_zero(next))));
            }
        }
    }
    return reached;
}

// Condition 1: y has got a parent, so its links become arcs away from it, and so on outwards.
void direct_outwards(Pdag& graph, Node y) {
    std::vector<Node> waiting{y};
    while (!waiting.empty()) {
        const Node v = waiting.back();
        waiting.pop_back();
        std::vector<Node> linked;
        for_each_bit(graph.neighbours(v), [&](Node u) { linked.push_back(u); });
        for (Node u : linked) {
            graph.orient(v, u);
            waiting.push_back(u);
        }
    }
}

// Condition 4: if all that y has left is one parent, itself without parents, that arc becomes a
// link; and from a y without parents so do the arcs to children that have no other parent.
void undirect_around(Pdag& graph, Node y) {
    const NodeList parents = graph.parent_list(y);
    if (parents.size() > 1) return;
    if (parents.size() == 1) {
        if (any(graph.parents(parents[0]))) return;
        graph.unorient(parents[0], y);
    }
    std::vector<Node> waiting{y};
    while (!waiting.empty()) {
        const Node v = waiting.back();
        waiting.pop_back();
        std::vector<Node> only_children;
        for_each_bit(graph.children(v), [&](Node c) {
            if (count(graph.parents(c)) == 1) only_children.push_back(c);
        });
        for (Node c : only_children) {
            graph.unorient(v, c);
            waiting.push_back(c);
        }
    }
}

}  // namespace

bool is_restricted(const Pdag& graph) {
    const std::size_t n = graph.size();
    for (std::size_t i = 0; i < n; ++i) {
        const auto v = static_cast<Node>(i);
        const std::size_t n_parents = count(graph.parents(v));
        if (n_parents > 0 && any(graph.neighbours(v))) return false;
        bool supported = true;
        for_each_bit(graph.parents(v), [&](Node p) {
            supported = supported && (n_parents >= 2 || any(graph.parents(p)));
        });
        if (!supported) return false;
    }
    // Links and arcs meet in no cycle: of a forest of links and the arcs, nodes can be taken away
    // one by one, without parents and with at most one link.
    Pdag rest = graph;
    std::vector<bool> taken(n, false);
    for (std::size_t left = n; left > 0; --left) {
        std::size_t i = 0;
        while (i < n && (taken[i] || any(rest.parents(static_cast<Node>(i))) ||
                         count(rest.neighbours(static_cast<Node>(i))) > 1)) {
            ++i;
        }
        if (i == n) return false;
        taken[i] = true;
        std::vector<Node> around;
        const auto v = static_cast<Node>(i);
        for_each_bit(rest.adjacent(v), [&](Node u) { around.push_back(u); });
        for (Node u : around) rest.remove_edge(v, u);
    }
    return true;
}

Pdag restricted_of(const Pdag& dag) {
    Pdag graph = dag;
    for (std::size_t i = 0; i < dag.size(); ++i) {
        const auto v = static_cast<Node>(i);
        if (!any(dag.parents(v))) undirect_around(graph, v);
    }
    return graph;
}

void apply(Pdag& rpdag, const RpdagMove& move) {
    const auto [op, x, y, z] = move;
    switch (op) {
        case RpdagOperator::add_link:
            rpdag.add_undirected(x, y);
            break;
        case RpdagOperator::add_pattern:
            rpdag.orient(z, y);
            [[fallthrough]];
        case RpdagOperator::add_arc:
            rpdag.add_directed(x, y);
            direct_outwards(rpdag, y);
            break;
        case RpdagOperator::delete_arc:
            rpdag.remove_edge(x, y);
            undirect_around(rpdag, y);
            break;
        case RpdagOperator::delete_link:
            rpdag.remove_edge(x, y);
            break;
    }
}

RpdagMoves::RpdagMoves(Scorer& scorer, const ArcRules& rules, Pdag rpdag)
    : scorer_(scorer), rules_(rules), rpdag_(std::move(rpdag)), rows_(scorer, 1.0) {
    if (!is_restricted(rpdag_)) {
        throw std::invalid_argument("the start must be a restricted PDAG");
    }
}

double RpdagMoves::score() const {
    const auto extension = rpdag_.consistent_extension();
    double total = 0.0;
    for (std::size_t i = 0; i < rpdag_.size(); ++i) {
        const auto v = static_cast<Node>(i);
        total += scorer_.family(v, extension->parent_list(v));
    }
    return total;
}

std::uint64_t hash_of(const Pdag& graph) {
    std::uint64_t hash = 0;
    auto mix = [&](std::uint64_t kind, Node x, Node y) {
        std::uint64_t state = kind << 32 | std::uint64_t{x} << 16 | y;
        hash ^= split_mix(state);
    };
    for (auto [x, y] : graph.directed_edges()) mix(0, x, y);
    for (auto [x, y] : graph.undirected_edges()) mix(1, x, y);
    return hash;
}

std::vector<ScoredRpdagMove> RpdagMoves::moves() {
    rows_.trim();
    const std::size_t n = rpdag_.size(), limit = scorer_.max_parents();
    std::vector<ScoredRpdagMove> found;
    for (std::size_t i = 0; i < n; ++i) {
        const auto y = static_cast<Node>(i);
        const NodeList parents = rpdag_.parent_list(y);
        NodeSet wanted(n);
        // Additions of an edge at y that give it `base` and one more parent.
        auto add = [&](const NodeList& base, RpdagOperator op, Node z, auto&& fits) {
            if (base.size() >= limit) return;
            wanted.clear();
            for (std::size_t v = 0; v < n; ++v) {
                const auto x = static_cast<Node>(v);
                if (x == y || rpdag_.is_adjacent(x, y) || !fits(x)) continue;
                wanted.insert(x);
            }
            GainRow& row = rows_.row(y, base);
            rows_.ensure(row, y, base, wanted);
            for_each_bit(wanted, [&](Node x) { found.push_back({{op, x, y, z}, row.gain(x)}); });
        };
        const NodeSet reached = reached_from(rpdag_, y, no_node);
        auto has_parents = [&](Node x) { return any(rpdag_.parents(x)); };
        // Table 2 of the paper: an arc from a node with parents, or to one; a link between two
        // without; x -> y <- z where y - z.
        add(parents, RpdagOperator::add_arc, no_node, [&](Node x) {
            return (has_parents(x) || !parents.empty()) && !reached.contains(x);
        });
        if (parents.empty()) {
            add({}, RpdagOperator::add_link, no_node, [&](Node x) {
                return x < y && !has_parents(x) && !reached.contains(x);
            });
        }
        for_each_bit(rpdag_.neighbours(y), [&](Node z) {
            const NodeSet onwards = reached_from(rpdag_, y, z);
            add({z}, RpdagOperator::add_pattern, z, [&](Node x) { return !onwards.contains(x); });
        });
        const double now = scorer_.family(y, parents);
        for (Node x : parents) {
            NodeList fewer = parents;
            std::erase(fewer, x);
            found.push_back({{RpdagOperator::delete_arc, x, y}, scorer_.family(y, fewer) - now});
        }
        for_each_bit(rpdag_.neighbours(y), [&](Node x) {
            if (x > y) return;
            const NodeList linked{x};
            found.push_back({{RpdagOperator::delete_link, x, y}, now - scorer_.family(y, linked)});
        });
    }
    std::ranges::sort(found, {}, &ScoredRpdagMove::move);
    return found;
}

bool RpdagMoves::is_allowed(const RpdagMove& move, const TabuList* tabu) const {
    if (tabu == nullptr && rules_.is_free()) return true;
    Pdag after = rpdag_;
    stigmergy::apply(after, move);
    if (tabu != nullptr && tabu->contains(hash_of(after))) return false;
    if (rules_.is_free()) return true;
    Pdag cpdag = *after.consistent_extension();
    cpdag.complete();
    return obeying_member(cpdag, rules_).has_value();
}

std::optional<ScoredRpdagMove> RpdagMoves::best(const TabuList* tabu) {
    std::vector<ScoredRpdagMove> left = moves();
    scorer_.count_requests(2 * left.size());
    // Whether a move is allowed costs a copy of the graph: only what could win is asked.
    while (!left.empty()) {
        const double greatest = std::ranges::max(left, {}, &ScoredRpdagMove::gain).gain;
        const auto first = std::ranges::find_if(left, [&](const ScoredRpdagMove& scored) {
            return scored.gain >= greatest - score_tolerance;
        });
        if (is_allowed(first->move, tabu)) return *first;
        left.erase(first);
    }
    return std::nullopt;
}

}  // namespace stigmergy
