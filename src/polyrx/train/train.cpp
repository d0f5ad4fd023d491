// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/train/adam.hpp"
#include "polyrx/train/backprop.hpp"
#include "polyrx/train/flush_denormals.hpp"

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
    require(options.patience >= 0, "the patience cannot be negative");
}

// Indices and lengths are not looked at again in the loops below.
void check(const TrainingRows& rows, const TrainOptions& options) {
    const auto count = static_cast<std::size_t>(rows.size());
    if (rows.treatment.size() != count || rows.outcome.size() != count || rows.weight.size() != count)
        throw usage_error("inputs, treatments, outcomes and weights must be as many");
    if (!rows.allowed.empty() && rows.allowed.size() != count)
        throw usage_error("what is allowed must be said for every row, or for none");
    for (const int treatment : rows.treatment)
        if (treatment < 0 || treatment >= options.treatments)
            throw usage_error(fmt::format("treatment {} is none of {}", treatment, options.treatments));
}

// The rows of one epoch, copied into the order of their visit: a batch is then a piece of them.
void gather(const TrainingRows& rows, std::span<const std::size_t> order, TrainingRows& gathered) {
    gathered.inputs.resize(rows.inputs.rows(), rows.inputs.cols());
    gathered.treatment.resize(order.size());
    gathered.outcome.resize(order.size());
    gathered.weight.resize(order.size());
    gathered.allowed.resize(rows.allowed.size());
    const auto width = static_cast<std::size_t>(rows.inputs.cols());
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::copy_n(rows.inputs.data() + order[i] * width, width, gathered.inputs.data() + i * width);
        gathered.treatment[i] = rows.treatment[order[i]];
        gathered.outcome[i] = rows.outcome[order[i]];
        gathered.weight[i] = rows.weight[order[i]];
        if (!rows.allowed.empty()) gathered.allowed[i] = rows.allowed[order[i]];
    }
}

// How many ranges of the observed outcomes `value` lies below the smallest of them.
double ranges_below(const std::vector<float>& outcome, double value) {
    const auto [low, high] = std::minmax_element(outcome.begin(), outcome.end());
    const double range = static_cast<double>(*high) - *low;
    return range > 0 ? (*low - value) / range : 0;
}

// No outcome can be that good: a run that expects it is on its way to minus infinity.
constexpr double unbelievable_ranges = 10;

[[noreturn]] void say_diverged(const TrainOptions& options, int epoch, const std::string& symptom) {
    std::string advice = fmt::format("try a learning rate below {}, or standardise the outcome", options.learning_rate);
    if (options.mu > 0.01)
        advice = "for mu > 0 the objective has no lower bound where an arm is not observed; try a smaller mu";
    if (options.learning_rate * options.weight_decay > 1)
        advice = fmt::format("the learning rate of {} times the weight decay of {} is above 1; lower one of them",
                             options.learning_rate, options.weight_decay);
    throw other_error(fmt::format("training diverged in epoch {}: {}; {}", epoch + 1, symptom, advice));
}

void check_believable(const TrainingRows& rows, double prescribed, const TrainOptions& options, int epoch) {
    if (const double ranges = ranges_below(rows.outcome, prescribed); ranges > unbelievable_ranges)
        say_diverged(
            options, epoch,
            fmt::format("it expects outcomes {:.3g} times the observed range better than the best one observed",
                        ranges));
}

// A step is judged by the loss of the batch after it, which the last one lacks: so its own batch once more, beside the
// mean loss of the last epoch.
void check_last_step(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows,
                     const TrainOptions& options, double epoch_loss) {
    constexpr double unbelievable_jump = 1e6;
    const auto count = static_cast<std::size_t>(rows.size());
    const auto batch = static_cast<std::size_t>(options.batch);
    const std::size_t first = (count - 1) / batch * batch;
    const RowRange last{first, count - first};
    const BatchLoss loss = backprop.loss(parameters, rows, last, options.mu);
    double squares = 0;  // of the outcomes: a loss that was next to nothing may well multiply
    for (const float outcome : rows.outcome) squares += static_cast<double>(outcome) * outcome;
    const double before = std::abs(epoch_loss) + squares / static_cast<double>(count);
    if (!(loss.objective / static_cast<double>(last.count) <= unbelievable_jump * before))
        say_diverged(options, options.epochs - 1, "the last step multiplied the loss by more than a million");
    check_believable(rows, loss.prescribed / static_cast<double>(last.count), options, options.epochs - 1);
}

}  // namespace

