// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "stigmergy/arc_rules.hpp"
#include "stigmergy/scorer.hpp"

namespace stigmergy {

// K2 (Cooper & Herskovits 1992): the parents of a node among its predecessors. From the required
// parents (none without knowledge), the predecessor that raises the score most is added until none
// raises it or the parent limit is reached. Of equally good predecessors the smallest is added.
//
// What the node scores with each further parent is kept per (node, parents), so that the parents
// under predecessors that differ in two nodes cost a few comparisons, not a new search.
class GreedyParents {
  public:
    // score_with[z]: the score of the child with `parents` and z; NaN when nobody has asked yet.
    struct Row {
        NodeList parents;
        double score;
        std::vector<double> score_with;
    };
    struct Step {
        std::shared_ptr<Row> row;
        Node added;  // no_node in the last step
    };
    // How the search for one node went; never empty.
    struct Path {
        std::vector<Step> steps;
        [[nodiscard]] const NodeList& parents() const { return steps.back().row->parents; }
        [[nodiscard]] double score() const { return steps.back().row->score; }
    };

    GreedyParents(std::shared_ptr<Scorer> scorer, std::shared_ptr<const ArcRules> rules);

    [[nodiscard]] std::size_t n_nodes() const { return n_; }
    [[nodiscard]] const ArcRules& rules() const { return *rules_; }
    [[nodiscard]] Path find(Node child, BitsRef predecessors);
    // The first step of `path`, found under other predecessors, that goes another way when `left`
    // is no predecessor any more and `joined` is one (no_node: nobody); path.steps.size() when it
    // holds as it is.
    [[nodiscard]] std::size_t first_change(Node child, const Path& path, Node left, Node joined);
    // Keeps the steps before `first` and searches on from there.
    [[nodiscard]] Path resume(Node child,
                              const Path& path,
                              std::size_t first,
                              BitsRef predecessors);

  private:
    [[nodiscard]] std::shared_ptr<Row> row(Node child, const NodeList& parents);
    // Makes score_with known for the candidates, leaving those that can be asked for, sorted, in
    // known_ and unknown_.
    void ask(Node child, Row& row, BitsRef candidates);
    [[nodiscard]] double score_with(Node child, Row& row, Node extra);
    void extend(Node child, BitsRef predecessors, std::vector<Step>& steps);

    std::shared_ptr<Scorer> scorer_;
    std::shared_ptr<const ArcRules> rules_;
    std::size_t n_;
    std::vector<std::map<NodeList, std::shared_ptr<Row>>> rows_;
    std::size_t n_rows_ = 0;
    NodeSet everybody_;
    NodeList known_, unknown_;
    std::vector<double> scores_;
};

}  // namespace stigmergy
