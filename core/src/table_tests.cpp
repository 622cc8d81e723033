// SPDX-License-Identifier: MIT
#include "stigmergy/table_tests.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "stigmergy/chi_squared.hpp"
#include "stigmergy/counter.hpp"

namespace stigmergy {

namespace {

// Memory of one thread, kept between tests.
struct Scratch {
    std::vector<std::uint64_t> stratum, distinct;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;  // cell, weight
    std::vector<double> row_sums, column_sums;
    NodeList family;
};
Scratch& scratch() {
    thread_local Scratch memory;
    return memory;
}

template <typename Visit>
void with_codes(const Column& column, Visit&& visit) {
    if (column.narrow != nullptr) {
        visit(column.narrow);
    } else {
        visit(column.wide);
    }
}

// Collects a statistic and its adaptive degrees of freedom, stratum by stratum.
class Sum {
  public:
    explicit Sum(Statistic statistic) : pearson_(statistic == Statistic::chi2) {}

    // One stratum as a table of |x| rows and |y| columns.
    template <typename Count>
    void add_dense(const Count* cells, std::size_t rows, std::size_t columns, Scratch& memory) {
        auto& row_sums = memory.row_sums;
        auto& column_sums = memory.column_sums;
        row_sums.assign(rows, 0);
        column_sums.assign(columns, 0);
        double total = 0;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                const auto count = static_cast<double>(cells[i * columns + j]);
                row_sums[i] += count;
                column_sums[j] += count;
            }
            total += row_sums[i];
        }
        if (total == 0) return;
        std::size_t r = 0, c = 0;
        for (double sum : row_sums) r += sum > 0;
        for (double sum : column_sums) c += sum > 0;
        if (r < 2 || c < 2) return;
        dof_ += static_cast<double>((r - 1) * (c - 1));
        for (std::size_t i = 0; i < rows; ++i) {
            if (row_sums[i] == 0) continue;
            const double share = row_sums[i] / total;
            for (std::size_t j = 0; j < columns; ++j) {
                if (column_sums[j] == 0) continue;
                const auto count = static_cast<double>(cells[i * columns + j]);
                const double expected = share * column_sums[j];
                if (count > 0) {
                    add_cell(count, expected);
                } else if (pearson_) {
                    statistic_ += expected;
                }
            }
        }
    }

    // One stratum as a sorted run of rows; a row's cell is stratum * rows * columns + x * columns
    // + y. `column_sums` has a zero for each column, and again afterwards.
    void add_sorted(std::span<const std::pair<std::uint64_t, std::uint64_t>> run,
                    std::size_t columns,
                    std::vector<double>& column_sums) {
        double total = 0;
        std::size_t r = 0, c = 0;
        std::uint64_t last_row = std::numeric_limits<std::uint64_t>::max();
        for (auto [cell, weight] : run) {
            total += static_cast<double>(weight);
            double& sum = column_sums[cell % columns];
            c += sum == 0;
            sum += static_cast<double>(weight);
            r += cell / columns != last_row;
            last_row = cell / columns;
        }
        if (r >= 2 && c >= 2) {
            dof_ += static_cast<double>(r - 1) * static_cast<double>(c - 1);
            double seen = 0;
            for (std::size_t begin = 0; begin < run.size();) {
                const std::uint64_t row = run[begin].first / columns;
                double row_sum = 0;
                std::size_t end = begin;
                for (; end < run.size() && run[end].first / columns == row; ++end) {
                    row_sum += static_cast<double>(run[end].second);
                }
                const double share = row_sum / total;
                for (std::size_t i = begin; i < end;) {
                    const std::uint64_t cell = run[i].first;
                    double count = 0;
                    for (; i < end && run[i].first == cell; ++i) {
                        count += static_cast<double>(run[i].second);
                    }
                    const double expected = share * column_sums[cell % columns];
                    add_cell(count, expected);
                    seen += expected;
                }
                begin = end;
            }
            // Cells without a row add what was expected in them.
            if (pearson_) statistic_ += std::max(0.0, total - seen);
        }
        for (auto [cell, weight] : run) column_sums[cell % columns] = 0;
    }

    [[nodiscard]] double statistic() const { return std::max(0.0, statistic_); }
    [[nodiscard]] double dof() const { return dof_; }

  private:
    void add_cell(double count, double expected) {
        if (pearson_) {
            const double off = count - expected;
            statistic_ += off * off / expected;
        } else {
            statistic_ += 2 * count * std::log(count / expected);
        }
    }

    bool pearson_;
    double statistic_ = 0, dof_ = 0;
};

// The number of the configuration of `given` in each row: mixed radix, first node slowest. When the
// numbers would pass `largest` they are replaced by their ranks among those that occur, which keeps
// their order. Returns how many there can be.
std::uint64_t number_strata(const Columns& columns,
                            NodeListRef given,
                            std::vector<std::uint64_t>& stratum,
                            std::vector<std::uint64_t>& distinct) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 31;
    stratum.assign(columns.n_rows(), 0);
    std::uint64_t count = 1;
    for (Node v : given) {
        const std::uint64_t arity = columns.arity(v);
        if (count * arity > largest) {
            distinct = stratum;
            std::sort(distinct.begin(), distinct.end());
            distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
            for (std::uint64_t& number : stratum) {
                number = static_cast<std::uint64_t>(
                    std::lower_bound(distinct.begin(), distinct.end(), number) - distinct.begin());
            }
            count = distinct.size();
        }
        with_codes(columns.column(v), [&](const auto* codes) {
            for (std::size_t i = 0; i < stratum.size(); ++i) {
                stratum[i] = stratum[i] * arity + codes[i];
            }
        });
        count *= arity;
    }
    return count;
}

