// SPDX-License-Identifier: MIT
#include "stigmergy/equivalence_operators.hpp"

#include <limits>
#include <stdexcept>

namespace stigmergy {

bool PathSearch::undirected(const Pdag& graph, Node x, Node y, BitsRef blocked) {
    const std::size_t words = blocked.size();
    seen_.clear();
    seen_.insert(x);
    queue_.assign(1, x);
    while (!queue_.empty()) {
        Node v = queue_.back();
        queue_.pop_back();
        BitsRef next = graph.neighbours(v);
        if (test_bit(next, y)) return true;
        for (std::size_t w = 0; w < words; ++w) {
            Word fresh = next[w] & ~blocked[w] & ~seen_.word(w);
            seen_.word(w) |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                queue_.push_back(static_cast<Node>(
                    w * word_bits + static_cast<std::size_t>(std::countr_zero(fresh))));
            }
        }
    }
    return false;
}

bool PathSearch::semi_directed(const Pdag& graph, Node x, Node y, BitsRef blocked) {
    const std::size_t words = blocked.size();
    seen_.clear();
    seen_.insert(x);
    queue_.assign(1, x);
    while (!queue_.empty()) {
        Node v = queue_.back();
        queue_.pop_back();
        BitsRef along = graph.neighbours(v), out = graph.children(v);
        for (std::size_t w = 0; w < words; ++w) {
            Word next = along[w] | out[w];
            if (v == x && w == y / word_bits) next &= ~(Word{1} << (y % word_bits));
            if (w == y / word_bits && ((next >> (y % word_bits)) & 1)) return true;
            Word fresh = next & ~blocked[w] & ~seen_.word(w);
            seen_.word(w) |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                queue_.push_back(static_cast<Node>(
                    w * word_bits + static_cast<std::size_t>(std::countr_zero(fresh))));
            }
        }
    }
    return false;
}

namespace {

NodeSet meet(BitsRef a, BitsRef b) {
    NodeSet result(a.size() * word_bits);
    for (std::size_t w = 0; w < a.size(); ++w) result.word(w) = a[w] & b[w];
    return result;
}

}  // namespace

// The numbers are those of Table 2; the cheaper tests come first.
bool is_valid(const Pdag& g, const Move& move, PathSearch& paths) {
    const auto [op, x, y, z] = move;
    switch (op) {
        case Operator::insert_u: {
            if (x == y || g.is_adjacent(x, y)) return false;
            NodeSet n_xy = meet(g.neighbours(x), g.neighbours(y));
            return equal(g.parents(x), g.parents(y))     // 2
                   && !paths.undirected(g, x, y, n_xy);  // 1
        }
        case Operator::delete_u:
            return g.has_undirected(x, y) && g.is_clique(meet(g.neighbours(x), g.neighbours(y)));
        case Operator::insert_d: {
            if (x == y || g.is_adjacent(x, y)) return false;
            NodeSet omega = meet(g.parents(x), g.neighbours(y));
            return !equal(g.parents(x), g.parents(y))        // 3
                   && g.is_clique(omega)                     // 2
                   && !paths.semi_directed(g, y, x, omega);  // 1
        }
        case Operator::delete_d:
            return g.has_directed(x, y) && g.is_clique(g.neighbours(y));
        case Operator::reverse_d: {
            if (!g.has_directed(x, y)) return false;
            const NodeSet omega = meet(g.parents(y), g.neighbours(x));
            NodeSet blocked = omega;
            unite(blocked, g.neighbours(y));
            return g.is_clique(omega)                          // 2
                   && !paths.semi_directed(g, x, y, blocked);  // 1
        }
        case Operator::make_v: {
            if (x == y || g.is_adjacent(x, y)) return false;
            if (!g.has_undirected(x, z) || !g.has_undirected(y, z)) return false;
            return !paths.undirected(g, x, y, meet(g.neighbours(x), g.neighbours(y)));
        }
    }
    throw std::invalid_argument("unknown operator");
}

namespace {

// Families are asked for as s(child, part_1 + part_2 + extra - without).
class FamilyTerms {
  public:
    FamilyTerms(Scorer& scorer, NodeList& scratch) : scorer_(scorer), list_(scratch) {}

    [[nodiscard]] double plus(Node child, BitsRef set, Node extra) {
        collect(set, extra);
        if (list_.size() > scorer_.max_parents()) return -std::numeric_limits<double>::infinity();
        return scorer_.family(child, list_);
    }
    [[nodiscard]] double minus(Node child, BitsRef set) {
        collect(set, no_node);
        return -scorer_.family(child, list_);
    }

  private:
    void collect(BitsRef set, Node extra) {
        list_.clear();
        for_each_bit(set, [&](Node v) {
            if (extra < v) {
                list_.push_back(extra);
                extra = no_node;
            }
            list_.push_back(v);
        });
        if (extra != no_node) list_.push_back(extra);
    }

