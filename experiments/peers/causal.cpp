// SPDX-License-Identifier: Apache-2.0
// The effects that our causal forest finds from residuals that causal.py gives to EconML's as well.
//
//     peer_causal_forest ROWS.csv TREES SEED
//
// Columns: `learn` (1 to learn from the row, 0 not to), `treatment` and `outcome` (residuals), and features, all of
// them numbers. Prints the effect of each row.

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "polyrx/baselines/causal/causal_forest.hpp"
#include "polyrx/table/io/csv_read.hpp"

int main(int argc, char** argv) {
    using namespace polyrx;
    if (argc != 4) {
        std::fputs("usage: peer_causal_forest ROWS.csv TREES SEED\n", stderr);
        return 2;
    }
    try {
        const Table table = read_csv(argv[1]);
        FeatureRows features;
        features.values.resize(static_cast<Eigen::Index>(table.rows()), 0);
        Residuals residuals;
        std::vector<std::size_t> rows;
        for (const Column& column : table.columns()) {
            const std::vector<double>& values = std::get<NumericColumn>(column.values).values;
            if (column.name == "learn") {
                for (std::size_t row = 0; row < values.size(); ++row)
                    if (values[row] != 0) rows.push_back(row);
            } else if (column.name == "treatment") {
                residuals.treatment = values;
            } else if (column.name == "outcome") {
                residuals.outcome = values;
            } else {
                features.levels.push_back(0);
                features.values.conservativeResize(Eigen::NoChange, features.values.cols() + 1);
                features.values.rightCols(1) = Eigen::Map<const Vector>(values.data(), features.values.rows());
            }
        }
        CausalForestOptions options;
        options.trees = std::atoi(argv[2]);
        options.seed = static_cast<std::uint64_t>(std::atoll(argv[3]));
        options.threads = 0;
        const CausalForest forest = fit_causal_forest(features, rows, residuals, {}, options);
        for (const double effect : effects(forest, features, 0)) std::printf("%.17g\n", effect);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peer_causal_forest: %s\n", error.what());
        return 1;
    }
}
