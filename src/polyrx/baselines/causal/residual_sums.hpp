// SPDX-License-Identifier: Apache-2.0
// Sums of treatment and outcome residuals, which determine their slope.
#pragma once

namespace polyrx {

// Forests keep these sums per leaf and reweight them for each prediction.
struct ResidualSums {
    double weight = 0;
    double treatment = 0;
    double outcome = 0;
    double treatment_squares = 0;
    double products = 0;  // sum of treatment * outcome

    void add(double w, double t, double y) {
        weight += w;
        treatment += w * t;
        outcome += w * y;
        treatment_squares += w * t * t;
        products += w * t * y;
    }
    // Multiplies the weight of each row by `factor`.
    void add(const ResidualSums& other, double factor) {
        weight += factor * other.weight;
        treatment += factor * other.treatment;
        outcome += factor * other.outcome;
        treatment_squares += factor * other.treatment_squares;
        products += factor * other.products;
    }
    // Of the treatment.
    [[nodiscard]] double variance() const {
        const double mean = treatment / weight;
        return treatment_squares / weight - mean * mean;
    }
    // Least squares of the outcome on the treatment.
    [[nodiscard]] double slope() const {
        return (products / weight - treatment / weight * (outcome / weight)) / variance();
    }
    friend bool operator==(const ResidualSums&, const ResidualSums&) = default;
};

}  // namespace polyrx
