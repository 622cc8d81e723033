// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "stigmergy/columns.hpp"
#include "stigmergy/kernels.hpp"
#include "stigmergy/nodes.hpp"

namespace stigmergy {

// How families are counted. All ways give the same counts; `automatic` takes the cheapest.
enum class CountMethod : std::uint8_t {
    automatic,
    slices,     // AND of bit-slices and population count: few cells, no weights
    histogram,  // mixed-radix index of the parents, shared by all candidates, and a histogram
    touched,    // histogram too large to clear: only the cells that rows touch are read and reset
    sparse,     // hash of the observed configurations: more cells than any table should have
};

// "automatic", "slices", "histogram", "touched" or "sparse"; std::invalid_argument for anything
// else.
[[nodiscard]] CountMethod count_method(std::string_view name);

// Counts of a family too large for a table: only what occurs is listed.
struct SparseCounts {
    std::vector<std::uint64_t> configurations;  // N_j of each observed parent configuration
    std::vector<std::uint64_t> cells;           // N_jk of each observed cell
    // j (a place in `configurations`) and k of each cell, for visitors that need them.
    std::vector<std::uint32_t> cell_configuration;
    std::vector<Node> cell_value;
    void clear();
};

// Receives the counts of the families of one sweep.
class CountsVisitor {
  public:
    virtual ~CountsVisitor() = default;
    // cells[j * arity + k] = N_jk. Rows of zeros may or may not be there; the order of the rows is
    // that of the configurations, the first parent changing fastest, when all of them are there.
    virtual void dense(std::size_t family,
                       std::span<const std::uint32_t> cells,
                       std::size_t arity) = 0;
    virtual void dense(std::size_t family,
                       std::span<const std::uint64_t> cells,
                       std::size_t arity) = 0;
    virtual void sparse(std::size_t family, const SparseCounts& counts) = 0;
    // Whether `sparse` must say which cell each count belongs to.
    [[nodiscard]] virtual bool needs_cells() const { return false; }
};

struct CountScratch;

// Counts families of a data set. Holds no state of its own: scratch memory belongs to the thread.
class Counter {
  public:
    explicit Counter(const Columns& columns,
                     CountMethod method = CountMethod::automatic,
                     const Kernels& kernels = best_kernels())
        : columns_(columns), method_(method), kernels_(kernels) {}

    // The family of a child and its parents: visitor.*(0, counts).
    void count(Node child, NodeListRef parents, CountsVisitor& visitor) const;
    // A sweep: for each i, the family of the child with the parents `base` and candidates[i]. What
    // depends on the base alone is computed once.
    void count_extensions(Node child,
                          NodeListRef base,
                          NodeListRef candidates,
                          CountsVisitor& visitor) const;
    // What `automatic` takes for a family whose cells number base_cells * arity.
    [[nodiscard]] CountMethod choose(double base_cells, std::size_t arity) const;

    struct Sweep;

  private:
    enum class Way : std::uint8_t { slices, index16, index32, weighted, touched, sparse };
    static constexpr std::size_t n_ways = 6;
    friend struct CountScratch;

    [[nodiscard]] Way way_of(const Sweep& sweep, Node candidate, bool cells_needed) const;
    void run(CountScratch& scratch, Sweep& sweep, CountsVisitor& visitor) const;
    void run_one_way(CountScratch& scratch,
                     const Sweep& sweep,
                     Way way,
                     CountsVisitor& visitor) const;
    void run_slices(CountScratch& scratch, const Sweep& sweep, CountsVisitor& visitor) const;
    template <typename Index>
    void run_histogram(CountScratch& scratch, const Sweep& sweep, CountsVisitor& visitor) const;
    // One family of the sweep, by its place among the candidates.
    void run_weighted(CountScratch& scratch,
                      const Sweep& sweep,
                      std::size_t position,
                      CountsVisitor& visitor) const;
    void run_touched(CountScratch& scratch,
                     const Sweep& sweep,
                     std::size_t position,
                     CountsVisitor& visitor) const;
    void run_sparse(CountScratch& scratch,
                    const Sweep& sweep,
                    std::size_t position,
                    CountsVisitor& visitor) const;

    const Columns& columns_;
    CountMethod method_;
    const Kernels& kernels_;
};

}  // namespace stigmergy
