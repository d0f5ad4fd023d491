// SPDX-License-Identifier: Apache-2.0
// Same seed, same weights, for each option of training: what the model files of same_bytes_test.cpp do not try.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "polyrx/core/sha256.hpp"
#include "polyrx/train/train.hpp"
#include "polyrx/train/train_kernel.hpp"
#include "tests/support/easy_rows.hpp"

namespace polyrx {
namespace {

std::string digest(const ReluNetwork& network) {
    Sha256 hash;
    const auto add = [&](const double* values, Eigen::Index count) {
        hash.add(
            std::string_view(reinterpret_cast<const char*>(values), sizeof(double) * static_cast<std::size_t>(count)));
    };
    for (const Layer& layer : network.layers()) {
        add(layer.weights.data(), layer.weights.size());
        add(layer.bias.data(), layer.bias.size());
    }
    return hash.hex().substr(0, 16);
}

struct Option {
    std::function<void(TrainOptions&)> set;
    std::string weights;  // the digest
    bool validation = false;
};

const std::map<std::string, Option>& every_option() {
    static const std::map<std::string, Option> options = {
        {"batch 64", {[](TrainOptions& o) { o.batch = 64; }, "92f29ded42702642"}},
        {"batch 128", {[](TrainOptions& o) { o.batch = 128; }, "628f388dc2752014"}},
        {"batch 150", {[](TrainOptions& o) { o.batch = 150; }, "06f47bf2c056733b"}},
        {"batch 7", {[](TrainOptions& o) { o.batch = 7; }, "d958c787cc10b1f3"}},
        {"weight decay", {[](TrainOptions& o) { o.weight_decay = 0.3; }, "841d019a964e23ea"}},
        {"cosine", {[](TrainOptions& o) { o.schedule = Schedule::cosine; }, "512ebf45d1f71578"}},
        {"clipping", {[](TrainOptions& o) { o.clip_gradient = 0.2; }, "7717d9c08b6ba450"}},
        {"effect shrinkage", {[](TrainOptions& o) { o.effect_shrinkage = 3; }, "551dac8936d3cac7"}},
        {"effect shrinkage of weights",
         {[](TrainOptions& o) {
              o.effect_shrinkage = 3;
              o.shrunk = ShrunkParts::weights;
          },
          "905d7de6214bce49"}},
        {"effect block", {[](TrainOptions& o) { o.effects = {.share = 0.3, .decay = 0.5}; }, "19c435b8976d47cc"}},
        {"gradual sparsity",
         {[](TrainOptions& o) { o.sparsity = {.weights_per_neuron = 2, .max_features = 4}; }, "0eb3e01eb4c4a265"}},
        {"gradual features", {[](TrainOptions& o) { o.sparsity = {.max_features = 3}; }, "ffc2068538d78d57"}},
        {"paper sparsity",
         {[](TrainOptions& o) { o.sparsity = {.weights_per_neuron = 1, .max_features = 4, .how = Sparsify::paper}; },
          "14cdeb48bc8e3b08"}},
        {"teacher", {[](TrainOptions& o) { o.teacher_share = 0.5; }, "a019c5d98a0b713b"}},
        {"validation and patience", {[](TrainOptions& o) { o.patience = 3; }, "e35cc759beba48fe", true}},
        {"sparsity with validation",
         {[](TrainOptions& o) { o.sparsity = {.weights_per_neuron = 2}; }, "fe6bd8868cc822bc", true}},
        {"retries",
         {[](TrainOptions& o) {
              o.learning_rate = 1e7;
              o.retries = 30;
          },
          "0187602a2866775b"}},
        {"all at once",
         {[](TrainOptions& o) {
              o.batch = 100;
              o.weight_decay = 0.1;
              o.schedule = Schedule::linear;
              o.clip_gradient = 0.5;
              o.effect_shrinkage = 1;
              o.effects = {.share = 0.4, .decay = 0.2};
              o.sparsity = {.weights_per_neuron = 3, .max_features = 4};
              o.teacher_share = 0.3;
          },
          "6e3017e96ec7ab2e", true}},
    };
    return options;
}

TEST(SameSeed, TrainsTheSameWeightsWithEachOption) {
    if (!kernels_fuse()) GTEST_SKIP() << "the bytes are those of machines with AVX2 and FMA";
    TrainingRows rows = test::easy_rows(400, 1, 6);
    for (Eigen::Index i = 0; i < rows.size(); ++i) {
        const float effect = rows.inputs(i, 0) > 0 ? 0.5F : -0.5F;
        rows.teacher.insert(rows.teacher.end(), {effect, -effect});
        rows.teacher_weight.push_back(i % 3 == 0 ? 0.5F : 1.25F);
        rows.allowed.push_back(i % 7 == 0 ? 1 : 3);
    }
    const TrainingRows held_out = test::easy_rows(150, 2, 6);
    for (const auto& [name, option] : every_option()) {
        TrainOptions options = test::small_options(12);
        options.hidden = {20, 13};
        option.set(options);
        const Trained trained = train(rows, option.validation ? &held_out : nullptr, options);
        EXPECT_EQ(digest(trained.network), option.weights) << name;
    }
}

}  // namespace
}  // namespace polyrx
