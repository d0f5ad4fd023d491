// SPDX-License-Identifier: Apache-2.0
// Rows from which a small network learns within a second.
#pragma once

#include "polyrx/core/rng.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::test {

// Treatment 1 is better where the input `cause` is above 0; both were given at random.
inline TrainingRows easy_rows(Eigen::Index count, std::uint64_t seed, Eigen::Index inputs = 3, Eigen::Index cause = 0) {
    Rng rng(seed, Draw::test);
    TrainingRows rows;
    rows.inputs = random_matrix_f(rng, count, inputs);
    for (Eigen::Index i = 0; i < count; ++i) {
        const int given = rng.bernoulli(0.5) ? 1 : 0;
        const float effect = rows.inputs(i, cause) > 0 ? -1.0F : 1.0F;
        rows.treatment.push_back(given);
        rows.outcome.push_back(static_cast<float>(given) * effect + 0.1F * static_cast<float>(rng.normal()));
        rows.weight.push_back(1.0F);
    }
    return rows;
}

// The share of them for which a network prescribes the better treatment.
inline double accuracy(const ReluNetwork& network, const TrainingRows& rows, Eigen::Index cause = 0) {
    const std::vector<int> prescribed = argmin_rows(forward(network, rows.inputs.cast<double>()));
    std::size_t right = 0;
    for (std::size_t i = 0; i < prescribed.size(); ++i)
        right += prescribed[i] == (rows.inputs(static_cast<Eigen::Index>(i), cause) > 0 ? 1 : 0) ? 1 : 0;
    return static_cast<double>(right) / static_cast<double>(prescribed.size());
}

inline TrainOptions small_options(int epochs) {
    TrainOptions options;
    options.hidden = {16, 8};
    options.epochs = epochs;
    options.batch = 32;
    options.learning_rate = 1e-2;
    return options;
}

}  // namespace polyrx::test
