// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/column_screens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "polyrx/core/text/utf8.hpp"
#include "polyrx/study/splits/row_hash.hpp"

namespace polyrx {
namespace {

constexpr std::size_t fewest_rows_of_identifiers = 20;
constexpr double least_distinct = 0.9;  // as a share of the rows with a value
constexpr double widest_gap = 3;        // mean step between increasing whole numbers

constexpr std::size_t fewest_rows_to_screen = 100;
constexpr std::size_t most_rows_to_screen = 20'000;
constexpr std::size_t bins = 64;
constexpr double almost_perfect = 0.98;  // R^2, or the relative reduction of the misclassification rate

bool is_distinct_text(const CategoricalColumn& column) {
    std::vector<bool> is_there(column.categories.size());
    std::size_t present = 0;
    for (const std::int32_t code : column.codes) {
        if (code < 0) continue;
        is_there[static_cast<std::size_t>(code)] = true;
        ++present;
    }
    const auto distinct = static_cast<double>(std::ranges::count(is_there, true));
    return present >= fewest_rows_of_identifiers && distinct > least_distinct * static_cast<double>(present);
}

bool counts_up(const std::vector<double>& values) {
    if (values.size() < fewest_rows_of_identifiers) return false;
    const double step = values[1] - values[0];
    bool is_constant = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i]) || values[i] != std::round(values[i])) return false;
        if (i == 0) continue;
        if (!(values[i] > values[i - 1])) return false;
        is_constant = is_constant && values[i] - values[i - 1] == step;
    }
    return is_constant || values.back() - values.front() <= widest_gap * static_cast<double>(values.size() - 1);
}

// A training half and a test half of the screened rows. They are chosen by a hash of the row number, because files are
// often sorted.
struct Halves {
    std::vector<std::size_t> train;
    std::vector<std::size_t> test;
};

Halves halves_of(std::size_t rows) {
    Halves halves;
    const std::size_t step = (rows + most_rows_to_screen - 1) / most_rows_to_screen;
    for (std::size_t row = 0; row < rows; row += step)
        (mixed(word_of("screen"), row) % 2 == 0 ? halves.train : halves.test).push_back(row);
    return halves;
}

// The bin of each screened row: quantiles of the training half for numbers, otherwise the value. Missing values have
// their own bin.
std::vector<std::size_t> bins_of(const Column& column, const Halves& halves) {
    std::vector<std::size_t> bin(column.rows());
    const auto fill = [&](const auto& bin_of) {
        for (const auto* half : {&halves.train, &halves.test})
            for (const std::size_t row : *half) bin[row] = bin_of(row);
    };
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) {
        std::vector<double> sorted;
        for (const std::size_t row : halves.train)
            if (!std::isnan(numeric->values[row])) sorted.push_back(numeric->values[row]);
        std::ranges::sort(sorted);
        std::vector<double> cuts;
        for (std::size_t b = 1; b < bins && !sorted.empty(); ++b) cuts.push_back(sorted[b * sorted.size() / bins]);
        fill([&](std::size_t row) {
            const double value = numeric->values[row];
            return std::isnan(value) ? bins
                                     : static_cast<std::size_t>(std::ranges::upper_bound(cuts, value) - cuts.begin());
        });
        return bin;
    }
    if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values))
        fill([&](std::size_t row) { return static_cast<std::size_t>(std::int64_t{categorical->codes[row]} + 1); });
    else
        fill([&](std::size_t row) {
            return static_cast<std::size_t>(std::int64_t{std::get<BooleanColumn>(column.values).values[row]} + 1);
        });
    return bin;
}

