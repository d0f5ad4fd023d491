// SPDX-License-Identifier: Apache-2.0
#include "bench/macro/training/step_split.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/train/adam.hpp"
#include "polyrx/train/flush_denormals.hpp"
#include "polyrx/train/objective.hpp"

namespace polyrx::bench {
namespace {

// What Backprop::gradient and Adam::step do for one batch of at most batch_lanes rows, call by call.
class Step {
public:
    Step(const TrainingRows& rows, const TrainOptions& options)
        : rows_(rows), options_(options), layout_(widths(rows, options)), adam_(layout_, options.weight_decay) {
        std::size_t widest = 0;
        for (std::size_t layer = 0; layer < layout_.layers(); ++layer) {
            const LayerShape& shape = layout_.shape(layer);
            values_.emplace_back((shape.inputs + 1) * batch_lanes, 1.0F);
            widest = std::max({widest, padded(shape.inputs), padded(shape.neurons)});
        }
        values_.emplace_back(padded(outputs()) * batch_lanes);
        for (AlignedFloats* buffer : {&slopes_, &next_slopes_, &scratch_}) buffer->resize(widest * batch_lanes);
    }

    void run(RowRange batch) {
        lap(nullptr);
        const auto width = static_cast<std::size_t>(rows_.inputs.cols());
        const float* from = rows_.inputs.data() + batch.first * width;
        for (std::size_t lane = 0; lane < batch.count; ++lane)
            for (std::size_t input = 0; input < width; ++input)
                values_.front()[input * batch_lanes + lane] = from[lane * width + input];
        lap(&split.rest);
        for (std::size_t layer = 0; layer < layout_.layers(); ++layer)
            forward_layer(layout_.shape(layer), batch.count, parameters_.data() + layout_.offset(layer),
                          values_[layer].data(), layer + 1 < layout_.layers(), values_[layer + 1].data());
        lap(&split.products);
        const BatchLoss loss =
            loss_and_slopes(values_.back().data(), outputs(), rows_, batch, options_.mu, batch.count, slopes_.data());
        std::fill_n(slopes_.data() + outputs() * batch_lanes, (padded(outputs()) - outputs()) * batch_lanes, 0.0F);
        if (!std::isfinite(loss.objective)) throw other_error("the loss is not a finite number");
        lap(&split.rest);
        for (std::size_t layer = layout_.layers(); layer-- > 0;) {
            const LayerShape& shape = layout_.shape(layer);
            weight_gradient(shape, batch.count, values_[layer].data(), slopes_.data(), false, scratch_.data(),
                            gradient_.data() + layout_.offset(layer));
            if (layer == 0) break;
            input_gradient(shape, batch.count, parameters_.data() + layout_.offset(layer), slopes_.data(),
                           values_[layer].data(), next_slopes_.data());
            slopes_.swap(next_slopes_);
        }
        lap(&split.products);
        adam_.step(parameters_, gradient_, options_.learning_rate);
        lap(&split.adam);
    }

    [[nodiscard]] double flops(std::size_t batch) const {
        double sum = 0;
        for (std::size_t layer = 0; layer < layout_.layers(); ++layer)
            sum += (layer == 0 ? 2 : 3) * 2.0 *
                   static_cast<double>(batch * layout_.shape(layer).inputs * layout_.shape(layer).neurons);
        return sum;
    }

    StepSplit split;

private:
    using Clock = std::chrono::steady_clock;

    static std::vector<Eigen::Index> widths(const TrainingRows& rows, const TrainOptions& options) {
        std::vector<Eigen::Index> widths = {rows.inputs.cols()};
        widths.insert(widths.end(), options.hidden.begin(), options.hidden.end());
        widths.push_back(options.treatments);
        return widths;
    }

    [[nodiscard]] std::size_t outputs() const { return layout_.shape(layout_.layers() - 1).neurons; }

    // Adds the time since the last lap to a sum.
    void lap(double* sum) {
        const auto now = Clock::now();
        if (sum != nullptr) *sum += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

    const TrainingRows& rows_;
    const TrainOptions& options_;
    ParameterLayout layout_;
    Adam adam_;
    AlignedFloats parameters_ = initial_parameters(layout_, options_.seed);
    AlignedFloats gradient_ = AlignedFloats(layout_.size());
    std::vector<AlignedFloats> values_;
    AlignedFloats slopes_;
    AlignedFloats next_slopes_;
    AlignedFloats scratch_;
    Clock::time_point last_;
};

}  // namespace

StepSplit split_step(const TrainingRows& rows, const TrainOptions& options) {
    constexpr int rounds = 20;
    const FlushDenormals guard;
    const auto batch = static_cast<std::size_t>(options.batch);
    if (batch > batch_lanes) throw usage_error("the split is of batches that are computed in one piece");
    const std::size_t steps = static_cast<std::size_t>(rows.size()) / batch;
    Step step(rows, options);
    StepSplit best{.products = std::numeric_limits<double>::infinity()};
    double fastest = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
        step.split = {};
        for (std::size_t i = 0; i < steps; ++i) step.run({i * batch, batch});
        const double whole = step.split.products + step.split.adam + step.split.rest;
        if (whole >= fastest) continue;
        fastest = whole;
        const auto each = static_cast<double>(steps);
        best = {step.split.products / each, step.split.adam / each, step.split.rest / each, step.flops(batch)};
    }
    return best;
}

}  // namespace polyrx::bench
