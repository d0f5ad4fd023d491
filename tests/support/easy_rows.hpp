// SPDX-License-Identifier: Apache-2.0
// Rows from which a small network learns within a second.
#pragma once

#include "polyrx/core/rng.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::test {

// Treatment 1 is better where x0 > 0; both were given at random.
inline TrainingRows easy_rows(Eigen::Index count, std::uint64_t seed) {
    Rng rng(seed, Draw::test);
    TrainingRows rows;
    rows.inputs = random_matrix_f(rng, count, 3);
    for (Eigen::Index i = 0; i < count; ++i) {
        const int given = rng.bernoulli(0.5) ? 1 : 0;
        const float effect = rows.inputs(i, 0) > 0 ? -1.0F : 1.0F;
        rows.treatment.push_back(given);
        rows.outcome.push_back(static_cast<float>(given) * effect + 0.1F * static_cast<float>(rng.normal()));
        rows.weight.push_back(1.0F);
    }
    return rows;
}

}  // namespace polyrx::test
