// SPDX-License-Identifier: Apache-2.0
// Fits linear learners to some made-up rows and writes down both, so that linear.py can ask others for their answers.

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/learners/linear/least_squares.hpp"
#include "polyrx/learners/linear/multinomial_logistic.hpp"
#include "polyrx/learners/linear/ridge.hpp"

namespace {

using namespace polyrx;

constexpr double penalty = 2;

struct Case {
    std::string name;
    Eigen::Index rows = 0;
    Eigen::Index inputs = 0;
    int classes = 3;
    bool one_hot = false;  // the first five inputs, which then sum to 1
    double units = 1;      // of every other input
};

Json numbers(const Eigen::Ref<const Vector>& vector) {
    return std::vector<double>(vector.begin(), vector.end());
}

Json rows_of(const Matrix& matrix) {
    Json rows = Json::array();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.push_back(numbers(matrix.row(i).transpose()));
    return rows;
}

Json to_json(const LinearModel& model) {
    return {{"weights", numbers(model.weights)}, {"intercept", model.intercept}};
}

Json solved(const Case& made, std::uint64_t number) {
    Rng rng(1, Draw::test, number);
    Matrix inputs(made.rows, made.inputs);
    Vector outcome(made.rows);
    Vector weights(made.rows);
    std::vector<int> class_of;
    for (Eigen::Index i = 0; i < made.rows; ++i) {
        for (Eigen::Index j = 0; j < made.inputs; ++j)
            inputs(i, j) = (rng.normal() + 2) * (j % 2 == 0 ? made.units : 1);
        if (made.one_hot) {
            inputs.row(i).head(5).setZero();
            inputs(i, static_cast<Eigen::Index>(rng.below(5))) = 1;
        }
        weights[i] = rng.uniform(0.5, 2);
        outcome[i] = inputs(i, 0) / made.units - 2 * inputs(i, 1) + rng.normal();
        const bool high = inputs(i, 1) + rng.normal() > 1.5;
        class_of.push_back(high ? 0 : static_cast<int>(rng.below(static_cast<std::uint64_t>(made.classes))));
    }
    const LogisticModel logistic =
        multinomial_logistic(inputs, class_of, made.classes, weights, {.penalty = penalty}).model;
    const RidgeChoice choice = ridge_cv(inputs, outcome);  // its peer has no weights in leaving rows out
    return {{"name", made.name},
            {"inputs", rows_of(inputs)},
            {"outcome", numbers(outcome)},
            {"weights", numbers(weights)},
            {"class", class_of},
            {"penalty", penalty},
            {"least_squares", to_json(least_squares(inputs, outcome, weights))},
            {"ridge", to_json(ridge(inputs, outcome, weights, penalty))},
            {"ridge_cv", {{"penalty", choice.penalty}, {"errors", choice.errors}, {"penalties", usual_penalties()}}},
            {"probabilities", rows_of(probabilities(logistic, inputs))}};
}

}  // namespace

int main() {
    const std::vector<Case> cases = {
        {.name = "plain", .rows = 2000, .inputs = 10},
        {.name = "one-hot", .rows = 500, .inputs = 9, .one_hot = true},
        {.name = "units a million apart", .rows = 500, .inputs = 6, .units = 1e6},
        {.name = "more inputs than rows", .rows = 30, .inputs = 50},
        {.name = "two classes", .rows = 1000, .inputs = 5, .classes = 2},
        {.name = "ten classes", .rows = 3000, .inputs = 8, .classes = 10},
    };
    Json all = Json::array();
    for (std::size_t number = 0; number < cases.size(); ++number) all.push_back(solved(cases[number], number));
    std::cout << all.dump() << '\n';
}