    Scorer& scorer_;
    NodeList& list_;
};

}  // namespace

double gain(const Pdag& g, const Move& move, Scorer& scorer, NodeList& scratch) {
    const auto [op, x, y, z] = move;
    FamilyTerms s(scorer, scratch);
    constexpr double outside = -std::numeric_limits<double>::infinity();
    switch (op) {
        case Operator::insert_u: {
            NodeSet base = meet(g.neighbours(x), g.neighbours(y));
            unite(base, g.parents(y));
            const double gained = s.plus(y, base, x);
            return gained == outside ? outside : gained + s.minus(y, base);
        }
        case Operator::delete_u: {
            NodeSet base = meet(g.neighbours(x), g.neighbours(y));
            unite(base, g.parents(y));
            const double kept = s.plus(y, base, no_node);
            base.insert(x);
            return kept + s.minus(y, base);
        }
        case Operator::insert_d: {
            NodeSet base = meet(g.parents(x), g.neighbours(y));
            unite(base, g.parents(y));
            const double gained = s.plus(y, base, x);
            return gained == outside ? outside : gained + s.minus(y, base);
        }
        case Operator::delete_d: {
            NodeSet base = meet(g.neighbours(y), g.neighbours(y));
            unite(base, g.parents(y));
            const double lost = s.minus(y, base);
            base.erase(x);
            return s.plus(y, base, no_node) + lost;
        }
        case Operator::reverse_d: {
            NodeSet base_x = meet(g.parents(y), g.neighbours(x));
            unite(base_x, g.parents(x));
            const double gained = s.plus(x, base_x, y);
            if (gained == outside) return outside;
            NodeSet base_y = meet(g.parents(y), g.parents(y));
            const double lost = s.minus(y, base_y);
            base_y.erase(x);
            return s.plus(y, base_y, no_node) + gained + lost + s.minus(x, base_x);
        }
        case Operator::make_v: {
            const NodeSet n_xy = meet(g.neighbours(x), g.neighbours(y));
            NodeSet base_z = n_xy;
            base_z.erase(z);
            base_z.insert(x);
            unite(base_z, g.parents(z));
            const double gained = s.plus(z, base_z, y);
            if (gained == outside) return outside;
            NodeSet base_y = n_xy;
            unite(base_y, g.parents(y));
            const double lost = s.minus(y, base_y);
            base_y.erase(z);
            return gained + s.plus(y, base_y, no_node) + s.minus(z, base_z) + lost;
        }
    }
    throw std::invalid_argument("unknown operator");
}

void apply(Pdag& g, const Move& move) {
    const auto [op, x, y, z] = move;
    switch (op) {
        case Operator::insert_u:
            g.add_undirected(x, y);
            break;
        case Operator::insert_d:
            g.add_directed(x, y);
            break;
        case Operator::delete_u:
        case Operator::delete_d:
            g.remove_edge(x, y);
            break;
        case Operator::reverse_d:
            g.remove_edge(x, y);
            g.add_directed(y, x);
            break;
        case Operator::make_v:
            g.orient(x, z);
            g.orient(y, z);
            break;
    }
    g.complete();
}

std::vector<ScoredMove> valid_moves(const Pdag& g, OperatorSet operators, Scorer& scorer) {
    PathSearch paths(g.size());
    NodeList scratch;
    std::vector<ScoredMove> moves;
    auto consider = [&](Move move) {
        if (!is_valid(g, move, paths)) return;
        const double value = gain(g, move, scorer, scratch);
        if (value > -std::numeric_limits<double>::infinity()) moves.push_back({move, value});
    };
    const auto n = static_cast<Node>(g.size());
    for (Operator op : {Operator::insert_u,
                        Operator::delete_u,
                        Operator::insert_d,
                        Operator::delete_d,
                        Operator::reverse_d,
                        Operator::make_v}) {
        if (!contains(operators, op)) continue;
        const bool symmetric =
            op == Operator::insert_u || op == Operator::delete_u || op == Operator::make_v;
        for (Node x = 0; x < n; ++x) {
            for (Node y = symmetric ? static_cast<Node>(x + 1) : Node{0}; y < n; ++y) {
                if (op == Operator::make_v) {
                    NodeSet between = meet(g.neighbours(x), g.neighbours(y));
                    for_each_bit(between, [&](Node z) { consider({op, x, y, z}); });
                } else {
                    consider({op, x, y});
                }
            }
        }
    }
    return moves;
}

double score_of_class(const Pdag& cpdag, Scorer& scorer) {
    auto dag = cpdag.consistent_extension();
    if (!dag) throw std::invalid_argument("the graph has no consistent extension");
    double total = 0.0;
    for (std::size_t v = 0; v < dag->size(); ++v) {
        total += scorer.family(static_cast<Node>(v), dag->parent_list(static_cast<Node>(v)));
    }
    return total;
}

}  // namespace stigmergy
