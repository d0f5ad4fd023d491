// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "polyrx/core/error.hpp"
#include "polyrx/evaluate/truth.hpp"
#include "polyrx/policy/model_file.hpp"
#include "read_data.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "truth_option.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct Arguments {
    std::string model;
    std::string data;
    std::vector<std::string> truth;
    Unseen unseen = Unseen::error;
    int threads = 0;
    bool json = false;
    bool quiet = false;
};

void run(const Arguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and DATA.csv can be standard input");
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    const std::vector<std::string> columns = truth_columns(policy.treatments, arguments.truth, "the model has");
    std::vector<ColumnSchema> truth;
    truth.reserve(columns.size());
    for (const std::string& column : columns) truth.push_back({.name = column, .type = ColumnType::numeric});
    const Table data = parse_for(policy, read_data(arguments.data, progress), truth, progress);
    if (data.rows() == 0) throw data_error(fmt::format("{} has no rows", data.where()));

    PrescribeOptions options;
    options.unseen = arguments.unseen;
    options.threads = arguments.threads;
    const Prescriptions prescriptions = prescribe(policy, data, options, progress);
    const auto none = std::ranges::count(prescriptions.treatment, no_treatment);
    if (none > 0) {
        const auto first = std::ranges::find(prescriptions.treatment, no_treatment) - prescriptions.treatment.begin();
        throw data_error(fmt::format("{}: the rules leave no treatment for {}, which cannot be evaluated",
                                     data.where(static_cast<std::size_t>(first)),
                                     this_and_others(static_cast<std::size_t>(none))));
    }
    const TruthScore score =
        score_against_truth(prescriptions.treatment, truth_matrix(data, columns), policy.objective == Objective::max);

    if (!arguments.json) {
        std::vector<std::string> pairs;
        for (std::size_t k = 0; k < columns.size(); ++k)
            pairs.push_back(fmt::format("{} = {}", policy.treatments[k], columns[k]));
        terminal.say(fmt::format("truth: {}", fmt::join(pairs, ", ")));
        Output("-").write(truth_summary(score, policy));
        return;
    }
    nlohmann::ordered_json json = {
        {"rows", score.rows},       {"accuracy", score.accuracy},         {"regret", score.regret},
        {"outcome", score.outcome}, {"best_outcome", score.best_outcome}, {"always", nlohmann::ordered_json::array()}};
    for (std::size_t k = 0; k < policy.treatments.size(); ++k)
        json["always"].push_back({{"treatment", policy.treatments[k]},
                                  {"truth", columns[k]},
                                  {"accuracy", score.treatment_accuracies[k]},
                                  {"outcome", score.treatment_outcomes[k]}});
    Output("-").write(json.dump(2) + "\n");
}

}  // namespace

Verb evaluate_verb() {
    const auto arguments = std::make_shared<Arguments>();
    Verb verb;
    verb.name = "evaluate";
    verb.summary = "say how good a policy is where the truth is known";
    verb.description =
        "Prescribes for every row of the data and compares with the true outcomes of all treatments. Accuracy is the "
        "share of rows that "
        "get a treatment with the best true outcome (where several tie, each is right); regret is how far the mean "
        "true outcome is from "
        "the best possible.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "a model file of polyrx fit").completes(Complete::file),
        positional(arguments->data, "DATA.csv", "rows with features and true outcomes; - is standard input")
            .completes(Complete::file)};
    verb.options = {
        option(arguments->truth, "truth", "A,B,...",
               "columns with the true outcome of each treatment, in the model's order, or LABEL=COLUMN")
            .must_be_given(),
        choice(arguments->unseen, {Unseen::error, Unseen::ignore}, "unseen", "HOW",
               "a category that the training data did not have"),
        threads_option(arguments->threads),
        flag(arguments->json, "json", "an object with rows, accuracy (0..1), regret and more"),
        flag(arguments->quiet, "quiet", "say nothing on standard error but what is wrong").letter_is('q'),
    };
    verb.example = {"polyrx evaluate model.json test.csv --truth y0,y1"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli
