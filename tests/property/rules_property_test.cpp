// SPDX-License-Identifier: Apache-2.0
// Rules on encoded rows say what their text says on rows of a table, and searches for rows find what is there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "polyrx/encode/decode_row.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/network/big_m.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/rules/conflicts.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_rules.hpp"
#include "tests/support/ward_rules.hpp"

namespace polyrx {
namespace {

struct Bound {
    Encoder encoder;
    BoundRules rules;
};

Bound bound_to(const Rules& rules, const Table& table, WhenMissing when_missing) {
    Bound bound{make_encoder(table), {}};
    bound.encoder = with_derived(bound.encoder, needed_features(rules, bound.encoder, "rules"), &table);
    bound.rules = bind_rules(rules, bound.encoder, test::ward_treatments, when_missing, "rules");
    return bound;
}

TEST(BoundRules, AllowWhatTheirTextAllowsWhateverIsMissing) {
    for (std::uint64_t index = 0; index < 300; ++index) {
        Rng rng(51, Draw::test, index);
        const Table table = test::ward_table(rng, 60);
        // What the encoder knows of missing cells depends on the rows that it learned from.
        const Table complete =
            Table({test::numbers("age", {20, 89}), test::numbers("dose", {0.125, 10}), test::truths("smoker", {0, 1}),
                   test::texts("ward", {"north", "south", "west"}, {0, 1})});
        const Rules rules = test::random_ward_rules(rng, 1 + rng.below(4));
        const auto when_missing = rng.bernoulli(0.5) ? WhenMissing::apply : WhenMissing::skip;
        const Bound bound = bound_to(rules, rng.bernoulli(0.5) ? table : complete, when_missing);
        const Matrix encoded = bound.encoder.encode(table);
        const std::vector<TreatmentSet> allowed = bound.rules.allowed(encoded);
        const std::size_t first = rng.below(table.rows());
        const InputReader reader(bound.encoder, bound.rules.asked_inputs());
        const InputColumns columns(reader, reader.match(table), first, table.rows() - first, Unseen::error);
        EXPECT_TRUE(std::ranges::equal(bound.rules.allowed(columns), std::span(allowed).subspan(first)));
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const auto labels = test::SlowRules(rules, table, row).allowed(test::ward_treatments, when_missing);
            TreatmentSet expected = 0;
            for (std::size_t k = 0; k < 3; ++k)
                if (std::ranges::find(labels, test::ward_treatments[k]) != labels.end()) expected |= 1U << k;
            EXPECT_EQ(allowed[row], expected) << to_text(rules) << " row " << row;
            EXPECT_EQ(allowed[row], bound.rules.allowed(encoded.row(static_cast<Eigen::Index>(row)).data()));
        }
    }
}

TEST(BoundRules, DecodedRowsEncodeToThemselves) {
    Rng rng(52, Draw::test);
    const Table table = test::ward_table(rng, 200);
    const Bound bound = bound_to(test::random_ward_rules(rng, 5), table, WhenMissing::apply);
    const Matrix encoded = bound.encoder.encode(table);
    for (Eigen::Index row = 0; row < encoded.rows(); ++row)
        EXPECT_EQ(bound.encoder.encode(decode_row(bound.encoder, encoded.row(row).transpose())).row(0),
                  encoded.row(row));
}

// All rows of a domain of few whole numbers.
std::vector<Vector> all_rows(const Domain& domain) {
    std::vector<Vector> rows = {domain.lower};
    for (Eigen::Index i = 0; i < domain.inputs(); ++i) {
        std::vector<Vector> more;
        for (const Vector& row : rows)
            for (double x = domain.lower[i]; x <= domain.upper[i]; ++x) {
                more.push_back(row);
                more.back()[i] = x;
            }
        rows = std::move(more);
    }
    std::erase_if(rows, [&](const Vector& row) { return !contains(domain, row); });
    return rows;
}

HalfSpace random_half_space(Rng& rng, const Domain& domain) {
    HalfSpace half_space;
    for (Eigen::Index i = 0; i < domain.inputs(); ++i)
        if (rng.bernoulli(0.35)) half_space.terms.push_back({i, static_cast<double>(rng.below(7)) - 3 + 0.5});
    if (half_space.terms.empty()) half_space.terms.push_back({0, 1});
    half_space.constant = static_cast<double>(rng.below(9)) - 4;
    half_space.strict = rng.bernoulli(0.5);
    return half_space;
}

BoundCondition random_condition(Rng& rng, const Domain& domain, int depth) {
    if (depth == 0 || rng.bernoulli(0.3)) return {BoundCondition::Kind::half_space, random_half_space(rng, domain), {}};
    BoundCondition joined;
    joined.kind = rng.bernoulli(0.6) ? BoundCondition::Kind::all_of : BoundCondition::Kind::any_of;
    const auto operands = 2 + rng.below(3);
    for (std::uint64_t i = 0; i < operands; ++i) joined.operands.push_back(random_condition(rng, domain, depth - 1));
    return joined;
}

TEST(FindRow, FindsARowWhereverTrialOfAllRowsDoes) {
    Domain domain{Vector::Zero(6), Vector::Ones(6), std::vector<char>(6, 1), {{3, 4, 5}}};
    domain.upper[0] = 4;
    domain.lower[1] = -2;
    const std::vector<Vector> rows = all_rows(domain);
    std::size_t found = 0;
    for (std::uint64_t index = 0; index < 2000; ++index) {
        Rng rng(53, Draw::test, index);
        const BoundCondition condition = random_condition(rng, domain, 2);
        const bool exists = std::ranges::any_of(rows, [&](const Vector& row) { return condition.holds(row.data()); });
        const FoundRow answer = find_row(domain, condition);
        ASSERT_EQ(answer.answer, exists ? FoundRow::Answer::found : FoundRow::Answer::none) << index;
        if (!exists) continue;
        ++found;
        EXPECT_TRUE(contains(domain, answer.row));
        EXPECT_TRUE(condition.holds(answer.row.data()));
        // And no row is in a condition and in its complement.
        for (const Vector& row : rows) EXPECT_NE(condition.holds(row.data()), condition.complement().holds(row.data()));
    }
    EXPECT_GT(found, 500U);
    EXPECT_LT(found, 1800U);
}

TEST(CheckRules, FindsConflictsImpliedRulesAndThoseThatNeverApplyAsTrialOfAllRowsDoes) {
    Domain domain{Vector::Zero(5), Vector::Ones(5), std::vector<char>(5, 1), {{2, 3, 4}}};
    domain.upper[0] = 6;
    const std::vector<Vector> rows = all_rows(domain);
    std::vector<Feature> features(5);
    for (std::size_t i = 0; i < 5; ++i) {
        features[i].name = "x" + std::to_string(i);
        features[i].upper = 6;
    }
    const Encoder encoder(features);
    std::size_t conflicts = 0;
    std::size_t implied = 0;
    for (std::uint64_t index = 0; index < 500; ++index) {
        Rng rng(54, Draw::test, index);
        std::vector<BoundRule> list;
        for (std::uint64_t i = 0; i < 1 + rng.below(5); ++i)
            list.push_back({random_condition(rng, domain, 1), 1 + rng.below(6)});
        const BoundRules rules(list, 3);
        const RuleFindings findings = check_rules(rules, encoder, domain);
        const bool conflict =
            std::ranges::any_of(rows, [&](const auto& row) { return rules.allowed(row.data()) == 0; });
        ASSERT_EQ(findings.conflict.answer == FoundRow::Answer::found, conflict) << index;
        conflicts += conflict ? 1 : 0;
        std::vector<BoundRule> needed;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool never =
                std::ranges::none_of(rows, [&](const auto& row) { return list[i].applies.holds(row.data()); });
            EXPECT_EQ(findings.never_applies[i], never);
            if (!findings.implied[i]) needed.push_back(list[i]);
        }
        // Without the implied rules, all of them, the same is allowed everywhere.
        implied += list.size() - needed.size();
        const BoundRules without(needed, 3);
        for (const Vector& row : rows) ASSERT_EQ(rules.allowed(row.data()), without.allowed(row.data())) << index;
    }
    EXPECT_GT(conflicts, 50U);
    EXPECT_GT(implied, 50U);
}

