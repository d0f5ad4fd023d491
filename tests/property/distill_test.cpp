// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/distill/distill.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/fit/distill/frontier.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/fit/rows_learned_from.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/study/splits/held_out.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using Kind = StudentShape::Kind;

Observations clinic_rows(std::size_t rows, std::uint64_t seed = 1) {
    return observe(simulate_clinic({.rows = rows, .seed = seed}), {.treatment = "treatment", .outcome = "outcome"},
                   clinic_schema());
}

FitOptions quick_fit() {
    FitOptions options = recipe_options(Recipe::fast);
    options.support.reset();  // tests/property/learn_support_test.cpp is about support
    options.network.hidden = {6};
    options.network.epochs = 2;
    return options;
}

// Few students that learn little: for tests of everything but what they learn.
DistillOptions quick_distill() {
    DistillOptions options;
    options.shapes = {{.kind = Kind::constant},
                      {.kind = Kind::linear, .features = 3},
                      {.kind = Kind::network, .neurons = 4, .weights_per_neuron = 1},
                      {.kind = Kind::network, .neurons = 3, .weights_per_neuron = 2},
                      {.kind = Kind::network, .neurons = 2}};
    options.restarts = 1;
    options.folds = 2;
    options.student.steps = 120;
    return options;
}

// A teacher that nobody has taught, in about the units of the cohort.
ReluNetwork random_teacher(Rng& rng, const Matrix& encoded, Eigen::Index treatments) {
    Scaling scaling{encoded.colwise().mean(), Vector(encoded.cols())};
    for (Eigen::Index c = 0; c < encoded.cols(); ++c)
        scaling.scale[c] = 1e-9 + std::sqrt((encoded.col(c).array() - scaling.shift[c]).square().mean());
    const auto width = static_cast<Eigen::Index>(1 + rng.below(12));
    return fold_input_scaling(test::random_network(rng, {encoded.cols(), width, treatments}), scaling);
}

TEST(Distill, KeepsToItsBudgetWhateverTheModelAndItsTreeIsTheStudent) {
    // The teachers of the folds learn something, so that their students are better than one treatment for all.
    const Observations observations = clinic_rows(600);
    FitOptions learning = quick_fit();
    learning.network.epochs = 30;
    Policy model = fit(observations, learning, clinic_schema()).policy;
    const Matrix encoded = model.encoder.encode(observations.features);
    std::size_t personalized = 0;
    for (std::uint64_t round = 0; round < 20; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        model.network = random_teacher(rng, encoded, 3);
        DistillOptions options = quick_distill();
        options.budget = {.leaves = 1 + rng.below(9), .terms = rng.bernoulli(0.3) ? 1 + rng.below(20) : 0};
        options.seed = round;
        const Distilled distilled = distill(model, observations, options);
        const TreeSize size = size_of(distilled.tree.tree);
        EXPECT_TRUE(options.budget.allows(size)) << size.leaves << " leaves, " << size.terms << " terms";
        EXPECT_EQ(distilled.chosen.size, size);
        const TreeCheck check =
            check_tree(distilled.tree.policy.network, distilled.tree.policy.rules.bound, distilled.tree.tree);
        EXPECT_TRUE(check.proved) << check.reason;
        EXPECT_EQ(prescribe(distilled.tree, observations.features).prescriptions.treatment,
                  prescribe(distilled.tree.policy, observations.features).treatment);
        personalized += size.leaves > 1 ? 1 : 0;
    }
    EXPECT_GT(personalized, 5U);
}

TEST(Distill, GivesTheSameBytesForAnyNumberOfThreads) {
    const Observations observations = clinic_rows(300);
    const Policy model = fit(observations, quick_fit(), clinic_schema()).policy;
    DistillOptions options = quick_distill();
    const Distilled one = distill(model, observations, options);
    options.threads = 3;
    const Distilled three = distill(model, observations, options);
    EXPECT_EQ(to_json(one.tree.policy), to_json(three.tree.policy));
    EXPECT_EQ(one.tree.tree.nodes, three.tree.tree.nodes);
    ASSERT_EQ(one.frontier.size(), three.frontier.size());
    for (std::size_t i = 0; i < one.frontier.size(); ++i) {
        EXPECT_EQ(one.frontier[i].size, three.frontier[i].size);
        EXPECT_EQ(one.frontier[i].value.known->value, three.frontier[i].value.known->value);
    }
}

