// SPDX-License-Identifier: Apache-2.0
#include "polyrx/geometry/simplex.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/core/infinity.hpp"
#include "polyrx/geometry/simplex_kernel.hpp"

namespace polyrx {
namespace {

// Lines are scaled to a largest coefficient of 1 when they are added. Smaller slopes than this are rounding errors.
constexpr double slope_tolerance = 1e-9;
constexpr double pivot_tolerance = 1e-9;
constexpr double feasibility_tolerance = 1e-9;

double sign_of(Simplex::Sign sign) {
    return sign == Simplex::Sign::positive ? 1 : -1;
}

}  // namespace

Simplex::Simplex(const Domain& domain) {
    auto inputs = std::make_shared<Inputs>();
    const auto count = static_cast<std::size_t>(domain.inputs());
    inputs->each.resize(count);
    inputs->group_of.assign(count, -1);
    for (std::size_t g = 0; g < domain.groups.size(); ++g) {
        const auto& members = domain.groups[g];
        for (const Eigen::Index member : members)
            inputs->group_of[static_cast<std::size_t>(member)] = static_cast<int>(g);
        // The starting vertex sets this member to 1 and the others to 0, so it must be allowed to be 1.
        auto chosen = std::find_if(members.begin(), members.end(), [&](auto i) { return domain.lower[i] > 0; });
        if (chosen == members.end())
            chosen = std::find_if(members.begin(), members.end(), [&](auto i) { return domain.upper[i] > 0; });
        inputs->eliminated.push_back(chosen == members.end() ? members.front() : *chosen);
    }
    inputs->groups.resize(domain.groups.size());
    int variables = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto input = static_cast<Eigen::Index>(i);
        const int group = inputs->group_of[i];
        if (group >= 0 && inputs->eliminated[static_cast<std::size_t>(group)] == input) continue;
        const double low = domain.lower[input];
        const double range = domain.upper[input] - low;
        if (!std::isfinite(range)) {
            inputs->each[i].shift = std::clamp(0.0, low, domain.upper[input]);
            continue;
        }
        inputs->each[i] = {variables, low, range};
        if (group >= 0) {
            // Members range from 0 to 1 whatever their bounds, so that the eliminated one is 1 minus their sum.
            inputs->each[i] = {variables, 0, 1};
            inputs->groups[static_cast<std::size_t>(group)].push_back(variables);
        }
        nonbasic_.push_back(variables);
        place_.push_back(variables);
        column_value_.push_back(0);
        lower_.push_back(group >= 0 ? low : 0);
        upper_.push_back(group >= 0 ? domain.upper[input] : 1);
        at_.push_back(lower_.back() == upper_.back() ? At::fixed : At::lower);
        ++variables;
    }
    stride_ = (nonbasic_.size() + dictionary_step - 1) / dictionary_step * dictionary_step;
    way_.resize(stride_);
    for (std::size_t column = 0; column < at_.size(); ++column) set_at(column, at_[column]);
    for (std::size_t g = 0; g < domain.groups.size(); ++g) {
        const Eigen::Index input = inputs->eliminated[g];
        inputs->each[static_cast<std::size_t>(input)] = {variables + static_cast<int>(g), 0, 1};
    }
    inputs->variables = variables + static_cast<int>(domain.groups.size());
    inputs_ = std::move(inputs);
    for (std::size_t g = 0; g < domain.groups.size(); ++g) {
        std::vector<double> weights(nonbasic_.size());
        for (const int member : inputs_->groups[g]) weights[static_cast<std::size_t>(member)] = -1;
        const Eigen::Index input = inputs_->eliminated[g];
        add_line(std::move(weights), 1, domain.lower[input], domain.upper[input]);
    }
}

