// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/option_fields.hpp"

#include <gtest/gtest.h>

#include <set>

#include "polyrx/fit/fit.hpp"
#include "polyrx/fit/fit_request.hpp"
#include "polyrx/fit/provenance_options.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

// Every member differs from its default. Who adds one must name it here, or this does not compile, and then describe
// it, or a test below fails.
NetworkOptions other_network() {
    NetworkOptions options;
    auto& [hidden, mu, epochs, steps, batch, learning_rate, schedule, weight_decay, effect_shrinkage, shrunk, effects,
           balance, clip_gradient, outcome_scale, validation_fraction, patience, retries, members, bagged, sparsity,
           restarts] = options;
    hidden = {7, 5};
    mu = 0.25;
    epochs = 11;
    steps = NetworkOptions().steps;  // mean nothing where epochs are given, and a model records its epochs
    batch = 32;
    learning_rate = 0.007;
    schedule = Schedule::linear;
    weight_decay = 0.11;
    effect_shrinkage = 1.5;
    shrunk = ShrunkParts::weights;
    auto& [share, decay] = effects;
    share = 0.25;
    decay = 0.75;
    balance = 12;
    clip_gradient = 2.5;
    outcome_scale = OutcomeScale::raw;
    validation_fraction = 0.125;
    patience = 4;
    retries = 8;
    members = 3;
    bagged = true;
    auto& [weights_per_neuron, max_features, how] = sparsity;
    weights_per_neuron = 2;
    max_features = 6;
    how = Sparsify::paper;
    restarts = 9;
    return options;
}

TEST(OptionFields, DescribeEveryMemberOfNetworkOptionsAndRecordIt) {
    const NetworkOptions other = other_network();
    for (const OptionField<NetworkOptions>& field : network_fields())
        EXPECT_NE(field.write(other), field.write(NetworkOptions{})) << field.name;
    NetworkOptions read;
    ASSERT_TRUE(read_recorded(network_fields(), recorded(network_fields(), other), read));
    EXPECT_EQ(read, other);
    // In other words: nothing but what is recorded tells two networks apart.
    EXPECT_EQ(parse_network_options(spelled(other, *other.epochs)), other);
}

TEST(OptionFields, DescribeEveryMemberOfTuningOptions) {
    TuningOptions options;
    auto& [criterion, folds, candidates, averaged, least_propensity, max_seconds] = options;
    criterion = TuningCriterion::value;
    folds = 4;
    candidates = 3;
    averaged = 2;
    (void)least_propensity;  // is that of evaluations, and no option
    max_seconds = 7;
    std::set<std::string> names;
    for (const OptionField<TuningOptions>& field : tuning_fields()) {
        EXPECT_NE(field.write(options), field.write(TuningOptions{})) << field.name;
        names.insert(field.name);
    }
    EXPECT_EQ(names, (std::set<std::string>{"criterion", "folds", "candidates", "averaged", "max-seconds"}));
    TuningOptions read;
    ASSERT_TRUE(read_recorded(tuning_fields(), recorded(tuning_fields(), options), read));
    EXPECT_EQ(read.criterion, options.criterion);
    EXPECT_EQ(read.folds, options.folds);
    EXPECT_EQ(read.averaged, options.averaged);
}

TEST(OptionFields, DescribeEveryMemberOfFitOptionsThatIsNoStructOfItsOwn) {
    FitOptions options;
    auto& [objective, method, network, tuning, baseline, test_fraction, row_sketch, seed, threads, rules, rules_source,
           when_missing, on_violation, big_m, support, recommend, outcome_range] = options;
    objective = Objective::max;
    method = Method::pt;
    (void)network, (void)tuning, (void)baseline;  // have their own fields
    test_fraction = 0.2;
    row_sketch = false;
    seed = 5;
    threads = 2;
    rules.rules.resize(1);
    (void)rules_source;  // is the name of a file
    when_missing = WhenMissing::skip;
    on_violation = OnViolation::error;
    big_m = true;
    support = 0.1;
    recommend = RecommendOptions{.margin = 0.5, .fallback = Fallback::none};
    outcome_range = OutcomeRange{-1, 2.5, RangeOrigin::declared};
    std::set<std::string> names;
    for (const OptionField<FitOptions>& field : fit_fields()) {
        if (field.name != "beyond-support") {  // part of "support"
            EXPECT_NE(field.write(options), field.write(FitOptions{})) << field.name;
        }
        names.insert(field.name);
    }
    EXPECT_EQ(names, (std::set<std::string>{"objective", "method", "test-fraction", "row-sketch", "seed", "threads",
                                            "when-missing", "on-violation", "big-m", "beyond-support", "support",
                                            "fallback", "margin", "outcome-range"}));
    FitOptions read;
    ASSERT_TRUE(read_recorded(fit_fields(), recorded(fit_fields(), options), read));
    EXPECT_EQ(read.method, options.method);
    EXPECT_EQ(read.when_missing, options.when_missing);
    EXPECT_EQ(read.on_violation, options.on_violation);
    EXPECT_EQ(read.support, options.support);
    EXPECT_EQ(read.recommend->margin, 0.5);
    EXPECT_EQ(read.outcome_range->greatest, 2.5);
}