Policy random_policy(Rng& rng, const Table& table) {
    Policy policy;
    policy.encoder = make_encoder(table);
    policy.network = test::random_network(rng, {static_cast<Eigen::Index>(policy.encoder.columns().size()), 6, 4, 3});
    policy.treatments = test::ward_treatments;
    policy.treatment_name = "treatment";
    policy.outcome_name = "outcome";
    return policy;
}

// Of columns a and b, and what the rules need besides.
Encoder encoder_of_two(const Rules& rules) {
    const Table table({test::numbers("a", {0, 1, 2}), test::numbers("b", {0, 1, 5})});
    const Encoder encoder = make_encoder(table);
    return with_derived(encoder, needed_features(rules, encoder, "rules"), &table);
}

// With each pair of rules compared, this took minutes.
TEST(CheckRules, CallsAllRepeatsOfARuleImpliedHoweverManyThereAre) {
    Rules rules;
    const Rules one = parse_rules("if a > 1 and b < 3 then A\nif a > 7 then A\n", "rules");
    for (int i = 0; i < 50'000; ++i) rules.rules.push_back(one.rules[static_cast<std::size_t>(i % 2)]);
    const Encoder encoder = encoder_of_two(rules);
    const BoundRules bound = bind_rules(rules, encoder, {"A", "B"}, WhenMissing::apply, "rules");
    const RuleFindings findings = check_rules(bound, encoder, domain_of(encoder));
    EXPECT_EQ(findings.conflict.answer, FoundRow::Answer::none);
    EXPECT_FALSE(findings.implied[0]);
    for (std::size_t i = 2; i < 50'000; i += 2) ASSERT_TRUE(findings.implied[i]);
    for (std::size_t i = 1; i < 50'000; i += 2) ASSERT_TRUE(findings.only_if_missing[i]);
}

TEST(CheckRules, BlamesNoRuleThatIsNotNeededForAConflict) {
    const Rules rules = parse_rules(
        "if a > 1 then A, B\nif a > 1 then A\nif a > 1 then not A\nif b >= 0 then A, B\nif a > 1 then not A\n",
        "rules");
    const Encoder encoder = encoder_of_two(rules);
    const BoundRules bound = bind_rules(rules, encoder, {"A", "B", "C"}, WhenMissing::apply, "rules");
    EXPECT_EQ(find_conflict(bound, encoder, domain_of(encoder)).rules, (std::vector<std::size_t>{1, 2}));
}

TEST(CheckRules, CanBeCanceledWhileItLooksForARow) {
    const Rules rules = parse_rules("if a > 1 then A\nif b > 1 then B\n", "rules");
    const Encoder encoder = encoder_of_two(rules);
    const BoundRules bound = bind_rules(rules, encoder, {"A", "B"}, WhenMissing::apply, "rules");
    EXPECT_THROW(
        (void)find_conflict(bound, encoder, domain_of(encoder), [](double, std::string_view) { return false; }), Error);
}

std::string chained_lets(int count, const std::string& next) {
    std::string text = "let z0 = a + b\n";
    for (int i = 1; i <= count; ++i) {
        text += fmt::format("let z{} = ", i);
        for (const char c : next) text += c == '#' ? fmt::format("z{}", i - 1) : std::string(1, c);
        text += "\n";
    }
    return text + fmt::format("if z{} > 3 then A\n", count);
}

TEST(DerivedFeatures, MayUseEachOtherUpToAWrittenOutLength) {
    const Table table({test::numbers("a", {0, 1, 2}), test::numbers("b", {0, 1, 5})});
    // z12 is 4096 (a + b): above 3 in the last two rows.
    const Rules some = parse_rules(chained_lets(12, "# + #"), "rules.txt");
    const Encoder encoder = encoder_of_two(some);
    const BoundRules bound = bind_rules(some, encoder, {"A", "B"}, WhenMissing::apply, "rules.txt");
    EXPECT_EQ(bound.allowed(encoder.encode(table)), (std::vector<TreatmentSet>{0b11, 0b01, 0b01}));

    // 26 of these once took more memory than there was.
    const std::string sentence = test::sentence_of(ErrorKind::data, [&] {
        (void)needed_features(parse_rules(chained_lets(100, "# + #"), "rules.txt"), encoder, "rules.txt");
    });
    EXPECT_EQ(
        sentence.substr(0, sentence.find('\n')),
        "rules.txt:15:11: 'z14' is too long: in terms of columns, the derived features of all rules have more than "
        "100,000 names, numbers and operators; use fewer derived features in each other");
}

TEST(DerivedFeatures, AreRefusedWhereAModelCouldNotBeReadAgain) {
    const Encoder encoder = make_encoder(Table({test::numbers("a", {1, 2}), test::numbers("b", {1, 5})}));
    const auto sentence = [&](int count) {
        return test::sentence_of(ErrorKind::data, [&] {
            (void)needed_features(parse_rules(chained_lets(count, "log(#)"), "rules.txt"), encoder, "rules.txt");
        });
    };
    const std::string said = sentence(201);
    EXPECT_EQ(said.substr(0, said.find('\n')),
              "rules.txt:202:12: 'z201' is nested too deep: in terms of columns, it has more than 200 levels of "
              "parentheses, or 1000 of operators");
}

TEST(Constrain, KeepsEveryRuleAndChangesNoRowThatNoneTouches) {
    std::size_t tried = 0;
    for (std::uint64_t index = 0; index < 120; ++index) {
        Rng rng(55, Draw::test, index);
        const Table table = test::ward_table(rng, 300);
        const Policy policy = random_policy(rng, table);
        const Rules rules = test::random_ward_rules(rng, 1 + rng.below(3));
        Policy constrained;
        Policy by_big_m;
        try {
            constrained = constrain(policy, rules, "rules", {.rows = &table}).policy;
            by_big_m = constrain(policy, rules, "rules", {.big_m = true, .rows = &table}).policy;
        } catch (const Error& error) {
            ASSERT_EQ(error.kind(), ErrorKind::proof) << error.what();
            continue;  // they contradict each other
        }
        ++tried;
        const Prescriptions before = prescribe(policy, table, {.outcomes = true});
        const Prescriptions after = prescribe(constrained, table, {.outcomes = true});
        EXPECT_EQ(before.outcomes, after.outcomes);
        EXPECT_EQ(after.treatment, prescribe(by_big_m, table).treatment);
        const Matrix encoded = constrained.encoder.encode(table);
        EXPECT_EQ(after.treatment, choose(constrained.rules, encoded, forward(constrained.network, encoded)));
        const Policy again = parse_model(to_json(constrained), "model");
        EXPECT_EQ(to_json(again), to_json(constrained));
        EXPECT_EQ(after.treatment, prescribe(again, table).treatment);
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const auto allowed = test::SlowRules(rules, table, row).allowed(test::ward_treatments, WhenMissing::apply);
            // A conflict in a derived feature may not be found before, and is said when it happens.
            ASSERT_EQ(after.treatment[row] == no_treatment, allowed.empty());
            if (allowed.empty()) continue;
            const auto label = [&](int k) { return test::ward_treatments[static_cast<std::size_t>(k)]; };
            EXPECT_NE(std::ranges::find(allowed, label(after.treatment[row])), allowed.end()) << to_text(rules);
            if (std::ranges::find(allowed, label(before.treatment[row])) != allowed.end()) {
                EXPECT_EQ(after.treatment[row], before.treatment[row]);
            }
        }
    }
    EXPECT_GT(tried, 40U);
}

TEST(BigM, OfThePaperIsTwiceWhatTheLargestWeightsMakeOfTheLargestInputs) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        Rng rng(57, Draw::test, index);
        const Policy policy = random_policy(rng, test::ward_table(rng, 100));
        double weight = 0;
        double bias = 0;
        for (const Layer& layer : policy.network.layers()) {
            weight = std::max(weight, layer.weights.cwiseAbs().maxCoeff());
            bias = std::max(bias, layer.bias.cwiseAbs().maxCoeff());
        }
        std::vector<Layer> largest = policy.network.layers();
        for (Layer& layer : largest) {
            layer.weights.setConstant(weight);
            layer.bias.setConstant(bias);
        }
        const Domain domain = policy_domain(policy);
        const double most = forward(ReluNetwork(largest), magnitudes(domain).transpose()).maxCoeff();
        EXPECT_NEAR(crude_big_m(policy.network, domain), 2 * most, 1e-9 * most);
    }
}

