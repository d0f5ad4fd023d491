// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/supported/best_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

struct Score {
    double gain = 0;
    double threshold = 0;  // for the candidate's value
    Eigen::Index terms = 0;
};

// A readable threshold in [below, above): halfway, and k + 0.5 for whole numbers.
double nice_threshold(double below, double above, bool whole) {
    const double middle = below + (above - below) / 2;
    const double half = std::floor(middle) + 0.5;
    if (whole && half >= below && half < above) return half;
    return middle < above ? middle : below;  // adjacent doubles have nothing in between
}

Score score(const CandidateSplit& candidate, const Domain& domain, std::span<ValuedRow> values,
            const TreatmentCounts& all, std::size_t min_rows) {
    Score score;
    score.terms = (candidate.function.weights.array() != 0).count();
    const bool cut = candidate.origin.kind == SplitOrigin::Kind::cut;
    if (!cut) {
        TreatmentCounts yes(all.size());
        std::size_t given_yes = 0;
        std::size_t given_no = 0;
        for (const ValuedRow& row : values) {
            if (row.value > 0) ++yes[static_cast<std::size_t>(row.treatment)];
            if (row.given) ++(row.value > 0 ? given_yes : given_no);
        }
        if (given_yes >= min_rows && given_no >= min_rows) score.gain = gini_gain(all, yes);
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

// The candidates with the largest gains, in their original order.
std::vector<const CandidateSplit*> finalists(const std::vector<const CandidateSplit*>& candidates,
                                             const std::vector<Score>& scores) {
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a].gain > scores[b].gain; });
    order.resize(std::min(order.size(), most_finalists));
    std::sort(order.begin(), order.end());
    std::vector<const CandidateSplit*> best;
    for (const std::size_t i : order) best.push_back(candidates[i]);
    return best;
}

std::vector<Score> score_all(std::span<const CandidateSplit* const> candidates, const Domain& domain,
                             const LabeledRows& rows, std::span<const Eigen::Index> compared, std::size_t min_rows,
                             int threads) {
    const std::vector<Eigen::Index> chosen(compared.begin(), compared.end());
    const Matrix inputs = rows.inputs(chosen, Eigen::all);
    TreatmentCounts all(static_cast<std::size_t>(rows.outcomes.cols()));
    for (const Eigen::Index row : compared)
        ++all[static_cast<std::size_t>(rows.treatment[static_cast<std::size_t>(row)])];

    // A few candidates at a time form one layer of a network, so the forward kernel computes their values: fast, and
    // with the same bits on every machine.
    std::vector<Score> scores(candidates.size());
    constexpr std::size_t block = 16;
    parallel_for((candidates.size() + block - 1) / block, threads, [&](std::size_t index) {
        const std::size_t first = index * block;
        const std::size_t count = std::min(block, candidates.size() - first);
        Layer layer{Matrix(count, inputs.cols()), Vector(count)};
        for (std::size_t i = 0; i < count; ++i) {
            layer.weights.row(static_cast<Eigen::Index>(i)) = candidates[first + i]->function.weights.transpose();
            layer.bias[static_cast<Eigen::Index>(i)] = candidates[first + i]->function.constant;
        }
        const Matrix values = forward(ReluNetwork({std::move(layer)}), inputs);
        std::vector<ValuedRow> column(compared.size());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t row = 0; row < compared.size(); ++row) {
                const auto member = static_cast<std::size_t>(compared[row]);
                column[row] = {values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(i)),
                               rows.treatment[member], member < rows.given};
            }
            scores[first + i] = score(*candidates[first + i], domain, column, all, min_rows);
        }
    });
    return scores;
}

}  // namespace

std::vector<Eigen::Index> evenly_spaced(std::span<const Eigen::Index> members, std::size_t most) {
    if (members.size() <= most) return {members.begin(), members.end()};
    std::vector<Eigen::Index> some(most);
    for (std::size_t i = 0; i < most; ++i) some[i] = members[i * members.size() / most];
    return some;
}

std::optional<ScoredSplit> best_split(const std::vector<CandidateSplit>& candidates, const Domain& domain,
                                      const LabeledRows& rows, std::span<const Eigen::Index> members,
                                      std::size_t min_rows, int threads) {
    std::vector<const CandidateSplit*> left;
    for (const CandidateSplit& candidate : candidates) left.push_back(&candidate);
    std::vector<Score> scores;
    std::size_t looked_at = 0;
    for (const std::size_t most : {rows_of_all_candidates, rows_of_finalists}) {
        if (looked_at == members.size()) break;
        if (looked_at > 0) left = finalists(left, scores);
        const std::vector<Eigen::Index> compared = evenly_spaced(members, most);
        looked_at = compared.size();
        scores = score_all(left, domain, rows, compared,
                           std::max<std::size_t>(1, min_rows * looked_at / members.size()), threads);
    }

    double best_gain = 0;
    for (const Score& score : scores) best_gain = std::max(best_gain, score.gain);
    // Smaller gains are rounding errors of splits that keep the shares.
    if (!(best_gain > 1e-9)) return std::nullopt;
    const auto rank = [&](std::size_t i) {
        return std::make_tuple(scores[i].terms, scores[i].threshold != 0, -scores[i].gain, i);
    };
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (scores[i].gain >= best_gain * (1 - near_best) && (!chosen || rank(i) < rank(*chosen))) chosen = i;
    ScoredSplit split{left[*chosen]->function, left[*chosen]->origin, scores[*chosen].gain};
    split.function.constant -= scores[*chosen].threshold;
    split.gain *= static_cast<double>(members.size()) / static_cast<double>(looked_at);
    return split;
}

}  // namespace polyrx
