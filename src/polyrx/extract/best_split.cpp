// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/best_split.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

struct Score {
    double gain = 0;
    double threshold = 0;  // of the candidate's value
    Eigen::Index terms = 0;
};

// A threshold in [below, above) that reads well: halfway, and for whole numbers k + 0.5.
double nice_threshold(double below, double above, bool whole) {
    const double middle = below + (above - below) / 2;
    const double half = std::floor(middle) + 0.5;
    if (whole && half >= below && half < above) return half;
    return middle < above ? middle : below;  // neighbouring doubles have nothing in between
}

Score score(const Candidate& candidate, const Domain& domain, std::span<ValuedRow> values, const TreatmentCounts& all,
            std::size_t min_rows) {
    Score score;
    score.terms = (candidate.function.weights.array() != 0).count();
    const bool cut = candidate.origin.kind == SplitOrigin::Kind::cut;
    if (!cut) {
        TreatmentCounts yes(all.size());
        std::size_t above = 0;
        for (const ValuedRow& row : values)
            if (row.value > 0) ++yes[static_cast<std::size_t>(row.treatment)], ++above;
        if (above >= min_rows && values.size() - above >= min_rows) score.gain = gini_gain(all, yes);
    }
    if (!candidate.movable) return score;
    const Cut best = best_cut(values, all, min_rows);
    if (best.gain * (1 - near_best) > score.gain) {
        score.gain = best.gain;
        score.threshold = nice_threshold(best.below, best.above,
                                         cut && domain.integer[static_cast<std::size_t>(candidate.origin.first)]);
    }
    return score;
}

}  // namespace

std::vector<Eigen::Index> rows_compared(std::span<const Eigen::Index> members) {
    if (members.size() <= most_rows_compared) return {members.begin(), members.end()};
    std::vector<Eigen::Index> some(most_rows_compared);
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = members[i * members.size() / some.size()];
    return some;
}

std::optional<ScoredSplit> best_split(const std::vector<Candidate>& candidates, const Domain& domain,
                                      const LabelledRows& rows, std::span<const Eigen::Index> members,
                                      std::size_t min_rows, int threads) {
    const std::vector<Eigen::Index> compared = rows_compared(members);
    const Matrix inputs = rows.inputs(compared, Eigen::all);
    TreatmentCounts all(static_cast<std::size_t>(rows.outcomes.cols()));
    for (const Eigen::Index row : compared)
        ++all[static_cast<std::size_t>(rows.treatment[static_cast<std::size_t>(row)])];

    // A few candidates at a time are one layer of a network, whose values the forward kernel computes: fast, and the
    // same bits on every machine.
    std::vector<Score> scores(candidates.size());
    constexpr std::size_t block = 16;
    parallel_for((candidates.size() + block - 1) / block, threads, [&](std::size_t index) {
        const std::size_t first = index * block;
        const std::size_t count = std::min(block, candidates.size() - first);
        Layer layer{Matrix(count, inputs.cols()), Vector(count)};
        for (std::size_t i = 0; i < count; ++i) {
            layer.weights.row(static_cast<Eigen::Index>(i)) = candidates[first + i].function.weights.transpose();
            layer.bias[static_cast<Eigen::Index>(i)] = candidates[first + i].function.constant;
        }
        const Matrix values = forward(ReluNetwork({std::move(layer)}), inputs);
        std::vector<ValuedRow> column(compared.size());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t row = 0; row < compared.size(); ++row)
                column[row] = {values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(i)),
                               rows.treatment[static_cast<std::size_t>(compared[row])]};
            scores[first + i] = score(candidates[first + i], domain, column, all, min_rows);
        }
    });

    double best_gain = 0;
    for (const Score& score : scores) best_gain = std::max(best_gain, score.gain);
    // Gains of pure rounding, from splits that leave the shares as they were, are none.
    if (!(best_gain > 1e-9)) return std::nullopt;
    const auto rank = [&](std::size_t i) {
        return std::make_tuple(scores[i].terms, scores[i].threshold != 0, -scores[i].gain, i);
    };
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (scores[i].gain >= best_gain * (1 - near_best) && (!chosen || rank(i) < rank(*chosen))) chosen = i;
    ScoredSplit split{candidates[*chosen].function, candidates[*chosen].origin, scores[*chosen].gain};
    split.function.constant -= scores[*chosen].threshold;
    split.gain *= static_cast<double>(members.size()) / static_cast<double>(compared.size());
    return split;
}

}  // namespace polyrx
