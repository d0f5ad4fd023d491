// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/learn/learn_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "polyrx/learners/linear/multinomial_logistic.hpp"
#include "polyrx/learners/trees/classification_criterion.hpp"
#include "polyrx/learners/trees/classification_forest.hpp"
#include "polyrx/learners/trees/lookahead_tree.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/study/splits/grouped_folds.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

constexpr int most_sparse_terms = 5;
constexpr int deepest_tree = 4;  // at most 16 leaves
constexpr std::size_t rows_in_a_leaf = 50;
// A design is known, not estimated. Still, a few rows do not show what it assigns to similar rows.
constexpr std::size_t rows_in_a_leaf_of_a_design = 10;
constexpr std::size_t most_folds = 5;
constexpr double dense_penalties[] = {1, 10, 100};
// Candidates are compared on at most this many rows.
constexpr std::size_t most_compared_rows = 10'000;

struct Candidate {
    enum class Kind { constant, sparse, dense, tree, lookahead };
    Kind kind = Kind::constant;
    int size = 0;        // number of terms, or depth
    double penalty = 1;  // for dense regressions
};

// Ordered from the simplest.
std::vector<Candidate> candidates() {
    using Kind = Candidate::Kind;
    std::vector<Candidate> list = {{Kind::constant}};
    for (int size = 1; size <= most_sparse_terms; ++size) {
        list.push_back({Kind::sparse, size});
        if (size > deepest_tree) continue;
        list.push_back({Kind::tree, size});
        if (size > 1) list.push_back({Kind::lookahead, size});
    }
    for (const double penalty : dense_penalties) list.push_back({Kind::dense, 0, penalty});
    return list;
}

std::string name_of(const Candidate& candidate) {
    switch (candidate.kind) {
        case Candidate::Kind::sparse:
            return fmt::format("logistic with {} term{}", candidate.size, candidate.size == 1 ? "" : "s");
        case Candidate::Kind::dense:
            return fmt::format("logistic with all inputs, penalty {}", candidate.penalty);
        case Candidate::Kind::tree:
            return fmt::format("tree of depth {}", candidate.size);
        case Candidate::Kind::lookahead:
            return fmt::format("tree of depth {} with lookahead", candidate.size);
        case Candidate::Kind::constant:
            break;
    }
    return "constant";
}

class Learner {
public:
    explicit Learner(const SupportStudy& study, int threads)
        : study_(study), features_(study.features), threads_(threads) {
        // Skips derived features, which come last: their columns contain the same information.
        const auto& all = study.encoder.features();
        const auto own =
            std::ranges::find_if(all, [](const Feature& feature) { return feature.formula.has_value(); }) - all.begin();
        features_.values.conservativeResize(Eigen::NoChange, own);
        features_.levels.resize(static_cast<std::size_t>(own));
        for (std::size_t c = 0; c < study.encoder.columns().size(); ++c)
            if (static_cast<std::ptrdiff_t>(study.encoder.columns()[c].feature) < own)
                inputs_.push_back(static_cast<Eigen::Index>(c));
    }