TEST(BigM, IsEnoughOnTheDomainAndHalfOfTheLargestGapIsNot) {
    std::size_t broken = 0;
    for (std::uint64_t index = 0; index < 50; ++index) {
        Rng rng(56, Draw::test, index);
        const Table table = test::ward_table(rng, 500);
        const Policy policy = random_policy(rng, table);
        const double enough = sufficient_big_m(policy.network, policy_domain(policy), 0b001);
        EXPECT_LE(enough, crude_big_m(policy.network, policy_domain(policy)));
        // Low is forbidden for everybody.
        const BoundRules rules({{{}, 0b110}}, 3);
        const Matrix rows = policy.encoder.encode(table);
        const Matrix outputs = forward(policy.network, rows);
        double gap = 0;  // by which Low is the best
        for (Eigen::Index i = 0; i < rows.rows(); ++i)
            gap = std::max(gap, std::min(outputs(i, 1), outputs(i, 2)) - outputs(i, 0));
        EXPECT_LT(gap, enough);
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            EXPECT_NE(choose_by_big_m(rules, enough, rows.row(i).data(), outputs.row(i)), 0);
            broken += choose_by_big_m(rules, gap / 2, rows.row(i).data(), outputs.row(i)) == 0 ? 1 : 0;
        }
    }
    EXPECT_GT(broken, 0U);
}

}  // namespace
}  // namespace polyrx
