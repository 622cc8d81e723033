// SPDX-License-Identifier: MIT
#include "stigmergy/chi_squared.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace stigmergy {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// u - ln(1 + u) for u > -1, without the cancellation at small u: with s = u / (2 + u),
// ln(1 + u) = 2 atanh(s) and u = 2 s / (1 - s).
double excess_over_log(double u) {
    if (std::abs(u) > 0.3) return u - std::log1p(u);
    const double s = u / (2 + u), square = s * s;
    double sum = 0, power = s * square;
    for (int k = 3;; k += 2) {
        const double term = power / k;
        sum += term;
        if (std::abs(term) <= epsilon * std::abs(sum)) break;
        power *= square;
    }
    // u - 2 s = s u, exactly what is left of the leading terms.
    return s * u - 2 * sum;
}

// ln(Gamma(a + 1) / (sqrt(2 pi a) (a / e)^a)): Stirling's series from a = 16, where its seven terms
// are exact to rounding.
double stirling_rest(double a) {
    if (a < 16) {
        // Gamma(a + 1) = Gamma(a + 1 + k) / ((a + 1) ... (a + k)).
        double shifted = a, product = 1;
        while (shifted < 16) product *= ++shifted;
        return stirling_rest(shifted) + 0.5 * std::log(shifted / a) +
               (shifted * std::log(shifted) - shifted) - (a * std::log(a) - a) - std::log(product);
    }
    const double r = 1 / (a * a);
    return (1.0 / 12 -
            r * (1.0 / 360 -
                 r * (1.0 / 1260 - r * (1.0 / 1680 - r * (1.0 / 1188 - r * (691.0 / 360360 -
                                                                            r * (1.0 / 156))))))) /
           a;
}

// ln(x^a e^-x / Gamma(a + 1)). Written around x = a, so that its error is a few roundings of its
// own size, not of the much larger a ln x.
double log_front(double a, double x) {
    if (a < 16) return a * std::log(x) - x - std::lgamma(a + 1);
    return -a * excess_over_log((x - a) / a) - 0.5 * std::log(2 * std::numbers::pi * a) -
           stirling_rest(a);
}

// P(a, x) / front = 1 + x / (a + 1) + x^2 / ((a + 1)(a + 2)) + ...; for x < a + 1.
double lower_series(double a, double x) {
    double term = 1, sum = 1;
    for (double k = a + 1; term > epsilon * sum / 4; ++k) {
        term *= x / k;
        sum += term;
    }
    return sum;
}

// Q(a, x) / (a front): Legendre's continued fraction by Lentz's method; for x >= a + 1.
double upper_fraction(double a, double x) {
    double b = x + 1 - a, d = 1 / b, c = 1 / std::numeric_limits<double>::min(), h = d;
    for (double i = 1;; ++i) {
        const double numerator = -i * (i - a);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        const double change = c * d;
        h *= change;
        if (std::abs(change - 1) <= epsilon) return h;
    }
}

// Temme (1979): Q(a, x) = erfc(eta sqrt(a / 2)) / 2 + e^(-a eta^2 / 2) (c0 + c1 / a) / sqrt(2 pi a)
// with eta^2 / 2 = x/a - 1 - ln(x/a). For a > 10^6 every tail that a double can hold has
// |eta| < 0.04, where a few terms in eta are exact to rounding; it needs no loop, however large a.
Tail temme(double a, double x) {
    const double u = (x - a) / a;
    const double half_square = excess_over_log(u);
    const double eta = std::copysign(std::sqrt(2 * half_square), u);
    const double c0 =
        -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 + eta * (1.0 / 864 + eta * (1.0 / 2835))));
    const double c1 = -1.0 / 540 + eta * (-1.0 / 288 + eta * (1.0 / 378));
    const double z = eta * std::sqrt(a / 2);
    if (z < -30) return {1, 0};
    const double scale = (c0 + c1 / a) / std::sqrt(2 * std::numbers::pi * a);
    if (z < 25) {
        const double p = 0.5 * std::erfc(z) + std::exp(-a * half_square) * scale;
        return {p, std::log(p)};
    }
    // erfc(z) e^(z^2) by its asymptotic series: beyond 25 the fourth term is below 10^-10, and the
    // value is wanted as a logarithm only.
    const double w = 1 / (2 * z * z);
    const double scaled_erfc =
        (1 - w * (1 - 3 * w * (1 - 5 * w * (1 - 7 * w)))) / (z * std::sqrt(std::numbers::pi));
    const double log_p = -a * half_square + std::log(0.5 * scaled_erfc + scale);
    return {std::exp(log_p), log_p};
}

}  // namespace

Tail chi_squared_tail(double statistic, double dof) {
    if (std::isnan(statistic) || std::isnan(dof)) {
        return {std::nan(""), std::nan("")};
    }
    if (statistic <= 0 || dof <= 0 || std::isinf(dof)) return {1, 0};
    if (std::isinf(statistic)) return {0, -std::numeric_limits<double>::infinity()};
    const double a = dof / 2, x = statistic / 2;
    if (a > 1e6) return temme(a, x);
    const double front = log_front(a, x);
    if (x < a + 1) {
        const double q = 1 - std::exp(front) * lower_series(a, x);
        return {q, std::log(q)};
    }
    const double fraction = a * upper_fraction(a, x);
    return {std::exp(front) * fraction, front + std::log(fraction)};
}

}  // namespace stigmergy
