// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "stigmergy/columns.hpp"
#include "stigmergy/counter.hpp"
#include "stigmergy/family_score.hpp"
#include "stigmergy/scorer.hpp"

namespace stigmergy {

// The scores of the families of a data set: counts, then the formula.
class CountingSource final : public FamilySource {
  public:
    CountingSource(std::shared_ptr<const Columns> columns,
                   ScoreFormula formula,
                   CountMethod method = CountMethod::automatic,
                   const Kernels& kernels = best_kernels());

    [[nodiscard]] std::size_t n_nodes() const override { return columns_->size(); }
    [[nodiscard]] double score(Node child, NodeListRef parents) const override;
    void score_extensions(Node child,
                          NodeListRef base,
                          NodeListRef candidates,
                          std::span<double> out) const override;

    [[nodiscard]] const Columns& columns() const { return *columns_; }
    [[nodiscard]] const Counter& counter() const { return counter_; }

  private:
    std::shared_ptr<const Columns> columns_;
    FamilyScore score_;
    Counter counter_;
};

}  // namespace stigmergy
