// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "polyrx/core/rng.hpp"
#include "polyrx/train/adam.hpp"
#include "polyrx/train/backprop.hpp"
#include "polyrx/train/check_training.hpp"
#include "polyrx/train/clip_gradient.hpp"
#include "polyrx/train/divergence.hpp"
#include "polyrx/train/flush_denormals.hpp"

namespace polyrx {
namespace {

// The rows of one epoch, copied into the order of their visit: a batch is then a piece of them.
void gather(const TrainingRows& rows, std::span<const std::size_t> order, TrainingRows& gathered) {
    gathered.inputs.resize(rows.inputs.rows(), rows.inputs.cols());
    gathered.treatment.resize(order.size());
    gathered.outcome.resize(order.size());
    gathered.weight.resize(order.size());
    gathered.allowed.resize(rows.allowed.size());
    gathered.teacher.resize(rows.teacher.size());
    gathered.teacher_weight.resize(rows.teacher_weight.size());
    const auto width = static_cast<std::size_t>(rows.inputs.cols());
    const std::size_t taught = rows.teacher.size() / order.size();  // outcomes of a row
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::copy_n(rows.inputs.data() + order[i] * width, width, gathered.inputs.data() + i * width);
        gathered.treatment[i] = rows.treatment[order[i]];
        gathered.outcome[i] = rows.outcome[order[i]];
        gathered.weight[i] = rows.weight[order[i]];
        if (!rows.allowed.empty()) gathered.allowed[i] = rows.allowed[order[i]];
        if (taught == 0) continue;
        std::copy_n(rows.teacher.data() + order[i] * taught, taught, gathered.teacher.data() + i * taught);
        gathered.teacher_weight[i] = rows.teacher_weight[order[i]];
    }
}

// One run, with the options as they are.
Trained run(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options,
            const Progress& progress) {
    const ParameterLayout layout(rows.inputs.cols(), options.hidden, options.treatments);

    const FlushDenormals guard;
    AlignedFloats parameters = initial_parameters(layout, options.seed);
    AlignedFloats gradient(layout.size());
    if (options.effects.wanted()) part_blocks(layout, options.effects, parameters);
    Backprop backprop(layout, options.teacher_share, options.effects);
    Adam adam(layout, options.weight_decay);
    TrainingRows epoch_rows;
    Trained trained;
    trained.learning_rate = options.learning_rate;

    const auto count = static_cast<std::size_t>(rows.size());
    const auto batch_size = static_cast<std::size_t>(options.batch);
    const auto steps_per_epoch = static_cast<std::int64_t>((count + batch_size - 1) / batch_size);
    const std::int64_t steps = steps_per_epoch * options.epochs;
    std::int64_t step = 0;
    std::optional<Sparsifier> sparsifier;
    if (options.sparsity.wanted()) sparsifier.emplace(layout, options.sparsity, steps, rows.inputs, parameters);
    AlignedFloats best = parameters;
    double best_loss = std::numeric_limits<double>::infinity();

    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        gather(rows, epoch_order(count, options.seed, epoch), epoch_rows);
        BatchLoss sum;
        for (std::size_t first = 0; first < count; first += batch_size, ++step) {
            report(progress, static_cast<double>(step) / static_cast<double>(steps), "training");
            const RowRange batch{first, std::min(batch_size, count - first)};
            const BatchLoss loss = backprop.gradient(parameters, epoch_rows, batch, options.mu, gradient);
            if (!std::isfinite(loss.objective)) say_diverged(options, epoch, "the loss is not a finite number");
            if (options.effects.wanted()) part_blocks(layout, options.effects, gradient);
            if (sparsifier) sparsifier->mask(gradient);
            if (options.clip_gradient > 0 && !std::isfinite(clip_gradient(gradient, options.clip_gradient)))
                say_diverged(options, epoch, "the gradient is not a finite number");
            const double rate = scheduled_rate(options, step, steps);
            adam.step(parameters, gradient, rate);
            if (options.effect_shrinkage > 0)
                shrink_effects(layout, parameters, std::max(0.0, 1 - rate * options.effect_shrinkage), options.shrunk);
            if (options.effects.wanted()) {
                part_blocks(layout, options.effects, parameters);  // steps of different lengths bring means back
                decay_effects(layout, options.effects, parameters, std::max(0.0, 1 - rate * options.effects.decay));
            }
            if (sparsifier) sparsifier->prune(parameters, step + 1);
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
        if (sparsifier && !sparsifier->sparse()) continue;
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
    check_training(rows, validation, options);
    if (options.retries == 0) return run(rows, validation, options, progress);

    // What was said to be done stays done, though a run that is begun again does it again.
    double furthest = 0;
    Progress never_back;
    if (progress)
        never_back = [&](double share_done, std::string_view work) {
            furthest = std::max(furthest, share_done);
            return progress(furthest, work);
        };
    TrainOptions slower = options;
    for (int tried = 0;; ++tried) {
        try {
            Trained trained = run(rows, validation, slower, never_back);
            trained.retries = tried;
            return trained;
        } catch (const Diverged& diverged) {
            if (options.mu > unbounded_mu) throw;
            if (tried == options.retries)
                throw Diverged(fmt::format("{} (tried {} times, with learning rates from {} down to {:.3g})",
                                           diverged.what(), tried + 1, options.learning_rate, slower.learning_rate));
        }
        slower.learning_rate /= 3;
    }
}

}  // namespace polyrx
