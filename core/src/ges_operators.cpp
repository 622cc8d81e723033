// SPDX-License-Identifier: MIT
#include "stigmergy/ges_operators.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>
#include <tuple>

#include "stigmergy/tolerance.hpp"

namespace stigmergy {

namespace {

constexpr double anything = -std::numeric_limits<double>::infinity();

NodeSet copy_of(BitsRef set) {
    NodeSet result(set.size() * word_bits);
    unite(result, set);
    return result;
}

NodeSet meet(BitsRef a, BitsRef b) {
    NodeSet result = copy_of(a);
    for (std::size_t w = 0; w < b.size(); ++w) result.word(w) &= b[w];
    return result;
}

NodeSet without(BitsRef a, BitsRef b) {
    NodeSet result = copy_of(a);
    for (std::size_t w = 0; w < b.size(); ++w) result.word(w) &= ~b[w];
    return result;
}

NodeSet join(BitsRef a, BitsRef b) {
    NodeSet result = copy_of(a);
    unite(result, b);
    return result;
}

bool is_subset(BitsRef a, BitsRef of) {
    for (std::size_t w = 0; w < a.size(); ++w) {
        if ((a[w] & ~of[w]) != 0) return false;
    }
    return true;
}

NodeList list_of(BitsRef set) {
    NodeList list;
    for_each_bit(set, [&](Node v) { list.push_back(v); });
    return list;
}

NodeSet set_of(const NodeList& list, std::size_t n_nodes) {
    NodeSet set(n_nodes);
    for (Node v : list) set.insert(v);
    return set;
}

// Visits every clique of at most `largest` nodes that consists of `fixed` (a clique) and some of
// `open`; with the clique itself, smaller ones first along each branch.
template <typename Visit>
void for_each_clique(
    const Pdag& g, const NodeSet& fixed, const NodeSet& open, std::size_t largest, Visit&& visit) {
    const std::size_t size = count(fixed);
    if (size > largest) return;
    NodeSet fits = open;
    for_each_bit(fixed, [&](Node v) { fits = meet(fits, g.adjacent(v)); });
    auto grow = [&](auto&& self, const NodeSet& clique, NodeSet candidates, std::size_t n) -> void {
        visit(clique);
        if (n == largest) return;
        for (Node v : list_of(candidates)) {
            candidates.erase(v);
            NodeSet larger = clique;
            larger.insert(v);
            self(self, larger, meet(candidates, g.adjacent(v)), n + 1);
        }
    };
    grow(grow, fixed, std::move(fits), size);
}

// Finds the moves (.., y, ..) that satisfy all conditions but those on paths and gain more than
// `at_least`, in no particular order.
class Finder {
  public:
    Finder(const Pdag& graph, Scorer& scorer, double at_least, std::vector<ScoredGesMove>& out)
        : g_(graph), scorer_(scorer), at_least_(at_least), out_(out) {}

    // Pairs in `ruled_out` (never adjacent, or never parted) are left alone.
    void insertions(Node y, BitsRef ruled_out) {
        NodeList open;
        std::vector<NodeSet> na;
        for (std::size_t i = 0; i < g_.size(); ++i) {
            const auto x = static_cast<Node>(i);
            if (x == y || g_.is_adjacent(x, y) || test_bit(ruled_out, x)) continue;
            open.push_back(x);
            na.push_back(meet(g_.neighbours(y), g_.adjacent(x)));
        }
        const std::size_t n_parents = count(g_.parents(y));
        if (n_parents >= scorer_.max_parents()) return;
        // NA + T is any clique of neighbours: for each one sweep over every X whose NA it holds.
        const std::size_t largest = scorer_.max_parents() - n_parents - 1;
        const NodeSet neighbours = copy_of(g_.neighbours(y));
        for_each_clique(g_, NodeSet(g_.size()), neighbours, largest, [&](const NodeSet& clique) {
            std::vector<std::size_t> chosen;
            NodeList candidates;
            for (std::size_t i = 0; i < open.size(); ++i) {
                if (!is_subset(na[i], clique)) continue;
                chosen.push_back(i);
                candidates.push_back(open[i]);
            }
            if (candidates.empty()) return;
            const NodeList base = list_of(join(clique, g_.parents(y)));
            const double before = scorer_.family(y, base);
            std::vector<double> after(candidates.size());
            scorer_.extensions(y, base, candidates, after);
            for (std::size_t i = 0; i < candidates.size(); ++i) {
                if (after[i] - before > at_least_) {
                    add(GesKind::insert,
                        candidates[i],
                        y,
                        without(clique, na[chosen[i]]),
                        after[i] - before);
                }
            }
        });
    }

