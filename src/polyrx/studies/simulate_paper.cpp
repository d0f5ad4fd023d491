// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/studies/logistic.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/study/standardize.hpp"

namespace polyrx {
namespace {

constexpr std::size_t feature_count = 20;
constexpr std::size_t most_simulated_treatments = 3;

// x[1] .. x[20], numbered as in the paper; x[0] is unused.
using Features = std::array<double, feature_count + 1>;
using Function = double (*)(const Features&);
using Outcomes = std::array<double, most_simulated_treatments>;

double indicator(bool holds) {
    return holds ? 1.0 : 0.0;
}

double f1(const Features& x) {
    return 5 * indicator(x[1] > 1) - 5;
}

double f2(const Features& x) {
    return 4 * indicator(x[1] > 1) * indicator(x[3] > 0) + 4 * indicator(x[5] > 1) * indicator(x[7] > 0) +
           2 * x[8] * x[9];
}

double f3(const Features& x) {
    return 0.5 * (x[1] * x[1] + x[2] + x[3] * x[3] + x[4] + x[5] * x[5] + x[6] + x[7] * x[7] + x[8] + x[9] * x[9] - 11);
}

double f4(const Features& x) {
    const double a = x[2];
    const double b = x[4];
    const double c = x[6];
    return a * b * c + 2 * a * b * (1 - c) + 3 * a * (1 - b) * c + 4 * a * (1 - b) * (1 - c) + 5 * (1 - a) * b * c +
           6 * (1 - a) * b * (1 - c) + 7 * (1 - a) * (1 - b) * c + 8 * (1 - a) * (1 - b) * (1 - c);
}

constexpr std::array<Function, 4> all_functions = {f1, f2, f3, f4};

// Table 1 of the paper: the number of the base function, then one effect function for each treatment but one.
const std::array<std::vector<int>, 6> designs = {{
    {1, 2},
    {4, 2},
    {3, 4},
    {1, 3},
    {2, 1, 3},
    {2, 3, 4},
}};

std::vector<Function> functions_of(std::span<const int> numbers) {
    if (numbers.size() < 2 || numbers.size() > most_simulated_treatments)
        throw usage_error(
            fmt::format("expected two or three functions (a base and its effects), not {}", numbers.size()));
    std::vector<Function> functions;
    for (const int number : numbers) {
        if (number < 1 || number > static_cast<int>(all_functions.size()))
            throw usage_error(
                fmt::format("function f{} does not exist; the paper has f1 to f{}", number, all_functions.size()));
        functions.push_back(all_functions[static_cast<std::size_t>(number) - 1]);
    }
    return functions;
}

Features draw_features(Rng& rng, Variant variant) {
    const double low = variant == Variant::paper ? -1.0 : 0.0;
    Features x{};
    for (std::size_t j = 1; j <= feature_count; ++j) x[j] = j % 2 == 1 ? rng.normal() : rng.bernoulli(0.5) ? 1.0 : low;
    return x;
}

// K = 2: Base + (p - 1/2) Effect. K = 3: Base + p(2-p) Effect_1 + p(p-1)/2 Effect_2, which is
// Base for p = 0, Base + Effect_1 for p = 1, and Base + Effect_2 for p = 2.
Outcomes noiseless_outcomes(const std::vector<std::vector<double>>& functions, std::size_t row) {
    const double base = functions[0][row];
    const double first = functions[1][row];
    if (functions.size() == 2) return {base - 0.5 * first, base + 0.5 * first};
    return {base, base + first, base + functions[2][row]};
}

// K = 2: P[1] = logistic(y0). K = 3: P[0] = 1 - logistic(y0), and P[1] = P[2].
std::size_t assign(Rng& rng, std::size_t treatments, double y0) {
    const double u = rng.uniform();
    const double not_first = logistic(y0);
    if (u >= not_first) return 0;
    return treatments == 2 || u < not_first / 2 ? 1 : 2;
}

}  // namespace

std::string_view name_of(Variant variant) {
    return variant == Variant::paper ? "paper" : "literal";
}

Table simulate_paper(int dataset, const SimulateOptions& options) {
    if (dataset < 1 || dataset > static_cast<int>(designs.size()))
        throw usage_error(fmt::format("dataset {} does not exist; the paper has 1 to {}", dataset, designs.size()));
    return simulate_design(designs[static_cast<std::size_t>(dataset) - 1], options);
}

Table simulate_design(std::span<const int> numbers, const SimulateOptions& options) {
    const std::vector<Function> design = functions_of(numbers);
    if (options.rows == 0) throw usage_error("cannot simulate 0 rows; expected at least 1");

    const std::size_t treatments = design.size();

    std::vector<std::vector<double>> features(feature_count, std::vector<double>(options.rows));
    std::vector<std::vector<double>> functions(design.size(), std::vector<double>(options.rows));
    Rng feature_rng(options.seed, Draw::features);
    for (std::size_t row = 0; row < options.rows; ++row) {
        const Features x = draw_features(feature_rng, options.variant);
        for (std::size_t j = 0; j < feature_count; ++j) features[j][row] = x[j + 1];
        for (std::size_t f = 0; f < design.size(); ++f) functions[f][row] = design[f](x);
    }
    if (options.variant == Variant::literal)
        for (auto& values : functions) standardize(values);

    std::vector<double> given(options.rows);
    std::vector<double> outcome(options.rows);
    std::vector<double> best(options.rows);
    std::vector<std::vector<double>> truth(treatments, std::vector<double>(options.rows));
    Rng assignment_rng(options.seed, Draw::assignment);
    Rng noise_rng(options.seed, Draw::noise);
    for (std::size_t row = 0; row < options.rows; ++row) {
        const Outcomes y = noiseless_outcomes(functions, row);
        const std::size_t p = assign(assignment_rng, treatments, y[0]);
        given[row] = static_cast<double>(p);
        outcome[row] = y[p] + noise_rng.normal();
        for (std::size_t k = 0; k < treatments; ++k) truth[k][row] = y[k];
        const auto* end = y.begin() + treatments;
        best[row] = static_cast<double>(std::min_element(y.begin(), end) - y.begin());
    }

    std::vector<Column> columns;
    const auto add = [&columns](std::string name, std::vector<double>& values) {
        columns.push_back({std::move(name), NumericColumn{std::move(values)}});
    };
    for (std::size_t j = 0; j < feature_count; ++j) add(fmt::format("x{}", j + 1), features[j]);
    add("treatment", given);
    add("outcome", outcome);
    if (options.truth) {
        for (std::size_t k = 0; k < treatments; ++k) add(fmt::format("y{}", k), truth[k]);
        add("best", best);
    }
    return Table(std::move(columns));
}

}  // namespace polyrx