std::string_view name_of(Schedule schedule) {
    switch (schedule) {
        case Schedule::constant:
            return "constant";
        case Schedule::linear:
            return "linear";
        case Schedule::cosine:
            return "cosine";
    }
    return "";
}

double scheduled_rate(const TrainOptions& options, std::int64_t step, std::int64_t steps) {
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    switch (options.schedule) {
        case Schedule::constant:
            return options.learning_rate;
        case Schedule::linear:
            return options.learning_rate * (1 - done);
        case Schedule::cosine:
            return options.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * done));
    }
    return options.learning_rate;
}

std::vector<std::size_t> epoch_order(std::size_t rows, std::uint64_t seed, int epoch) {
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng(seed, Draw::shuffle, static_cast<std::uint64_t>(epoch)).shuffle(std::span(order));
    return order;
}

Trained train(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options,
              const Progress& progress) {
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

    const ParameterLayout layout(rows.inputs.cols(), options.hidden, options.treatments);

    const FlushDenormals guard;
    AlignedFloats parameters = initial_parameters(layout, options.seed);
    AlignedFloats gradient(layout.size());
    AlignedFloats best = parameters;
    double best_loss = std::numeric_limits<double>::infinity();
    Backprop backprop(layout);
    Adam adam(layout, options.weight_decay);
    TrainingRows epoch_rows;
    Trained trained;

    const auto count = static_cast<std::size_t>(rows.size());
    const auto batch_size = static_cast<std::size_t>(options.batch);
    const auto steps_per_epoch = static_cast<std::int64_t>((count + batch_size - 1) / batch_size);
    const std::int64_t steps = steps_per_epoch * options.epochs;
    std::int64_t step = 0;

    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        gather(rows, epoch_order(count, options.seed, epoch), epoch_rows);
        BatchLoss sum;
        for (std::size_t first = 0; first < count; first += batch_size, ++step) {
            report(progress, static_cast<double>(step) / static_cast<double>(steps), "training");
            const RowRange batch{first, std::min(batch_size, count - first)};
            const BatchLoss loss = backprop.gradient(parameters, epoch_rows, batch, options.mu, gradient);
            if (!std::isfinite(loss.objective)) say_diverged(options, epoch, "the loss is not a finite number");
            const double rate = scheduled_rate(options, step, steps);
            adam.step(parameters, gradient, rate);
            if (options.effect_shrinkage > 0)
                shrink_effects(layout, parameters, std::max(0.0, 1 - rate * options.effect_shrinkage), options.shrunk);
            if (options.on_step) options.on_step(loss.objective / static_cast<double>(batch.count));
            sum += loss;
        }
        check_believable(rows, sum.prescribed / static_cast<double>(count), options, epoch);

        // A ReLU makes 0 of what is not a number, so the loss alone may not tell.
        if (!std::ranges::all_of(parameters, [](float value) { return std::isfinite(value); }))
            say_diverged(options, epoch, "a weight is not a finite number");

        trained.history.push_back({sum.objective / static_cast<double>(count), std::nullopt});
        if (validation == nullptr) continue;
        const RowRange all{0, static_cast<std::size_t>(validation->size())};
        const double held_out =
            backprop.loss(parameters, *validation, all, options.mu).objective / static_cast<double>(all.count);
        trained.history.back().validation = held_out;
        if (!std::isfinite(held_out))
            say_diverged(options, epoch, "the loss on the held-out rows is not a finite number");
        if (held_out < best_loss) {
            best_loss = held_out;
            best = parameters;
            trained.best_epoch = epoch + 1;
        } else if (options.patience > 0 && epoch + 1 - trained.best_epoch >= options.patience) {
            trained.stopped_early = true;
            break;
        }
    }

    if (validation == nullptr) {
        if (options.epochs > 0)
            check_last_step(backprop, parameters, epoch_rows, options, trained.history.back().training);
        trained.best_epoch = options.epochs;
        best = std::move(parameters);
    }
    trained.network = to_network(layout, std::move(best));
    return trained;
}

}  // namespace polyrx