// Takes the counts of the family of y with the parents x and `given`: the values of y change
// fastest, then those of x, so that one stratum lies behind the other.
class Strata final : public CountsVisitor {
  public:
    Strata(std::size_t rows, Scratch& memory, Sum& sum) : rows_(rows), memory_(memory), sum_(sum) {}

    void dense(std::size_t, std::span<const std::uint32_t> cells, std::size_t columns) override {
        add(cells, columns);
    }
    void dense(std::size_t, std::span<const std::uint64_t> cells, std::size_t columns) override {
        add(cells, columns);
    }
    void sparse(std::size_t, const SparseCounts&) override {
        throw std::logic_error("a table that is not dense is summed from sorted rows");
    }
    // So that no empty cell is left out.
    [[nodiscard]] bool needs_cells() const override { return true; }

  private:
    template <typename Count>
    void add(std::span<const Count> cells, std::size_t columns) {
        for (std::size_t begin = 0; begin < cells.size(); begin += rows_ * columns) {
            sum_.add_dense(cells.data() + begin, rows_, columns, memory_);
        }
    }

    std::size_t rows_;
    Scratch& memory_;
    Sum& sum_;
};

void sum_sorted(
    const Columns& columns, Node x, Node y, NodeListRef given, Scratch& memory, Sum& sum) {
    number_strata(columns, given, memory.stratum, memory.distinct);
    const std::uint64_t n_rows = columns.arity(x), n_columns = columns.arity(y);
    const auto weights = columns.weights();
    memory.rows.clear();
    with_codes(columns.column(x), [&](const auto* codes_x) {
        with_codes(columns.column(y), [&](const auto* codes_y) {
            for (std::size_t i = 0; i < memory.stratum.size(); ++i) {
                const std::uint64_t weight = weights.empty() ? 1 : weights[i];
                if (weight == 0) continue;
                memory.rows.emplace_back(
                    (memory.stratum[i] * n_rows + codes_x[i]) * n_columns + codes_y[i], weight);
            }
        });
    });
    std::sort(memory.rows.begin(), memory.rows.end());
    memory.column_sums.assign(n_columns, 0);
    for (std::size_t begin = 0; begin < memory.rows.size();) {
        const std::uint64_t stratum = memory.rows[begin].first / (n_rows * n_columns);
        std::size_t end = begin;
        while (end < memory.rows.size() &&
               memory.rows[end].first / (n_rows * n_columns) == stratum) {
            ++end;
        }
        sum.add_sorted({memory.rows.data() + begin, end - begin}, n_columns, memory.column_sums);
        begin = end;
    }
}

}  // namespace

TableTests::TableTests(std::shared_ptr<const Columns> columns,
                       Statistic statistic,
                       DofRule dof_rule,
                       double min_rows_per_cell)
    : columns_(std::move(columns)),
      statistic_(statistic),
      dof_rule_(dof_rule),
      min_rows_per_cell_(min_rows_per_cell) {
    if (!(min_rows_per_cell >= 0)) {
        throw std::invalid_argument("min_rows_per_cell must be a number >= 0");
    }
}

double TableTests::configurations(NodeListRef given) const {
    double product = 1;
    for (Node v : given) product *= static_cast<double>(columns_->arity(v));
    return product;
}

bool TableTests::testable(Node x, Node y, NodeListRef given) const {
    if (min_rows_per_cell_ == 0) return true;
    const double cells =
        static_cast<double>(columns_->arity(x) * columns_->arity(y)) * configurations(given);
    return static_cast<double>(columns_->total()) >= min_rows_per_cell_ * cells;
}

TestOutcome TableTests::test(Node x, Node y, NodeListRef given) const {
    if (!testable(x, y, given)) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan, nan, false};
    }
    const std::size_t rows = columns_->arity(x), columns = columns_->arity(y);
    const double n_strata = configurations(given);
    Sum sum(statistic_);
    Scratch& memory = scratch();
    const Counter counter(*columns_);
    const CountMethod method = counter.choose(n_strata * static_cast<double>(rows), columns);
    if (method == CountMethod::slices || method == CountMethod::histogram) {
        memory.family.assign(1, x);
        memory.family.insert(memory.family.end(), given.begin(), given.end());
        Strata strata(rows, memory, sum);
        counter.count(y, memory.family, strata);
    } else {
        sum_sorted(*columns_, x, y, given, memory, sum);
    }
    TestOutcome outcome;
    outcome.statistic = sum.statistic();
    outcome.dof = dof_rule_ == DofRule::adaptive
                      ? sum.dof()
                      : static_cast<double>((rows - 1) * (columns - 1)) * n_strata;
    const Tail tail = chi_squared_tail(outcome.statistic, outcome.dof);
    outcome.p_value = tail.p;
    outcome.log_p_value = tail.log_p;
    if (statistic_ == Statistic::mi && columns_->total() > 0) {
        outcome.statistic /= 2 * static_cast<double>(columns_->total());
    }
    return outcome;
}

}  // namespace stigmergy
