// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/distill/distill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/fit/distill/frontier.hpp"
#include "polyrx/fit/minimized_outcome.hpp"
#include "polyrx/fit/provenance_options.hpp"
#include "polyrx/fit/recommend/judging_study.hpp"
#include "polyrx/fit/recommend/scored_study.hpp"
#include "polyrx/fit/tune/tuning_judge.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/policy_domain.hpp"

namespace polyrx {
namespace {

// Shares of the progress bar: first the judge, then the teachers, then their students.
constexpr double judged = 0.1;
constexpr double taught = 0.4;

double deviation_of(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    const double mean = sum / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size()));
}

// The model without its learned parts. Students become policies with this frame.
Policy frame_of(const Policy& model) {
    if (model.rules.big_m)
        throw usage_error(
            "a model with --big-m has no tree: take one that obeys its rules by leaving out what they forbid");
    Policy frame;
    frame.encoder = model.encoder;
    frame.objective = model.objective;
    frame.treatments = model.treatments;
    frame.treatment_name = model.treatment_name;
    frame.outcome_name = model.outcome_name;
    frame.missing_texts = model.missing_texts;
    frame.provenance = model.provenance;
    frame.rules = model.rules;
    return frame;
}

class Distiller {
public:
    Distiller(const Policy& model, const Observations& observations, const DistillOptions& options,
              const Progress& progress)
        : model_(model),
          options_(options),
          progress_(progress),
          plan_(teacher_plan(model)),
          frame_(frame_of(model)),
          outcome_(minimized_outcome(observations, model.objective)),
          deviation_(deviation_of(outcome_)),
          encoded_(frame_.encoder.encode(observations.features)),
          features_(feature_rows(frame_.encoder, observations.features)),
          allowed_(frame_.rules.bound.empty() ? std::vector<TreatmentSet>{} : frame_.rules.bound.supported(encoded_)),
          study_{observations, frame_.encoder, encoded_, features_, outcome_, allowed_},
          treated_{features_,
                   observations.treatment,
                   static_cast<int>(observations.treatments.size()),
                   outcome_,
                   observations.weight,
                   observations.group,
                   observations.known_design()},
          judge_(treated_,
                 {.criterion = TuningCriterion::value,
                  .folds = options.folds,
                  .least_propensity = options.least_propensity,
                  .group = observations.group,
                  .seed = options.seed,
                  .threads = options.threads},
                 part(0, judged)) {
        study_.propensity = judge_.propensity();
        // The tree needs more leaves while it grows, before redundant splits are removed.
        options_.student.leaves = std::max(options.student.leaves, 4 * options.budget.leaves);
        keep_all_inputs_where_there_are_few();
        for (std::size_t shape = 0; shape < options_.shapes.size(); ++shape) {
            const bool is_network = options_.shapes[shape].kind == StudentShape::Kind::network;
            for (int restart = 0; restart < (is_network ? options.restarts : 1); ++restart) seats_.push_back(shape);
        }
    }

    Distilled run() {
        const std::vector<Lesson> lessons = teach_folds();
        const std::vector<std::size_t> all = every_row(study_.observations.rows());
        Frontier frontier(judge_, treated_.weight, seats_, options_.shapes);
        for (std::size_t fold = 0; fold < lessons.size(); ++fold)
            frontier.add_fold(lessons[fold].prescribed, learn_students(lessons[fold], judge_.folds()[fold].kept,
                                                                       judge_.folds()[fold].held_out, fold));
        const Lesson lesson = lesson_of(outputs_of(model_, encoded_, features_), kind_of(model_), allowed_, deviation_);
        std::vector<std::optional<Student>> students = learn_students(lesson, all, all, lessons.size());
        const FrontierResult found = frontier.find(students, options_.budget);
        if (!found.chosen)
            throw data_error(
                fmt::format("no tree of at most {} {} keeps to the model's rules and support: they take more",
                            options_.budget.leaves, options_.budget.leaves == 1 ? "leaf" : "leaves"));
        return result(frontier, found, *students[*found.chosen], lesson);
    }

private:
    [[nodiscard]] Progress part(double from, double to) const {
        return part_of_work(progress_, from, to, "distilling");
    }

    // Merges shapes that become equal.
    void keep_all_inputs_where_there_are_few() {
        std::vector<StudentShape> shapes;
        for (StudentShape shape : options_.shapes) {
            for (int* kept : {&shape.features, &shape.weights_per_neuron})
                if (*kept >= encoded_.cols()) *kept = 0;
            if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
        }
        options_.shapes = std::move(shapes);
    }

    // Predictions of the teachers, each fitted without one fold.
    [[nodiscard]] std::vector<Lesson> teach_folds() const {
        const std::size_t folds = judge_.folds().size();
        std::vector<Lesson> lessons(folds);
        std::atomic<std::size_t> done{0};
        const Progress teaching = side_by_side(
            part(judged, taught), [&] { return static_cast<double>(done) / static_cast<double>(folds); }, "distilling");
        parallel_for(folds, options_.threads, [&](std::size_t fold) {
            lessons[fold] = lesson_of(refitted_outputs(study_, judge_.folds()[fold].kept, plan_, 1, teaching),
                                      kind_of(model_), allowed_, deviation_);
            ++done;
        });
        return lessons;
    }

