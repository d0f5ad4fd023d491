// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/core/infinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "polyrx/encode/domain_words.hpp"
#include "polyrx/encode/why_outside.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

const char* const domain_csv =
    "age,sex,smoker,stage,weight\n"
    "40,F,yes,I,70.5\n"
    "50,M,no,II,80\n"
    ",F,no,,62.25\n"
    "70,F,,II,75\n";

Table domain_table(const std::string& csv, const CsvOptions& options = {}) {
    return parse_csv(csv, "new.csv", options);
}

// age, age is missing, sex = F, sex = M, smoker, smoker is missing, stage = I, stage = II, stage is missing, weight
Encoder some_encoder() {
    return make_encoder(domain_table(domain_csv));
}

Domain domain_with(const std::vector<std::string>& texts) {
    std::vector<DomainOverride> overrides;
    overrides.reserve(texts.size());
    for (const std::string& text : texts) overrides.push_back(parse_override(text));
    return domain_of(some_encoder(), overrides);
}

std::string domain_error(const std::vector<std::string>& texts) {
    return test::sentence_of(ErrorKind::usage, [&] { (void)domain_with(texts); });
}

std::vector<double> values(const Vector& vector) {
    return {vector.begin(), vector.end()};
}

TEST(InputDomain, HasTheBoundsOfTheTrainingRowsAndAGroupForEachCategoricalFeature) {
    const Domain domain = domain_of(some_encoder());
    EXPECT_EQ(values(domain.lower), (std::vector<double>{40, 0, 0, 0, 0, 0, 0, 0, 0, 62.25}));
    EXPECT_EQ(values(domain.upper), (std::vector<double>{70, 1, 1, 1, 1, 1, 1, 1, 1, 80}));
    EXPECT_EQ(domain.integer, (std::vector<char>{1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
    EXPECT_EQ(domain.groups, (std::vector<std::vector<Eigen::Index>>{{2, 3}, {6, 7, 8}}));
}

TEST(InputDomain, HoldsEveryRowThatItWasLearnedFrom) {
    const Encoder encoder = some_encoder();
    const Matrix rows = encoder.encode(domain_table(domain_csv));
    const Domain domain = domain_of(encoder);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) EXPECT_TRUE(contains(domain, rows.row(i).transpose())) << i;
}

TEST(InputDomain, TakesRangesOneSideAtATimeAndRoundsThoseOfWholeNumbersInwards) {
    EXPECT_EQ(domain_with({"age=18:90"}).lower[0], 18);
    EXPECT_EQ(domain_with({"age=18:90"}).upper[0], 90);
    EXPECT_EQ(domain_with({" age = : 90 "}).lower[0], 40);
    EXPECT_EQ(domain_with({"age=18:"}).upper[0], 70);
    EXPECT_EQ(domain_with({"age=18:inf"}).upper[0], infinity);
    EXPECT_EQ(domain_with({"age=17.5:90.5"}).lower[0], 18);
    EXPECT_EQ(domain_with({"age=17.5:90.5"}).upper[0], 90);
    EXPECT_EQ(domain_with({"weight=17.5:90.5"}).lower[9], 17.5);
}

TEST(InputDomain, OfSomeCategoriesExcludesTheOthersAndMissingUnlessNamed) {
    EXPECT_EQ(values(domain_with({"sex=F"}).upper.segment(2, 2)), (std::vector<double>{1, 0}));
    EXPECT_EQ(values(domain_with({"sex=F|M"}).upper.segment(2, 2)), (std::vector<double>{1, 1}));
    EXPECT_EQ(values(domain_with({"stage=II"}).upper.segment(6, 3)), (std::vector<double>{0, 1, 0}));
    EXPECT_EQ(values(domain_with({"stage = II | missing"}).upper.segment(6, 3)), (std::vector<double>{0, 1, 1}));
    EXPECT_EQ(domain_with({"stage=II"}).groups, domain_of(some_encoder()).groups);
}

TEST(InputDomain, OfABooleanIsSaidInAnyWordsForTrueAndFalse) {
    for (const char* word : {"smoker=true", "smoker=Yes", "smoker=1"}) EXPECT_EQ(domain_with({word}).lower[4], 1);
    EXPECT_EQ(domain_with({"smoker=no"}).upper[4], 0);
    const Domain both = domain_with({"smoker=no|yes"});
    EXPECT_EQ(both.lower[4], 0);
    EXPECT_EQ(both.upper[4], 1);
}

TEST(InputDomain, TakesATextForARangeOrACategoryAsTheFeatureIs) {
    const Encoder encoder(std::vector<Feature>{
        {.name = "time", .type = ColumnType::categorical, .categories = {"8:30", "9:30"}}, {.name = "x", .upper = 1}});
    const Domain domain = domain_of(encoder, {parse_override("time=9:30"), parse_override("x=0:0.5")});
    EXPECT_EQ(values(domain.upper), (std::vector<double>{0, 1, 0.5}));
}

TEST(InputDomain, SaysWhatWasExpectedInsteadOfWhatItCannotUse) {
    EXPECT_EQ(domain_error({"agee=18:90"}), "there is no feature 'agee' (did you mean 'age'?)");
    EXPECT_EQ(domain_error({"height=18:90"}), "there is no feature 'height' (did you mean 'weight'?)");
    EXPECT_EQ(domain_error({"dose=1:2"}), "there is no feature 'dose' (there are age, sex, smoker, stage, weight)");
    EXPECT_EQ(domain_error({"age=90:18"}), "the domain of 'age' is empty: no whole number lies between 90 and 18");
    EXPECT_EQ(domain_error({"weight=90:18"}), "the domain of 'weight' is empty: no number lies between 90 and 18");
    EXPECT_EQ(domain_error({"age=:18"}), "the domain of 'age' is empty: no whole number lies between 40 and 18");
    EXPECT_EQ(domain_error({"age=18.2:18.7"}),
              "the domain of 'age' is empty: no whole number lies between 18.2 and 18.7");
    EXPECT_EQ(domain_error({"weight=inf:inf"}), "the domain of 'weight' is empty: no number lies between inf and inf");
    EXPECT_EQ(domain_error({"age=nan:90"}),
              "the feature 'age' is numeric: expected a range such as age=18:90, not 'nan:90'");
    EXPECT_EQ(domain_error({"age=50"}), "the feature 'age' is numeric: expected a range such as age=18:90, not '50'");
    EXPECT_EQ(domain_error({"sex=X"}), "the feature 'sex' has no category 'X' (there are F, M)");
    EXPECT_EQ(domain_error({"sex=f"}), "the feature 'sex' has no category 'f' (did you mean 'F'?)");
    EXPECT_EQ(domain_error({"sex=F|missing"}),
              "the feature 'sex' was never missing in the training data, so 'missing' is not among its categories "
              "(F, M)");
    EXPECT_EQ(domain_error({"smoker=often"}),
              "the feature 'smoker' is true or false: expected smoker=true or smoker=false, not 'often'");
    EXPECT_EQ(domain_error({"age=18:90", "age=20:30"}), "the domain of 'age' is given twice");
    for (const char* text : {"age", "=18:90", "age=", ""})
        EXPECT_EQ(domain_error({text}),
                  "'" + std::string(text) + "': expected FEATURE=LOWER:UPPER or FEATURE=CATEGORY|CATEGORY");
    EXPECT_EQ(domain_error({"sex=F||M"}), "'sex=F||M': one of the categories between the | is empty");
}

TEST(InputDomain, RefusesBoundsThatAreNotNumbersWhoeverGivesThem) {
    const auto error = [](const DomainOverride& wanted) {
        return test::sentence_of(ErrorKind::usage, [&] { (void)domain_of(some_encoder(), {wanted}); });
    };
    EXPECT_EQ(error({.feature = "age", .upper = std::nan("")}), "the upper bound of 'age' is not a number");
    EXPECT_EQ(error({.feature = "age"}), "the feature 'age' is numeric: expected a range such as age=18:90");
    EXPECT_EQ(error({.feature = "sex", .lower = 0}),
              "the feature 'sex' is categorical: expected some of its categories, such as sex=F");
    EXPECT_EQ(error({.feature = "smoker", .lower = 0}),
              "the feature 'smoker' is true or false: expected smoker=true or smoker=false");
}

TEST(WhyOutside, NamesTheFeatureItsValueAndWhatIsInside) {
    const Encoder encoder = some_encoder();
    const Domain domain = domain_with({"age=60:90", "stage=II|missing", "smoker=true", "weight=0:inf"});
    const auto why = [&](const std::string& cells) {
        const Table row = domain_table("age,sex,smoker,stage,weight\n" + cells + "\n", {.schema = encoder.schema()});
        const Vector encoded = encoder.encode(row, Unseen::ignore).row(0).transpose();
        const std::string reason = why_outside(encoder, domain, row, 0, "the tree's");
        EXPECT_EQ(reason.empty(), contains(domain, encoded)) << cells;
        return reason;
    };
    EXPECT_EQ(why("60,F,yes,II,70"), "");
    EXPECT_EQ(why("60,F,yes,,70"), "");
    EXPECT_EQ(why("130,F,yes,II,70"), "age 130 is outside of the tree's domain (60 to 90)");
    EXPECT_EQ(why("60.5,F,yes,II,70"), "age 60.5 is outside of the tree's domain (whole numbers from 60 to 90)");
    EXPECT_EQ(why(",F,yes,II,70"), "age is missing, and its fill value 50 is outside of the tree's domain (60 to 90)");
    EXPECT_EQ(why("60,X,yes,II,70"), "sex X is outside of the tree's domain (F, M)");
    EXPECT_EQ(why("60,F,no,II,70"), "smoker false is outside of the tree's domain (true)");
    EXPECT_EQ(why("60,F,yes,I,70"), "stage I is outside of the tree's domain (II, missing)");
    EXPECT_EQ(why("60,F,yes,II,-1"), "weight -1 is outside of the tree's domain (from 0)");
}

TEST(WhyOutside, HasAReasonForEveryRowOfADomainThatSomebodyWroteByHand) {
    const Encoder encoder = some_encoder();
    const Table row = domain_table("age,sex,smoker,stage,weight\n,M,yes,II,70\n", {.schema = encoder.schema()});
    const Vector encoded = encoder.encode(row).row(0).transpose();
    const auto why = [&](const Domain& domain) {
        EXPECT_FALSE(contains(domain, encoded));
        return why_outside(encoder, domain, row, 0, "the tree's");
    };
    const auto input = [&](const std::string& name) {
        for (std::size_t c = 0; c < encoder.columns().size(); ++c)
            if (encoder.columns()[c].name == name) return static_cast<Eigen::Index>(c);
        ADD_FAILURE() << name;
        return Eigen::Index{0};
    };
    Domain domain = domain_of(encoder);
    ASSERT_TRUE(contains(domain, encoded));
    domain.upper[input("age is missing")] = 0;
    EXPECT_EQ(why(domain), "age is missing, which is outside of the tree's domain");
    domain = domain_of(encoder);
    domain.lower[input("sex = F")] = 1;
    EXPECT_EQ(why(domain), "'sex = F' is 0, which is outside of the tree's domain (1)");
    domain = domain_of(encoder);
    domain.groups.push_back({input("age is missing"), input("smoker")});
    EXPECT_EQ(why(domain), "exactly one of 'age is missing', 'smoker' must be 1 in the tree's domain, but 2 are");
    for (Eigen::Index c = 0; c < encoded.size(); ++c) {  // whatever is wrong, something is said
        domain = domain_of(encoder);
        domain.lower[c] = encoded[c] + 1;
        EXPECT_NE(why(domain), "");
        domain = domain_of(encoder);
        domain.upper[c] = encoded[c] - 1;
        EXPECT_NE(why(domain), "");
    }
}

TEST(DomainWords, SayInWhichFeaturesADomainIsNarrower) {
    const Encoder encoder = some_encoder();
    const Domain whole = domain_of(encoder);
    const auto differences = [&](const std::vector<std::string>& overrides) {
        const Domain domain = domain_with(overrides);
        EXPECT_TRUE(is_within(domain, whole));
        EXPECT_EQ(is_within(whole, domain), overrides.empty());
        return domain_differences(encoder, domain, whole);
    };
    using Words = std::vector<std::string>;
    EXPECT_EQ(differences({}), Words{});
    EXPECT_EQ(differences({"age=45:50"}), Words{"age 45 to 50"});
    EXPECT_EQ(differences({"stage=II|missing", "smoker=true", "sex=F"}),
              (Words{"sex F", "smoker true", "stage II or missing"}));
}

TEST(DomainWords, TellADomainThatIsOnlyAnotherFromANarrowerOne) {
    const Encoder encoder = some_encoder();
    const Domain whole = domain_of(encoder);
    EXPECT_FALSE(is_within(domain_with({"age=0:200"}), whole));
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const auto input = static_cast<Eigen::Index>(c);
        Domain domain = whole;
        domain.upper[input] += 1;
        EXPECT_FALSE(is_within(domain, whole));
        EXPECT_EQ(domain_differences(encoder, domain, whole).size(), 1U);
        domain = whole;
        domain.integer[c] = domain.integer[c] ? 0 : 1;
        EXPECT_EQ(is_within(domain, whole), domain.integer[c] == 1);
        EXPECT_EQ(domain_differences(encoder, domain, whole).size(), 1U);
    }
    Domain domain = whole;
    domain.integer[0] = 0;
    EXPECT_EQ(domain_differences(encoder, domain, whole).front(), "age 40 to 70, fractions included");
    domain = whole;
    domain.groups.pop_back();
    EXPECT_FALSE(is_within(domain, whole));
    EXPECT_EQ(domain_differences(encoder, domain, whole).size(), 1U);
    domain = whole;
    std::reverse(domain.groups.begin(), domain.groups.end());
    EXPECT_EQ(domain_differences(encoder, domain, whole).empty(), domain == whole);
}

// Two numeric features, of which the network uses the first.
Policy uses_the_first_of_two(double weight) {
    Policy policy;
    policy.encoder = Encoder(std::vector<Feature>{{.name = "age", .upper = 1}, {.name = "id", .upper = 1}});
    policy.network = ReluNetwork({Layer{(Matrix(2, 2) << weight, 0, 0, 0).finished(), Vector::Zero(2)}});
    policy.treatments = {"a", "b"};
    return policy;
}

TEST(PolicyDomain, NeedsBoundsForWhatTheNetworkUsesAndOnlyForThat) {
    const Policy policy = uses_the_first_of_two(1);
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)policy_domain(policy, {parse_override("age=18:inf")}); }),
              "the domain of 'age' has no upper bound, but the policy uses it: expected a finite range such as "
              "age=18:90");
    const Domain domain = policy_domain(policy, {parse_override("id=0:inf")});
    EXPECT_EQ(domain.lower[1], 0);
    EXPECT_TRUE(domain.upper.allFinite());
    EXPECT_TRUE(contains(domain, Eigen::Vector2d(0.5, 18446744073709551615.0)));
    EXPECT_EQ(policy_domain(policy), domain_of(policy.encoder));
}

TEST(PolicyDomain, EndsWhereOutcomesCouldOverflow) {
    EXPECT_EQ(
        test::sentence_of(ErrorKind::usage,
                          [&] { (void)policy_domain(uses_the_first_of_two(1e10), {parse_override("age=0:1e300")}); }),
        "the domain of 'age', from 0 to 1e+300, is too wide for this model: its predicted outcomes may not be "
        "finite");
}

}  // namespace
}  // namespace polyrx
