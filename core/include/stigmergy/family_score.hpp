// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "stigmergy/counter.hpp"
#include "stigmergy/log_gamma.hpp"

namespace stigmergy {

// A decomposable score: the score of a family as a function of its counts N_jk (child value k,
// parent configuration j, N_j the sum over k, r child values, q configurations). Higher is better;
// natural logarithms. Each is a sum of one function g over the cells less one function h over the
// configurations, plus a constant of the family:
//
//   bdeu(ess)       g = log_rising(ess / (q r), .)   h = log_rising(ess / q, .)
//   dirichlet(c)    g = log_rising(c, .)             h = log_rising(c r, .)        (K2: c = 1)
//   likelihood(w)   g = h = n log n                  constant -w q (r - 1)
//
// with w = 0 (log-likelihood), 1 (AIC) or log(N) / 2 (BIC). g(0) = h(0) = 0: what does not occur
// costs nothing.
struct ScoreFormula {
    enum class Kind : std::uint8_t { bdeu, dirichlet, likelihood };
    Kind kind = Kind::bdeu;
    double parameter = 1;
};

// The shape of a family: how many values its child and configurations its parents have. The number
// of configurations can exceed any integer and even any double; when it is infinite, its logarithm
// says how many there are.
struct FamilyShape {
    double configurations = 1;
    double log_configurations = 0;
    std::size_t arity = 1;
};

// g, h and the constant of families of one shape.
struct FamilyTerms {
    FamilyShape shape;
    std::shared_ptr<const CountTerm> cell, configuration;
    int shift = 0;         // sums are in units of 2^-shift
    bool bounded = false;  // no count can be outside the tables
    double constant = 0;

    [[nodiscard]] double score(std::span<const std::uint32_t> cells) const;
    [[nodiscard]] double score(std::span<const std::uint64_t> cells) const;
    [[nodiscard]] double score(const SparseCounts& counts) const;
    // The score whose integer sum (modulo 2^64) is given.
    [[nodiscard]] double value(std::uint64_t sum) const;
};

// A score for a data set of `total` rows, with the tables of its terms. Thread-safe.
class FamilyScore {
  public:
    FamilyScore(ScoreFormula formula, std::uint64_t total);
    ~FamilyScore();
    FamilyScore(const FamilyScore&) = delete;
    FamilyScore& operator=(const FamilyScore&) = delete;

    // The reference stays good until the calling thread asks again.
    [[nodiscard]] const FamilyTerms& terms(const FamilyShape& shape) const;

  private:
    [[nodiscard]] FamilyTerms make(const FamilyShape& shape, bool remember) const;
    [[nodiscard]] std::shared_ptr<const CountTerm> term(double a,
                                                        double log_a,
                                                        int shift,
                                                        bool remember) const;

    ScoreFormula formula_;
    std::uint64_t total_;
    // Shapes met, by open addressing; entries are only ever added.
    mutable std::vector<std::atomic<const FamilyTerms*>> shapes_;
    mutable std::atomic<std::size_t> n_shapes_{0};
    mutable std::mutex mutex_;
    mutable std::map<std::tuple<double, double, int>, std::shared_ptr<const CountTerm>> terms_;
    mutable std::size_t table_bytes_ = 0;
};

}  // namespace stigmergy