// `weights` refer to the free inputs. The line expresses them in the nonbasic variables.
int Simplex::add_line(std::vector<double> weights, double constant, double lower, double upper) {
    const std::size_t index = basic_.size();
    cells_.resize((index + 1) * stride_, 0.0);
    double* target = line(index);
    double value = constant;
    for (std::size_t input = 0; input < weights.size(); ++input) {
        const double weight = weights[input];
        if (weight == 0) continue;
        const int place = place_[input];
        if (place >= 0) {
            target[place] += weight;
            value += weight * column_value_[static_cast<std::size_t>(place)];
        } else {
            const auto source_index = static_cast<std::size_t>(-1 - place);
            const double* source = line(source_index);
            for (std::size_t c = 0; c < stride_; ++c) target[c] += weight * source[c];
            value += weight * basic_value_[source_index];
        }
    }
    const int variable = static_cast<int>(place_.size());
    basic_.push_back(variable);
    basic_value_.push_back(value);
    place_.push_back(-1 - static_cast<int>(index));
    lower_.push_back(lower);
    upper_.push_back(upper);
    return variable;
}

int Simplex::add(const AffineFunction& function) {
    std::vector<double> weights(nonbasic_.size());
    double constant = function.constant;
    for (std::size_t i = 0; i < inputs_->each.size(); ++i) {
        const Input& input = inputs_->each[i];
        const double weight = function.weights[static_cast<Eigen::Index>(i)];
        if (weight == 0 || input.variable < 0) continue;
        if (input.variable < static_cast<int>(weights.size())) {
            weights[static_cast<std::size_t>(input.variable)] += weight * input.scale;
            constant += weight * input.shift;
        } else {
            constant += weight;
            const auto group = static_cast<std::size_t>(input.variable) - weights.size();
            for (const int member : inputs_->groups[group]) weights[static_cast<std::size_t>(member)] -= weight;
        }
    }
    double largest = 0;
    for (const double weight : weights) largest = std::max(largest, std::abs(weight));
    if (!(largest > 0)) largest = std::max(std::abs(constant), 1.0);
    for (double& weight : weights) weight /= largest;
    add_line(std::move(weights), constant / largest, -infinity, infinity);
    row_scale_.push_back(largest);
    return rows() - 1;
}

void Simplex::set_bounds(int variable, double lower, double upper) {
    lower_[static_cast<std::size_t>(variable)] = lower;
    upper_[static_cast<std::size_t>(variable)] = upper;
    const int place = place_[static_cast<std::size_t>(variable)];
    if (place < 0) return;
    const auto column = static_cast<std::size_t>(place);
    if (lower == upper)
        set_at(column, At::fixed);
    else if (column_value_[column] == lower)
        set_at(column, At::lower);
    else if (column_value_[column] == upper)
        set_at(column, At::upper);
    else
        set_at(column, At::free);
}

void Simplex::set_at(std::size_t column, At at) {
    at_[column] = at;
    way_[column] = at == At::lower ? 1 : at == At::upper ? -1 : 0;
}

void Simplex::require(int row, Sign sign) {
    if (sign == Sign::positive)
        set_bounds(variable_of(row), 0, infinity);
    else
        set_bounds(variable_of(row), -infinity, 0);
}

void Simplex::release(int row) {
    const int variable = variable_of(row);
    set_bounds(variable, -infinity, infinity);
    const int place = place_[static_cast<std::size_t>(variable)];
    if (place < 0) return;
    // A row without a sign must be basic: it is no constraint and may be dropped at any time. Pivoting an input in for
    // it moves nothing; the input keeps its value, even between its bounds. Some input has a slope here, because the
    // inputs are functions of equally many columns.
    const auto column = static_cast<std::size_t>(place);
    std::size_t leaving = 0;
    double steepest = 0;
    for (std::size_t i = 0; i < basic_.size(); ++i) {
        if (basic_[i] >= inputs_->variables || std::abs(line(i)[column]) <= steepest) continue;
        leaving = i;
        steepest = std::abs(line(i)[column]);
    }
    const auto left = static_cast<std::size_t>(basic_[leaving]);
    const double value = column_value_[column];
    column_value_[column] = basic_value_[leaving];
    pivot(leaving, column);
    basic_value_[leaving] = value;
    set_bounds(static_cast<int>(left), lower_[left], upper_[left]);
}

