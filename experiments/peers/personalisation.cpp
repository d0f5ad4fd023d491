// SPDX-License-Identifier: Apache-2.0
// Our personalization tree with settings as given, for personalization.py to hold against a literal one; `polyrx fit`
// chooses its settings itself.
//
//     peer_personalization_tree ROWS.csv UNSEEN.csv DEPTH TREATMENT_ROWS
//
// Columns: `treatment` (0, 1, ..), `outcome`, and features x1, x2, .., all of them numbers; others are not looked at. A
// depth of 0 is no limit. Prints the number of each row's leaf and the treatment prescribed there: first of the rows
// that the tree learns from, then of the unseen ones.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <string>

#include "polyrx/baselines/personalization/personalization_tree.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace {

using namespace polyrx;

const std::vector<double>& numbers(const Column& column) {
    return std::get<NumericColumn>(column.values).values;
}

FeatureRows features_of(const Table& table) {
    FeatureRows features;
    features.values.resize(static_cast<Eigen::Index>(table.rows()), 0);
    for (const Column& column : table.columns()) {
        if (!column.name.starts_with('x')) continue;
        features.levels.push_back(0);
        features.values.conservativeResize(Eigen::NoChange, features.values.cols() + 1);
        features.values.rightCols(1) = Eigen::Map<const Vector>(numbers(column).data(), features.values.rows());
    }
    return features;
}

void print_leaves(const PersonalizationTree& tree, const FeatureRows& features) {
    for (std::size_t row = 0; row < features.rows(); ++row) {
        const int leaf = leaf_of(tree.tree, features, row);
        std::printf("%d %d\n", leaf, tree.leaves[static_cast<std::size_t>(leaf)].treatment);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fputs("usage: peer_personalization_tree ROWS.csv UNSEEN.csv DEPTH TREATMENT_ROWS\n", stderr);
        return 2;
    }
    try {
        const Table table = read_csv(argv[1]);
        const FeatureRows features = features_of(table);
        std::vector<int> treatment;
        for (const double value : numbers(table.at("treatment"))) treatment.push_back(static_cast<int>(value));
        const TreatedRows study{features, treatment, 1 + std::ranges::max(treatment), numbers(table.at("outcome"))};
        std::vector<std::size_t> rows(table.rows());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        const PersonalizationTree tree = fit_personalization_tree(
            study, rows,
            {.depth = std::atoi(argv[3]), .treatment_rows = static_cast<std::size_t>(std::atoll(argv[4]))});
        print_leaves(tree, features);
        print_leaves(tree, features_of(read_csv(argv[2])));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peer_personalisation_tree: %s\n", error.what());
        return 1;
    }
}
