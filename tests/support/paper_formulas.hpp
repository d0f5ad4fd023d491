// SPDX-License-Identifier: Apache-2.0
// Section 5.2 of the paper as it is printed, one row at a time: the twin that checks simulate_paper.
#pragma once

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace polyrx::test {

// x(1) .. x(20), numbered as in the paper.
class PaperRow {
public:
    explicit PaperRow(std::vector<double> values) : values_(std::move(values)) {}
    double operator()(std::size_t j) const { return values_.at(j - 1); }

private:
    std::vector<double> values_;
};

inline double paper_function(int number, const PaperRow& x) {
    const auto one = [](bool holds) { return holds ? 1.0 : 0.0; };
    switch (number) {
        case 1:
            return 5 * one(x(1) > 1) - 5;
        case 2:
            return 4 * one(x(1) > 1) * one(x(3) > 0) + 4 * one(x(5) > 1) * one(x(7) > 0) + 2 * x(8) * x(9);
        case 3: {
            double sum = -11;
            for (const std::size_t j : {1, 3, 5, 7, 9}) sum += std::pow(x(j), 2);
            for (const std::size_t j : {2, 4, 6, 8}) sum += x(j);
            return sum / 2;
        }
        case 4: {
            // The eight terms count from 1 to 8 as (x2, x4, x6) goes from (1, 1, 1) to (0, 0, 0).
            double sum = 0;
            for (int term = 0; term < 8; ++term) {
                const double by_x2 = (term & 4) == 0 ? x(2) : 1 - x(2);
                const double by_x4 = (term & 2) == 0 ? x(4) : 1 - x(4);
                const double by_x6 = (term & 1) == 0 ? x(6) : 1 - x(6);
                sum += (term + 1) * by_x2 * by_x4 * by_x6;
            }
            return sum;
        }
        default:
            throw std::logic_error("the paper has f1 to f4");
    }
}

// Table 1: base first, then the effects.
inline std::vector<int> paper_specification(int dataset) {
    switch (dataset) {
        case 1:
            return {1, 2};
        case 2:
            return {4, 2};
        case 3:
            return {3, 4};
        case 4:
            return {1, 3};
        case 5:
            return {2, 1, 3};
        case 6:
            return {2, 3, 4};
        default:
            throw std::logic_error("the paper has datasets 1 to 6");
    }
}

// y_p for p = 0 .. K-1, from the values of the base and effect functions.
inline std::vector<double> paper_outcomes(const std::vector<double>& base_and_effects) {
    std::vector<double> y;
    for (std::size_t k = 0; k < base_and_effects.size(); ++k) {
        const auto p = static_cast<double>(k);
        if (base_and_effects.size() == 2)
            y.push_back(base_and_effects[0] + (p - 0.5) * base_and_effects[1]);
        else
            y.push_back(base_and_effects[0] + p * (2 - p) * base_and_effects[1] +
                        p * (p - 1) / 2 * base_and_effects[2]);
    }
    return y;
}

// The probability that treatment p is given.
inline double paper_propensity(std::size_t treatments, std::size_t p, double y0) {
    if (treatments == 2) {
        const double treated = std::exp(y0) / (1 + std::exp(y0));
        return p == 1 ? treated : 1 - treated;
    }
    const double untreated = 1 / (1 + std::exp(y0));
    return p == 0 ? untreated : (1 - untreated) / 2;
}

}  // namespace polyrx::test
