// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/train/best_epoch.hpp"
#include "polyrx/train/check_training.hpp"
#include "polyrx/train/divergence.hpp"
#include "polyrx/train/epoch_rows.hpp"
#include "polyrx/train/flush_denormals.hpp"
#include "polyrx/train/step/train_step.hpp"

namespace polyrx {
namespace {

// The length of a run.
struct RunLength {
    std::size_t rows = 0;
    std::size_t batch = 0;
    std::int64_t steps = 0;
};

RunLength length_of(const TrainingRows& rows, const TrainOptions& options) {
    const auto count = static_cast<std::size_t>(rows.size());
    const auto batch = static_cast<std::size_t>(options.batch);
    return {count, batch, static_cast<std::int64_t>((count + batch - 1) / batch) * options.epochs};
}

RowRange every_row_of(const TrainingRows& rows) {
    return {0, static_cast<std::size_t>(rows.size())};
}

// One pass over rows in their order. Returns the sum of the losses of its batches, each before its step.
BatchLoss train_epoch(const TrainingRows& rows, const RunLength& length, const TrainOptions& options, int epoch,
                      TrainStep& step, TrainingState& state, const Progress& progress) {
    BatchLoss sum;
    for (std::size_t first = 0; first < length.rows; first += length.batch) {
        report(progress, static_cast<double>(state.steps) / static_cast<double>(length.steps), "training");
        const StepResult taken = step.take(rows, {first, std::min(length.batch, length.rows - first)}, state);
        check_step(taken, options, epoch);
        sum += taken.loss;
    }
    return sum;
}

void check_end(const TrainingRows& epoch_rows, const RunLength& length, double epoch_loss, const TrainOptions& options,
               TrainStep& step, const TrainingState& state) {
    const std::size_t first = (length.rows - 1) / length.batch * length.batch;
    const RowRange last{first, length.rows - first};
    check_last_step(epoch_rows, step.loss(epoch_rows, last, state), last.count, epoch_loss, options);
}

// One run without retries.
Trained run(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options,
            const Progress& progress) {
    const FlushDenormals guard;
    const ParameterLayout layout(rows.inputs.cols(), options.hidden, options.treatments);
    const RunLength length = length_of(rows, options);
    TrainStep step(layout, options, length.steps, options.sparsity.wanted() ? spread_of(rows.inputs) : InputSpread{});
    TrainingState state = step.initial_state();
    BestEpoch best{.parameters = state.parameters};
    TrainingRows epoch_rows;
    Trained trained;
    trained.learning_rate = options.learning_rate;

    for (int epoch = 0; epoch < options.epochs && !trained.stopped_early; ++epoch) {
        gather(rows, epoch_order(length.rows, options.seed, epoch), epoch_rows);
        const BatchLoss sum = train_epoch(epoch_rows, length, options, epoch, step, state, progress);
        check_epoch(rows, sum, state, options, epoch);
        trained.history.push_back({sum.objective / static_cast<double>(length.rows), std::nullopt});
        if (validation == nullptr) continue;
        const double loss = step.loss(*validation, every_row_of(*validation), state).objective /
                            static_cast<double>(validation->size());
        trained.history.back().validation = loss;
        check_validation_loss(loss, options, epoch);
        if (!step.settled(state)) continue;
        best.offer(epoch + 1, loss, state.parameters);
        trained.stopped_early = best.gives_up(epoch + 1, options.patience);
    }

    if (validation == nullptr) {
        if (options.epochs > 0) check_end(epoch_rows, length, trained.history.back().training, options, step, state);
        best = {.parameters = std::move(state.parameters), .epoch = options.epochs};
    }
    trained.best_epoch = best.epoch;
    trained.network = to_network(layout, std::move(best.parameters));
    return trained;
}

}  // namespace

Trained train(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options,
              const Progress& progress) {
    check_training(rows, validation, options);
    if (options.retries == 0) return run(rows, validation, options, progress);

    // Keeps the reported progress from going back when a run restarts.
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