TEST(Distill, ChoosesTheBestOfTheFrontierWithinTheBudgetAndShowsNoneThatASmallerOneBeats) {
    const Observations observations = clinic_rows(400);
    const Policy model = fit(observations, quick_fit(), clinic_schema()).policy;
    DistillOptions options = quick_distill();
    options.budget.leaves = 5;
    const Distilled distilled = distill(model, observations, options);
    std::size_t chosen = 0;
    for (const FrontierPoint& point : distilled.frontier) {
        chosen += point.chosen ? 1 : 0;
        if (options.budget.allows(point.size)) {
            EXPECT_GE(point.value.known->value, distilled.chosen.value.known->value);
        }
        for (const FrontierPoint& other : distilled.frontier) {
            if (&other == &point || point.chosen) continue;
            EXPECT_FALSE(other.size.leaves <= point.size.leaves && other.size.terms <= point.size.terms &&
                         other.value.known->value < point.value.known->value)
                << point.size.leaves << " leaves";
        }
    }
    EXPECT_EQ(chosen, 1U);
}

TEST(Frontier, SaysInHowManyFoldsOneTreatmentStoodInForTheTree) {
    const Observations observations = clinic_rows(90);
    const Encoder encoder = make_encoder(observations.features, clinic_schema());
    const FeatureRows features = feature_rows(encoder, observations.features);
    const TreatedRows treated{features, observations.treatment, 3, observations.outcome, {}};
    const TuningJudge judge(treated, {.criterion = TuningCriterion::value, .folds = 3});
    const std::vector<int> best = argmin_rows(judge.scores());
    const std::vector<StudentShape> shapes = {{.kind = Kind::constant}, {.kind = Kind::network, .neurons = 3}};
    const std::vector<std::size_t> seats = {0, 1};
    Frontier frontier(judge, {}, seats, shapes);
    const auto students_of = [&](std::span<const std::size_t> rows, std::size_t leaves) {
        std::vector<std::optional<Student>> students(2, Student{.network = {}, .size = {1, 0}, .prescribed = {}});
        students[1]->size = {leaves, 10};
        for (const std::size_t row : rows) {
            students[0]->prescribed.push_back(0);
            students[1]->prescribed.push_back(best[row]);
        }
        return students;
    };
    for (std::size_t fold = 0; fold < 3; ++fold)  // in the second the tree is too large
        frontier.add_fold(best, students_of(judge.folds()[fold].held_out, fold == 1 ? 9 : 3));
    const FrontierResult found = frontier.find(students_of(every_row(90), 3), {.leaves = 3});
    ASSERT_EQ(found.points.size(), 2U);
    EXPECT_EQ(found.points[0].folds_without, 0U);
    EXPECT_EQ(found.points[1].folds_without, 1U);
    EXPECT_TRUE(found.points[1].chosen);
    EXPECT_GT(found.points[1].value.known->value, frontier.value_of_teacher().known->value);
}

TEST(Distill, OfALargestOutcomeIsThatOfItsNegativeAsASmallest) {
    Observations observations = clinic_rows(300);
    const Policy model = fit(observations, quick_fit(), clinic_schema()).policy;
    const Distilled smallest = distill(model, observations, quick_distill());
    for (double& value : observations.outcome) value = -value;
    FitOptions turned = quick_fit();
    turned.objective = Objective::max;
    const Distilled largest = distill(fit(observations, turned, clinic_schema()).policy, observations, quick_distill());
    EXPECT_EQ(smallest.tree.policy.network, largest.tree.policy.network);
    EXPECT_EQ(smallest.chosen.value.known->value, -largest.chosen.value.known->value);
    EXPECT_EQ(smallest.chosen.value.known->low, -largest.chosen.value.known->high);
    EXPECT_EQ(smallest.gain.known->value, largest.gain.known->value);
}

TEST(Distill, TriesShapesThatKeepMoreInputsThanThereAreWithAllOfThem) {
    const Observations observations = clinic_rows(120);
    const Policy model = fit(observations, quick_fit(), clinic_schema()).policy;
    DistillOptions options = quick_distill();
    options.shapes = {{.kind = Kind::constant},
                      {.kind = Kind::network, .neurons = 2, .weights_per_neuron = 500},
                      {.kind = Kind::network, .neurons = 2}};
    const Distilled found = distill(model, observations, options);
    EXPECT_EQ(found.students, 2 * (options.folds + 1));
    options.shapes.pop_back();
    EXPECT_EQ(distill(model, observations, options).tree.policy.network, found.tree.policy.network);
}

TEST(Distill, TakesBaselinesAsTeachersToo) {
    const Observations observations = clinic_rows(240);
    for (const Method method : {Method::rc_lr, Method::pf, Method::ct_1v1b, Method::constant}) {
        SCOPED_TRACE(name_of(method));
        FitOptions options;
        options.method = method;
        const Policy model = fit(observations, options, clinic_schema()).policy;
        const Distilled distilled = distill(model, observations, quick_distill());
        EXPECT_TRUE(
            check_tree(distilled.tree.policy.network, distilled.tree.policy.rules.bound, distilled.tree.tree).proved);
        EXPECT_FALSE(distilled.tree.policy.baseline);
    }
}