    // Forward selection of the inputs of a sparse regression.
    [[nodiscard]] std::vector<Eigen::Index> choose_inputs(const Rows& rows) const {
        std::vector<Eigen::Index> chosen;
        const Matrix standard = standardized(rows);
        while (chosen.size() < std::min<std::size_t>(most_sparse_terms, inputs_.size())) {
            const Matrix fitted = probabilities(logistic(chosen, rows, 1), study_.encoded(rows, chosen));
            // The gradient of the log-likelihood in each remaining input.
            Matrix residual = -fitted;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                residual(static_cast<Eigen::Index>(i), study_.treatment[rows[i]]) += 1;
                residual.row(static_cast<Eigen::Index>(i)) *= weight_of(rows[i]);
            }
            const Matrix gradient = standard.transpose() * residual;
            Eigen::Index best = -1;
            for (std::size_t j = 0; j < inputs_.size(); ++j) {
                if (std::ranges::find(chosen, inputs_[j]) != chosen.end()) continue;
                const auto at = static_cast<Eigen::Index>(j);
                if (best < 0 || gradient.row(at).squaredNorm() > gradient.row(best).squaredNorm()) best = at;
            }
            if (best < 0 || !(gradient.row(best).squaredNorm() > 0)) break;
            chosen.push_back(inputs_[static_cast<std::size_t>(best)]);
        }
        return chosen;
    }

    // Fits a candidate. `sparse` is the result of choose_inputs() on the same rows.
    [[nodiscard]] Support fit(const Candidate& candidate, const Rows& rows, std::vector<Eigen::Index> sparse) const {
        Support support;
        switch (candidate.kind) {
            case Candidate::Kind::constant:
                support.model = log_odds(logistic({}, rows, 1), {});
                break;
            case Candidate::Kind::sparse:
                sparse.resize(std::min(sparse.size(), static_cast<std::size_t>(candidate.size)));
                std::ranges::sort(sparse);
                support.model = log_odds(logistic(sparse, rows, 1), sparse);
                break;
            case Candidate::Kind::dense:
                support.model = log_odds(logistic(inputs_, rows, candidate.penalty), inputs_);
                break;
            case Candidate::Kind::tree:
            case Candidate::Kind::lookahead:
                support.model = tree(candidate, rows);
                break;
        }
        return support;
    }

    // A tree that separates rows by the treatments that a design supports, `sets` by row. Its leaves count all of their
    // rows for each treatment that is supported for all of them, and none for the others. If there is no such
    // treatment, they use the treatment that is supported for most rows.
    [[nodiscard]] PropensityTree tree_of_sets(const std::vector<TreatmentSet>& sets, const Rows& rows) const {
        const std::vector<int> label = numbered(sets, rows);
        const Labels labels{label, 1 + *std::ranges::max_element(label)};
        auto [tree, leaf] = counted(greedy_tree(labels, deepest_tree, rows_in_a_leaf_of_a_design, rows), rows);
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (int k = 0; k < static_cast<int>(study_.treatments); ++k)
                if (has(sets[i], k)) tree.nodes[leaf[i]].rows[static_cast<std::size_t>(k)] += 1;
        for (std::size_t at = 0; at < tree.nodes.size(); ++at)
            if (std::vector<double>& count = tree.nodes[at].rows; !count.empty()) {
                const double most = *std::ranges::max_element(count);
                for (double& each : count) each = each == most ? most : 0;
            }
        return std::move(tree);
    }

    // Rows x treatments.
    [[nodiscard]] Matrix propensities(const Support& support, const Rows& rows) const {
        Matrix result(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(study_.treatments));
        const auto* linear = std::get_if<LinearLogOdds>(&support.model);
        for (std::size_t i = 0; i < rows.size(); ++i)
            result.row(static_cast<Eigen::Index>(i)) =
                linear ? of_linear(*linear, rows[i]) : of_tree(std::get<PropensityTree>(support.model), rows[i]);
        return result;
    }

