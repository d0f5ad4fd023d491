// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/causal/effect_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

void check(const FeatureRows& features, std::span<const int> treatment, int treatments, std::span<const double> outcome,
           std::span<const double> weight, EffectScheme scheme) {
    if (treatments < 1)
        throw usage_error(fmt::format("the number of treatments must be at least 1, not {}", treatments));
    if (scheme == EffectScheme::plain && treatments != 2)
        throw usage_error(fmt::format("the plain scheme needs exactly 2 treatments, not {}", treatments));
    const auto wrong_length = [&](std::size_t length) { return length != features.rows(); };
    if (wrong_length(treatment.size()) || wrong_length(outcome.size()) ||
        (!weight.empty() && wrong_length(weight.size())))
        throw usage_error(fmt::format("there are {} rows of features, but {} treatments, {} outcomes and {} weights",
                                      features.rows(), treatment.size(), outcome.size(), weight.size()));
    for (const int t : treatment)
        if (t < 0 || t >= treatments)
            throw usage_error(fmt::format("treatments must be 0 to {}, not {}", treatments - 1, t));
}

// The pairs to compare, without their models.
std::vector<ComparedPair> pairs_of(EffectScheme scheme, const std::vector<std::size_t>& rows) {
    std::vector<int> observed;
    for (std::size_t t = 0; t < rows.size(); ++t)
        if (rows[t] > 0) observed.push_back(static_cast<int>(t));
    std::vector<ComparedPair> pairs;
    if (observed.size() < 2) return pairs;
    if (scheme == EffectScheme::plain) return {{1, 0, {}}};
    for (std::size_t p = 0; p < observed.size(); ++p) {
        if (scheme == EffectScheme::one_vs_all) {
            pairs.push_back({observed[p], ComparedPair::all_others, {}});
            continue;
        }
        for (std::size_t s = p + 1; s < observed.size(); ++s) pairs.push_back({observed[p], observed[s], {}});
    }
    return pairs;
}

Vector effects_of(const EffectModel& model, const FeatureRows& features, int threads) {
    return std::visit([&](const auto& each) { return effects(each, features, threads); }, model);
}

}  // namespace

std::string_view name_of(EffectScheme scheme) {
    switch (scheme) {
        case EffectScheme::plain:
            return "plain";
        case EffectScheme::one_vs_all:
            return "1vA";
        case EffectScheme::one_vs_one_a:
            return "1v1-A";
        case EffectScheme::one_vs_one_b:
            return "1v1-B";
    }
    return {};
}

PairwiseEffects fit_pairwise_effects(const FeatureRows& features, std::span<const int> treatment, int treatments,
                                     std::span<const double> outcome, std::span<const double> weight,
                                     EffectScheme scheme, const EffectOptions& options, const Progress& progress) {
    check(features, treatment, treatments, outcome, weight, scheme);
    const auto counts = [&](std::size_t row) { return weight.empty() || weight[row] > 0; };
    PairwiseEffects result{scheme, std::vector<std::size_t>(static_cast<std::size_t>(treatments)), {}};
    for (std::size_t row = 0; row < treatment.size(); ++row)
        if (counts(row)) ++result.rows[static_cast<std::size_t>(treatment[row])];
    result.pairs = pairs_of(scheme, result.rows);

    // Threads share the pairs if there are enough, otherwise the trees of one pair.
    const int threads = threads_for(std::visit([](const auto& each) { return each.threads; }, options));
    const bool side_by_side = result.pairs.size() >= static_cast<std::size_t>(threads);
    std::atomic<std::size_t> done{0};
    parallel_for(result.pairs.size(), side_by_side ? threads : 1, [&](std::size_t index) {
        ComparedPair& pair = result.pairs[index];
        std::vector<std::size_t> rows;
        std::vector<int> treated(treatment.size());
        for (std::size_t row = 0; row < treatment.size(); ++row) {
            if (!counts(row)) continue;
            treated[row] = treatment[row] == pair.treatment ? 1 : 0;
            if (pair.against == ComparedPair::all_others || treated[row] == 1 || treatment[row] == pair.against)
                rows.push_back(row);
        }
        const Progress part = [&](double share, std::string_view work) {
            const auto pairs = static_cast<double>(result.pairs.size());
            return !progress || progress((static_cast<double>(done) + share) / pairs, work);
        };
        std::visit(
            [&](auto model_options) {
                model_options.threads = side_by_side ? 1 : threads;
                if constexpr (std::is_same_v<decltype(model_options), CausalTreeOptions>)
                    pair.model = fit_causal_tree(features, rows, treated, outcome, weight, model_options, part);
                else
                    pair.model = fit_causal_forest(features, rows, treated, outcome, weight, model_options, part);
            },
            options);
        ++done;
    });
    return result;
}

Matrix scores(const PairwiseEffects& effects, const FeatureRows& features, int threads) {
    const auto rows = static_cast<Eigen::Index>(features.rows());
    const auto treatments = static_cast<Eigen::Index>(effects.rows.size());
    const bool lowest = effects.scheme == EffectScheme::one_vs_one_a && !effects.pairs.empty();
    Matrix result = Matrix::Constant(rows, treatments, lowest ? infinity : 0.0);
    for (Eigen::Index t = 0; t < treatments; ++t)
        if (effects.rows[static_cast<std::size_t>(t)] == 0) result.col(t).setConstant(infinity);
    for (const ComparedPair& pair : effects.pairs) {
        const Vector effect = effects_of(pair.model, features, threads);
        auto score = result.col(pair.treatment);
        switch (effects.scheme) {
            case EffectScheme::plain:
            case EffectScheme::one_vs_all:
                score = effect;
                break;
            case EffectScheme::one_vs_one_a:
                score = score.cwiseMin(effect);
                result.col(pair.against) = result.col(pair.against).cwiseMin(-effect);
                break;
            case EffectScheme::one_vs_one_b:
                score.array() -= (effect.array() < 0).cast<double>();
                result.col(pair.against).array() -= (effect.array() > 0).cast<double>();
                break;
        }
    }
    return result;
}

}  // namespace polyrx