TEST(Distill, KeepsTheModelsRules) {
    const Observations observations = clinic_rows(240);
    FitOptions options = quick_fit();
    options.rules = parse_rules("if age > 50 then \"5 mg\", \"10 mg\"", "rules");
    options.rules_source = "rules";
    const Policy model = fit(observations, options, clinic_schema()).policy;
    const Observations learned = rows_learned_from(model, observations);
    EXPECT_EQ(learned.rows(), observations.rows());  // those whose treatment breaks the rule are among them
    const Distilled distilled = distill(model, learned, quick_distill());
    EXPECT_TRUE(
        check_tree(distilled.tree.policy.network, distilled.tree.policy.rules.bound, distilled.tree.tree).proved);
    EXPECT_LE(leaf_count(distilled.tree.tree), 8U);
}

TEST(Distill, SaysWhenTheRulesAloneTakeMoreLeavesThanThereMayBe) {
    const Observations observations = clinic_rows(240);
    FitOptions options = quick_fit();
    options.rules = parse_rules("if age > 50 then \"5 mg\"\nif age <= 50 then \"20 mg\"\n", "rules");
    options.rules_source = "rules";
    options.on_violation = OnViolation::keep;
    options.when_missing = WhenMissing::skip;
    const Policy model = fit(observations, options, clinic_schema()).policy;
    DistillOptions one_leaf = quick_distill();
    one_leaf.budget.leaves = 1;
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)distill(model, observations, one_leaf); }),
              "no tree of at most 1 leaf keeps to the model's rules and support: they take more");
}

TEST(Distill, RefusesWhatItCannotTeach) {
    const Observations observations = clinic_rows(200);
    const Policy model = fit(observations, quick_fit(), clinic_schema()).policy;
    const auto sentence = [&](const Policy& policy, const DistillOptions& options) {
        return test::sentence_of(ErrorKind::usage, [&] { (void)distill(policy, observations, options); });
    };
    const Policy student = distill(model, observations, quick_distill()).tree.policy;
    EXPECT_EQ(sentence(student, quick_distill()),
              "this model was distilled itself: distill the one that it was distilled from");
    Policy unknown = model;
    unknown.provenance.options.clear();
    EXPECT_EQ(
        sentence(unknown, quick_distill()),
        "the model does not say how its network was trained, so it cannot be trained again without held-out rows");
    DistillOptions options = quick_distill();
    options.budget.leaves = 0;
    EXPECT_EQ(sentence(model, options), "a tree has at least one leaf");
}

// The study with other outcomes for some rows.
struct Poisoned {
    Observations observations;
    std::vector<double> outcome;

    Poisoned(const Observations& clean, std::span<const std::size_t> rows) : observations(clean) {
        for (const std::size_t row : rows)
            observations.outcome[row] = 1e6 * static_cast<double>(1 + row % 7) * (row % 2 == 0 ? 1 : -1);
        outcome = observations.outcome;
    }
};

TEST(Teacher, OfAFoldPassesNothingOnOfItsHeldOutRows) {
    const Observations clean = clinic_rows(260);
    std::vector<std::size_t> kept;
    std::vector<std::size_t> held_out;
    for (std::size_t i = 0; i < clean.rows(); ++i) (i % 3 == 0 ? held_out : kept).push_back(i);
    const Poisoned poisoned(clean, held_out);
    const Poisoned unpoisoned(clean, {});
    FitOptions forest;
    forest.method = Method::rc_rf;
    for (const FitOptions& options : {quick_fit(), forest}) {
        SCOPED_TRACE(name_of(options.method));
        const Policy model = fit(clean, options, clinic_schema()).policy;
        const TeacherPlan plan = teacher_plan(model);
        const Matrix encoded = model.encoder.encode(clean.features);
        const FeatureRows features = feature_rows(model.encoder, clean.features);
        std::vector<Matrix> outputs;
        std::vector<Student> students;
        for (const Poisoned* each : {&unpoisoned, &poisoned}) {
            const NetworkStudy study{each->observations, model.encoder, encoded, features, each->outcome, {}};
            outputs.push_back(refitted_outputs(study, kept, plan, 1));
            const Lesson lesson = lesson_of(outputs.back(), kind_of(model), {}, 1);
            Policy frame = model;
            frame.baseline.reset();
            const Classroom room = classroom(study, frame, lesson, kept, held_out);
            const auto student =
                learn_student(room, {.kind = Kind::network, .neurons = 2, .weights_per_neuron = 1}, {.steps = 100}, 1);
            ASSERT_TRUE(student);
            students.push_back(*student);
        }
        EXPECT_EQ(outputs[0], outputs[1]);
        EXPECT_EQ(students[0].network, students[1].network);
        EXPECT_EQ(students[0].prescribed, students[1].prescribed);
        EXPECT_EQ(students[0].regret, students[1].regret);
        // A poisoned row that is learned from does show.
        const NetworkStudy study{poisoned.observations, model.encoder, encoded, features, poisoned.outcome, {}};
        EXPECT_NE(refitted_outputs(study, held_out, plan, 1), outputs[0]);
    }
}

