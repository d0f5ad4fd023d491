// SPDX-License-Identifier: Apache-2.0
// Causal trees pruned to the least error on held-out folds, and to the smallest tree within one standard error of it,
// on the same rows.
//
//     peer_pruning FIRST_SEED LAST_SEED
//
// The paper's six data sets, for each seed 10,000 rows to learn from and 10,000 others (seed + 1000) to judge by.
// Prints a table: accuracy in percent, regret, and leaves of all trees of a method together.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "polyrx/baselines/causal/effect_schemes.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/studies/simulate.hpp"

namespace {

using namespace polyrx;

constexpr Eigen::Index feature_count = 20;

struct Study {
    FeatureRows features;
    std::vector<int> treatment;
    std::vector<double> outcome;
    Matrix truth;
};

const std::vector<double>& numbers(const Table& table, const std::string& column) {
    return std::get<NumericColumn>(table.at(column).values).values;
}

Study study_of(int dataset, std::uint64_t seed) {
    const Table table = simulate_paper(dataset, {.seed = seed, .truth = true});
    const auto rows = static_cast<Eigen::Index>(table.rows());
    Study study{{Eigen::MatrixXd(rows, feature_count), std::vector<int>(feature_count, 0)}, {}, {}, {}};
    for (Eigen::Index j = 0; j < feature_count; ++j)
        study.features.values.col(j) =
            Eigen::Map<const Vector>(numbers(table, "x" + std::to_string(j + 1)).data(), rows);
    for (const double treatment : numbers(table, "treatment")) study.treatment.push_back(static_cast<int>(treatment));
    study.outcome = numbers(table, "outcome");
    std::vector<std::string> columns;
    while (table.find("y" + std::to_string(columns.size())) != nullptr)
        columns.push_back("y" + std::to_string(columns.size()));
    study.truth = truth_matrix(table, columns);
    return study;
}

void print_trees(int dataset, std::uint64_t seed, EffectScheme scheme, double errors, const Study& train,
                 const Study& test) {
    CausalTreeOptions options;
    options.errors = errors;
    options.seed = seed;
    const PairwiseEffects effects = fit_pairwise_effects(
        train.features, train.treatment, static_cast<int>(train.truth.cols()), train.outcome, {}, scheme, options);
    std::size_t leaves = 0;
    for (const ComparedPair& pair : effects.pairs) leaves += leaf_count(std::get<CausalTree>(pair.model).tree);
    const TruthScore score =
        score_against_truth(argmin_rows(scores(effects, test.features, 1)), test.truth, /*larger_is_better=*/false);
    std::printf("D%d,%llu,%s,%g,%.4f,%.6f,%zu\n", dataset, static_cast<unsigned long long>(seed),
                std::string(name_of(scheme)).c_str(), errors, 100 * score.accuracy, score.regret, leaves);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: peer_pruning FIRST_SEED LAST_SEED\n", stderr);
        return 2;
    }
    try {
        const auto first = static_cast<std::uint64_t>(std::atoll(argv[1]));
        const auto last = static_cast<std::uint64_t>(std::atoll(argv[2]));
        const std::vector<EffectScheme> of_two = {EffectScheme::plain};
        const std::vector<EffectScheme> of_more = {EffectScheme::one_vs_all, EffectScheme::one_vs_one_a,
                                                   EffectScheme::one_vs_one_b};
        std::puts("data,seed,scheme,errors,accuracy,regret,leaves");
        for (int dataset = 1; dataset <= 6; ++dataset)
            for (std::uint64_t seed = first; seed <= last; ++seed) {
                const Study train = study_of(dataset, seed);
                const Study test = study_of(dataset, seed + 1'000);
                for (const EffectScheme scheme : train.truth.cols() == 2 ? of_two : of_more)
                    for (const double errors : {0.0, 1.0}) print_trees(dataset, seed, scheme, errors, train, test);
            }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peer_pruning: %s\n", error.what());
        return 1;
    }
}
