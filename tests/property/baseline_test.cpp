// SPDX-License-Identifier: Apache-2.0
// Baselines as the models of policies: files, scores, trees.
#include "polyrx/baselines/baseline.hpp"

#include <gtest/gtest.h>

#include "polyrx/baselines/as_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/extract/exact/tree_within_rules.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/tree/flat_tree.hpp"
#include "tests/support/random_support.hpp"
#include "tests/support/ward_rules.hpp"

namespace polyrx {
namespace {

Observations ward_study(std::uint64_t seed, std::size_t rows, std::size_t treatments) {
    Rng rng(seed, Draw::test);
    Observations study;
    study.features = test::ward_table(rng, rows);
    const auto& age = std::get<NumericColumn>(study.features.at("age").values).values;
    for (std::size_t k = 0; k < treatments; ++k) study.treatments.push_back(std::string(1, static_cast<char>('A' + k)));
    for (std::size_t i = 0; i < rows; ++i) {
        study.treatment.push_back(static_cast<int>(i % treatments));
        study.outcome.push_back((age[i] > 50 ? 1 : -1) * study.treatment.back() + rng.normal());
        study.weight.push_back(0.5 + rng.uniform());
    }
    study.treatment_name = "treatment";
    study.outcome_name = "outcome";
    study.weight_name = "weight";
    return study;
}

Policy fitted(const Observations& study, Method method) {
    FitOptions options;
    options.method = method;
    options.baseline.optimal_tree.restarts = 1;
    return fit(study, options).policy;
}

std::vector<Method> methods_for(std::size_t treatments) {
    std::vector<Method> methods;
    for (const Method method : all_methods())
        if (method != Method::network && suits(method, treatments)) methods.push_back(method);
    return methods;
}

TEST(Baseline, IsTheSameAfterWritingAndReadingItsModel) {
    for (const std::size_t treatments : {2U, 3U, 10U}) {
        const Observations study = ward_study(1, 40 * treatments, treatments);
        for (const Method method : methods_for(treatments)) {
            const Policy policy = fitted(study, method);
            const std::string file = to_json(policy);
            const Policy again = parse_model(file, "model");
            EXPECT_EQ(again.baseline, policy.baseline) << name_of(method);
            EXPECT_EQ(to_json(again), file);
            const Prescriptions given = prescribe(policy, study.features, {.outcomes = true});
            EXPECT_EQ(given.treatment, prescribe(again, study.features).treatment);
            for (const double score : given.outcomes.reshaped()) EXPECT_FALSE(std::isnan(score)) << name_of(method);
            for (const int treatment : given.treatment) EXPECT_GE(treatment, 0);
        }
    }
}

// The file as one text, made from one JSON value: what a model in pieces must come to.
std::string in_one_text(Json document) {
    document.erase("sha256");
    document.sort_members();
    document["sha256"] = sha256_hex(document.dump());
    document.sort_members();
    std::string text = "{";
    for (const auto& [key, value] : document.members()) {
        text += text == "{" ? "\n" : ",\n";
        text += " " + json_text(key) + ": ";
        if (key != "features") {
            text += value.dump();
            continue;
        }
        for (std::size_t i = 0; i < value.items().size(); ++i)
            text += (i == 0 ? "[\n  " : ",\n  ") + value.items()[i].dump();
        text += "\n ]";
    }
    return text + "\n}\n";
}

TEST(Baseline, AModelInPiecesIsTheModelInOneText) {
    for (const std::size_t treatments : {2U, 3U}) {
        const Observations study = ward_study(2, 300 * treatments, treatments);
        for (const Method method : methods_for(treatments)) {
            const Policy policy = fitted(study, method);
            std::string whole;
            std::size_t longest = 0;
            write_model(policy, [&](std::string_view part) {
                whole += part;
                longest = std::max(longest, part.size());
            });
            EXPECT_EQ(whole, in_one_text(parse_json(whole, "model"))) << name_of(method);
            EXPECT_EQ(whole, to_json(policy));
            EXPECT_EQ(parse_json(whole, "model").find("sha256")->text(), model_sha256(policy));
            // No more than a tree at a time.
            if (std::holds_alternative<ForestOutcomes>(policy.baseline->model)) {
                EXPECT_LT(longest, whole.size() / 50);
            }
        }
    }
}

TEST(Baseline, ALongTreeMayBeLaidOutAnewButNotChanged) {
    Observations study = ward_study(3, 1'000, 2);
    study.treatments = {std::string(10'000, 'A'), std::string(1, '\0') + "0"};
    const Policy policy = fitted(study, Method::rc_rf);
    const std::string text = to_json(policy);
    const Policy again = parse_model(parse_json(text, "model").dump(4), "model");
    EXPECT_EQ(again.baseline, policy.baseline);
    EXPECT_EQ(again.treatments, policy.treatments);
    EXPECT_EQ(to_json(again), text);
    Rng rng(3, Draw::test);
    for (int i = 0; i < 20; ++i) {
        std::string changed = text;
        char& digit = changed[text.find_first_of("0123456789", rng.below(text.find("\"method\"") - 100))];
        digit = digit == '1' ? '2' : '1';
        try {
            (void)parse_model(changed, "model");
            ADD_FAILURE() << "read although it was changed";
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()),
                      "model: the file was changed or damaged since it was written: its content does not match its "
                      "checksum");
        }
    }
}

TEST(Baseline, AnswersForDegenerateData) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::size_t treatments : {2U, 10U}) {
        Observations study;
        const std::size_t rows = 2 * treatments;
        study.features = Table({test::numbers("same", std::vector<double>(rows, 3)), test::numbers("one_only", [&] {
                                    std::vector<double> values(rows, nan);
                                    values[0] = 1;
                                    return values;
                                }())});
        for (std::size_t k = 0; k < treatments; ++k)
            study.treatments.push_back(std::string(1, static_cast<char>('A' + k)));
        for (std::size_t i = 0; i < rows; ++i) {
            study.treatment.push_back(static_cast<int>(i % treatments));
            study.outcome.push_back(static_cast<double>((i % treatments + 1) % treatments));
        }
        for (const Method method : methods_for(treatments)) {
            const Prescriptions given = prescribe(fitted(study, method), study.features, {.outcomes = true});
            for (const double score : given.outcomes.reshaped()) EXPECT_FALSE(std::isnan(score)) << name_of(method);
            if (kind_of(fitted(study, method)) == ScoreKind::outcomes) {
                EXPECT_EQ(given.treatment[1], static_cast<int>(treatments) - 1) << name_of(method);
            }
        }
    }
}

TEST(Baseline, ASingleTreeIsShownAsItPrescribes) {
    for (const auto& [method, treatments] :
         {std::pair{Method::pt, 3U}, std::pair{Method::policytree, 3U}, std::pair{Method::ct, 2U},
          std::pair{Method::opt, 3U}, std::pair{Method::opt_l, 2U}, std::pair{Method::opt_h, 3U},
          std::pair{Method::opt_hl, 2U}}) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Observations study = ward_study(seed, 600, treatments);
            const Policy policy = fitted(study, method);
            const Matrix rows = policy.encoder.encode(study.features);
            const std::optional<BaselineTree> shown =
                as_tree(*policy.baseline, policy.encoder, domain_of(policy.encoder));
            ASSERT_TRUE(shown);
            const Tree* tree = &shown->tree;
            check_well_formed(*tree, static_cast<int>(treatments));
            const std::vector<int> given = prescribe(policy, study.features).treatment;
            for (Eigen::Index row = 0; row < rows.rows(); ++row) {
                const int leaf = leaf_of(*tree, rows.row(row).transpose());
                EXPECT_EQ(std::get<Leaf>(tree->nodes[static_cast<std::size_t>(leaf)].what).treatment,
                          given[static_cast<std::size_t>(row)]);
            }
            if (method == Method::pt || method == Method::policytree || method == Method::opt) {
                EXPECT_GT(leaf_count(*tree), 1U);
            }
        }
    }
    const Policy forest = fitted(ward_study(1, 200, 2), Method::rc_rf);
    EXPECT_FALSE(as_tree(*forest.baseline, forest.encoder, domain_of(forest.encoder)));
}

