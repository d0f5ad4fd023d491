// SPDX-License-Identifier: Apache-2.0
#include "polyrx/nuisance/boosted_folds.hpp"

#include <limits>
#include <vector>

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {

BoostedChoice choose_rounds(std::span<const RowSplit> folds, const BoostedFolds& boosting, int threads,
                            const Progress& progress) {
    constexpr int tried[] = {3, 6, 10, 15, 20, 30, 40, 50, 65, 80, 100, 125, 150};
    constexpr int patience = 2;
    std::vector<Booster> boosters;
    std::size_t places = 0;
    for (const RowSplit& fold : folds) {
        boosters.push_back(boosting.make(fold));
        places += fold.held_out.size();
    }
    BoostedChoice best;
    double least = std::numeric_limits<double>::infinity();
    int rounds = 0;
    int since = 0;
    for (const int next : tried) {
        std::vector<Matrix> predicted(folds.size());
        parallel_for(folds.size(), threads, [&](std::size_t f) {
            add_rounds(boosters[f], next - rounds, progress);
            predicted[f] = boosting.predict(boosters[f], folds[f].held_out);
        });
        rounds = next;
        Matrix all(static_cast<Eigen::Index>(places), predicted.front().cols());
        for (std::size_t f = 0; f < folds.size(); ++f) all(folds[f].held_out, Eigen::all) = predicted[f];
        const double loss = boosting.loss(all);
        if (loss < least) {
            least = loss;
            best = {std::move(all), rounds};
            since = 0;
        } else if (++since == patience) {
            break;
        }
    }
    return best;
}

void add_rounds(Booster& booster, int rounds, const Progress& progress) {
    for (int round = 0; round < rounds; ++round) {
        report(progress, 0, "boosting trees");
        booster.add_round();
    }
}

}  // namespace polyrx
