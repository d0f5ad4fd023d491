// SPDX-License-Identifier: Apache-2.0
// The text after `then`: comma-separated treatments, with or without quotes.
#pragma once

#include <string>
#include <vector>

#include "polyrx/rules/language/text_error.hpp"

namespace polyrx {

struct TreatmentList {
    bool exclude = false;  // the list begins with `not`
    std::vector<std::string> labels;
    std::vector<int> columns;  // where each begins, in characters from 1
};

// Reads from byte `at` of the line to its end.
[[nodiscard]] TreatmentList read_treatments(const Line& line, std::size_t at);

}  // namespace polyrx
