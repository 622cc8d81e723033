// SPDX-License-Identifier: MIT
#include "stigmergy/table_tests.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "stigmergy/chi_squared.hpp"
#include "stigmergy/counter.hpp"

namespace stigmergy {

namespace {

// A row of the data as it counts in a test. The cell is packed as stratum, x, y, from the highest
// bits to the lowest, so that its parts are had without a division.
struct WeightedCell {
    std::uint64_t cell, weight;
};

// How many bits the parts of a cell take.
struct Packing {
    unsigned stratum, x, y;

    [[nodiscard]] std::uint64_t pack(std::uint64_t s, std::uint64_t i, std::uint64_t j) const {
        return ((s << x | i) << y) | j;
    }
    [[nodiscard]] std::uint64_t stratum_of(std::uint64_t cell) const { return cell >> x >> y; }
    [[nodiscard]] std::uint64_t row_of(std::uint64_t cell) const { return cell >> y; }
    [[nodiscard]] std::uint64_t column_of(std::uint64_t cell) const {
        return cell & ((std::uint64_t{1} << y) - 1);
    }
    [[nodiscard]] unsigned bits() const { return stratum + x + y; }
};

// Memory of one thread, kept between tests.
struct Scratch {
    std::vector<std::uint64_t> stratum, distinct;
    std::vector<WeightedCell> rows, moved;
    std::vector<std::uint64_t> row_sums, column_sums;
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

// ln of a number of rows, from a table where it is small.
double log_of(std::uint64_t count) {
    static const std::vector<double> table = [] {
        std::vector<double> logs(std::size_t{1} << 16);
        for (std::size_t i = 1; i < logs.size(); ++i) logs[i] = std::log(static_cast<double>(i));
        return logs;
    }();
    return count < table.size() ? table[count] : std::log(static_cast<double>(count));
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
        row_sums.clear();
        column_sums.assign(columns, 0);
        std::uint64_t total = 0;
        std::size_t r = 0, c = 0;
        for (const Count* row = cells; row != cells + rows * columns; row += columns) {
            std::uint64_t sum = 0;
            for (std::size_t j = 0; j < columns; ++j) sum += row[j];
            if (sum > 0) {
                for (std::size_t j = 0; j < columns; ++j) column_sums[j] += row[j];
            }
            row_sums.push_back(sum);
            total += sum;
            r += sum > 0;
        }
        if (r < 2) return;
        for (std::uint64_t sum : column_sums) c += sum > 0;
        if (c < 2) return;
        dof_ += static_cast<double>((r - 1) * (c - 1));
        for (std::size_t i = 0; i < rows; ++i) {
            if (row_sums[i] == 0) continue;
            const Row row = row_of(row_sums[i], total);
            for (std::size_t j = 0; j < columns; ++j) {
                if (const Count count = cells[i * columns + j]; count > 0) {
                    add_cell(count, row, column_sums[j]);
                } else if (pearson_) {
                    statistic_ += row.share * static_cast<double>(column_sums[j]);
                }
            }
        }
    }

    // One stratum as a run of rows sorted by cells. `column_sums` has a zero for each column, and
    // again afterwards.
    void add_sorted(std::span<const WeightedCell> run,
                    const Packing& packing,
                    std::vector<std::uint64_t>& column_sums) {
        std::uint64_t total = 0;
        std::size_t r = 0, c = 0;
        std::uint64_t last_row = std::numeric_limits<std::uint64_t>::max();
        for (auto [cell, weight] : run) {
            total += weight;
            std::uint64_t& sum = column_sums[packing.column_of(cell)];
            c += sum == 0;
            sum += weight;
            r += packing.row_of(cell) != last_row;
            last_row = packing.row_of(cell);
        }
        if (r >= 2 && c >= 2) {
            dof_ += static_cast<double>(r - 1) * static_cast<double>(c - 1);
            double seen = 0;
            for (std::size_t begin = 0; begin < run.size();) {
                const std::uint64_t row = packing.row_of(run[begin].cell);
                std::uint64_t row_sum = 0;
                std::size_t end = begin;
                for (; end < run.size() && packing.row_of(run[end].cell) == row; ++end) {
                    row_sum += run[end].weight;
                }
                const Row marginal = row_of(row_sum, total);
                for (std::size_t i = begin; i < end;) {
                    const std::uint64_t cell = run[i].cell;
                    std::uint64_t count = 0;
                    for (; i < end && run[i].cell == cell; ++i) {
                        count += run[i].weight;
                    }
                    const std::uint64_t column_sum = column_sums[packing.column_of(cell)];
                    add_cell(count, marginal, column_sum);
                    seen += marginal.share * static_cast<double>(column_sum);
                }
                begin = end;
            }
            // Cells without a row add what was expected in them.
            if (pearson_) statistic_ += std::max(0.0, static_cast<double>(total) - seen);
        }
        for (auto [cell, weight] : run) column_sums[packing.column_of(cell)] = 0;
    }

