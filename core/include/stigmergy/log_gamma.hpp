// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace stigmergy {

// log Gamma(a + n) - log Gamma(a), the logarithm of the rising factorial a (a+1) ... (a+n-1), for
// a > 0 and n >= 0, without the cancellation that subtracting two log-gammas would bring.
// `log_a` is log(a), given apart so that an `a` that underflows (one over an astronomic number of
// configurations) still has its right value.
[[nodiscard]] double log_rising(double a, double log_a, std::uint64_t n);
[[nodiscard]] double log_rising(double a, std::uint64_t n);

// A function of a count that scores add up: log_rising(a, n), or n log n when a is 0.
//
// Values are integers in units of 2^-shift. Integers add up the same in any order, so a family has
// one score whichever kernel counted it, in whatever order its cells came, on any number of
// threads; with the shift chosen for the largest possible sum (see FamilyScore) the rounding is
// below that of adding doubles. Sums may wrap around on the way: only the total has to fit.
//
// The first `size` values are remembered, each when it is first needed. Reading and filling from
// several threads at once is safe: all of them would store the same value.
class CountTerm {
  public:
    CountTerm(double a, double log_a, int shift, std::size_t size);

    static constexpr std::int64_t unknown = INT64_MIN;

    [[nodiscard]] std::int64_t operator()(std::uint64_t n) const {
        if (n >= size_) return compute(n);
        const std::int64_t value = values_[n].load(std::memory_order_relaxed);
        return value == unknown ? remember(n) : value;
    }
    // Remembered values, `unknown` where none is yet.
    [[nodiscard]] const std::atomic<std::int64_t>* values() const { return values_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    [[nodiscard]] std::int64_t compute(std::uint64_t n) const;
    std::int64_t remember(std::uint64_t n) const;

    double a_;
    double log_a_;
    int shift_;
    std::size_t size_;
    std::unique_ptr<std::atomic<std::int64_t>[]> values_;
};

}  // namespace stigmergy
