// SPDX-License-Identifier: MIT
#include "stigmergy/log_gamma.hpp"

#include <cmath>

namespace stigmergy {

namespace {

// From here on Stirling's series below is exact to double precision.
constexpr double stirling_from = 10;

// log Gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2) for x >= stirling_from (Abramowitz & Stegun
// 6.1.41; the first term left out is below 1e-15).
double stirling_rest(double x) {
    const double y = 1 / (x * x);
    return (1.0 / 12 -
            y * (1.0 / 360 -
                 y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188 - y * (691.0 / 360360)))))) /
           x;
}

double log_rising_large(double a, double n) {
    return (a - 0.5) * std::log1p(n / a) + n * (std::log(a + n) - 1) +
           (stirling_rest(a + n) - stirling_rest(a));
}

}  // namespace

double log_rising(double a, double log_a, std::uint64_t n) {
    if (n == 0) return 0;
    if (a >= stirling_from) return log_rising_large(a, static_cast<double>(n));
    // a (a+1) ... up to the place from which Stirling's series holds, as one product. The first
    // factor stands apart: it alone may be so small that the product would underflow.
    double product = 1;
    double x = a + 1;
    std::uint64_t left = n - 1;
    for (; left > 0 && x < stirling_from; --left) product *= x++;
    return log_a + std::log(product) +
           (left == 0 ? 0.0 : log_rising_large(x, static_cast<double>(left)));
}

double log_rising(double a, std::uint64_t n) { return log_rising(a, std::log(a), n); }

CountTerm::CountTerm(double a, double log_a, int shift, std::size_t size)
    : a_(a),
      log_a_(log_a),
      shift_(shift),
      size_(size),
      values_(size ? std::make_unique<std::atomic<std::int64_t>[]>(size) : nullptr) {
    for (std::size_t n = 0; n < size; ++n) values_[n].store(unknown, std::memory_order_relaxed);
    if (size > 0) values_[0].store(0, std::memory_order_relaxed);
}

std::int64_t CountTerm::compute(std::uint64_t n) const {
    const double count = static_cast<double>(n);
    const double value =
        log_a_ == -INFINITY ? (n > 1 ? count * std::log(count) : 0.0) : log_rising(a_, log_a_, n);
    return std::llrint(std::ldexp(value, shift_));
}

std::int64_t CountTerm::remember(std::uint64_t n) const {
    const std::int64_t value = compute(n);
    values_[n].store(value, std::memory_order_relaxed);
    return value;
}

}  // namespace stigmergy
