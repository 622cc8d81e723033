// SPDX-License-Identifier: MIT
#pragma once

#include "stigmergy/pdag.hpp"

namespace stigmergy {

// The ancestors and descendants of every node of a DAG, kept up to date arc by arc.
//
// Two bit rows per node, 2 n^2 bits. Whether an arc would close a cycle is one bit; adding an arc
// costs a row per ancestor and descendant of its ends, removing one a row per arc around these.
class DagClosure {
  public:
    explicit DagClosure(const Pdag& dag);

    [[nodiscard]] BitsRef ancestors(Node v) const { return ancestors_.row(v); }
    [[nodiscard]] BitsRef descendants(Node v) const { return descendants_.row(v); }
    [[nodiscard]] bool has_path(Node from, Node to) const { return descendants_.test(from, to); }

    // After x -> y was put into the DAG.
    void added(Node x, Node y);
    // After x -> y was taken out of `dag`.
    void removed(const Pdag& dag, Node x, Node y);

    bool operator==(const DagClosure&) const = default;

  private:
    BitRows ancestors_, descendants_;
};

}  // namespace stigmergy
