// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/epoch_rows.hpp"

#include <algorithm>
#include <numeric>

#include "polyrx/core/rng.hpp"

namespace polyrx {

std::vector<std::size_t> epoch_order(std::size_t rows, std::uint64_t seed, int epoch) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng(seed, Draw::shuffle, static_cast<std::uint64_t>(epoch)).shuffle(std::span(order));
    return order;
}

void gather(const TrainingRows& rows, std::span<const std::size_t> order, TrainingRows& gathered) {
    gathered.inputs.resize(rows.inputs.rows(), rows.inputs.cols());
    gathered.treatment.resize(order.size());
    gathered.outcome.resize(order.size());
    gathered.weight.resize(order.size());
    gathered.allowed.resize(rows.allowed.size());
    gathered.teacher.resize(rows.teacher.size());
    gathered.teacher_weight.resize(rows.teacher_weight.size());
    const auto width = static_cast<std::size_t>(rows.inputs.cols());
    const std::size_t taught = rows.teacher.size() / order.size();  // number of teacher's outcomes per row
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::copy_n(rows.inputs.data() + order[i] * width, width, gathered.inputs.data() + i * width);
        gathered.treatment[i] = rows.treatment[order[i]];
        gathered.outcome[i] = rows.outcome[order[i]];
        gathered.weight[i] = rows.weight[order[i]];
        if (!rows.allowed.empty()) gathered.allowed[i] = rows.allowed[order[i]];
        if (taught == 0) continue;
        std::copy_n(rows.teacher.data() + order[i] * taught, taught, gathered.teacher.data() + i * taught);
        gathered.teacher_weight[i] = rows.teacher_weight[order[i]];
    }
}

}  // namespace polyrx
