// SPDX-License-Identifier: Apache-2.0
// Our policy tree on scores as given, for policy_tree.py to hold against others; `polyrx fit` makes its scores itself.
//
//     peer_policy_tree ROWS.csv DEPTH [THREADS]
//
// Columns: s0, s1, .. (what each treatment comes to, small is good) and features x1, x2, .., all of them numbers.
// Prints the seconds of the search, "exact" or "approximate", and the treatment prescribed to each row.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>

#include "polyrx/baselines/policy_tree/policy_tree.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace {

using namespace polyrx;

Eigen::MatrixXd columns_of(const Table& table, char initial) {
    Eigen::MatrixXd columns(static_cast<Eigen::Index>(table.rows()), 0);
    for (const Column& column : table.columns()) {
        if (!column.name.starts_with(initial)) continue;
        columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
        columns.rightCols(1) =
            Eigen::Map<const Vector>(std::get<NumericColumn>(column.values).values.data(), columns.rows());
    }
    return columns;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) {
        std::fputs("usage: peer_policy_tree ROWS.csv DEPTH [THREADS]\n", stderr);
        return 2;
    }
    try {
        const Table table = read_csv(argv[1]);
        FeatureRows features;
        features.values = columns_of(table, 'x');
        features.levels.assign(static_cast<std::size_t>(features.values.cols()), 0);
        const Matrix scores = columns_of(table, 's');
        const std::vector<int> treatment(table.rows());
        const std::vector<double> outcome(table.rows());
        std::vector<std::size_t> rows(table.rows());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        PolicyTreeOptions options;
        options.depth = std::atoi(argv[2]);
        if (argc == 4) options.threads = std::atoi(argv[3]);
        const auto began = std::chrono::steady_clock::now();
        const PolicyTree found =
            fit_policy_tree({features, treatment, static_cast<int>(scores.cols()), outcome}, rows, scores, options);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
        std::printf("%.6f %s\n", seconds.count(), found.is_exact ? "exact" : "approximate");
        for (std::size_t row = 0; row < rows.size(); ++row)
            std::printf("%d\n",
                        found.tree.leaves[static_cast<std::size_t>(leaf_of(found.tree.tree, features, row))].treatment);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peer_policy_tree: %s\n", error.what());
        return 1;
    }
}