    // Returns one student per seat. `group` is the fold, or the number of folds for students of all rows.
    [[nodiscard]] std::vector<std::optional<Student>> learn_students(const Lesson& lesson,
                                                                     std::span<const std::size_t> rows,
                                                                     std::span<const std::size_t> asked,
                                                                     std::size_t group) const {
        const Classroom room = classroom(study_, frame_, lesson, rows, asked);
        std::vector<std::optional<Student>> students(seats_.size());
        std::atomic<std::size_t> done{0};
        const auto groups = static_cast<double>(judge_.folds().size() + 1);
        parallel_for(seats_.size(), options_.threads, [&](std::size_t seat) {
            const double share = static_cast<double>(done) / static_cast<double>(seats_.size());
            report(progress_, taught + (1 - taught) * (static_cast<double>(group) + share) / groups, "distilling");
            const std::uint64_t seed = Rng(options_.seed, Draw::student, group * seats_.size() + seat).next();
            students[seat] = learn_student(room, options_.shapes[seats_[seat]], options_.student, seed);
            ++done;
        });
        return students;
    }

    [[nodiscard]] Distilled result(const Frontier& frontier, const FrontierResult& found, const Student& student,
                                   const Lesson& lesson) const {
        Distilled distilled;
        distilled.frontier = found.points;
        distilled.chosen = *std::ranges::find_if(found.points, &FrontierPoint::chosen);
        distilled.students = seats_.size() * (judge_.folds().size() + 1);
        distilled.teacher = frontier.value_of_teacher();
        distilled.constant = frontier.value_of_constant();
        distilled.gain = found.gain;
        for (FrontierPoint& point : distilled.frontier) outward(point.value);
        for (MeanEstimate* value : {&distilled.chosen.value, &distilled.teacher, &distilled.constant}) outward(*value);
        distilled.agreement = agreement_of(student.prescribed, lesson.prescribed, treated_.weight);
        Policy& policy = distilled.tree.policy;
        policy = frame_;
        policy.network = student.network;
        policy.provenance.options = provenance_of(distilled.chosen);
        if (model_.recommendation) policy.recommendation = recommend(found);
        ExtractOptions extract;
        extract.mode = ExtractMode::exact;
        extract.limits = {.leaves = options_.student.leaves, .linear_programs = 0, .seconds = 0};
        extract.grow.threads = options_.threads;
        distilled.tree.tree =
            extract_tree(policy.network, policy.rules, tree_domain(policy), encoded_, extract, progress_);
        return distilled;
    }

    // Judges the prescriptions of students for rows that they were not trained on. The tree was selected among several
    // on the same rows, so its interval is one of several simultaneous intervals.
    [[nodiscard]] Recommendation recommend(const FrontierResult& found) const {
        JudgingOptions judging;
        judging.level = 1 - (1 - judging.level) / static_cast<double>(std::max<std::size_t>(found.compared, 1));
        std::optional<ScoredStudy> scored = score_study(study_, true, options_.seed, options_.threads);
        const std::optional<OutcomeRange> declared =
            options_.outcome_range ? options_.outcome_range : declared_range_of(model_.provenance);
        if (scored && declared) scored->range = minimized_range(*declared, model_.objective);
        Judgment judgment;
        judgment.answer = Judgment::Answer::too_few_rows;
        if (scored) {
            std::vector<int> of_scored;
            for (const std::size_t row : scored->rows) of_scored.push_back(found.prescribed[row]);
            judgment = judge_policy(JudgingStudy(study_, *scored, frame_).rows(), of_scored, {}, judging);
        }
        return recommendation_of(judgment, "the tree");
    }

    // Internally, smaller outcomes are better.
    void outward(MeanEstimate& estimate) const {
        if (model_.objective != Objective::max || !estimate.known) return;
        estimate.known->value = -estimate.known->value;
        estimate.known->low = -std::exchange(estimate.known->high, -estimate.known->low);
    }

    // Spelled as on the command line. Options about rows and rules stay those of the model.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> provenance_of(const FrontierPoint& chosen) const {
        std::vector<std::pair<std::string, std::string>> list = {
            {"distilled-from", model_sha256(model_)},
            {"leaves", fmt::format("{}", options_.budget.leaves)},
            {"student", words_of(chosen.shape)},
            {"teacher-share", fmt::format("{}", options_.student.teacher_share)},
            {"folds", fmt::format("{}", options_.folds)},
            {"distill-seed", fmt::format("{}", options_.seed)},
        };
        if (options_.budget.terms > 0) list.emplace_back("max-terms", fmt::format("{}", options_.budget.terms));
        for (const auto& [name, value] : model_.provenance.options)
            if (name == "weight" || name == "group" || name == "propensities" || name == "when-missing" ||
                name == "on-violation" || name == "beyond-support" || name == "support" || name == "outcome-range")
                list.emplace_back(name, value);
        return list;
    }

    const Policy& model_;
    DistillOptions options_;
    const Progress& progress_;
    TeacherPlan plan_;
    Policy frame_;
    std::vector<double> outcome_;
    double deviation_;
    Matrix encoded_;
    FeatureRows features_;
    std::vector<TreatmentSet> allowed_;
    NetworkStudy study_;
    TreatedRows treated_;
    TuningJudge judge_;
    std::vector<std::size_t> seats_;  // the shape of the student in each seat
};

}  // namespace

Distilled distill(const Policy& model, const Observations& observations, const DistillOptions& options,
                  const Progress& progress) {
    if (options.budget.leaves < 1) throw usage_error("a tree has at least one leaf");
    if (options.folds < 2) throw usage_error("cross-validation needs at least two folds");
    if (options.shapes.empty() || options.shapes.front().kind != StudentShape::Kind::constant)
        throw usage_error("the first shape of students must be the constant, to fall back on");
    return Distiller(model, observations, options, progress).run();
}

}  // namespace polyrx