private:
    // Numbers the sets as classes, by row of the study. If there are many, the rarest share one class.
    [[nodiscard]] std::vector<int> numbered(const std::vector<TreatmentSet>& sets, const Rows& rows) const {
        std::map<TreatmentSet, std::size_t> count;
        for (const TreatmentSet set : sets) ++count[set];
        std::vector<std::pair<TreatmentSet, std::size_t>> common(count.begin(), count.end());
        std::ranges::stable_sort(common, std::greater(), &std::pair<TreatmentSet, std::size_t>::second);
        std::map<TreatmentSet, int> number;
        for (const auto& [set, ignored] : common)
            number.emplace(set, std::min(static_cast<int>(number.size()), ClassificationCriterion::most_classes - 1));
        std::vector<int> label(study_.treatment.size(), 0);
        for (std::size_t i = 0; i < rows.size(); ++i) label[rows[i]] = number.at(sets[i]);
        return label;
    }

    [[nodiscard]] double weight_of(std::size_t row) const { return study_.weight.empty() ? 1 : study_.weight[row]; }

    [[nodiscard]] Matrix standardized(const Rows& rows) const {
        Matrix standard = study_.encoded(rows, inputs_);
        for (auto column : standard.colwise()) {
            column.array() -= column.mean();
            const double deviation = std::sqrt(column.array().square().mean());
            if (deviation > 0)
                column /= deviation;
            else
                column.setZero();
        }
        return standard;
    }

    [[nodiscard]] LogisticModel logistic(const std::vector<Eigen::Index>& inputs, const Rows& rows,
                                         double penalty) const {
        std::vector<int> given;
        Vector weight(study_.weight.empty() ? 0 : static_cast<Eigen::Index>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            given.push_back(study_.treatment[rows[i]]);
            if (weight.size() > 0) weight[static_cast<Eigen::Index>(i)] = study_.weight[rows[i]];
        }
        return multinomial_logistic(study_.encoded(rows, inputs), given, static_cast<int>(study_.treatments), weight,
                                    {.penalty = penalty, .threads = threads_})
            .model;
    }

    [[nodiscard]] static LinearLogOdds log_odds(const LogisticModel& model, const std::vector<Eigen::Index>& inputs) {
        // A treatment without rows has log-odds of minus infinity. It is never prescribed anyway.
        constexpr double least = -40;
        LinearLogOdds linear;
        for (Eigen::Index k = 0; k < model.weights.rows(); ++k) {
            LinearLogOdds::Score score{{}, std::max(model.intercepts[k], least)};
            for (std::size_t i = 0; i < inputs.size(); ++i)
                if (const double weight = model.weights(k, static_cast<Eigen::Index>(i)); weight != 0)
                    score.terms.push_back({inputs[i], weight});
            linear.scores.push_back(std::move(score));
        }
        return linear;
    }

    [[nodiscard]] PropensityTree tree(const Candidate& candidate, const Rows& rows) const {
        const Labels labels{study_.treatment, static_cast<int>(study_.treatments), study_.weight};
        auto [tree, leaf] =
            counted(candidate.kind == Candidate::Kind::lookahead
                        ? grow_lookahead_tree(features_, rows, labels.label, labels.classes, labels.weight,
                                              {.depth = candidate.size, .leaf_rows = rows_in_a_leaf})
                        : greedy_tree(labels, candidate.size, rows_in_a_leaf, rows),
                    rows);
        for (std::size_t i = 0; i < rows.size(); ++i)
            tree.nodes[leaf[i]].rows[static_cast<std::size_t>(study_.treatment[rows[i]])] += 1;
        return std::move(tree);
    }

    // The classes that a tree separates, by row of the study.
    struct Labels {
        std::span<const int> label;
        int classes;
        std::span<const double> weight = {};
    };

    [[nodiscard]] AxisTree greedy_tree(const Labels& labels, int depth, std::size_t leaf_rows, const Rows& rows) const {
        ForestOptions options;
        options.trees = 1;
        options.bootstrap = false;
        options.leaf_rows = leaf_rows;
        options.limits.depth = depth;
        options.threads = threads_;
        ClassificationForest forest =
            fit_classification_forest(features_, rows, labels.label, labels.classes, labels.weight, options);
        return std::move(forest.trees.front().tree);
    }

    struct CountedTree {
        PropensityTree tree;  // its leaves have no row counts yet
        Rows leaf;            // leaf of each row
    };

    [[nodiscard]] CountedTree counted(const AxisTree& axis, const Rows& rows) const {
        CountedTree result;
        PropensityTree& tree = result.tree;
        for (const AxisNode& node : axis.nodes) {
            PropensityTree::Node& to = tree.nodes.emplace_back();
            if (node.is_leaf()) {
                to.rows.assign(study_.treatments, 0);
                continue;
            }
            const AxisSplit split = node.split();
            to.feature = split.feature;
            to.threshold = split.threshold;
            to.missing_left = split.missing_left;
            to.left = node.left();
            if (split.set < 0) continue;
            const LevelSet& set = axis.sets[static_cast<std::size_t>(split.set)];
            for (int level = 0; level < features_.levels[static_cast<std::size_t>(split.feature)]; ++level)
                if (set.has(level)) to.categories.push_back(level);
        }
        for (const std::size_t row : rows)
            result.leaf.push_back(static_cast<std::size_t>(leaf_of(axis, features_, row)));
        return result;
    }

    [[nodiscard]] Eigen::RowVectorXd of_linear(const LinearLogOdds& linear, std::size_t row) const {
        Eigen::RowVectorXd scores(static_cast<Eigen::Index>(linear.scores.size()));
        for (std::size_t k = 0; k < linear.scores.size(); ++k) {
            double& score = scores[static_cast<Eigen::Index>(k)];
            score = linear.scores[k].constant;
            for (const HalfSpace::Term& term : linear.scores[k].terms)
                score += term.weight * study_.encoded(static_cast<Eigen::Index>(row), term.input);
        }
        scores.array() -= scores.maxCoeff();
        scores = scores.array().exp();
        return scores / scores.sum();
    }

    [[nodiscard]] Eigen::RowVectorXd of_tree(const PropensityTree& tree, std::size_t row) const {
        std::size_t at = 0;
        while (tree.nodes[at].feature >= 0) {
            const PropensityTree::Node& node = tree.nodes[at];
            const double value = features_.values(static_cast<Eigen::Index>(row), node.feature);
            const bool by_category = features_.levels[static_cast<std::size_t>(node.feature)] > 0;
            const bool left = std::isnan(value) ? node.missing_left
                              : by_category
                                  ? std::ranges::find(node.categories, static_cast<int>(value)) != node.categories.end()
                                  : value <= node.threshold;
            at = static_cast<std::size_t>(node.left) + (left ? 0 : 1);
        }
        // Adds half a row to each treatment, so that no probability is 0.
        const std::vector<double>& rows = tree.nodes[at].rows;
        Eigen::RowVectorXd shares = Eigen::Map<const Eigen::RowVectorXd>(rows.data(), std::ssize(rows));
        shares.array() += 0.5;
        return shares / shares.sum();
    }

    const SupportStudy& study_;
    FeatureRows features_;
    std::vector<Eigen::Index> inputs_;  // without derived features
    int threads_;
};