    [[nodiscard]] double statistic() const { return std::max(0.0, statistic_); }
    [[nodiscard]] double dof() const { return dof_; }

  private:
    // A row of a stratum: its share of the stratum and the logarithm of that.
    struct Row {
        double share, log_share;
    };
    [[nodiscard]] Row row_of(std::uint64_t row_sum, std::uint64_t total) const {
        return {static_cast<double>(row_sum) / static_cast<double>(total),
                pearson_ ? 0.0 : log_of(row_sum) - log_of(total)};
    }

    // The logarithm of count / expected as a sum: three looked up instead of one computed.
    void add_cell(std::uint64_t count, Row row, std::uint64_t column_sum) {
        const auto observed = static_cast<double>(count);
        if (pearson_) {
            const double expected = row.share * static_cast<double>(column_sum);
            const double off = observed - expected;
            statistic_ += off * off / expected;
        } else {
            statistic_ += 2 * observed * (log_of(count) - row.log_share - log_of(column_sum));
        }
    }

    bool pearson_;
    double statistic_ = 0, dof_ = 0;
};

// Replaces numbers by their ranks among those that occur; returns how many occur.
std::uint64_t replace_by_ranks(std::vector<std::uint64_t>& numbers,
                               std::vector<std::uint64_t>& distinct) {
    distinct = numbers;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::uint64_t& number : numbers) {
        number = static_cast<std::uint64_t>(
            std::lower_bound(distinct.begin(), distinct.end(), number) - distinct.begin());
    }
    return distinct.size();
}

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
        if (count * arity > largest) count = replace_by_ranks(stratum, distinct);
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

// Sorts by cells of so many bits, eleven bits at a time from the lowest; few rows by comparison.
void sort_by_cell(std::vector<WeightedCell>& rows,
                  std::vector<WeightedCell>& moved,
                  unsigned bits) {
    constexpr unsigned digit_bits = 11;
    constexpr std::size_t n_digits = std::size_t{1} << digit_bits;
    if (rows.size() < n_digits / 2) {
        std::sort(
            rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.cell < b.cell; });
        return;
    }
    moved.resize(rows.size());
    std::array<std::size_t, n_digits> places;
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        places.fill(0);
        for (const WeightedCell& row : rows) ++places[row.cell >> shift & (n_digits - 1)];
        std::size_t before = 0;
        for (std::size_t& place : places) before += std::exchange(place, before);
        for (const WeightedCell& row : rows) {
            moved[places[row.cell >> shift & (n_digits - 1)]++] = row;
        }
        rows.swap(moved);
    }
}

void sum_sorted(
    const Columns& columns, Node x, Node y, NodeListRef given, Scratch& memory, Sum& sum) {
    const auto bits_for = [](std::uint64_t count) {
        return static_cast<unsigned>(std::bit_width(count - 1));
    };
    std::uint64_t n_strata = number_strata(columns, given, memory.stratum, memory.distinct);
    Packing packing{bits_for(n_strata), bits_for(columns.arity(x)), bits_for(columns.arity(y))};
    if (packing.bits() > 64) {
        n_strata = replace_by_ranks(memory.stratum, memory.distinct);
        packing.stratum = bits_for(n_strata);
    }
    const auto weights = columns.weights();
    memory.rows.clear();
    with_codes(columns.column(x), [&](const auto* codes_x) {
        with_codes(columns.column(y), [&](const auto* codes_y) {
            for (std::size_t i = 0; i < memory.stratum.size(); ++i) {
                const std::uint64_t weight = weights.empty() ? 1 : weights[i];
                if (weight == 0) continue;
                memory.rows.push_back(
                    {packing.pack(memory.stratum[i], codes_x[i], codes_y[i]), weight});
            }
        });
    });
    sort_by_cell(memory.rows, memory.moved, packing.bits());
    memory.column_sums.assign(columns.arity(y), 0);
    for (std::size_t begin = 0; begin < memory.rows.size();) {
        const std::uint64_t stratum = packing.stratum_of(memory.rows[begin].cell);
        std::size_t end = begin;
        while (end < memory.rows.size() && packing.stratum_of(memory.rows[end].cell) == stratum) {
            ++end;
        }
        sum.add_sorted({memory.rows.data() + begin, end - begin}, packing, memory.column_sums);
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
                      : (rows == 1 || columns == 1
                             ? 0.0  // n_strata may be infinite
                             : static_cast<double>((rows - 1) * (columns - 1)) * n_strata);
    const Tail tail = chi_squared_tail(outcome.statistic, outcome.dof);
    outcome.p_value = tail.p;
    outcome.log_p_value = tail.log_p;
    if (statistic_ == Statistic::mi && columns_->total() > 0) {
        outcome.statistic /= 2 * static_cast<double>(columns_->total());
    }
    return outcome;
}

}  // namespace stigmergy
