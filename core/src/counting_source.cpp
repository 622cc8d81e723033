// SPDX-License-Identifier: MIT
#include "stigmergy/counting_source.hpp"

#include <algorithm>
#include <cmath>

namespace stigmergy {

namespace {

// The shape of child's family with the parents `base` and, when not no_node, `extra`. Parents are
// taken in ascending order whatever came from where: products of doubles depend on the order.
FamilyShape shape_of(const Columns& columns, Node child, NodeListRef base, Node extra) {
    FamilyShape shape;
    shape.arity = columns.arity(child);
    auto add = [&](Node node) { shape.configurations *= static_cast<double>(columns.arity(node)); };
    std::size_t i = 0;
    for (; i < base.size() && base[i] < extra; ++i) add(base[i]);
    if (extra != no_node) add(extra);
    for (; i < base.size(); ++i) add(base[i]);
    if (std::isfinite(shape.configurations)) return shape;
    auto add_log = [&](Node node) {
        shape.log_configurations += std::log(static_cast<double>(columns.arity(node)));
    };
    for (i = 0; i < base.size() && base[i] < extra; ++i) add_log(base[i]);
    if (extra != no_node) add_log(extra);
    for (; i < base.size(); ++i) add_log(base[i]);
    return shape;
}

class ScoreVisitor final : public CountsVisitor {
  public:
    ScoreVisitor(const Columns& columns,
                 const FamilyScore& score,
                 Node child,
                 NodeListRef base,
                 NodeListRef candidates,
                 std::span<double> out)
        : columns_(columns),
          score_(score),
          child_(child),
          base_(base),
          candidates_(candidates),
          out_(out) {}

    void dense(std::size_t family, std::span<const std::uint32_t> cells, std::size_t) override {
        out_[family] = terms(family).score(cells);
    }
    void dense(std::size_t family, std::span<const std::uint64_t> cells, std::size_t) override {
        out_[family] = terms(family).score(cells);
    }
    void sparse(std::size_t family, const SparseCounts& counts) override {
        out_[family] = terms(family).score(counts);
    }

  private:
    const FamilyTerms& terms(std::size_t family) const {
        const Node extra = candidates_.empty() ? no_node : candidates_[family];
        return score_.terms(shape_of(columns_, child_, base_, extra));
    }

    const Columns& columns_;
    const FamilyScore& score_;
    Node child_;
    NodeListRef base_;
    NodeListRef candidates_;
    std::span<double> out_;
};

}  // namespace

CountingSource::CountingSource(std::shared_ptr<const Columns> columns,
                               ScoreFormula formula,
                               CountMethod method,
                               const Kernels& kernels)
    : columns_(std::move(columns)),
      score_(formula, columns_->total()),
      counter_(*columns_, method, kernels) {}

double CountingSource::score(Node child, NodeListRef parents) const {
    double result = 0;
    ScoreVisitor visitor(*columns_, score_, child, parents, {}, {&result, 1});
    counter_.count(child, parents, visitor);
    return result;
}

void CountingSource::score_extensions(Node child,
                                      NodeListRef base,
                                      NodeListRef candidates,
                                      std::span<double> out) const {
    if (candidates.empty()) return;
    ScoreVisitor visitor(*columns_, score_, child, base, candidates, out);
    counter_.count_extensions(child, base, candidates, visitor);
}

}  // namespace stigmergy