TEST(Baseline, ASingleTreeWithRulesAndSupportIsShownAsItPrescribes) {
    std::size_t in_bands = 0;
    std::size_t shown_rows = 0;
    std::size_t changed = 0;
    for (const auto& [method, treatments] :
         {std::pair{Method::pt, 3U}, std::pair{Method::policytree, 3U}, std::pair{Method::ct, 2U},
          std::pair{Method::opt, 3U}, std::pair{Method::opt_h, 3U}}) {
        const Observations study = ward_study(7, 600, treatments);
        const Policy policy = fitted(study, method);
        const Matrix rows = policy.encoder.encode(study.features);
        const Matrix by_leaf = scores(*policy.baseline, rows, feature_rows(policy.encoder, study.features), 1);
        const Domain domain = domain_of(policy.encoder);
        const std::optional<BaselineTree> own = as_tree(*policy.baseline, policy.encoder, domain);
        ASSERT_TRUE(own);
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            Rng rng(seed, Draw::test);
            const std::vector<BoundRule> rules =
                seed % 3 == 0 ? std::vector<BoundRule>{} : test::random_bound_rules(rng, domain, treatments, 2).rules();
            const BoundRules bound(
                rules, treatments,
                seed % 3 == 1 ? std::vector<SupportRule>{} : test::random_support(rng, domain, treatments));
            const Tree tree = tree_within_rules(own->tree, own->preferences, bound);
            check_well_formed(tree, static_cast<int>(treatments));
            const std::vector<int> expected = choose(bound, rows, by_leaf);
            std::vector<int> ends(static_cast<std::size_t>(rows.rows()));
            FlatTree(tree).arrive(rows, ends);
            for (std::size_t i = 0; i < ends.size(); ++i) {
                ++shown_rows;
                ASSERT_GE(ends[i], 0);
                const auto* leaf = std::get_if<Leaf>(&tree.nodes[static_cast<std::size_t>(ends[i])].what);
                in_bands += leaf == nullptr ? 1 : 0;
                if (leaf == nullptr) continue;
                ASSERT_EQ(leaf->treatment, expected[i]) << name_of(method) << " " << seed;
                Eigen::Index best = 0;
                by_leaf.row(static_cast<Eigen::Index>(i)).minCoeff(&best);
                changed += expected[i] != static_cast<int>(best) ? 1 : 0;
            }
        }
    }
    EXPECT_GT(changed, shown_rows / 10);
    EXPECT_LT(in_bands, shown_rows / 50);
}

