// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/support_json.hpp"
#include "polyrx/rules/choose.hpp"

namespace polyrx {
namespace {

Feature number(const std::string& name, bool indicator = false) {
    Feature feature;
    feature.name = name;
    feature.lower = -10;
    feature.upper = 10;
    feature.indicator = indicator;
    return feature;
}

Feature category(const std::string& name, std::vector<std::string> categories) {
    Feature feature;
    feature.name = name;
    feature.type = ColumnType::categorical;
    feature.categories = std::move(categories);
    return feature;
}

Support linear_support() {
    Support support;
    support.epsilon = 0.1;
    support.model = LinearLogOdds{{{{{0, 1.0}}, 0}, {{}, 0}, {{{0, -1.0}}, -1}}};
    return support;
}

TEST(Support, OfLogOddsIsTheRatioOfPropensities) {
    const Encoder encoder({number("x")});
    const BoundRules rules({}, 3, bind_support(linear_support(), encoder, 3));
    for (double x = -6; x <= 6; x += 0.01) {
        const double e[] = {std::exp(x), 1, std::exp(-x - 1)};
        const double least = 0.1 * std::max({e[0], e[1], e[2]});
        for (int k = 0; k < 3; ++k) EXPECT_EQ(has(rules.supported(&x), k), e[k] >= least) << x << ' ' << k;
    }
}

TEST(Support, IsRelativeToWhatRulesAllow) {
    const Encoder encoder({number("x")});
    const double x = 5;  // treatment 0 is by far the most likely
    const BoundRules all({}, 3, bind_support(linear_support(), encoder, 3));
    EXPECT_EQ(all.supported(&x), only(0));
    const BoundRules without_first({{{}, only(1) | only(2)}}, 3, bind_support(linear_support(), encoder, 3));
    EXPECT_EQ(without_first.supported(&x), only(1));
}

// x <= 1 (missing goes right): 90 and 10 rows; else by site: A: 2 and 50, B or C: 30 and 30.
Support tree_support() {
    Support support;
    support.epsilon = 0.12;
    support.model = PropensityTree{{{.feature = 0, .threshold = 1, .left = 1},
                                    {.rows = {90, 10}},
                                    {.feature = 1, .categories = {0}, .left = 3},
                                    {.rows = {2, 50}},
                                    {.rows = {30, 30}}}};
    return support;
}

TEST(Support, OfATreeIsTheRatioOfItsCounts) {
    const Encoder encoder({number("x", true), category("site", {"A", "B", "C"})});
    const BoundRules rules({}, 2, bind_support(tree_support(), encoder, 2));
    const auto supported = [&](double x, double missing, int site) {
        double row[] = {x, missing, 0, 0, 0};
        row[2 + site] = 1;
        return rules.supported(row);
    };
    EXPECT_EQ(supported(0, 0, 1), only(0));  // 10 < 0.12 * 90
    EXPECT_EQ(supported(2, 0, 0), only(1));  // 2 < 0.12 * 50
    EXPECT_EQ(supported(2, 0, 2), only(0) | only(1));
    EXPECT_EQ(supported(0, 1, 2), only(0) | only(1));  // missing, so that the fill does not count
    EXPECT_EQ(supported(0, 1, 0), only(1));
}

Support read_support(const Json& json, const Encoder& encoder, const std::vector<std::string>& treatments) {
    const JsonDocument document{"m", json};
    return support_in(document.root(), encoder, treatments);
}

TEST(Support, SurvivesItsJson) {
    const Encoder encoder({number("x", true), category("site", {"A", "B", "C"})});
    const std::vector<std::string> two = {"a", "b"};
    EXPECT_EQ(read_support(json_of(tree_support(), encoder, two), encoder, two), tree_support());
    const std::vector<std::string> three = {"a", "b", "c"};
    Support linear = linear_support();
    linear.never = {2};
    EXPECT_EQ(read_support(json_of(linear, encoder, three), encoder, three), linear);
}

TEST(Support, ThatDoesNotFitIsRefused) {
    const Encoder encoder({number("x", true), category("site", {"A", "B", "C"})});
    EXPECT_THROW((void)bind_support(tree_support(), encoder, 3), Error);
    Support far = linear_support();
    std::get<LinearLogOdds>(far.model).scores[0].terms[0].input = 99;
    EXPECT_THROW((void)bind_support(far, encoder, 3), Error);
    Support loop = tree_support();
    std::get<PropensityTree>(loop.model).nodes[2].left = 1;
    EXPECT_THROW((void)bind_support(loop, encoder, 2), Error);
    for (const double epsilon : {0.0, 1.0, -1.0, std::nan("")}) {
        Support out_of_range = linear_support();
        out_of_range.epsilon = epsilon;
        EXPECT_THROW((void)bind_support(out_of_range, encoder, 3), Error);
    }
    Json json = {{"epsilon", 0.1}};
    EXPECT_THROW((void)read_support(json, encoder, {"a"}), Error);
    json = {{"epsilon", 0.1}, {"kind", "tree"}, {"never", Json::array({"z"})}, {"nodes", Json::array()}};
    EXPECT_THROW((void)read_support(json, encoder, {"a"}), Error);
}

TEST(Reasons, NameWhatDecided) {
    const Encoder encoder({number("x")});
    const BoundRule not_first{{BoundCondition::Kind::half_space, {{{0, 1}}, 0, true}, {}}, only(1) | only(2)};
    const BoundRules rules({not_first}, 3, bind_support(linear_support(), encoder, 3));
    Matrix rows(3, 1);
    rows << -0.2, 0.1, 4;
    Matrix outputs(3, 3);
    outputs << 1, 2, 3,  // the best is allowed and supported
        1, 2, 3,         // the first is forbidden
        3, 2, 1;         // the third is allowed, but not supported
    const std::vector<int> chosen = choose(rules, rows, outputs);
    EXPECT_EQ(chosen, (std::vector<int>{0, 1, 1}));
    EXPECT_EQ(reasons_of(rules, rows, outputs, chosen),
              (std::vector<Reason>{Reason::outcome, Reason::rule, Reason::support}));
    // A rule decides where it allows only what support would forbid, and where another treatment would be supported
    // without it.
    const BoundRule only_third{{BoundCondition::Kind::half_space, {{{0, 1}}, 0, true}, {}}, only(2)};
    const BoundRules forced({only_third}, 3, bind_support(linear_support(), encoder, 3));
    const std::vector<int> by_force = choose(forced, rows, outputs);
    EXPECT_EQ(by_force, (std::vector<int>{0, 2, 2}));
    EXPECT_EQ(reasons_of(forced, rows, outputs, by_force),
              (std::vector<Reason>{Reason::outcome, Reason::rule, Reason::rule}));
    // Of equal outcomes support decides, though the first of them would have been taken anyway.
    const BoundRules only_support({}, 3, bind_support(linear_support(), encoder, 3));
    const Matrix same = Matrix::Zero(3, 3);
    const std::vector<int> supported = choose(only_support, rows, same);
    const std::vector<Reason> reasons = reasons_of(only_support, rows, same, supported);
    for (Eigen::Index row = 0; row < 3; ++row)
        EXPECT_EQ(
            reasons[static_cast<std::size_t>(row)],
            only_support.supported(rows.row(row).data()) == only_support.all() ? Reason::outcome : Reason::support);
    EXPECT_EQ(reasons[2], Reason::support);
}

}  // namespace
}  // namespace polyrx
