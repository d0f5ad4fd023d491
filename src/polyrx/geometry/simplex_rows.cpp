// SPDX-License-Identifier: Apache-2.0
// Drops rows of a Simplex.
#include <algorithm>
#include <cmath>

#include "polyrx/geometry/simplex.hpp"

namespace polyrx {

void Simplex::keep_required() {
    const auto first = static_cast<std::size_t>(inputs_->variables);
    const auto kept = [&](std::size_t variable) {
        return variable < first || !std::isinf(lower_[variable]) || !std::isinf(upper_[variable]);
    };
    std::vector<int> renumbered(place_.size(), -1);
    std::size_t variables = 0;
    for (std::size_t v = 0; v < place_.size(); ++v) {
        if (!kept(v)) continue;
        renumbered[v] = static_cast<int>(variables);
        lower_[variables] = lower_[v];
        upper_[variables] = upper_[v];
        if (v >= first) row_scale_[variables - first] = row_scale_[v - first];
        ++variables;
    }
    lower_.resize(variables);
    upper_.resize(variables);
    row_scale_.resize(variables - first);
    place_.assign(variables, 0);
    std::size_t lines = 0;
    for (std::size_t i = 0; i < basic_.size(); ++i) {
        const int variable = renumbered[static_cast<std::size_t>(basic_[i])];
        if (variable < 0) continue;
        if (lines != i) std::copy_n(line(i), stride_, line(lines));
        basic_value_[lines] = basic_value_[i];
        basic_[lines] = variable;
        place_[static_cast<std::size_t>(variable)] = -1 - static_cast<int>(lines);
        ++lines;
    }
    cells_.resize(lines * stride_);
    basic_value_.resize(lines);
    basic_.resize(lines);
    for (std::size_t column = 0; column < nonbasic_.size(); ++column) {
        nonbasic_[column] = renumbered[static_cast<std::size_t>(nonbasic_[column])];
        place_[static_cast<std::size_t>(nonbasic_[column])] = static_cast<int>(column);
    }
}

void Simplex::drop_last() {
    // Without a sign it is basic, and in the last line unless it once had a sign.
    const auto index = static_cast<std::size_t>(-1 - place_.back());
    const std::size_t last = basic_.size() - 1;
    if (index != last) {
        std::copy_n(line(last), stride_, line(index));
        basic_value_[index] = basic_value_[last];
        basic_[index] = basic_[last];
        place_[static_cast<std::size_t>(basic_[index])] = -1 - static_cast<int>(index);
    }
    cells_.resize(cells_.size() - stride_);
    basic_.pop_back();
    basic_value_.pop_back();
    place_.pop_back();
    lower_.pop_back();
    upper_.pop_back();
    row_scale_.pop_back();
}

}  // namespace polyrx
