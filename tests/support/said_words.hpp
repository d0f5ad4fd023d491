// SPDX-License-Identifier: Apache-2.0
// Understands the words of a split as a reader would, to check them against the function they stand for.
#pragma once

#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "polyrx/encode/encoder.hpp"

namespace polyrx::test {

// How far a row is beyond the threshold of a weighted sum, in what the words are in; and how much of that the rounding
// of the coefficients can account for. Names must have no spaces.
struct SaidMargin {
    double value = 0;
    double rounding = 0;
};

inline std::optional<double> said_input(const std::string& name, const Encoder& encoder, const Vector& row) {
    for (std::size_t i = 0; i < encoder.columns().size(); ++i) {
        const EncodedColumn& column = encoder.columns()[i];
        const Feature& feature = encoder.features()[column.feature];
        const std::string said = column.kind == InputKind::value ? feature.name
                                 : column.kind == InputKind::category
                                     ? "[" + feature.name + " is " + feature.categories[column.category] + "]"
                                     : "[" + feature.name + " is missing]";
        if (said == name) return row[static_cast<Eigen::Index>(i)];
    }
    return std::nullopt;
}

// Nothing if the words are no weighted sum.
inline std::optional<SaidMargin> said_margin(const std::string& words, const Encoder& encoder, const Vector& row) {
    std::istringstream stream(words);
    std::string token;
    SaidMargin margin;
    double sign = 1;
    double coefficient = 1;
    while (stream >> token) {
        if (token == "+" || token == "-") {
            sign = token == "+" ? 1 : -1;
        } else if (token == ">" || token == "<") {
            double threshold = 0;
            if (!(stream >> threshold)) return std::nullopt;
            margin.value = (margin.value - threshold) * (token == ">" ? 1 : -1);
            margin.rounding += 2e-3 * std::abs(threshold);
            return margin;
        } else {
            if (token.size() > 1 && token.front() == '-') {
                sign = -1;
                token.erase(0, 1);
            }
            char* end = nullptr;
            const double number = std::strtod(token.c_str(), &end);
            if (*end == '\0') {
                coefficient = number;
                continue;
            }
            for (std::string more; token.front() == '[' && token.back() != ']' && stream >> more;) token += " " + more;
            const std::optional<double> input = said_input(token, encoder, row);
            if (!input) return std::nullopt;
            margin.value += sign * coefficient * *input;
            margin.rounding += 1e-3 * std::abs(coefficient * *input);
            sign = coefficient = 1;
        }
    }
    return std::nullopt;
}

}  // namespace polyrx::test
