// SPDX-License-Identifier: Apache-2.0
// Converts the leaves of each kind of tree to lists of numbers, in the order of their members, and back.
#pragma once

#include <span>
#include <vector>

#include "polyrx/baselines/baseline.hpp"

namespace polyrx {

inline void add_numbers(const ArmMeans& leaf, std::vector<double>& numbers) {
    numbers.insert(numbers.end(), {leaf.control, leaf.treated, static_cast<double>(leaf.control_rows),
                                   static_cast<double>(leaf.treated_rows)});
}
inline void read_numbers(std::span<const double> numbers, ArmMeans& leaf) {
    leaf = {numbers[0], numbers[1], static_cast<std::size_t>(numbers[2]), static_cast<std::size_t>(numbers[3])};
}

inline void add_numbers(const ResidualSums& leaf, std::vector<double>& numbers) {
    numbers.insert(numbers.end(), {leaf.weight, leaf.treatment, leaf.outcome, leaf.treatment_squares, leaf.products});
}
inline void read_numbers(std::span<const double> numbers, ResidualSums& leaf) {
    leaf = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

inline void add_numbers(const PersonalizationLeaf& leaf, std::vector<double>& numbers) {
    numbers.insert(numbers.end(), leaf.outcomes.begin(), leaf.outcomes.end());
    for (const std::size_t rows : leaf.rows) numbers.push_back(static_cast<double>(rows));
}
inline void read_numbers(std::span<const double> numbers, PersonalizationLeaf& leaf) {
    const std::size_t treatments = numbers.size() / 2;
    for (std::size_t k = 0; k < treatments; ++k) {
        leaf.outcomes.push_back(numbers[k]);
        leaf.rows.push_back(static_cast<std::size_t>(numbers[treatments + k]));
        if (numbers[k] < leaf.outcomes[static_cast<std::size_t>(leaf.treatment)]) leaf.treatment = static_cast<int>(k);
    }
}

}  // namespace polyrx
