// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/train_all.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "polyrx/core/error.hpp"
#include "polyrx/study/splits/split.hpp"
#include "tests/support/easy_rows.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::easy_rows;

TrainOptions seeded_options(std::uint64_t seed) {
    TrainOptions options;
    options.hidden = {16, 8};
    options.epochs = 4;
    options.batch = 32;
    options.learning_rate = 1e-2;
    options.seed = seed;
    return options;
}

// Ends only when it is stopped.
TrainOptions endless_options() {
    TrainOptions options = seeded_options(1);
    options.epochs = 100'000'000;
    options.learning_rate = 1e-9;
    return options;
}

TrainOptions refused_options(double mu) {
    TrainOptions options = seeded_options(1);
    options.mu = mu;
    return options;
}

TrainingRows chosen_rows(const TrainingRows& rows, std::span<const std::size_t> chosen) {
    TrainingRows part;
    part.inputs.resize(static_cast<Eigen::Index>(chosen.size()), rows.inputs.cols());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        part.inputs.row(static_cast<Eigen::Index>(i)) = rows.inputs.row(static_cast<Eigen::Index>(chosen[i]));
        part.treatment.push_back(rows.treatment[chosen[i]]);
        part.outcome.push_back(rows.outcome[chosen[i]]);
        part.weight.push_back(rows.weight[chosen[i]]);
    }
    return part;
}

void expect_what_train_gives(const std::vector<TrainingTask>& tasks) {
    std::vector<Trained> one_by_one;
    for (const TrainingTask& task : tasks) one_by_one.push_back(train(*task.rows, task.validation, task.options));
    for (const int threads : {1, 2, 5}) {
        const std::vector<Trained> together = train_all(tasks, threads);
        ASSERT_EQ(together.size(), tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            EXPECT_EQ(together[i].network, one_by_one[i].network) << "task " << i << ", threads " << threads;
            EXPECT_EQ(together[i].best_epoch, one_by_one[i].best_epoch);
            EXPECT_EQ(together[i].stopped_early, one_by_one[i].stopped_early);
            EXPECT_EQ(together[i].retries, one_by_one[i].retries);
            ASSERT_EQ(together[i].history.size(), one_by_one[i].history.size());
            for (std::size_t epoch = 0; epoch < together[i].history.size(); ++epoch) {
                EXPECT_EQ(together[i].history[epoch].training, one_by_one[i].history[epoch].training);
                EXPECT_EQ(together[i].history[epoch].validation, one_by_one[i].history[epoch].validation);
            }
        }
    }
}

TEST(TrainAll, GivesTheNetworkOfEverySeedWhateverTheThreads) {
    const TrainingRows rows = easy_rows(200, 1);
    std::vector<TrainingTask> tasks;
    for (std::uint64_t seed = 1; seed <= 7; ++seed) tasks.push_back({&rows, nullptr, seeded_options(seed)});
    expect_what_train_gives(tasks);
}

TEST(TrainAll, GivesTheNetworkOfEveryFoldWhateverTheThreads) {
    const TrainingRows rows = easy_rows(200, 1);
    const std::vector<RowSplit> folds = k_folds(rows.treatment, 5, 1);
    std::vector<TrainingRows> kept;
    std::vector<TrainingRows> held_out;
    for (const RowSplit& fold : folds) {
        kept.push_back(chosen_rows(rows, fold.kept));
        held_out.push_back(chosen_rows(rows, fold.held_out));
    }
    TrainOptions options = seeded_options(1);
    options.epochs = 60;
    options.patience = 2;
    std::vector<TrainingTask> tasks;
    for (std::size_t i = 0; i < folds.size(); ++i) tasks.push_back({&kept[i], &held_out[i], options});
    expect_what_train_gives(tasks);
}

TEST(TrainAll, GivesTheNetworkOfEveryMemberOfAnEnsembleWhateverTheThreads) {
    const TrainingRows rows = easy_rows(200, 1);
    std::vector<TrainingRows> bootstraps;
    for (std::uint64_t member = 0; member < 6; ++member) {
        Rng rng(1, Draw::test, member);
        std::vector<std::size_t> drawn(200);
        for (std::size_t& row : drawn) row = rng.below(200);
        bootstraps.push_back(chosen_rows(rows, drawn));
    }
    std::vector<TrainingTask> tasks;
    for (std::size_t i = 0; i < bootstraps.size(); ++i) tasks.push_back({&bootstraps[i], nullptr, seeded_options(i)});
    tasks[2].options.hidden = {40, 40, 40};  // members need not be alike, nor take equally long
    expect_what_train_gives(tasks);
}