// Candidates x rows: the log-loss of each row, by models that were not fitted on its fold.
std::vector<std::vector<double>> held_out_losses(const Learner& learner, const SupportStudy& study, const Rows& rows,
                                                 const std::vector<Candidate>& list, std::uint64_t seed) {
    std::vector<std::vector<double>> losses(list.size(), std::vector<double>(rows.size()));
    std::vector<int> treatment;
    for (const std::size_t row : rows) treatment.push_back(study.treatment[row]);
    const Rows group = study.group.empty() ? Rows{} : picked(study.group, rows);
    for (const RowSplit& fold : folds_of(treatment, group, most_folds, seed)) {
        const Rows learn = picked(rows, fold.kept);
        const Rows judge = picked(rows, fold.held_out);
        const std::vector<Eigen::Index> sparse = learner.choose_inputs(learn);
        for (std::size_t c = 0; c < list.size(); ++c) {
            const Matrix predicted = learner.propensities(learner.fit(list[c], learn, sparse), judge);
            for (std::size_t i = 0; i < judge.size(); ++i)
                losses[c][fold.held_out[i]] =
                    -std::log(std::max(predicted(static_cast<Eigen::Index>(i), study.treatment[judge[i]]), 1e-12));
        }
    }
    return losses;
}

std::vector<TreatmentSet> supported_sets(const Support& support, const SupportStudy& study,
                                         std::span<const std::size_t> rows) {
    const BoundRules bound({}, study.treatments, bind_support(support, study.encoder, study.treatments));
    return bound.supported(Matrix(study.encoded(rows, Eigen::all)));
}

