// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/stratified_folds.hpp"

#include <numeric>

namespace polyrx {

std::vector<std::size_t> stratified_folds(std::span<const int> arm, std::size_t parts, Rng rng) {
    std::vector<std::size_t> order(arm.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    rng.shuffle(std::span(order));
    // Assigns one arm from the first fold upwards and the other from the last fold downwards, so that surplus rows of
    // both arms fall into different folds.
    std::vector<std::size_t> part(arm.size());
    std::size_t upwards = 0;
    std::size_t downwards = 0;
    for (const std::size_t row : order)
        part[row] = arm[row] == arm[order.front()] ? upwards++ % parts : parts - 1 - downwards++ % parts;
    return part;
}

}  // namespace polyrx
