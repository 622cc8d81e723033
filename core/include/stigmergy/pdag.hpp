// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "stigmergy/bits.hpp"

namespace stigmergy {

// A partially directed graph: between two nodes no edge, x -> y, or x - y.
//
// Four bit rows per node (parents, children, neighbours along undirected edges, and all three
// together), so adjacency, cliques and paths are a few words of AND and OR. 4 n^2 bits in all.
class Pdag {
  public:
    using Edge = std::pair<Node, Node>;

    Pdag() = default;
    explicit Pdag(std::size_t n_nodes);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] BitsRef parents(Node v) const { return parents_.row(v); }
    [[nodiscard]] BitsRef children(Node v) const { return children_.row(v); }
    [[nodiscard]] BitsRef neighbours(Node v) const { return neighbours_.row(v); }
    [[nodiscard]] BitsRef adjacent(Node v) const { return adjacent_.row(v); }
    [[nodiscard]] bool is_adjacent(Node x, Node y) const { return adjacent_.test(x, y); }
    [[nodiscard]] bool has_directed(Node x, Node y) const { return children_.test(x, y); }
    [[nodiscard]] bool has_undirected(Node x, Node y) const { return neighbours_.test(x, y); }
    [[nodiscard]] NodeList parent_list(Node v) const;
    [[nodiscard]] std::vector<Edge> directed_edges() const;
    // Each once, smaller node first.
    [[nodiscard]] std::vector<Edge> undirected_edges() const;

    void add_directed(Node x, Node y);
    void add_undirected(Node x, Node y);
    void remove_edge(Node x, Node y);
    // x - y becomes x -> y.
    void orient(Node x, Node y);
    // x -> y becomes x - y.
    void unorient(Node x, Node y);

    // Every pair of the set is adjacent.
    [[nodiscard]] bool is_clique(BitsRef nodes) const;

    // Dor & Tarsi (1992): a DAG with this skeleton, these v-structures and every directed edge
    // kept; of the possible sinks the smallest node is taken first.
    [[nodiscard]] std::optional<Pdag> consistent_extension() const;

    // Keeps the skeleton and the v-structures and directs exactly what these compel (Meek 1995,
    // rules 1-3). Turns a DAG, or a PDAG whose v-structures are those of an extension, into its
    // CPDAG.
    void complete();

    bool operator==(const Pdag&) const = default;

  private:
    std::size_t size_ = 0;
    BitRows parents_, children_, neighbours_, adjacent_;
};

}  // namespace stigmergy
