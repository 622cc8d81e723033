// SPDX-License-Identifier: MIT
#include "stigmergy/pdag.hpp"

namespace stigmergy {

Pdag::Pdag(std::size_t n_nodes)
    : size_(n_nodes),
      parents_(n_nodes),
      children_(n_nodes),
      neighbours_(n_nodes),
      adjacent_(n_nodes) {}

NodeList Pdag::parent_list(Node v) const {
    NodeList list;
    for_each_bit(parents(v), [&](Node p) { list.push_back(p); });
    return list;
}

std::vector<Pdag::Edge> Pdag::directed_edges() const {
    std::vector<Edge> edges;
    for (std::size_t x = 0; x < size_; ++x) {
        for_each_bit(children_.row(x),
                     [&](Node y) { edges.emplace_back(static_cast<Node>(x), y); });
    }
    return edges;
}

std::vector<Pdag::Edge> Pdag::undirected_edges() const {
    std::vector<Edge> edges;
    for (std::size_t x = 0; x < size_; ++x) {
        for_each_bit(neighbours_.row(x), [&](Node y) {
            if (x < y) edges.emplace_back(static_cast<Node>(x), y);
        });
    }
    return edges;
}

void Pdag::add_directed(Node x, Node y) {
    children_.set(x, y);
    parents_.set(y, x);
    adjacent_.set(x, y);
    adjacent_.set(y, x);
}

void Pdag::add_undirected(Node x, Node y) {
    neighbours_.set(x, y);
    neighbours_.set(y, x);
    adjacent_.set(x, y);
    adjacent_.set(y, x);
}

void Pdag::remove_edge(Node x, Node y) {
    for (BitRows* rows : {&parents_, &children_, &neighbours_, &adjacent_}) {
        rows->clear(x, y);
        rows->clear(y, x);
    }
}

void Pdag::orient(Node x, Node y) {
    neighbours_.clear(x, y);
    neighbours_.clear(y, x);
    children_.set(x, y);
    parents_.set(y, x);
}

void Pdag::unorient(Node x, Node y) {
    children_.clear(x, y);
    parents_.clear(y, x);
    neighbours_.set(x, y);
    neighbours_.set(y, x);
}

bool Pdag::is_clique(BitsRef nodes) const {
    bool clique = true;
    for_each_bit(nodes, [&](Node v) {
        if (!clique) return;
        BitsRef adjacent_row = adjacent(v);
        for (std::size_t w = 0; w < nodes.size(); ++w) {
            Word missing = nodes[w] & ~adjacent_row[w];
            if (w == v / word_bits) missing &= ~(Word{1} << (v % word_bits));
            if (missing != 0) {
                clique = false;
                return;
            }
        }
    });
    return clique;
}

namespace {

// A node that may come last: no arc leaves it and every undirected neighbour is adjacent to all the
// other nodes adjacent to it.
bool is_possible_sink(const Pdag& graph, Node v) {
    if (any(graph.children(v))) return false;
    BitsRef around = graph.adjacent(v);
    bool fits = true;
    for_each_bit(graph.neighbours(v), [&](Node y) {
        BitsRef around_y = graph.adjacent(y);
        for (std::size_t w = 0; w < around.size(); ++w) {
            Word missing = around[w] & ~around_y[w];
            if (w == y / word_bits) missing &= ~(Word{1} << (y % word_bits));
            if (missing != 0) fits = false;
        }
    });
    return fits;
}

}  // namespace

std::optional<Pdag> Pdag::consistent_extension() const {
    Pdag rest = *this;
    Pdag dag(size_);
    std::vector<bool> removed(size_, false);
    std::vector<Node> around;
    // Taking a sink away can only make nodes around it possible sinks: after a success the scan
    // goes back no further than to the smallest of them.
    std::size_t left = size_;
    std::size_t v = 0;
    while (left > 0) {
        if (v == size_) return std::nullopt;
        const Node sink = static_cast<Node>(v);
        if (removed[v] || !is_possible_sink(rest, sink)) {
            ++v;
            continue;
        }
        around.clear();
        for_each_bit(rest.adjacent(sink), [&](Node y) { around.push_back(y); });
        for (Node y : around) {
            dag.add_directed(y, sink);
            rest.remove_edge(y, sink);
        }
        removed[v] = true;
        --left;
        ++v;
        if (!around.empty() && around.front() < v) v = around.front();
    }
    return dag;
}

void Pdag::complete() {
    // An arc x -> y is in a v-structure iff y has another parent that is not adjacent to x.
    std::vector<Edge> oriented;
    std::vector<Edge> loose;
    for (std::size_t y = 0; y < size_; ++y) {
        BitsRef parents_y = parents_.row(y);
        for_each_bit(parents_y, [&](Node x) {
            BitsRef adjacent_x = adjacent_.row(x);
            bool collides = false;
            for (std::size_t w = 0; w < parents_y.size(); ++w) {
                Word others = parents_y[w] & ~adjacent_x[w];
                if (w == x / word_bits) others &= ~(Word{1} << (x % word_bits));
                collides |= others != 0;
            }
            (collides ? oriented : loose).emplace_back(x, static_cast<Node>(y));
        });
    }
    for (auto [x, y] : loose) unorient(x, y);

    // Meek's rules, each arc looked at once: what follows from a -> b and what is already directed.
    const std::size_t words = words_for(size_);
    std::vector<Node> found;
    auto direct = [&](Node x, Node y) {
        if (!has_undirected(x, y)) return;
        orient(x, y);
        oriented.emplace_back(x, y);
    };
    auto collect = [&](auto&& word_of) {
        found.clear();
        for (std::size_t w = 0; w < words; ++w) {
            for (Word rest = word_of(w); rest != 0; rest &= rest - 1) {
                found.push_back(static_cast<Node>(
                    w * word_bits + static_cast<std::size_t>(std::countr_zero(rest))));
            }
        }
    };
    while (!oriented.empty()) {
        auto [a, b] = oriented.back();
        oriented.pop_back();
        BitsRef adj_a = adjacent(a), pa_a = parents(a), nb_a = neighbours(a);
        BitsRef pa_b = parents(b), ch_b = children(b), nb_b = neighbours(b);
        // R1: a -> b - c, a and c not adjacent: b -> c.
        collect([&](std::size_t w) { return nb_b[w] & ~adj_a[w]; });
        for (Node c : found) direct(b, c);
        // R2: a -> b -> c, a - c: a -> c;  and c -> a -> b, c - b: c -> b.
        collect([&](std::size_t w) { return ch_b[w] & nb_a[w]; });
        for (Node c : found) direct(a, c);
        collect([&](std::size_t w) { return pa_a[w] & nb_b[w]; });
        for (Node c : found) direct(c, b);
        // R3: a -> b <- d, a and d not adjacent, a - c - d, c - b: c -> b.
        collect([&](std::size_t w) { return nb_a[w] & nb_b[w]; });
        for (Node c : found) {
            BitsRef nb_c = neighbours(c);
            bool second = false;
            for (std::size_t w = 0; w < words; ++w) {
                Word others = pa_b[w] & nb_c[w] & ~adj_a[w];
                if (w == a / word_bits) others &= ~(Word{1} << (a % word_bits));
                second |= others != 0;
            }
            if (second) direct(c, b);
        }
    }
}

}  // namespace stigmergy
