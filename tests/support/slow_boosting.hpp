// SPDX-License-Identifier: Apache-2.0
// A slow, obvious twin of boosting: trees that are grown by trying every cut of every feature on the rows themselves.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "polyrx/learners/trees/boosted_trees.hpp"

namespace polyrx::test {

// The scores of all rows after some rounds of boosting the squared loss, of features that have an order and no missing
// values.
inline std::vector<double> slow_boosting(const BinnedRows& binned, const std::vector<std::size_t>& rows,
                                         const std::vector<double>& target, const BoostingOptions& options,
                                         int rounds) {
    double mean = 0;
    for (const std::size_t row : rows) mean += target[row] / static_cast<double>(rows.size());
    std::vector<double> scores(binned.rows, mean);
    std::vector<std::size_t> everyone(binned.rows);
    for (std::size_t i = 0; i < everyone.size(); ++i) everyone[i] = i;
    const auto gain_of = [&](const std::vector<std::size_t>& some, const std::vector<double>& residual) {
        double sum = 0;
        for (const std::size_t row : some) sum += residual[row];
        return sum * sum / (static_cast<double>(some.size()) + options.penalty);
    };
    for (int round = 0; round < rounds; ++round) {
        std::vector<double> residual(binned.rows);
        for (std::size_t i = 0; i < binned.rows; ++i) residual[i] = target[i] - scores[i];
        // Rows that learn and all rows, of each leaf.
        std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> leaves = {{rows, everyone}};
        for (int level = 0; level < options.depth; ++level) {
            auto next = leaves;
            next.clear();
            for (const auto& [learn, all] : leaves) {
                double best = 1e-12;
                std::size_t feature = 0;
                int cut = -1;
                for (std::size_t f = 0; f < binned.features(); ++f)
                    for (int code = 1; code + 1 < binned.codes[f]; ++code) {
                        std::vector<std::size_t> left;
                        std::vector<std::size_t> right;
                        for (const std::size_t row : learn) (binned.code[f][row] <= code ? left : right).push_back(row);
                        if (left.size() < options.leaf_rows || right.size() < options.leaf_rows) continue;
                        const double gain =
                            gain_of(left, residual) + gain_of(right, residual) - gain_of(learn, residual);
                        if (gain > best * (1 + 1e-9)) {
                            best = gain;
                            feature = f;
                            cut = code;
                        }
                    }
                if (cut < 0) {
                    next.emplace_back(learn, all);
                    continue;
                }
                std::pair<std::vector<std::size_t>, std::vector<std::size_t>> sides[2];
                for (const std::size_t row : learn)
                    sides[binned.code[feature][row] <= cut ? 0 : 1].first.push_back(row);
                for (const std::size_t row : all) sides[binned.code[feature][row] <= cut ? 0 : 1].second.push_back(row);
                next.push_back(sides[0]);
                next.push_back(sides[1]);
            }
            leaves = next;
        }
        for (const auto& [learn, all] : leaves) {
            double sum = 0;
            for (const std::size_t row : learn) sum += residual[row];
            for (const std::size_t row : all)
                scores[row] += options.learning_rate * sum / (static_cast<double>(learn.size()) + options.penalty);
        }
    }
    return scores;
}

}  // namespace polyrx::test
