// SPDX-License-Identifier: MIT
#pragma once

namespace stigmergy {

// The upper tail of the chi-squared distribution, P(X >= statistic), that is the regularised upper
// incomplete gamma function Q(dof / 2, statistic / 2). `dof` need not be whole. A statistic <= 0
// has p-value 1; so has any statistic with dof <= 0 (nothing can vary, so nothing is surprising).
// A not-a-number in either argument is returned.
struct Tail {
    double p;
    double log_p;  // where p itself would underflow to zero
};
[[nodiscard]] Tail chi_squared_tail(double statistic, double dof);

}  // namespace stigmergy