TEST(Teacher, ThatLearnsFromAllRowsAgainIsTheModelWithTheSettingsItWasGiven) {
    const Observations observations = clinic_rows(260);
    FitOptions shallow;
    shallow.method = Method::policytree;
    shallow.baseline.policy_tree.depth = 1;
    FitOptions eager;
    eager.method = Method::opt;
    eager.baseline.optimal_tree.restarts = 2;
    eager.baseline.optimal_tree.options.treatment_rows = 2;
    for (const FitOptions& options : {shallow, eager}) {
        SCOPED_TRACE(name_of(options.method));
        const Policy model = fit(observations, options, clinic_schema()).policy;
        FitOptions usual = options;
        usual.baseline = {};
        ASSERT_NE(fit(observations, usual, clinic_schema()).policy.baseline, model.baseline) << "settings must matter";
        const Matrix encoded = model.encoder.encode(observations.features);
        const FeatureRows features = feature_rows(model.encoder, observations.features);
        const NetworkStudy study{observations, model.encoder, encoded, features, observations.outcome, {}};
        const std::vector<std::size_t> all = every_row(observations.rows());
        // Through a file, since that is where a teacher comes from.
        const TeacherPlan plan = teacher_plan(parse_model(to_json(model), "model"));
        EXPECT_EQ(refitted_outputs(study, all, plan, 1), scores(*model.baseline, encoded, features, 1));
    }
}

TEST(Teacher, WeighsRowsByItsMarginAndTeachesDifferencesOnly) {
    constexpr double none = std::numeric_limits<double>::infinity();
    Matrix outputs(3, 3);
    outputs << 1, 4, 7,  //
        5, 5, 11,        //
        2, none, 3;
    const Lesson lesson = lesson_of(outputs, ScoreKind::outcomes, {}, 1);
    EXPECT_EQ(lesson.prescribed, (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(lesson.margin, (std::vector<double>{3, 0, 1}));
    TrainingRows rows;
    rows.weight = {1, 1};
    const std::vector<std::size_t> named = {2, 0};
    teach(rows, lesson, named, 2);
    EXPECT_EQ(rows.teacher_weight, (std::vector<float>{0.5F, 1.5F}));
    for (std::size_t i = 0; i < named.size(); ++i)
        EXPECT_NEAR(std::accumulate(rows.teacher.begin() + static_cast<std::ptrdiff_t>(3 * i),
                                    rows.teacher.begin() + static_cast<std::ptrdiff_t>(3 * i + 3), 0.0F),
                    0, 1e-6);
    EXPECT_EQ((std::vector<float>(rows.teacher.begin() + 3, rows.teacher.end())), (std::vector<float>{-1.5F, 0, 1.5F}));
    // Where rules leave one treatment there is nothing to learn.
    const std::vector<TreatmentSet> allowed = {TreatmentSet{0b110}, TreatmentSet{0b001}, TreatmentSet{0b101}};
    const Lesson ruled = lesson_of(outputs, ScoreKind::outcomes, allowed, 1);
    EXPECT_EQ(ruled.prescribed, (std::vector<int>{1, 0, 0}));
    EXPECT_EQ(ruled.margin, (std::vector<double>{3, 0, 1}));
}

TEST(RowsLearnedFrom, AreThoseThatWereNotHeldOutAndNoOthers) {
    const Observations all = clinic_rows(300);
    FitOptions options = quick_fit();
    options.test_fraction = 0.3;
    options.seed = 5;
    const Policy model = fit(all, options, clinic_schema()).policy;
    const Observations learned = rows_learned_from(model, all);
    EXPECT_EQ(learned.rows(), model.provenance.rows);
    EXPECT_EQ(learned.outcome, take(all, hold_out(all, 0.3, 5).rows.kept).outcome);
    // Evaluate finds the held-out rows with the student as with the model.
    const Policy student = distill(model, learned, quick_distill()).tree.policy;
    EXPECT_EQ(student.provenance.test_fraction, 0.3);
    EXPECT_EQ(student.provenance.seed, 5U);
    Observations changed = all;
    changed.outcome.front() += 1;
    const std::string sentence = test::sentence_of(ErrorKind::data, [&] { (void)rows_learned_from(model, changed); });
    EXPECT_TRUE(sentence.ends_with("rows that the model learned from; expected the file that it was fitted on"))
        << sentence;
}

}  // namespace
}  // namespace polyrx
