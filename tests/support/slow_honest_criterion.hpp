// SPDX-License-Identifier: Apache-2.0
// The criterion of honest causal trees word for word: means and variances in two passes, from the rows of a leaf.
#pragma once

#include "polyrx/baselines/causal/causal_tree.hpp"
#include "tests/support/compared_rows.hpp"

namespace polyrx::test {

struct LiteralHonestCriterion {
    const ComparedRows& study;
    HonestHalves halves;
    std::size_t least;

    [[nodiscard]] Rows of_arm(const Rows& rows, const Rows& half, int arm) const {
        Rows result;
        for (const std::size_t row : rows)
            if (study.treatment[row] == arm && std::ranges::binary_search(half, row)) result.push_back(row);
        return result;
    }
    [[nodiscard]] double weight(const Rows& rows) const {
        double sum = 0;
        for (const std::size_t row : rows) sum += study.weight[row];
        return sum;
    }
    [[nodiscard]] double mean(const Rows& rows) const {
        double sum = 0;
        for (const std::size_t row : rows) sum += study.weight[row] * study.outcome[row];
        return sum / weight(rows);
    }
    [[nodiscard]] double variance(const Rows& rows) const {
        const double center = mean(rows);
        double sum = 0;
        for (const std::size_t row : rows)
            sum += study.weight[row] * (study.outcome[row] - center) * (study.outcome[row] - center);
        const auto n = static_cast<double>(rows.size());
        return sum / weight(rows) * n / (n - 1);
    }
    [[nodiscard]] bool is_allowed(const Rows& rows) const {
        for (const Rows* half : {&halves.structure, &halves.estimation})
            for (const int arm : {0, 1})
                if (of_arm(rows, *half, arm).size() < least) return false;
        return true;
    }
    [[nodiscard]] double worth(const Rows& rows) const { return worth(rows, halves.structure); }
    [[nodiscard]] double worth(const Rows& rows, const Rows& sample) const {
        const Rows treated = of_arm(rows, sample, 1);
        const Rows control = of_arm(rows, sample, 0);
        const double effect = mean(treated) - mean(control);
        const double all = weight(sample);
        const double p = weight(of_arm(sample, sample, 1)) / all;
        const double cost =
            1.0 / static_cast<double>(sample.size()) + 1.0 / static_cast<double>(halves.estimation.size());
        return (weight(treated) + weight(control)) / all * effect * effect -
               cost * (variance(treated) / p + variance(control) / (1 - p));
    }
};

}  // namespace polyrx::test
