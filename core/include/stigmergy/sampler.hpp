// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stigmergy {

// Where the codes of one variable are written: bytes, or 16-bit words when its arity exceeds 256.
struct CodeColumn {
    void* data = nullptr;
    bool wide = false;
};

// Draws rows from a Bayesian network by forward sampling (Henrion 1988).
//
// Row i of a variable is decided by one 64-bit word: Philox with the seed as key and (i / 2,
// stream) as counter. Words are thus a function of seed, stream and row alone; the answer depends
// neither on the order of the variables nor on the number of threads nor on how the rows are cut in
// parts.
//
// A row of a table is an alias table (Walker 1977; Vose 1991) of integers: probabilities are
// rounded to multiples of 2^-48 that sum to one exactly, and a draw is one multiplication, one
// look-up and one comparison whatever the arity. Each of its cells is 64 bits: threshold (48),
// alias (16). No floating point is involved in a draw.
class Sampler {
  public:
    // Variables come in a topological order. `parents` are positions of variables added before;
    // `table` has one row of `arity` weights per parent configuration, the last parent varying
    // fastest; each row is divided by its sum. `stream` must differ between variables.
    void add(std::uint32_t stream,
             std::size_t arity,
             std::vector<std::size_t> parents,
             std::span<const double> table);

    // Writes rows first_row, ..., first_row + n_rows - 1; columns[v] belongs to the v-th variable.
    void sample(std::uint64_t seed,
                std::uint64_t first_row,
                std::size_t n_rows,
                std::span<const CodeColumn> columns,
                std::size_t n_threads) const;

    [[nodiscard]] std::size_t n_variables() const { return variables_.size(); }
    [[nodiscard]] bool is_wide(std::size_t variable) const {
        return variables_[variable].arity > 256;
    }

  private:
    struct Parent {
        std::size_t variable;
        std::uint32_t stride;  // in cells of the child's table
    };
    struct Variable {
        std::uint32_t stream;
        std::uint32_t arity;
        std::vector<Parent> parents;
        std::vector<std::uint64_t> cells;
    };
    struct Scratch;

    void sample_block(std::uint64_t seed,
                      std::uint64_t first_row,
                      std::size_t offset,
                      std::size_t n_rows,
                      std::span<const CodeColumn> columns,
                      Scratch& scratch) const;

    std::vector<Variable> variables_;
};

}  // namespace stigmergy
