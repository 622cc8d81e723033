// SPDX-License-Identifier: MIT
#pragma once

namespace stigmergy {

// A difference of scores up to this is rounding, not improvement; the same number as
// SCORE_TOLERANCE of the searches in Python.
inline constexpr double score_tolerance = 1e-6;

}  // namespace stigmergy