    void deletions(Node y, BitsRef ruled_out) {
        for_each_bit(without(join(g_.parents(y), g_.neighbours(y)), ruled_out), [&](Node x) {
            const NodeSet na = meet(g_.neighbours(y), g_.adjacent(x));
            for_each_clique(g_, NodeSet(g_.size()), na, g_.size(), [&](const NodeSet& kept) {
                NodeSet family = join(kept, g_.parents(y));
                family.insert(x);
                // Beyond the limit only in a start graph that is beyond it: no member to leave.
                const double before = scorer_.family(y, list_of(family));
                family.erase(x);
                const double gain = scorer_.family(y, list_of(family)) - before;
                if (gain > at_least_) add(GesKind::remove, x, y, without(na, kept), gain);
            });
        });
    }

    void turns(Node y) {
        const std::size_t n_parents = count(g_.parents(y));
        if (n_parents >= scorer_.max_parents()) return;
        const std::size_t largest = scorer_.max_parents() - n_parents - 1;
        for_each_bit(g_.children(y), [&](Node x) {
            const NodeSet na = meet(g_.neighbours(y), g_.adjacent(x));
            if (!g_.is_clique(na)) return;
            NodeSet of_x = copy_of(g_.parents(x));
            const double before_x = scorer_.family(x, list_of(of_x));
            of_x.erase(y);
            const double gain_x = scorer_.family(x, list_of(of_x)) - before_x;
            const NodeSet open = without(g_.neighbours(y), na);
            for_each_clique(g_, na, open, largest, [&](const NodeSet& c) {
                const double gain = gain_x + added_gain(y, c, x);
                if (gain > at_least_) add(GesKind::turn, x, y, c, gain);
            });
        });
        for_each_bit(g_.neighbours(y), [&](Node x) {
            const NodeSet na = meet(g_.neighbours(y), g_.adjacent(x));
            NodeSet open = copy_of(g_.neighbours(y));
            open.erase(x);
            for_each_clique(g_, NodeSet(g_.size()), open, largest, [&](const NodeSet& c) {
                if (is_subset(c, na) || !separates(y, c, na)) return;
                NodeSet of_x = join(meet(c, na), g_.parents(x));
                const double after_x = scorer_.family(x, list_of(of_x));
                of_x.insert(y);
                const double gain =
                    after_x - scorer_.family(x, list_of(of_x)) + added_gain(y, c, x);
                if (gain > at_least_) add(GesKind::turn, x, y, c, gain);
            });
        });
    }

  private:
    void add(GesKind kind, Node x, Node y, const NodeSet& set, double gain) {
        out_.push_back({{kind, x, y, list_of(set)}, gain});
    }

    // s(Y, Pi_Y+C+X) - s(Y, Pi_Y+C).
    double added_gain(Node y, const NodeSet& c, Node x) {
        NodeSet family = join(c, g_.parents(y));
        const double before = scorer_.family(y, list_of(family));
        family.insert(x);
        return scorer_.family(y, list_of(family)) - before;
    }

    // C & NA separates C - NA from NA - C among the neighbours of y.
    bool separates(Node y, const NodeSet& c, const NodeSet& na) const {
        const NodeSet targets = without(na, c);
        NodeSet reached = without(c, na);
        NodeSet room = without(g_.neighbours(y), meet(c, na));
        NodeList queue = list_of(reached);
        while (!queue.empty()) {
            const Node v = queue.back();
            queue.pop_back();
            const NodeSet next = without(meet(g_.neighbours(v), room), reached);
            if (intersects(next, targets)) return false;
            for_each_bit(next, [&](Node u) { queue.push_back(u); });
            unite(reached, next);
        }
        return true;
    }

