// SPDX-License-Identifier: Apache-2.0
// The effective sample size of a weighted mean.
#pragma once

namespace polyrx {

// With fewer effective rows, only counts are shown, without an interval: the standard error would itself be estimated
// from a handful of rows.
inline constexpr double least_effective_rows = 30;

// Kish's (1965) effective sample size: (sum of weights)^2 / sum of squared weights.
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
