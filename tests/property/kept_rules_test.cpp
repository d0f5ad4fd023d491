// SPDX-License-Identifier: Apache-2.0
// A million rows, random ones and ones on the borders of rules, and no rule is broken.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "polyrx/core/infinity.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

constexpr int low = 0;
constexpr int medium = 1;
constexpr int high = 2;

struct Patient {
    double age = 0;
    double weight = 0;
    double height = 0;
    double bmi = 0;
    double creatinine = 0;
    bool female = false;
};

// A rule, and independently of all code for rules, when it is broken. Medium breaks none of them.
struct Written {
    const char* rule;
    std::function<bool(const Patient&, int treatment)> is_broken;
};

const std::vector<Written>& written_rules() {
    static const std::vector<Written> rules = {
        {"if bmi > 30 then Medium, High", [](const Patient& p, int k) { return p.bmi > 30 && k == low; }},
        {"if age >= 80 and creatinine > 1.5 then not High",
         [](const Patient& p, int k) { return p.age >= 80 && p.creatinine > 1.5 && k == high; }},
        // The sums are exact: both are eighths.
        {"if 0.5*weight + height > 200 or sex = female then Low, Medium",
         [](const Patient& p, int k) { return (0.5 * p.weight + p.height > 200 || p.female) && k == high; }},
        {"let crcl = (140 - age) * weight / (72 * creatinine)", [](const Patient&, int) { return false; }},
        {"if crcl < 30 then not High",
         [](const Patient& p, int k) { return (140 - p.age) * p.weight / (72 * p.creatinine) < 30 && k == high; }},
        {"if age = 50 then Medium", [](const Patient& p, int k) { return p.age == 50 && k != medium; }},
        {"if not (18 <= age < 65) and sex != male then Medium",
         [](const Patient& p, int k) { return !(18 <= p.age && p.age < 65) && p.female && k != medium; }},
        {"if age != 30 and weight = 90 or bmi <= 18.5 and creatinine < 0.75 then not Low",
         [](const Patient& p, int k) {
             return ((p.age != 30 && p.weight == 90) || (p.bmi <= 18.5 && p.creatinine < 0.75)) && k == low;
         }},
        // The paper's rule that is not linear. Its sum is rounded, and a row so near to the bound is on either side.
        {"if height^2 + log(weight) + height * weight > 45000 then not Low",
         [](const Patient& p, int k) {
             const long double sum = static_cast<long double>(p.height) * p.height + std::log(p.weight) +
                                     static_cast<long double>(p.height) * p.weight;
             return sum > 45000 + 1e-9L && k == low;
         }},
    };
    return rules;
}

// The value, or a number next to it.
double about(Rng& rng, double value) {
    switch (rng.below(3)) {
        case 0:
            return std::nextafter(value, -infinity);
        case 1:
            return std::nextafter(value, infinity);
        default:
            return value;
    }
}

std::vector<Patient> patients(Rng& rng, std::size_t count) {
    constexpr std::array ages = {18.0, 30.0, 50.0, 65.0, 80.0};
    const auto eighths = [&](double from, std::uint64_t steps) {
        return from + static_cast<double>(rng.below(steps)) / 8;
    };
    std::vector<Patient> all(count);
    for (Patient& p : all) {
        p.age = rng.bernoulli(0.5) ? about(rng, ages[rng.below(ages.size())]) : rng.uniform(15, 95);
        p.weight = rng.bernoulli(0.1) ? 90 : eighths(45, 800);
        p.height = rng.bernoulli(0.3) ? 200 - 0.5 * p.weight + static_cast<double>(rng.below(3)) / 8 - 0.125
                                      : eighths(140, 560);
        p.bmi = rng.bernoulli(0.5) ? about(rng, rng.bernoulli(0.5) ? 30 : 18.5) : rng.uniform(15, 45);
        p.creatinine = rng.bernoulli(0.5) ? about(rng, rng.bernoulli(0.5) ? 1.5 : 0.75) : rng.uniform(0.4, 5);
        p.female = rng.bernoulli(0.5);
    }
    return all;
}

Table table_of(const std::vector<Patient>& patients) {
    const auto column = [&](double Patient::* value) {
        NumericColumn values;
        for (const Patient& p : patients) values.values.push_back(p.*value);
        return values;
    };
    CategoricalColumn sex{{"female", "male"}, {}};
    for (const Patient& p : patients) sex.codes.push_back(p.female ? 0 : 1);
    return Table({{"age", column(&Patient::age)},
                  {"weight", column(&Patient::weight)},
                  {"height", column(&Patient::height)},
                  {"bmi", column(&Patient::bmi)},
                  {"creatinine", column(&Patient::creatinine)},
                  {"sex", sex}});
}

TEST(KeptRules, NoneOfAMillionRowsBreaksOneWhateverTheNetwork) {
    constexpr std::size_t batches = 5;
    constexpr std::size_t rows = 50'000;
    std::string text;
    for (const Written& each : written_rules()) text += std::string(each.rule) + "\n";
    const Rules rules = parse_rules(text, "rules.txt");
    const std::vector<std::vector<Eigen::Index>> shapes = {{3}, {20}, {20, 20}, {100, 100, 100, 100, 100}};
    std::vector<std::size_t> kept(written_rules().size());  // rows where the rule made a difference
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        Rng rng(61, Draw::test, s);
        Policy policy;
        const Table known = table_of(patients(rng, 2'000));
        policy.encoder = make_encoder(known);
        std::vector<Eigen::Index> widths = {static_cast<Eigen::Index>(policy.encoder.columns().size())};
        widths.insert(widths.end(), shapes[s].begin(), shapes[s].end());
        widths.push_back(3);
        policy.network = test::random_network(rng, widths);
        policy.treatments = {"Low", "Medium", "High"};
        policy.treatment_name = "dose";
        policy.outcome_name = "outcome";
        const Policy constrained = constrain(policy, rules, "rules.txt", {.rows = &known}).policy;
        const Policy penalized = constrain(policy, rules, "rules.txt", {.big_m = true, .rows = &known}).policy;
        for (std::size_t batch = 0; batch < batches; ++batch) {
            const std::vector<Patient> people = patients(rng, rows);
            const Table table = table_of(people);
            const std::vector<int> given = prescribe(constrained, table).treatment;
            const Prescriptions before = prescribe(policy, table);
            if (batch == 0) {
                EXPECT_EQ(given, prescribe(penalized, table).treatment);
            }
            for (std::size_t i = 0; i < rows; ++i) {
                bool free = true;
                for (std::size_t r = 0; r < written_rules().size(); ++r) {
                    ASSERT_FALSE(written_rules()[r].is_broken(people[i], given[i]))
                        << written_rules()[r].rule << ": row " << i << " of batch " << batch;
                    const bool would_break = written_rules()[r].is_broken(people[i], before.treatment[i]);
                    kept[r] += would_break ? 1 : 0;
                    free = free && !would_break;
                }
                ASSERT_TRUE(!free || given[i] == before.treatment[i]) << "no rule touches row " << i;
            }
        }
    }
    for (std::size_t r = 0; r < kept.size(); ++r)
        EXPECT_TRUE(kept[r] > 1'000U || std::string(written_rules()[r].rule).starts_with("let"))
            << written_rules()[r].rule << " " << kept[r];
}

}  // namespace
}  // namespace polyrx