bool Simplex::narrow(Eigen::Index index, Sign direction, double bound) {
    const Input& input = inputs_->each[static_cast<std::size_t>(index)];
    const bool raise = direction == Sign::positive;
    if (input.variable < 0 || input.scale == 0) return raise ? input.shift >= bound : input.shift <= bound;
    const auto variable = static_cast<std::size_t>(input.variable);
    const double scaled = (bound - input.shift) / input.scale;
    if (raise ? scaled <= lower_[variable] : scaled >= upper_[variable]) return true;
    const double sign = sign_of(direction);
    if (sign * variable_value(input.variable) < sign * scaled) {
        push_variable(input.variable, sign, sign * scaled);
        if (sign * variable_value(input.variable) < sign * scaled - feasibility_tolerance) return false;
    }
    const double lower = raise ? scaled : lower_[variable];
    const double upper = raise ? upper_[variable] : scaled;
    if (lower > upper) return false;
    set_bounds(input.variable, lower, upper);
    return true;
}

double Simplex::variable_value(int variable) const {
    const int place = place_[static_cast<std::size_t>(variable)];
    return place >= 0 ? column_value_[static_cast<std::size_t>(place)]
                      : basic_value_[static_cast<std::size_t>(-1 - place)];
}

double Simplex::value(int row) const {
    return variable_value(variable_of(row)) * scale(row);
}

double Simplex::input_value(Eigen::Index index) const {
    const Input& input = inputs_->each[static_cast<std::size_t>(index)];
    return input.variable < 0 ? input.shift : input.shift + input.scale * variable_value(input.variable);
}

Vector Simplex::point() const {
    Vector point(static_cast<Eigen::Index>(inputs_->each.size()));
    for (Eigen::Index i = 0; i < point.size(); ++i) point[i] = input_value(i);
    return point;
}

Simplex::Answer Simplex::push(int row, Sign direction, double enough) {
    return push_variable(variable_of(row), sign_of(direction), enough / scale(row));
}

Simplex::Answer Simplex::push_input(Eigen::Index index, Sign direction, double enough) {
    const Input& input = inputs_->each[static_cast<std::size_t>(index)];
    const double sign = sign_of(direction);
    if (input.variable < 0 || input.scale == 0) return sign * input.shift > enough ? Answer::exceeds : Answer::optimal;
    return push_variable(input.variable, sign, (enough - sign * input.shift) / input.scale);
}

Simplex::Answer Simplex::push_variable(int variable, double sign, double enough) {
    const std::size_t size = basic_.size() + nonbasic_.size();
    // Far more steps than needed in practice. After the first half, Bland's rule prevents cycling at degenerate
    // vertices.
    const std::size_t most = 40 + 20 * size;
    for (std::size_t steps = 0; steps < most; ++steps) {
        if (sign * variable_value(variable) > enough) return Answer::exceeds;
        const int place = place_[static_cast<std::size_t>(variable)];
        int entering = -1;
        double direction = sign;
        if (place >= 0) {
            const At at = at_[static_cast<std::size_t>(place)];
            const bool may_move = at == At::free || (at == At::lower && sign > 0) || (at == At::upper && sign < 0);
            if (may_move) entering = place;
        } else {
            const double* objective = line(static_cast<std::size_t>(-1 - place));
            entering = choose_entering(objective, sign, steps > most / 2);
            if (entering >= 0) direction = sign * objective[entering] > 0 ? 1 : -1;
        }
        if (entering < 0) return Answer::optimal;
        if (!step(static_cast<std::size_t>(entering), direction)) return Answer::stuck;
    }
    return Answer::stuck;
}

// The column with the steepest increase of the objective, or with Bland's rule the first variable that increases it.
int Simplex::choose_entering(const double* objective, double sign, bool first) const {
    if (!first && std::find(at_.begin(), at_.end(), At::free) == at_.end())
        return steepest_column(objective, way_.data(), stride_, sign, slope_tolerance);
    int chosen = -1;
    double steepest = slope_tolerance;
    for (std::size_t column = 0; column < nonbasic_.size(); ++column) {
        const double slope = sign * objective[column];
        const At at = at_[column];
        const bool rises = (slope > 0 && at == At::lower) || (slope < 0 && at == At::upper) || at == At::free;
        if (!rises || std::abs(slope) <= steepest) continue;
        if (first) {
            if (chosen < 0 || nonbasic_[column] < nonbasic_[static_cast<std::size_t>(chosen)])
                chosen = static_cast<int>(column);
        } else {
            chosen = static_cast<int>(column);
            steepest = std::abs(slope);
        }
    }
    return chosen;
}

