// SPDX-License-Identifier: Apache-2.0
// What follows `then`: treatments between commas, each quoted or as it stands.
#pragma once

#include <string>
#include <vector>

#include "polyrx/rules/language/text_error.hpp"

namespace polyrx {

struct TreatmentList {
    bool exclude = false;  // it began with `not`
    std::vector<std::string> labels;
    std::vector<int> columns;  // where each begins, in characters from 1
};

// From this byte of the line to its end.
[[nodiscard]] TreatmentList read_treatments(const Line& line, std::size_t at);

}  // namespace polyrx