// R^2 on the test half of the mean outcome by bin.
double explained_by_bins(const std::vector<std::size_t>& bin, const std::vector<double>& outcome,
                         const Halves& halves) {
    std::map<std::size_t, std::pair<double, double>> sums;  // (sum of outcomes, rows) by bin
    double sum = 0;
    for (const std::size_t row : halves.train) {
        sums[bin[row]].first += outcome[row];
        sums[bin[row]].second += 1;
        sum += outcome[row];
    }
    const double mean = sum / static_cast<double>(halves.train.size());
    double error = 0;
    double total = 0;
    for (const std::size_t row : halves.test) {
        const auto found = sums.find(bin[row]);
        const double predicted = found == sums.end() ? mean : found->second.first / found->second.second;
        error += (outcome[row] - predicted) * (outcome[row] - predicted);
        total += (outcome[row] - mean) * (outcome[row] - mean);
    }
    return total > 0 ? 1 - error / total : 0;
}

// The squared correlation. It catches copies of long-tailed outcomes, for which the bins are too coarse.
double explained_by_line(const Column& column, const std::vector<double>& outcome, const Halves& halves) {
    const auto* numeric = std::get_if<NumericColumn>(&column.values);
    if (numeric == nullptr) return 0;
    double n = 0;
    double mean_x = 0;
    double mean_y = 0;
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (const std::size_t row : halves.test) {
        const double x = numeric->values[row];
        if (std::isnan(x)) continue;
        const double y = outcome[row];
        n += 1;
        const double dx = x - mean_x;
        const double dy = y - mean_y;
        mean_x += dx / n;
        mean_y += dy / n;
        xx += dx * (x - mean_x);
        yy += dy * (y - mean_y);
        xy += dx * (y - mean_y);
    }
    const bool is_known = 2 * n > static_cast<double>(halves.test.size()) && xx > 0 && yy > 0;
    return is_known ? xy * xy / (xx * yy) : 0;
}

// The relative reduction of the misclassification rate on the test half by predicting the most common treatment of each
// bin instead of the overall most common one.
double treatment_error_explained(const std::vector<std::size_t>& bin, const std::vector<int>& treatment,
                                 std::size_t treatments, const Halves& halves) {
    std::map<std::size_t, std::vector<std::size_t>> counts;
    std::vector<std::size_t> all(treatments);
    for (const std::size_t row : halves.train) {
        auto& counted = counts[bin[row]];
        counted.resize(treatments);
        ++counted[static_cast<std::size_t>(treatment[row])];
        ++all[static_cast<std::size_t>(treatment[row])];
    }
    const auto most = [](const std::vector<std::size_t>& counted) {
        return static_cast<int>(std::ranges::max_element(counted) - counted.begin());
    };
    double wrong = 0;
    double wrong_without = 0;
    for (const std::size_t row : halves.test) {
        const auto found = counts.find(bin[row]);
        wrong += most(found == counts.end() ? all : found->second) != treatment[row] ? 1 : 0;
        wrong_without += most(all) != treatment[row] ? 1 : 0;
    }
    return wrong_without > 0 ? 1 - wrong / wrong_without : 0;
}

}  // namespace

bool looks_like_identifier(const Column& column) {
    if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values)) return is_distinct_text(*categorical);
    if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) return counts_up(numeric->values);
    return false;
}

std::vector<std::string> suspicious_features(const Observations& observations) {
    std::vector<std::string> sentences;
    if (observations.rows() < fewest_rows_to_screen) return sentences;
    const Halves halves = halves_of(observations.rows());
    for (const Column& column : observations.features.columns()) {
        const std::vector<std::size_t> bin = bins_of(column, halves);
        const double explained = std::max(explained_by_bins(bin, observations.outcome, halves),
                                          explained_by_line(column, observations.outcome, halves));
        if (explained > almost_perfect)
            sentences.push_back(fmt::format(
                "column {} alone explains {:.1f} % of the variance of the outcome: if it is known only after the "
                "treatment, leave it out with --ignore {}",
                in_quotes(column.name), 100 * explained, column.name));
        if (treatment_error_explained(bin, observations.treatment, observations.treatments.size(), halves) >
            almost_perfect)
            sentences.push_back(fmt::format(
                "column {} alone predicts the treatment of almost every row: if it is a copy of the treatment, leave "
                "it out with --ignore {}; if it determines the treatment, there is no overlap and effects cannot be "
                "estimated",
                in_quotes(column.name), column.name));
    }
    return sentences;
}

}  // namespace polyrx