// The share of the reference's rows for which the support allows a treatment whose reference propensity is less than
// epsilon / 2 of the largest.
double contradicted(const Support& support, const SupportStudy& study) {
    if (study.reference_rows.empty()) return 0;
    const std::vector<TreatmentSet> supported = supported_sets(support, study, study.reference_rows);
    std::size_t count = 0;
    for (std::size_t i = 0; i < supported.size(); ++i) {
        const auto reference = study.reference->row(static_cast<Eigen::Index>(i));
        const double least = support.epsilon / 2 * reference.maxCoeff();
        for (int k = 0; k < static_cast<int>(study.treatments); ++k)
            if (has(supported[i], k) && reference[k] < least) {
                ++count;
                break;
            }
    }
    return static_cast<double>(count) / static_cast<double>(supported.size());
}

bool is_designed(const SupportStudy& study, std::size_t row, int treatment) {
    return (*study.design)(static_cast<Eigen::Index>(row), treatment) >= least_design_probability;
}

// Treatments that are not prescribed as long as another one is allowed.
std::vector<int> never_supported(const SupportStudy& study, std::span<const std::size_t> rows) {
    std::vector<std::size_t> count(study.treatments);
    for (const std::size_t row : rows) ++count[static_cast<std::size_t>(study.treatment[row])];
    std::vector<int> never;
    for (int k = 0; k < static_cast<int>(study.treatments); ++k)
        if (count[static_cast<std::size_t>(k)] < least_rows_of_treatment ||
            (study.design && std::ranges::none_of(rows, [&](std::size_t row) { return is_designed(study, row, k); })))
            never.push_back(k);
    return never.size() < study.treatments ? never : std::vector<int>{};
}

// Support of a known design; without a tree if it is the same for all rows.
LearnedSupport learn_design(const SupportStudy& study, std::span<const std::size_t> rows, double epsilon, int threads) {
    LearnedSupport learned;
    Support& support = learned.support;
    support.design = true;
    support.epsilon = epsilon;
    support.never = never_supported(study, rows);
    TreatmentSet some = all_treatments(study.treatments);
    for (const int k : support.never) some &= ~only(k);
    std::vector<TreatmentSet> sets;
    for (const std::size_t row : rows) {
        TreatmentSet& set = sets.emplace_back(some);
        for (int k = 0; k < static_cast<int>(study.treatments); ++k)
            if (!is_designed(study, row, k)) set &= ~only(k);
    }
    if (std::ranges::all_of(sets, [&](TreatmentSet set) { return set == some; })) {
        support.model = LinearLogOdds{std::vector<LinearLogOdds::Score>(study.treatments)};
        return learned;
    }
    support.model = Learner(study, threads).tree_of_sets(sets, Rows(rows.begin(), rows.end()));
    const std::vector<TreatmentSet> supported = supported_sets(support, study, rows);
    std::size_t conservative = 0;
    std::size_t beyond = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        conservative += (sets[i] & ~supported[i]) != 0 ? 1 : 0;
        beyond += (supported[i] & ~sets[i]) != 0 ? 1 : 0;
    }
    learned.conservative = static_cast<double>(conservative) / static_cast<double>(rows.size());
    learned.beyond = static_cast<double>(beyond) / static_cast<double>(rows.size());
    return learned;
}

// A random subset with the same share of each treatment.
Rows some_of(const SupportStudy& study, std::span<const std::size_t> rows, std::uint64_t seed) {
    Rows all(rows.begin(), rows.end());
    if (all.size() <= most_compared_rows) return all;
    std::vector<int> treatment;
    for (const std::size_t row : rows) treatment.push_back(study.treatment[row]);
    const double share = static_cast<double>(most_compared_rows) / static_cast<double>(rows.size());
    return picked(all, stratified_split(treatment, share, seed).held_out);
}

