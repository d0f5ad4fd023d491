// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/forest.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {

Sample draw_sample(std::size_t rows, bool bootstrap, Rng& rng) {
    Sample sample;
    if (!bootstrap) {
        sample.rows.resize(rows);
        std::iota(sample.rows.begin(), sample.rows.end(), RowIndex{0});
        sample.times.assign(rows, 1);
        return sample;
    }
    std::vector<std::uint32_t> times(rows);
    for (std::size_t i = 0; i < rows; ++i) ++times[rng.below(rows)];
    for (std::size_t i = 0; i < rows; ++i) {
        if (times[i] == 0) continue;
        sample.rows.push_back(static_cast<RowIndex>(i));
        sample.times.push_back(times[i]);
    }
    return sample;
}

Rng tree_rng(const ForestOptions& options, std::size_t tree) {
    return {options.seed, Draw::forest, options.stream << 32 | tree};
}

void grow_trees(const ForestOptions& options, const Progress& progress, const std::function<void(std::size_t)>& grow) {
    const auto trees = static_cast<std::size_t>(options.trees);
    std::atomic<std::size_t> grown{0};
    parallel_for(trees, options.threads, [&](std::size_t tree) {
        report(progress, static_cast<double>(grown) / static_cast<double>(trees), "growing trees");
        grow(tree);
        ++grown;
    });
}

void for_row_blocks(const FeatureRows& features, int threads,
                    const std::function<void(Eigen::Index first, const Matrix& rows)>& act) {
    constexpr Eigen::Index block = 256;
    const Eigen::Index rows = features.values.rows();
    parallel_for(static_cast<std::size_t>((rows + block - 1) / block), threads, [&](std::size_t task) {
        const Eigen::Index first = static_cast<Eigen::Index>(task) * block;
        act(first, features.values.middleRows(first, std::min(block, rows - first)));
    });
}

}  // namespace polyrx