template <class Options>
void expect_helpful(std::span<const OptionField<Options>> fields) {
    for (const OptionField<Options>& field : fields) {
        EXPECT_FALSE(field.name.empty() || field.help.empty() || field.group.empty()) << field.name;
        EXPECT_FALSE(field.help.ends_with('.')) << field.help;
    }
}

TEST(OptionFields, HaveANameAHelpAndAGroup) {
    expect_helpful(network_fields());
    expect_helpful(tuning_fields());
    expect_helpful(baseline_fields());
    expect_helpful(fit_fields());
}

TEST(OptionFields, RefuseNumbersOutOfRangeWithOneSentenceInTextAndInCode) {
    NetworkOptions options;
    const auto& rate = field_named(network_fields(), "learning-rate");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { rate.read(options, "--learning-rate", "0"); }),
              "--learning-rate: '0' is not a number above 0");
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { rate.read(options, "--learning-rate", "fast"); }),
              "--learning-rate: 'fast' is not a number above 0");
    options.learning_rate = 0;
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { check_network_options(options); }),
              "learning-rate is 0; expected a number above 0");
    options.learning_rate = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { check_network_options(options); }),
              "learning-rate is nan; expected a number above 0");
}

TEST(OptionFields, AreReadUnderTheNamesOfEarlierVersions) {
    const auto network = parse_network_options(OptionTexts{
        {"hidden", "3"}, {"validation", "0.25"}, {"outcome-scale", "standardised"}, {"something-else", "1"}});
    ASSERT_TRUE(network);
    EXPECT_EQ(network->validation_fraction, 0.25);
    EXPECT_EQ(network->outcome_scale, OutcomeScale::standardized);
    EXPECT_EQ(network->retries, 3) << "as models without an entry have it";
}

TEST(FitRequest, SetsWhatIsGivenInPlaceOfTheRecipe) {
    const FitOptions options = requested_options(
        {.recipe = Recipe::fast, .given = {{"epochs", "3"}, {"margin", "2"}, {"hidden", "5,4"}, {"seed", "9"}}});
    EXPECT_EQ(options.network.hidden, (std::vector{5, 4}));
    EXPECT_EQ(options.network.epochs, 3);
    EXPECT_EQ(options.network.weight_decay, recipe_options(Recipe::fast).network.weight_decay);
    EXPECT_EQ(options.recommend->margin, 2);
    EXPECT_EQ(options.seed, 9U);
    EXPECT_FALSE(requested_options({.given = {{"hidden", "5"}}}).tuning) << "named layers are not tuned";
    EXPECT_EQ(requested_options({.given = {{"mu", "0"}}}).tuning->candidates.front().mu, 0);
}

TEST(FitRequest, RefusesWhatWouldDoNothing) {
    const auto sentence = [](const FitRequest& request) {
        return test::sentence_of(ErrorKind::usage, [&] { (void)requested_options(request); });
    };
    EXPECT_EQ(sentence({.given = {{"method", "rc-lr"}, {"members", "3"}}}),
              "--members is for networks, not for --method rc-lr");
    EXPECT_EQ(sentence({.recipe = Recipe::fast, .given = {{"folds", "3"}}}), "--folds is for --recipe auto");
    EXPECT_EQ(sentence({.recipe = Recipe::paper, .given = {{"support", "0.1"}}}),
              "--support is for --beyond-support avoid: this call prescribes beyond support");
    EXPECT_EQ(sentence({.given = {{"margin", "1"}}, .recommend = false}),
              "--margin is about the recommendation, which --no-recommendation leaves out");
    EXPECT_EQ(sentence({.given = {{"big-m", "yes"}}}),
              "--big-m applies to rules: give a file of them with --rules FILE");
}

}  // namespace
}  // namespace polyrx