    const Pdag& g_;
    Scorer& scorer_;
    double at_least_;
    std::vector<ScoredGesMove>& out_;
};

// The condition on semi-directed paths from y to x.
bool paths_allow(const Pdag& g, const GesMove& move, PathSearch& paths) {
    const auto& [kind, x, y, set] = move;
    if (kind == GesKind::remove || g.has_undirected(x, y)) return true;
    NodeSet blocked = set_of(set, g.size());
    unite(
        blocked,
        kind == GesKind::insert ? meet(g.neighbours(y), g.adjacent(x)) : copy_of(g.neighbours(x)));
    return !paths.semi_directed(g, y, x, blocked);
}

// The parents of Y without X that a member must have for the move to be an arc's: what tells
// whether (X, Y, set) and (Y, X, set') lead to the same class.
NodeList family_of(const Pdag& g, const GesMove& move) {
    const auto& [kind, x, y, set] = move;
    const NodeSet na = meet(g.neighbours(y), g.adjacent(x));
    const NodeSet chosen = set_of(set, g.size());
    NodeSet family = kind == GesKind::insert ? join(na, chosen) : without(na, chosen);
    unite(family, g.parents(y));
    family.erase(x);
    return list_of(family);
}

}  // namespace

void apply(Pdag& g, const GesMove& move) {
    const auto& [kind, x, y, set] = move;
    switch (kind) {
        case GesKind::insert:
            g.add_directed(x, y);
            for (Node t : set) g.orient(t, y);
            break;
        case GesKind::remove:
            g.remove_edge(x, y);
            for (Node h : set) {
                g.orient(y, h);
                if (g.has_undirected(x, h)) g.orient(x, h);
            }
            break;
        case GesKind::turn:
            g.remove_edge(x, y);
            g.add_directed(x, y);
            for (Node c : set) g.orient(c, y);
            break;
    }
    g.complete();
}

std::vector<ScoredGesMove> valid_ges_moves(const Pdag& cpdag, GesKinds kinds, Scorer& scorer) {
    std::vector<ScoredGesMove> moves;
    Finder finder(cpdag, scorer, anything, moves);
    const NodeSet nobody(cpdag.size());
    for (std::size_t i = 0; i < cpdag.size(); ++i) {
        const auto y = static_cast<Node>(i);
        if (contains(kinds, GesKind::insert)) finder.insertions(y, nobody);
        if (contains(kinds, GesKind::remove)) finder.deletions(y, nobody);
        if (contains(kinds, GesKind::turn)) finder.turns(y);
    }
    PathSearch paths(cpdag.size());
    std::erase_if(moves, [&](const ScoredGesMove& scored) {
        return !paths_allow(cpdag, scored.move, paths);
    });
    std::sort(moves.begin(), moves.end(), [](const ScoredGesMove& a, const ScoredGesMove& b) {
        return a.move < b.move;
    });
    return moves;
}

GesMoves::GesMoves(std::shared_ptr<Scorer> scorer,
                   std::shared_ptr<const ArcRules> rules,
                   const Pdag& cpdag)
    : scorer_(std::move(scorer)),
      rules_(std::move(rules)),
      graph_(cpdag),
      paths_(cpdag.size()),
      tables_(n_ges_kinds * cpdag.size()) {}

bool GesMoves::refresh(GesKinds kinds, Stop& stop) {
    for (GesKind kind : {GesKind::insert, GesKind::remove, GesKind::turn}) {
        if (!contains(kinds, kind)) continue;
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const auto y = static_cast<Node>(i);
            Table& of_y = table(kind, y);
            if (!of_y.stale) continue;
            if (stop.requested()) return false;
            of_y.moves.clear();
            Finder finder(graph_, *scorer_, score_tolerance, of_y.moves);
            if (kind == GesKind::insert) {
                finder.insertions(y, rules_->never_adjacent(y));
            } else if (kind == GesKind::remove) {
                NodeSet kept = copy_of(rules_->required_parents(y));
                for_each_bit(graph_.neighbours(y), [&](Node x) {
                    if (rules_->requires_arc(y, x)) kept.insert(x);
                });
                finder.deletions(y, kept);
            } else {
                finder.turns(y);
            }
            std::sort(of_y.moves.begin(), of_y.moves.end(), [](const auto& a, const auto& b) {
                return std::tie(b.gain, a.move) < std::tie(a.gain, b.move);
            });
            of_y.stale = false;
        }
    }
    return true;
}

