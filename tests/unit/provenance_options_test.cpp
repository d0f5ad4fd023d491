// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/provenance_options.hpp"

#include <gtest/gtest.h>

#include "polyrx/core/rng.hpp"
#include "polyrx/fit/distill/teacher.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/studies/simulate.hpp"

namespace polyrx {
namespace {

NetworkOptions random_options(Rng& rng) {
    NetworkOptions options;
    options.hidden.clear();
    for (std::uint64_t layers = rng.below(4); layers > 0; --layers)
        options.hidden.push_back(static_cast<int>(1 + rng.below(200)));
    options.mu = rng.uniform();
    options.epochs = static_cast<int>(1 + rng.below(100));
    options.batch = static_cast<int>(1 + rng.below(100));
    options.learning_rate = rng.uniform(1e-5, 1);
    options.schedule = rng.bernoulli(0.5) ? Schedule::linear : Schedule::cosine;
    options.weight_decay = rng.uniform();
    if (rng.bernoulli(0.5)) {
        options.effect_shrinkage = rng.uniform(1e-3, 20);
        options.shrunk = ShrunkParts::weights;
    }
    if (rng.bernoulli(0.5)) options.effects = {rng.uniform(0.01, 1), rng.uniform()};
    if (rng.bernoulli(0.5)) options.balance = rng.uniform(1, 50);
    if (rng.bernoulli(0.5)) options.clip_gradient = rng.uniform(0.1, 10);
    options.outcome_scale = rng.bernoulli(0.5) ? OutcomeScale::raw : OutcomeScale::standardized;
    options.validation_fraction = rng.uniform();
    options.patience = static_cast<int>(rng.below(10));
    if (rng.bernoulli(0.5)) options.members = static_cast<int>(2 + rng.below(5));
    options.bagged = rng.bernoulli(0.5);
    if (rng.bernoulli(0.5)) {
        options.sparsity.weights_per_neuron = static_cast<int>(1 + rng.below(5));
        options.sparsity.max_features = static_cast<int>(rng.below(5));
        options.sparsity.how = rng.bernoulli(0.5) ? Sparsify::paper : Sparsify::gradual;
    }
    options.restarts = static_cast<int>(1 + rng.below(5));
    return options;
}

TEST(ProvenanceOptions, AreWhatWasSpelled) {
    for (std::uint64_t round = 0; round < 200; ++round) {
        Rng rng(round, Draw::test);
        const NetworkOptions options = random_options(rng);
        EXPECT_EQ(parse_network_options(spelled(options, *options.epochs)), options) << "round " << round;
    }
}

TEST(ProvenanceOptions, OfATunedModelAreThoseOfEveryNetworkInIt) {
    const Observations observations =
        observe(simulate_clinic({.rows = 120}), {.treatment = "treatment", .outcome = "outcome"}, clinic_schema());
    FitOptions options = recipe_options(Recipe::tuned);
    options.tuning->candidates.clear();
    for (const int width : {3, 4, 5}) {
        NetworkOptions candidate;
        candidate.hidden = {width, 2};
        candidate.epochs = 1;
        options.tuning->candidates.push_back(candidate);
    }
    options.tuning->options.folds = 2;
    options.tuning->options.averaged = 3;
    const Fit fitted = fit(observations, options, clinic_schema());
    // Through a file, which does not keep the order of options.
    const Policy read = parse_model(to_json(fitted.policy), "model");
    EXPECT_EQ(network_options_of(read.provenance), fitted.tuning->chosen);
    EXPECT_EQ(fitted.tuning->chosen.size(), 3U);
}

TEST(ProvenanceOptions, LetDistillRefitWithTheRetriesOfTheFit) {
    const Observations observations =
        observe(simulate_clinic({.rows = 120}), {.treatment = "treatment", .outcome = "outcome"}, clinic_schema());
    for (const int retries : {0, 3, 7}) {
        FitOptions options = recipe_options(Recipe::fast);
        options.network.hidden = {2, 2};
        options.network.epochs = 1;
        options.network.retries = retries;
        const Policy read = parse_model(to_json(fit(observations, options, clinic_schema()).policy), "model");
        const TeacherPlan plan = teacher_plan(read);
        EXPECT_EQ(std::get<std::vector<NetworkOptions>>(plan.how).front().retries, retries);
    }
}

TEST(ProvenanceOptions, AreNoneWhereTheyCannotBeRead) {
    EXPECT_FALSE(parse_network_options({}));
    const auto with = [](const std::string& name, const std::string& value) {
        auto options = spelled({}, 5);
        options.emplace_back("restarts", "1");
        for (auto& [key, text] : options)
            if (key == name) text = value;
        return parse_network_options(options);
    };
    EXPECT_TRUE(with("hidden", "3,4"));
    for (const std::string hidden : {"", "3,", "3x", "three"}) EXPECT_FALSE(with("hidden", hidden)) << hidden;
    EXPECT_FALSE(with("schedule", "sine"));
    EXPECT_FALSE(with("epochs", "1.5"));
    EXPECT_FALSE(with("restarts", ""));
    Provenance provenance;
    provenance.options = {{"chosen 1", "hidden 3 mu 0.1"}, {"chosen 2", "hidden"}};
    EXPECT_FALSE(network_options_of(provenance));
    provenance.options.pop_back();
    ASSERT_TRUE(network_options_of(provenance));
    EXPECT_EQ(network_options_of(provenance)->front().mu, 0.1);
}

}  // namespace
}  // namespace polyrx
