// SPDX-License-Identifier: MIT
#include "stigmergy/equivalence_moves.hpp"

#include <algorithm>

namespace stigmergy {

namespace {

constexpr double tie = 1e-9;  // relative: distinct moves into one class tie up to rounding

Word bit_of(std::size_t v, std::size_t w) {
    return v / word_bits == w ? Word{1} << (v % word_bits) : Word{0};
}

// The nodes below y, in word w.
Word below(Node y, std::size_t w) {
    const std::size_t first = w * word_bits;
    if (y <= first) return 0;
    return y - first >= word_bits ? ~Word{0} : (Word{1} << (y - first)) - 1;
}

Word valid_bits(std::size_t n, std::size_t w) { return below(static_cast<Node>(n), w); }

}  // namespace

EquivalenceMoves::EquivalenceMoves(Scorer& scorer, GainRows& rows, const MoveRules& rules)
    : scorer_(scorer),
      rows_(rows),
      rules_(rules),
      n_(scorer.n_nodes()),
      words_(words_for(n_)),
      targets_(n_),
      component_(n_),
      members_(n_, NodeSet(n_)),
      reach_(n_),
      same_parents_(n_),
      open_u_(n_),
      open_d_(n_),
      dirty_(n_),
      scratch_(n_),
      exits_(n_),
      paths_(n_) {}

void EquivalenceMoves::reset(const Pdag& graph, const Pheromone* pheromone) {
    graph_ = graph;
    pheromone_ = pheromone;
    has_next_ = false;
    components_changed_ = true;
    specials_.clear();
    for (Target& target : targets_) target.row = nullptr;
    NodeSet all(n_);
    for (std::size_t v = 0; v < n_; ++v) all.insert(static_cast<Node>(v));
    changed(all);
}

// Brings everything up to date after the parents or neighbours of `nodes` have changed.
void EquivalenceMoves::changed(const NodeSet& nodes) {
    for_each_bit(nodes, [&](Node y) {
        Target& target = targets_[y];
        NodeList parents = uses_fixed_gains() ? NodeList{} : graph_.parent_list(y);
        if (target.row == nullptr || target.parents != parents) {
            target.parents = std::move(parents);
            target.row = &rows_.row(y, target.parents);
            target.new_row = true;
        }
        target.n_parents = count(graph_.parents(y));
        target.stale = true;
    });
    find_same_parents(nodes);
    if (components_changed_) find_components();
    find_reach();
    find_targets();
    refresh_targets();
    refresh_specials(nodes);
}

void EquivalenceMoves::find_same_parents(const NodeSet& nodes) {
    for_each_bit(nodes, [&](Node v) {
        BitsRef parents = graph_.parents(v);
        for (std::size_t u = 0; u < n_; ++u) {
            if (equal(parents, graph_.parents(static_cast<Node>(u)))) {
                same_parents_.set(v, u);
                same_parents_.set(u, v);
            } else {
                same_parents_.clear(v, u);
                same_parents_.clear(u, v);
            }
        }
    });
}

void EquivalenceMoves::find_components() {
    n_components_ = 0;
    std::fill(component_.begin(), component_.end(), no_node);
    for (std::size_t v = 0; v < n_; ++v) {
        if (component_[v] != no_node) continue;
        const auto c = static_cast<Node>(n_components_++);
        NodeSet& members = members_[c];
        members.clear();
        stack_.assign(1, static_cast<Node>(v));
        component_[v] = c;
        while (!stack_.empty()) {
            const Node u = stack_.back();
            stack_.pop_back();
            members.insert(u);
            for_each_bit(graph_.neighbours(u), [&](Node next) {
                if (component_[next] != no_node) return;
                component_[next] = c;
                stack_.push_back(next);
            });
        }
    }
}

// Chain components in an order in which arcs lead to components already done: one pass of ORs.
void EquivalenceMoves::find_reach() {
    stack_.clear();
    for (std::size_t c = 0; c < n_components_; ++c) exits_[c] = 0;
    for (std::size_t v = 0; v < n_; ++v) {
        for_each_bit(graph_.children(static_cast<Node>(v)), [&](Node) { ++exits_[component_[v]]; });
    }
    for (std::size_t c = 0; c < n_components_; ++c) {
        if (exits_[c] == 0) stack_.push_back(static_cast<Node>(c));
    }
    while (!stack_.empty()) {
        const Node c = stack_.back();
        stack_.pop_back();
        BitsMut reached = reach_.row(c);
        BitsRef members = members_[c];
        std::copy(members.begin(), members.end(), reached.begin());
        for_each_bit(members, [&](Node v) {
            for_each_bit(graph_.children(v), [&](Node child) {
                if (!test_bit(reached, child)) unite(reached, reach_.row(component_[child]));
            });
            for_each_bit(graph_.parents(v), [&](Node parent) {
                if (--exits_[component_[parent]] == 0) stack_.push_back(component_[parent]);
            });
        });
    }
}

// Which plain insertions are valid, target by target.
void EquivalenceMoves::find_targets() {
    int rescored = 0;
    for (std::size_t i = 0; i < n_; ++i) {
        const auto y = static_cast<Node>(i);
        Target& target = targets_[i];
        const bool within_limit = target.n_parents < scorer_.max_parents();
        const bool may_u = within_limit && contains(rules_.operators, Operator::insert_u);
        const bool may_d = within_limit && contains(rules_.operators, Operator::insert_d);
        BitsRef adjacent = graph_.adjacent(y), same = same_parents_.row(i);
        BitsRef reached = reach_.row(component_[i]), together = members_[component_[i]];
        BitsMut open_u = open_u_.row(i), open_d = open_d_.row(i);
        for (std::size_t w = 0; w < words_; ++w) {
            Word free = valid_bits(n_, w) & ~adjacent[w] & ~bit_of(y, w);
            if (rules_.arcs != nullptr) free &= ~rules_.arcs->never_adjacent(y)[w];
            const Word u = may_u ? free & same[w] & ~together[w] & below(y, w) : 0;
            const Word d = may_d ? free & ~same[w] & ~reached[w] : 0;
            // Moves that were possible before with the same row keep their gains.
            const Word kept = target.new_row ? 0 : ~Word{0};
            const Word new_u = u & ~(open_u[w] & kept), new_d = d & ~(open_d[w] & kept);
            if ((new_u | new_d) != 0) rescored += std::popcount(new_u) + std::popcount(new_d);
            if (u != open_u[w] || d != open_d[w]) {
                open_u[w] = u;
                open_d[w] = d;
                target.stale = true;
            }
        }
        target.new_row = false;
    }
    work_.rescored += static_cast<std::uint64_t>(rescored);
    // Two families a move: counted here and not where rows are filled, since whether a row is there
    // already depends on the other ants.
    scorer_.count_requests(2 * static_cast<std::uint64_t>(rescored));
}

void EquivalenceMoves::refresh_targets() {
    for (std::size_t y = 0; y < n_; ++y) {
        if (targets_[y].stale) renew(static_cast<Node>(y));
    }
}

void EquivalenceMoves::renew(Node y) {
    Target& target = targets_[y];
    target.stale = false;
    for (BitRows* rows : {&open_u_, &open_d_}) {
        rows_.ensure(*target.row, y, target.parents, rows->row(y));
    }
    target.insert_u = sum(y, Operator::insert_u);
    target.insert_d = sum(y, Operator::insert_d);
}

template <typename Visit>
void EquivalenceMoves::for_each_open(Operator op, Node y, Visit&& visit) const {
    const GainRow& row = *targets_[y].row;
    BitsRef open = (op == Operator::insert_u ? open_u_ : open_d_).row(y);
    for (std::size_t w = 0; w < words_; ++w) {
        for (Word rest = open[w] & row.positive(w); rest != 0; rest &= rest - 1) {
            const auto x =
                static_cast<Node>(w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
            if (visit(x, plain_weight(op, x, y))) return;
        }
    }
}

EquivalenceMoves::Sums EquivalenceMoves::sum(Node y, Operator op) const {
    Sums sums;
    for_each_open(op, y, [&](Node, double value) {
        sums.total += value;
        sums.greatest = std::max(sums.greatest, value);
        return false;
    });
    return sums;
}

double EquivalenceMoves::weight(const Move& move, double gain, double attraction) const {
    return greedy() ? gain : (*pheromone_)[move.key()] * attraction;
}

double EquivalenceMoves::plain_weight(Operator op, Node x, Node y) const {
    const GainRow& row = *targets_[y].row;
    return weight({op, x, y}, row.gain(x), row.attraction(x));
}

double EquivalenceMoves::special_weight(const Special& special) const {
    if (special.rejected) return 0.0;
    return weight(special.move, special.gain, special.attraction);
}

void EquivalenceMoves::refresh_specials(const NodeSet& nodes) {
    std::erase_if(specials_, [&](const Special& special) {
        return nodes.contains(special.move.x) || nodes.contains(special.move.y);
    });
    for (Special& special : specials_) special.rejected = false;
    for_each_bit(nodes, [&](Node a) {
        // Partners of a in any special move: adjacent, or with a common neighbour, or Omega not
        // empty.
        BitsMut partners = scratch_;
        BitsRef adjacent = graph_.adjacent(a);
        std::copy(adjacent.begin(), adjacent.end(), partners.begin());
        for_each_bit(graph_.neighbours(a), [&](Node z) {
            unite(partners, graph_.neighbours(z));
            unite(partners, graph_.children(z));
        });
        for_each_bit(graph_.parents(a), [&](Node z) { unite(partners, graph_.neighbours(z)); });
        clear_bit(partners, a);
        for_each_bit(partners, [&](Node b) {
            if (b < a && nodes.contains(b)) return;  // met from the other side
            add_specials(std::min(a, b), std::max(a, b));
        });
    });
    std::sort(specials_.begin(), specials_.end(), [](const Special& l, const Special& r) {
        return l.move < r.move;
    });
}

// The special moves between a < b.
void EquivalenceMoves::add_specials(Node a, Node b) {
    if (graph_.has_undirected(a, b)) {
        add_special({Operator::delete_u, a, b});
    } else if (graph_.is_adjacent(a, b)) {
        const Node x = graph_.has_directed(a, b) ? a : b;
        const Node y = x == a ? b : a;
        add_special({Operator::delete_d, x, y});
        add_special({Operator::reverse_d, x, y});
    } else {
        const bool same = same_parents_.test(a, b);
        if (same) {
            if (!intersects(graph_.neighbours(a), graph_.neighbours(b))) return;
            add_special({Operator::insert_u, a, b});
            BitsRef around_a = graph_.neighbours(a), around_b = graph_.neighbours(b);
            for (std::size_t w = 0; w < words_; ++w) {
                for (Word rest = around_a[w] & around_b[w]; rest != 0; rest &= rest - 1) {
                    const auto z = static_cast<Node>(
                        w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
                    add_special({Operator::make_v, a, b, z});
                }
            }
        } else {
            if (intersects(graph_.parents(a), graph_.neighbours(b))) {
                add_special({Operator::insert_d, a, b});
            }
            if (intersects(graph_.parents(b), graph_.neighbours(a))) {
                add_special({Operator::insert_d, b, a});
            }
        }
    }
}

void EquivalenceMoves::add_special(const Move& move) {
    if (!contains(rules_.operators, move.op)) return;
    double gained;
    double liking;
    if (uses_fixed_gains()) {
        if (move.op != Operator::insert_u && move.op != Operator::insert_d) return;
        NodeSet only_x(n_);
        only_x.insert(move.x);
        GainRow& row = *targets_[move.y].row;
        rows_.ensure(row, move.y, {}, only_x);
        gained = row.gain(move.x);
        liking = row.attraction(move.x);
    } else {
        ++work_.rescored;
        gained = gain(graph_, move, scorer_, family_);
        liking = attraction(gained, rules_.beta);
    }
    if (gained > gain_tolerance) specials_.push_back({move, gained, liking, false});
}

// The gain of a move about to be taken, or nothing if it may not be.
std::optional<double> EquivalenceMoves::accept(const Move& move, bool plain, double gained) {
    if (!plain) {
        ++work_.validity_tests;
        if (!is_valid(graph_, move, paths_)) return std::nullopt;
    }
    if (uses_fixed_gains()) {
        gained = gain(graph_, move, scorer_, family_);
        if (!(gained > gain_tolerance)) return std::nullopt;
    }
    next_ = graph_;
    stigmergy::apply(next_, move);
    if (rules_.arcs != nullptr && !obeying_member(next_, *rules_.arcs)) return std::nullopt;
    next_move_ = move;
    has_next_ = true;
    return gained;
}

// Takes the move out of the present state; the next state decides anew.
void EquivalenceMoves::reject(const Move& move, bool plain) {
    if (plain) {
        (move.op == Operator::insert_u ? open_u_ : open_d_).clear(move.y, move.x);
        renew(move.y);
        return;
    }
    for (Special& special : specials_) {
        if (special.move == move) special.rejected = true;
    }
}

std::optional<ScoredMove> EquivalenceMoves::best() {
    while (true) {
        double greatest = 0.0;
        for (const Target& target : targets_) {
            greatest = std::max({greatest, target.insert_u.greatest, target.insert_d.greatest});
        }
        for (const Special& special : specials_) {
            greatest = std::max(greatest, special_weight(special));
        }
        if (!(greatest > 0.0)) return std::nullopt;

        const double enough = greatest * (1.0 - tie);
        std::optional<ScoredMove> first;
        bool plain = false;
        auto consider = [&](const Move& move, double gained, bool is_plain) {
            if (first && first->move < move) return;
            first = {move, gained};
            plain = is_plain;
        };
        for (std::size_t i = 0; i < n_; ++i) {
            const auto y = static_cast<Node>(i);
            const Target& target = targets_[i];
            for (Operator op : {Operator::insert_u, Operator::insert_d}) {
                const Sums& sums = op == Operator::insert_u ? target.insert_u : target.insert_d;
                if (sums.greatest < enough) continue;
                for_each_open(op, y, [&](Node x, double value) {
                    if (value >= enough) consider({op, x, y}, target.row->gain(x), true);
                    return false;
                });
            }
        }
        for (const Special& special : specials_) {
            if (special_weight(special) >= enough) consider(special.move, special.gain, false);
        }
        // There is one: the sum of the weights that the lot fell in is not 0.
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
        if (auto gained = accept(first->move, plain, first->gain)) {
            return ScoredMove{first->move, *gained};
        }
        reject(first->move, plain);
    }
}

std::optional<ScoredMove> EquivalenceMoves::draw(Random& random) {
    while (true) {
        double total = 0.0;
        for (const Target& target : targets_)
            total += target.insert_u.total + target.insert_d.total;
        for (const Special& special : specials_) total += special_weight(special);
        if (!(total > 0.0)) return std::nullopt;

        // The written order of the draw: targets by number, InsertU before InsertD, then the rest
        // in the order of moves. The last move with a weight takes what rounding leaves over.
        double rest = random.uniform() * total;
        std::optional<ScoredMove> chosen;
        bool plain = false;
        for (std::size_t i = 0; i < n_ && !(chosen && rest < 0.0); ++i) {
            const auto y = static_cast<Node>(i);
            const Target& target = targets_[i];
            for (Operator op : {Operator::insert_u, Operator::insert_d}) {
                const Sums& sums = op == Operator::insert_u ? target.insert_u : target.insert_d;
                if (rest < 0.0 || !(sums.total > 0.0)) continue;
                if (rest >= sums.total) {
                    rest -= sums.total;
                    continue;
                }
                for_each_open(op, y, [&](Node x, double value) {
                    chosen = {{op, x, y}, target.row->gain(x)};
                    plain = true;
                    rest -= value;
                    return rest < 0.0;
                });
                rest = -1.0;
            }
        }
        for (const Special& special : specials_) {
            if (chosen && rest < 0.0) break;
            const double value = special_weight(special);
            if (!(value > 0.0)) continue;
            chosen = {special.move, special.gain};
            plain = false;
            rest -= value;
        }
        if (!chosen) {
            // Rounding has passed every move: the last plain one with a weight.
            for (std::size_t i = 0; i < n_; ++i) {
                const auto y = static_cast<Node>(i);
                for (Operator op : {Operator::insert_u, Operator::insert_d}) {
                    for_each_open(op, y, [&](Node x, double) {
                        chosen = {{op, x, y}, targets_[i].row->gain(x)};
                        plain = true;
                        return false;
                    });
                }
            }
        }
        // There is one: the sum of the weights that the lot fell in is not 0.
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage)
        if (auto gained = accept(chosen->move, plain, chosen->gain)) {
            return ScoredMove{chosen->move, *gained};
        }
        reject(chosen->move, plain);
    }
}

void EquivalenceMoves::touched(const Move& move) {
    if (move.op == Operator::insert_u || move.op == Operator::insert_d)
        targets_[move.y].stale = true;
}

void EquivalenceMoves::apply(const Move& move) {
    if (!has_next_ || !(next_move_ == move)) {
        next_ = graph_;
        stigmergy::apply(next_, move);
    }
    has_next_ = false;
    dirty_.clear();
    components_changed_ = false;
    for (std::size_t i = 0; i < n_; ++i) {
        const auto v = static_cast<Node>(i);
        const bool same_neighbours = equal(graph_.neighbours(v), next_.neighbours(v));
        if (!same_neighbours) components_changed_ = true;
        if (!same_neighbours || !equal(graph_.parents(v), next_.parents(v))) dirty_.insert(v);
    }
    std::swap(graph_, next_);
    ++work_.steps;
    changed(dirty_);
}

}  // namespace stigmergy