// Moves the column's variable until it or a basic variable reaches a bound. False if it is unbounded.
bool Simplex::step(std::size_t column, double direction) {
    const auto entering = static_cast<std::size_t>(nonbasic_[column]);
    double room = upper_[entering] - lower_[entering];
    if (at_[column] == At::free)
        room = direction > 0 ? upper_[entering] - column_value_[column] : column_value_[column] - lower_[entering];
    std::size_t leaving = basic_.size();
    double leaving_slope = 0;
    for (std::size_t i = 0; i < basic_.size(); ++i) {
        const double slope = cells_[i * stride_ + column] * direction;
        if (std::abs(slope) <= pivot_tolerance) continue;
        const auto variable = static_cast<std::size_t>(basic_[i]);
        const double bound = slope > 0 ? upper_[variable] : lower_[variable];
        if (std::isinf(bound)) continue;
        const double until = std::max(0.0, (bound - basic_value_[i]) / slope);
        // Ties go to the steepest, which is the safest divisor.
        if (until < room || (until == room && std::abs(slope) > std::abs(leaving_slope))) {
            room = until;
            leaving = i;
            leaving_slope = slope;
        }
    }
    if (std::isinf(room)) return false;
    for (std::size_t i = 0; i < basic_.size(); ++i) basic_value_[i] += cells_[i * stride_ + column] * direction * room;
    if (leaving == basic_.size()) {
        column_value_[column] = direction > 0 ? upper_[entering] : lower_[entering];
        set_at(column, direction > 0 ? At::upper : At::lower);
        return true;
    }
    const double entered = column_value_[column] + direction * room;
    const auto left = static_cast<std::size_t>(basic_[leaving]);
    pivot(leaving, column);
    basic_value_[leaving] = entered;
    column_value_[column] = leaving_slope > 0 ? upper_[left] : lower_[left];
    set_at(column, lower_[left] == upper_[left] ? At::fixed : leaving_slope > 0 ? At::upper : At::lower);
    return true;
}

void Simplex::pivot(std::size_t leaving, std::size_t column) {
    exchange({cells_.data(), basic_.size(), stride_}, leaving, column);
    std::swap(basic_[leaving], nonbasic_[column]);
    place_[static_cast<std::size_t>(basic_[leaving])] = -1 - static_cast<int>(leaving);
    place_[static_cast<std::size_t>(nonbasic_[column])] = static_cast<int>(column);
}

std::vector<Simplex::RowMultiplier> Simplex::multipliers(int row, Sign direction) const {
    return multipliers_of(variable_of(row), sign_of(direction), scale(row));
}

std::vector<Simplex::RowMultiplier> Simplex::input_multipliers(Eigen::Index index, Sign direction) const {
    const Input& input = inputs_->each[static_cast<std::size_t>(index)];
    if (input.variable < 0) return {};
    return multipliers_of(input.variable, sign_of(direction), input.scale);
}

std::vector<Simplex::RowMultiplier> Simplex::multipliers_of(int variable, double sign, double scale_of_it) const {
    std::vector<RowMultiplier> result;
    const int place = place_[static_cast<std::size_t>(variable)];
    if (place >= 0) {  // stopped by its own bound, which for a row is its sign
        if (variable >= inputs_->variables) result.push_back({variable - inputs_->variables, 1});
        return result;
    }
    const double* objective = line(static_cast<std::size_t>(-1 - place));
    for (std::size_t column = 0; column < nonbasic_.size(); ++column) {
        const int row = nonbasic_[column] - inputs_->variables;
        if (row < 0) continue;
        // A row contributes minus its slope at its lower bound 0, and its slope at its upper bound.
        const double slope = sign * objective[column] * (at_[column] == At::upper ? 1 : -1);
        if (slope > 0) result.push_back({row, slope * scale_of_it / scale(row)});
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    return result;
}

}  // namespace polyrx
