// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/multinomial_logistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/linear/softmax_loss.hpp"
#include "polyrx/learners/linear/triangle.hpp"

namespace polyrx {
namespace {

constexpr double enough = 1e-15;           // stop when the gain per unit of weight is below this
constexpr int most_products = 500;         // Hessian products per step
constexpr double least_variance = 1e-10;   // keeps the approximate Hessian regular if all probabilities are near 0 or 1
constexpr double sufficient_share = 1e-4;  // of the gain predicted by the slope

// Centers each column. Adding a constant to all classes changes nothing, and centering makes the Hessian regular.
void center(Matrix& parameters) {
    for (Eigen::Index j = 0; j < parameters.cols(); ++j) {
        double sum = 0;
        for (Eigen::Index k = 0; k < parameters.rows(); ++k) sum += parameters(k, j);
        parameters.col(j).array() -= sum / static_cast<double>(parameters.rows());
    }
}

double inner(const Matrix& a, const Matrix& b) {
    double sum = 0;
    for (Eigen::Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
    return sum;
}

// A preconditioner for conjugate gradients: ignores interactions between classes and uses the mean variance v_k of each
// class for all rows, which gives v_k X'X + penalty for class k.
class ApproximateInverse {
public:
    ApproximateInverse(const Triangle& inputs, const Vector& variances, double total_weight, double penalty) {
        for (Eigen::Index k = 0; k < variances.size(); ++k) {
            const double variance = std::max(variances[k], least_variance);
            Triangle factor(inputs.inputs(), 0);
            factor.absorb(inputs, std::sqrt(variance));
            factor.absorb_diagonal(std::sqrt(penalty));
            factors_.push_back(std::move(factor));
            of_intercepts_.push_back(1 / (variance * total_weight));
        }
    }

    [[nodiscard]] Matrix operator()(Matrix gradient) const {
        const Eigen::Index inputs = gradient.cols() - 1;
        for (std::size_t k = 0; k < factors_.size(); ++k) {
            auto row = gradient.row(static_cast<Eigen::Index>(k));
            Vector weights = row.head(inputs);
            factors_[k].solve_transposed(weights);
            factors_[k].solve(weights);
            row.head(inputs) = weights;
            row[inputs] *= of_intercepts_[k];
        }
        center(gradient);
        return gradient;
    }

private:
    std::vector<Triangle> factors_;
    std::vector<double> of_intercepts_;
};

struct Step {
    Matrix direction;
    double decrement = 0;  // minus the slope of f along it: twice the gain of the Newton step if f is quadratic
};

// Solves H direction = -gradient by conjugate gradients. Far from the optimum, where f is not quadratic, a rough step
// suffices. Near it, the tolerance shrinks with the gradient, so that convergence stays quadratic.
Step newton_step(const SoftmaxLoss& loss, const ApproximateInverse& approximate, double total_weight) {
    Matrix residual = -loss.gradient();
    center(residual);
    Step step{Matrix::Zero(residual.rows(), residual.cols())};
    Matrix preconditioned = approximate(residual);
    Matrix direction = preconditioned;
    double size = inner(residual, preconditioned);
    const double goal = size * std::clamp(size / total_weight, 1e-10, 1e-2);
    for (int products = 0; products < most_products && size > goal; ++products) {
        const Matrix curved = loss.hessian_times(direction);
        const double curvature = inner(direction, curved);
        if (!(curvature > 0)) break;
        const double length = size / curvature;
        step.direction += length * direction;
        step.decrement += length * size;
        residual -= length * curved;
        preconditioned = approximate(residual);
        const double next = inner(residual, preconditioned);
        direction = preconditioned + next / size * direction;
        size = next;
    }
    center(step.direction);
    return step;
}

// Line search: moves along the step by a fraction that decreases f, and returns the new f.
double descend(SoftmaxLoss& loss, Matrix& parameters, const Step& step, double objective) {
    const auto at = [&](double share) { return Matrix(parameters + share * step.direction); };
    const auto gains = [&](double share, double there) {
        return there <= objective - sufficient_share * share * step.decrement;
    };
    double share = 1;
    double there = loss.move_to(at(share));
    if (!gains(share, there)) {
        // If no row's scores move apart by more than c, |f'''| <= c f'' along the direction, because a row's third
        // cumulant is at most the range of its scores times their variance. Then f' stays below 0 up to log(1 + c) / c.
        // So f decreases until there, even if the decrease is too small to measure.
        const double widest = loss.widest_move(step.direction);
        const double safe = widest > 0 ? std::log1p(widest) / widest : 1;
        do {
            share = std::max(share / 2, safe);
            there = loss.move_to(at(share));
        } while (share > safe && !gains(share, there));
    }
    parameters = at(share);
    return there;
}

// The classes that occur, renumbered without gaps. Others have no finite optimal intercept.
struct Occurring {
    std::vector<int> number;   // by class; -1 if it does not occur
    std::vector<int> classes;  // by number
    std::vector<double> weight;
    std::vector<int> class_of;  // by row
};

Occurring occurring_classes(const StandardRows& rows, std::span<const int> class_of, int classes) {
    std::vector<double> weight(static_cast<std::size_t>(classes), 0);
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
        weight[static_cast<std::size_t>(class_of[static_cast<std::size_t>(rows.origin(row))])] += rows.weight(row);
    Occurring found;
    for (int k = 0; k < classes; ++k) {
        const bool occurs = weight[static_cast<std::size_t>(k)] > 0;
        found.number.push_back(occurs ? static_cast<int>(found.classes.size()) : -1);
        if (!occurs) continue;
        found.classes.push_back(k);
        found.weight.push_back(weight[static_cast<std::size_t>(k)]);
    }
    for (Eigen::Index row = 0; row < rows.rows(); ++row)
        found.class_of.push_back(
            found.number[static_cast<std::size_t>(class_of[static_cast<std::size_t>(rows.origin(row))])]);
    return found;
}

void check(const Matrix& inputs, std::span<const int> class_of, int classes, const LogisticOptions& options) {
    if (classes < 1) throw usage_error(fmt::format("there must be at least one class, not {}", classes));
    if (static_cast<Eigen::Index>(class_of.size()) != inputs.rows())
        throw usage_error(fmt::format("{} classes were given for {} rows", class_of.size(), inputs.rows()));
    for (std::size_t row = 0; row < class_of.size(); ++row)
        if (class_of[row] < 0 || class_of[row] >= classes)
            throw usage_error(
                fmt::format("classes must be 0 to {}, but row {} has class {}", classes - 1, row, class_of[row]));
    if (!(options.penalty > 0) || std::isinf(options.penalty))
        throw usage_error(fmt::format("the penalty must be finite and above 0, not {}", options.penalty));
    if (options.most_steps < 0)
        throw usage_error(fmt::format("the number of steps must be at least 0, not {}", options.most_steps));
}

}  // namespace

LogisticFit multinomial_logistic(const Matrix& inputs, std::span<const int> class_of, int classes,
                                 const Vector& weights, const LogisticOptions& options) {
    check(inputs, class_of, classes, options);
    const StandardRows rows(inputs, weights, options.threads);
    Occurring occurring = occurring_classes(rows, class_of, classes);
    const auto count = static_cast<Eigen::Index>(occurring.classes.size());
    SoftmaxLoss loss(rows, std::move(occurring.class_of), count, options.penalty, options.threads);
    const Triangle triangle = triangle_of(rows, Matrix(inputs.rows(), 0), Vector(0), options.threads);

    // Starts at the optimal constant.
    Matrix parameters = Matrix::Zero(count, rows.inputs() + 1);
    for (Eigen::Index k = 0; k < count; ++k)
        parameters(k, rows.inputs()) = std::log(occurring.weight[static_cast<std::size_t>(k)] / rows.total_weight());
    center(parameters);

    LogisticFit fit;
    double objective = loss.move_to(parameters);
    while (!fit.converged && fit.steps < options.most_steps) {
        const ApproximateInverse approximate(triangle, loss.mean_variances(), rows.total_weight(), options.penalty);
        const Step step = newton_step(loss, approximate, rows.total_weight());
        ++fit.steps;
        fit.converged = step.decrement <= enough * rows.total_weight();
        if (fit.converged)
            parameters += step.direction;
        else
            objective = descend(loss, parameters, step, objective);
    }

    fit.model.weights = Matrix::Zero(classes, inputs.cols());
    fit.model.intercepts = Vector::Constant(classes, -std::numeric_limits<double>::infinity());
    for (Eigen::Index k = 0; k < count; ++k) {
        const int to = occurring.classes[static_cast<std::size_t>(k)];
        const Vector raw = rows.raw_weights(parameters.row(k).head(rows.inputs()).transpose());
        fit.model.weights.row(to) = raw;
        fit.model.intercepts[to] = parameters(k, rows.inputs()) - rows.shift(raw);
    }
    return fit;
}

Matrix probabilities(const LogisticModel& model, const Matrix& inputs) {
    if (inputs.cols() != model.weights.cols())
        throw usage_error(
            fmt::format("the model has {} inputs, but the rows have {}", model.weights.cols(), inputs.cols()));
    const Eigen::Index classes = model.intercepts.size();
    Matrix result(inputs.rows(), classes);
    for (Eigen::Index row = 0; row < inputs.rows(); ++row) {
        double highest = -std::numeric_limits<double>::infinity();
        for (Eigen::Index k = 0; k < classes; ++k) {
            double score = 0;
            for (Eigen::Index j = 0; j < inputs.cols(); ++j) score += inputs(row, j) * model.weights(k, j);
            result(row, k) = score + model.intercepts[k];
            highest = std::max(highest, result(row, k));
        }
        double sum = 0;
        for (Eigen::Index k = 0; k < classes; ++k) sum += result(row, k) = std::exp(result(row, k) - highest);
        for (Eigen::Index k = 0; k < classes; ++k) result(row, k) /= sum;
    }
    return result;
}

}  // namespace polyrx
