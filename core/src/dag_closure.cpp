// SPDX-License-Identifier: MIT
#include "stigmergy/dag_closure.hpp"

#include <algorithm>
#include <stdexcept>

namespace stigmergy {

namespace {

std::vector<Node> with_itself(BitsRef nodes, Node v) {
    std::vector<Node> list{v};
    for_each_bit(nodes, [&](Node u) { list.push_back(u); });
    return list;
}

// Builds the rows of `nodes` anew from those of the nodes next to them; each node comes after the
// nodes that it is built from.
template <typename Around>
void rebuild(BitRows& rows, const std::vector<Node>& nodes, Around&& around) {
    for (Node v : nodes) {
        BitsMut row = rows.row(v);
        clear_all(row);
        for_each_bit(around(v), [&](Node u) {
            unite(row, rows.row(u));
            set_bit(row, u);
        });
    }
}

}  // namespace

DagClosure::DagClosure(const Pdag& dag) : ancestors_(dag.size()), descendants_(dag.size()) {
    std::vector<std::size_t> waiting(dag.size());
    std::vector<Node> order;
    for (std::size_t v = 0; v < dag.size(); ++v) {
        waiting[v] = count(dag.parents(static_cast<Node>(v)));
        if (waiting[v] == 0) order.push_back(static_cast<Node>(v));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        for_each_bit(dag.children(order[i]), [&](Node c) {
            if (--waiting[c] == 0) order.push_back(c);
        });
    }
    if (order.size() != dag.size()) throw std::invalid_argument("the graph has a directed cycle");
    rebuild(ancestors_, order, [&](Node v) { return dag.parents(v); });
    std::reverse(order.begin(), order.end());
    rebuild(descendants_, order, [&](Node v) { return dag.children(v); });
}

void DagClosure::added(Node x, Node y) {
    if (has_path(x, y)) return;
    const std::vector<Node> above = with_itself(ancestors(x), x);
    const std::vector<Node> below = with_itself(descendants(y), y);
    for (Node b : below) {
        unite(ancestors_.row(b), ancestors(x));
        ancestors_.set(b, x);
    }
    for (Node a : above) {
        unite(descendants_.row(a), descendants(y));
        descendants_.set(a, y);
    }
}

void DagClosure::removed(const Pdag& dag, Node x, Node y) {
    std::vector<Node> above = with_itself(ancestors(x), x);
    std::vector<Node> below = with_itself(descendants(y), y);
    // A node has more ancestors than any of its ancestors, also by the rows from before.
    std::vector<std::size_t> size(dag.size());
    for (Node v : below) size[v] = count(ancestors(v));
    std::ranges::sort(below, {}, [&](Node v) { return size[v]; });
    for (Node v : above) size[v] = count(descendants(v));
    std::ranges::sort(above, {}, [&](Node v) { return size[v]; });
    rebuild(ancestors_, below, [&](Node v) { return dag.parents(v); });
    rebuild(descendants_, above, [&](Node v) { return dag.children(v); });
}

}  // namespace stigmergy
