// SPDX-License-Identifier: Apache-2.0
// How many rows a weighted mean rests on.
#pragma once

namespace polyrx {

// A number that rests on fewer effective rows is shown as counts, without an interval: its standard error would itself
// come from a handful of rows.
inline constexpr double least_effective_rows = 30;

// Kish (1965): how many rows of equal weight would have a mean as sure as that of these.
class EffectiveRows {
public:
    void add(double weight) {
        sum_ += weight;
        squares_ += weight * weight;
    }
    [[nodiscard]] double count() const { return squares_ > 0 ? sum_ * sum_ / squares_ : 0; }

private:
    double sum_ = 0;
    double squares_ = 0;
};

}  // namespace polyrx