bool is_within_one_error(const std::vector<double>& loss, const std::vector<double>& best, const Sampling& sampling) {
    std::vector<double> excess(loss.size());
    std::ranges::transform(loss, best, excess.begin(), std::minus());
    const MeanEstimate mean = estimate_mean(excess, sampling);
    return mean.known && mean.known->value <= mean.known->standard_error;
}

Support fit_alone(const Candidate& candidate, const SupportStudy& study, std::span<const std::size_t> rows,
                  double epsilon) {
    const Learner learner(study, 1);
    const Rows named(rows.begin(), rows.end());
    std::vector<Eigen::Index> sparse;
    if (candidate.kind == Candidate::Kind::sparse) sparse = learner.choose_inputs(named);
    Support support = learner.fit(candidate, named, std::move(sparse));
    support.epsilon = epsilon;
    support.never = never_supported(study, rows);
    return support;
}

}  // namespace

LearnedSupport learn_support(const SupportStudy& study, std::span<const std::size_t> rows,
                             const SupportOptions& options) {
    check_epsilon(options.epsilon);
    if (study.design) return learn_design(study, rows, options.epsilon, options.threads);
    LearnedSupport learned;
    const std::vector<int> never = never_supported(study, rows);
    const Learner learner(study, options.threads);
    const std::vector<Candidate> list = candidates();
    const Rows compared = some_of(study, rows, options.seed);
    const std::vector<std::vector<double>> losses = held_out_losses(learner, study, compared, list, options.seed);
    const SampledPart sampled({study.weight, study.group}, compared);

    const Rows all(rows.begin(), rows.end());
    const std::vector<Eigen::Index> sparse = learner.choose_inputs(all);
    std::vector<Support> fitted;
    for (std::size_t c = 0; c < list.size(); ++c) {
        Support support = learner.fit(list[c], all, sparse);
        support.epsilon = options.epsilon;
        support.never = never;
        learned.trials.push_back(
            {name_of(list[c]), weighted_mean(losses[c], sampled.sampling()).mean(), contradicted(support, study)});
        fitted.push_back(std::move(support));
    }
    const auto is_refused = [&](std::size_t c) { return learned.trials[c].contradicted > most_contradicted; };
    std::size_t best = list.size();
    for (std::size_t c = 0; c < list.size(); ++c)
        if (!is_refused(c) && (best == list.size() || learned.trials[c].log_loss < learned.trials[best].log_loss))
            best = c;
    if (best == list.size()) {
        learned.chosen = static_cast<std::size_t>(
            std::ranges::min_element(learned.trials, {}, &SupportTrial::contradicted) - learned.trials.begin());
    } else {
        learned.chosen = best;
        for (std::size_t c = 0; c < best; ++c)
            if (!is_refused(c) && is_within_one_error(losses[c], losses[best], sampled.sampling())) {
                learned.chosen = c;
                break;
            }
    }
    // Prefer a simpler candidate that supports the same treatments for every row.
    const std::vector<TreatmentSet> supported = supported_sets(fitted[learned.chosen], study, all);
    for (std::size_t c = 0; c < learned.chosen; ++c)
        if (supported_sets(fitted[c], study, all) == supported) learned.chosen = c;
    learned.support = std::move(fitted[learned.chosen]);
    return learned;
}

Support refit_support(const SupportStudy& study, std::span<const std::size_t> rows, const LearnedSupport& learned) {
    if (study.design) return learn_design(study, rows, learned.support.epsilon, 1).support;
    return fit_alone(candidates()[learned.chosen], study, rows, learned.support.epsilon);
}

Support most_likely_support(const SupportStudy& study, std::span<const std::size_t> rows,
                            const LearnedSupport* learned) {
    Candidate candidate{Candidate::Kind::dense, 0, 1};
    if (learned && !learned->trials.empty()) {
        const auto best = std::ranges::min_element(learned->trials, {}, &SupportTrial::log_loss);
        candidate = candidates()[static_cast<std::size_t>(best - learned->trials.begin())];
    }
    return fit_alone(candidate, study, rows, most_likely_epsilon);
}

}  // namespace polyrx