bool GesMoves::is_allowed(const GesMove& move) {
    if (!paths_allow(graph_, move, paths_)) return false;
    if (rules_->is_free()) return true;
    Pdag next = graph_;
    stigmergy::apply(next, move);
    return obeying_member(next, *rules_).has_value();
}

std::optional<ScoredGesMove> GesMoves::best(GesKinds kinds, Stop& stop) {
    if (!refresh(kinds, stop)) return std::nullopt;
    // The heads of all tables; the greatest gain on top.
    using Place = std::pair<const ScoredGesMove*, const ScoredGesMove*>;  // next, end
    auto worse = [](const Place& a, const Place& b) { return a.first->gain < b.first->gain; };
    std::priority_queue<Place, std::vector<Place>, decltype(worse)> heads(worse);
    for (GesKind kind : {GesKind::insert, GesKind::remove, GesKind::turn}) {
        if (!contains(kinds, kind)) continue;
        for (std::size_t y = 0; y < graph_.size(); ++y) {
            const auto& moves = table(kind, static_cast<Node>(y)).moves;
            if (!moves.empty()) heads.emplace(moves.data(), moves.data() + moves.size());
        }
    }
    const ScoredGesMove* found = nullptr;
    double enough = anything;
    while (!heads.empty()) {
        auto [scored, end] = heads.top();
        heads.pop();
        if (scored->gain < enough) break;
        if ((found == nullptr || scored->move < found->move) && is_allowed(scored->move)) {
            if (found == nullptr) enough = scored->gain * (1.0 - 1e-9);
            found = scored;
        }
        if (++scored != end) heads.emplace(scored, end);
        if (stop.requested()) return std::nullopt;
    }
    if (found == nullptr) return std::nullopt;
    return *found;
}

std::vector<ScoredGesMove> GesMoves::improving(GesKinds kinds, Stop& stop) {
    std::vector<ScoredGesMove> moves;
    if (!refresh(kinds, stop)) return moves;
    for (GesKind kind : {GesKind::insert, GesKind::remove, GesKind::turn}) {
        if (!contains(kinds, kind)) continue;
        for (std::size_t y = 0; y < graph_.size(); ++y) {
            const auto& of_y = table(kind, static_cast<Node>(y)).moves;
            moves.insert(moves.end(), of_y.begin(), of_y.end());
        }
    }
    std::sort(moves.begin(), moves.end(), [](const ScoredGesMove& a, const ScoredGesMove& b) {
        return a.move < b.move;
    });
    std::set<std::tuple<GesKind, Node, Node, NodeList>> seen;
    std::erase_if(moves, [&](const ScoredGesMove& scored) {
        const GesMove& move = scored.move;
        if (!stop.requested() && is_allowed(move)) {
            if (move.kind == GesKind::turn) return false;
            return !seen.emplace(move.kind,
                                 std::min(move.x, move.y),
                                 std::max(move.x, move.y),
                                 family_of(graph_, move))
                        .second;
        }
        return true;
    });
    return moves;
}

void GesMoves::apply(const GesMove& move) {
    const Pdag before = graph_;
    stigmergy::apply(graph_, move);
    NodeSet changed(graph_.size()), pair(graph_.size());
    for (std::size_t v = 0; v < graph_.size(); ++v) {
        const auto node = static_cast<Node>(v);
        if (!equal(before.parents(node), graph_.parents(node)) ||
            !equal(before.neighbours(node), graph_.neighbours(node))) {
            changed.insert(node);
        }
    }
    // An arc between them more or less changes neither the parents nor the neighbours of its tail.
    for (Node v : {move.x, move.y}) {
        changed.insert(v);
        if (move.kind != GesKind::turn) pair.insert(v);
    }
    for (std::size_t v = 0; v < graph_.size(); ++v) {
        const auto y = static_cast<Node>(v);
        // Cliques among, and adjacency to, the neighbours of y change with the pair.
        if (changed.contains(y) || intersects(graph_.neighbours(y), pair)) {
            table(GesKind::insert, y).stale = table(GesKind::remove, y).stale = true;
        }
        // A turn also moves the family of X and looks at edges among the neighbours.
        if (changed.contains(y) || intersects(graph_.neighbours(y), changed) ||
            intersects(graph_.children(y), changed)) {
            table(GesKind::turn, y).stale = true;
        }
    }
}

}  // namespace stigmergy
