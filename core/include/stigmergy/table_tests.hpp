// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "stigmergy/columns.hpp"
#include "stigmergy/independence.hpp"

namespace stigmergy {

// The statistic of a stratified contingency table with counts n_xyz (one stratum z for each
// configuration of the given set) and e = n_xz n_yz / n_z expected in a cell.
enum class Statistic : std::uint8_t {
    g2,    // 2 sum n ln(n / e), the likelihood ratio
    chi2,  // sum (n - e)^2 / e, Pearson's
    mi,    // G2 / (2 N), the conditional mutual information in nats; its p-value is that of G2
};

// How the degrees of freedom are counted.
enum class DofRule : std::uint8_t {
    // Sum over the strata of (r - 1)(c - 1), where r and c are the values of x and of y that occur
    // in the stratum: a row or column that is empty is a structural zero. An empty stratum, and one
    // in which a variable is constant, adds nothing.
    adaptive,
    // (|x| - 1)(|y| - 1) times the number of configurations of the given set.
    classical,
};

// Tests from the counts of a data set.
class TableTests final : public TestSource {
  public:
    // A test is made only when the rows are at least `min_rows_per_cell` times the cells of its
    // table, |x| |y| times the number of configurations of the given set.
    TableTests(std::shared_ptr<const Columns> columns,
               Statistic statistic,
               DofRule dof_rule,
               double min_rows_per_cell);
    [[nodiscard]] std::size_t n_nodes() const override { return columns_->size(); }
    [[nodiscard]] TestOutcome test(Node x, Node y, NodeListRef given) const override;
    [[nodiscard]] bool testable(Node x, Node y, NodeListRef given) const override;

  private:
    [[nodiscard]] double configurations(NodeListRef given) const;

    std::shared_ptr<const Columns> columns_;
    Statistic statistic_;
    DofRule dof_rule_;
    double min_rows_per_cell_;
};

}  // namespace stigmergy