TEST(TrainAll, GivesTheNetworkOfEveryOptionWhateverTheThreads) {
    TrainingRows rows = easy_rows(200, 1);
    rows.teacher_weight.assign(200, 1);
    for (int i = 0; i < 200; ++i) rows.teacher.insert(rows.teacher.end(), {0.5F, -0.5F});
    std::vector<TrainingTask> tasks(6, {&rows, nullptr, seeded_options(1)});
    tasks[0].options.effect_shrinkage = 5;
    tasks[1].options.clip_gradient = 0.1;
    tasks[2].options.learning_rate = 1e7;
    tasks[2].options.retries = 30;
    tasks[3].options.sparsity = {.weights_per_neuron = 1, .max_features = 2};
    tasks[3].validation = &rows;
    tasks[4].options.sparsity = {.weights_per_neuron = 1, .how = Sparsify::paper};
    tasks[5].options.teacher_share = 0.5;
    expect_what_train_gives(tasks);
}

TEST(TrainAll, OfNoTasksIsNothing) {
    EXPECT_TRUE(train_all({}, 2).empty());
}

TEST(TrainAll, SaysWhatTheFirstFailingTaskSays) {
    const TrainingRows rows = easy_rows(200, 1);
    const std::vector<TrainingTask> tasks = {{&rows, nullptr, seeded_options(1)},
                                             {&rows, nullptr, seeded_options(2)},
                                             {&rows, nullptr, refused_options(3)},
                                             {nullptr, nullptr, seeded_options(3)},
                                             {&rows, nullptr, refused_options(4)}};
    for (const int threads : {1, 2, 5})
        EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)train_all(tasks, threads); }),
                  "mu must lie in 0..1, not 3");
}

TEST(TrainAll, RefusesATaskWithoutRows) {
    const std::vector<TrainingTask> tasks(1);
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)train_all(tasks, 1); }), "there are no rows to train on");
}

TEST(TrainAll, FinishesTheTasksBeforeAFailingOneAndStopsThoseAfterIt) {
    const TrainingRows rows = easy_rows(200, 1);
    const std::vector<TrainingTask> tasks = {
        {&rows, nullptr, seeded_options(1)}, {&rows, nullptr, refused_options(2)}, {&rows, nullptr, endless_options()}};
    std::atomic<double> furthest{0};
    const Progress listener = [&](double share, std::string_view) {
        double before = furthest;
        while (before < share && !furthest.compare_exchange_weak(before, share)) {
        }
        return true;
    };
    EXPECT_EQ(test::sentence_of(ErrorKind::usage, [&] { (void)train_all(tasks, 3, listener); }),
              "mu must lie in 0..1, not 2");
    EXPECT_GE(furthest, 27.0 / 28 / 3) << "the first task began its last step of 4 x 7";
}

TEST(TrainAll, StopsEveryTaskWhenTheListenerAsksOnce) {
    const TrainingRows rows = easy_rows(200, 1);
    const std::vector<TrainingTask> tasks(5, {&rows, nullptr, endless_options()});
    for (const int threads : {1, 2, 5}) {
        std::atomic<int> calls{0};
        const Progress stop_once = [&](double, std::string_view) { return ++calls != 100; };
        EXPECT_EQ(test::sentence_of(ErrorKind::canceled, [&] { (void)train_all(tasks, threads, stop_once); }),
                  "canceled");
    }
}

TEST(TrainAll, ReportsTheMeanOverTheTasks) {
    const TrainingRows rows = easy_rows(320, 1);  // 10 steps an epoch
    TrainOptions stops_early = seeded_options(1);
    stops_early.epochs = 1000;
    stops_early.patience = 1;
    stops_early.learning_rate = 3e-2;
    const std::vector<TrainingTask> tasks = {{&rows, &rows, stops_early}, {&rows, nullptr, seeded_options(2)}};
    std::vector<double> shares;
    (void)train_all(tasks, 1, [&](double share_done, std::string_view work) {
        EXPECT_EQ(work, "training");
        shares.push_back(share_done);
        return true;
    });
    ASSERT_GT(shares.size(), 40U);
    EXPECT_EQ(shares.front(), 0);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    const auto second = shares.end() - 40;
    EXPECT_LT(second[-1], 0.49) << "the first task stopped early";
    for (std::ptrdiff_t step = 0; step < 40; ++step)
        EXPECT_DOUBLE_EQ(second[step], 0.5 + static_cast<double>(step) / 80);
}

}  // namespace
}  // namespace polyrx