Baseline read_baseline(const std::string& text, const Encoder& encoder, std::size_t treatments) {
    const JsonDocument document = parse_json_document(text, "model");
    return baseline_in(document.root(), encoder, treatments);
}

TEST(Baseline, ReadingRefusesWhatDoesNotFit) {
    const Observations study = ward_study(1, 100, 3);
    for (const Method method : methods_for(3)) {
        const Policy policy = fitted(study, method);
        const std::string json = to_json(*policy.baseline);
        EXPECT_EQ(read_baseline(json, policy.encoder, 3), *policy.baseline);
        EXPECT_THROW((void)read_baseline(json, policy.encoder, 2), Error) << name_of(method);
        for (const std::string& bad : {std::string("{}"), std::string("[]"), std::string("{\"method\":\"rc-rf\"}"),
                                       json.substr(0, json.size() / 2), std::string("{\"method\":3}")})
            EXPECT_THROW((void)read_baseline(bad, policy.encoder, 3), Error) << bad;
    }
}

// With what stands for a leaf changed, under a checksum that fits; nothing if there is no tree.
std::optional<std::string> with_a_broken_tree(std::string file) {
    const std::size_t leaf = file.find(" =");
    if (leaf == std::string::npos) return std::nullopt;
    file[leaf + 1] = '?';
    Json document = parse_json(file, "model");
    document.erase("sha256");
    document.sort_members();
    document["sha256"] = sha256_hex(document.dump());
    return document.dump();
}

TEST(Baseline, IsCheckedAsItIsRead) {
    const Observations study = ward_study(1, 200, 2);
    for (const Method method : methods_for(2)) {
        const std::string file = to_json(fitted(study, method));
        EXPECT_NO_THROW(check_model(file, "model")) << name_of(method);
        if (const auto broken = with_a_broken_tree(file)) {
            EXPECT_THROW(check_model(*broken, "model"), Error) << name_of(method);
        }
    }
}

}  // namespace
}  // namespace polyrx
