// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/check_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

void check(const TrainOptions& options) {
    const auto require = [](bool holds, std::string_view sentence) {
        if (!holds) throw usage_error(std::string(sentence));
    };
    require(std::all_of(options.hidden.begin(), options.hidden.end(),
                        [](int width) { return width >= 1 && width <= 100'000; }),
            "each hidden layer needs between 1 and 100000 neurons");
    require(options.hidden.size() <= 100, "at most 100 hidden layers");
    require(options.treatments >= 1, "a network needs at least one treatment");
    require(options.mu >= 0 && options.mu <= 1, fmt::format("mu must lie in 0..1, not {}", options.mu));
    require(options.epochs >= 0, "the number of epochs cannot be negative");
    require(options.batch >= 1, "a batch needs at least one row");
    require(options.learning_rate > 0 && std::isfinite(options.learning_rate),
            fmt::format("the learning rate must be above 0, not {}", options.learning_rate));
    require(options.weight_decay >= 0 && std::isfinite(options.weight_decay),
            fmt::format("the weight decay cannot be {}", options.weight_decay));
    require(options.effect_shrinkage >= 0 && std::isfinite(options.effect_shrinkage),
            fmt::format("the effect shrinkage cannot be {}", options.effect_shrinkage));
    require(options.clip_gradient >= 0 && std::isfinite(options.clip_gradient),
            fmt::format("the largest norm of a gradient cannot be {}", options.clip_gradient));
    require(options.effects.share >= 0 && options.effects.share < 1,
            fmt::format("the share of neurons for effects must lie in 0..1, not {}", options.effects.share));
    require(!options.effects.wanted() || can_be_parted(options.hidden),
            "neurons for effects need hidden layers of two neurons or more");
    require(options.effects.decay >= 0 && std::isfinite(options.effects.decay),
            fmt::format("the decay of effects cannot be {}", options.effects.decay));
    require(options.teacher_share >= 0 && options.teacher_share <= 1,
            fmt::format("the teacher's share must lie in 0..1, not {}", options.teacher_share));
    require(options.sparsity.weights_per_neuron >= 0, "the weights of a neuron cannot be fewer than none");
    require(options.sparsity.max_features >= 0, "the features of a network cannot be fewer than none");
    require(options.patience >= 0, "the patience cannot be negative");
    require(options.retries >= 0, "the number of retries cannot be negative");
}

void check(const TrainingRows& rows, const TrainOptions& options) {
    const auto count = static_cast<std::size_t>(rows.size());
    if (rows.treatment.size() != count || rows.outcome.size() != count || rows.weight.size() != count)
        throw usage_error("inputs, treatments, outcomes and weights must be as many");
    if (!rows.allowed.empty() && rows.allowed.size() != count)
        throw usage_error("what is allowed must be said for every row, or for none");
    const auto treatments = static_cast<std::size_t>(options.treatments);
    const bool taught = !rows.teacher.empty() || !rows.teacher_weight.empty();
    if (taught && (rows.teacher.size() != count * treatments || rows.teacher_weight.size() != count))
        throw usage_error("a teacher must say an outcome of every treatment, and a weight, for every row, or for none");
    for (const int treatment : rows.treatment)
        if (treatment < 0 || treatment >= options.treatments)
            throw usage_error(fmt::format("treatment {} is none of {}", treatment, options.treatments));
}

}  // namespace

void check_training(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options) {
    check(options);
    if (rows.size() == 0) throw data_error("there are no rows to train on");
    check(rows, options);
    if (validation != nullptr) {
        check(*validation, options);
        if (validation->size() == 0) throw usage_error("there are no validation rows");
        if (validation->inputs.cols() != rows.inputs.cols())
            throw usage_error(fmt::format("the training rows have {} inputs and the validation rows {}",
                                          rows.inputs.cols(), validation->inputs.cols()));
    }
    if (options.patience > 0 && validation == nullptr)
        throw usage_error("stopping early needs validation rows: set a validation share above 0");
}

}  // namespace polyrx
