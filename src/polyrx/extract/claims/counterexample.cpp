// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/claims/counterexample.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/encode/decode_row.hpp"
#include "polyrx/rules/choose.hpp"

namespace polyrx {
namespace {

Matrix rows_of(const std::vector<Vector>& vectors, Eigen::Index inputs) {
    Matrix rows(static_cast<Eigen::Index>(vectors.size()), inputs);
    for (std::size_t i = 0; i < vectors.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = vectors[i].transpose();
    return rows;
}

}  // namespace

CounterexampleSearch::CounterexampleSearch(const Policy& policy, const Domain& domain, const BoundRule& claim)
    : policy_(policy),
      domain_(domain),
      claim_(claim),
      has_derived_(std::ranges::any_of(policy.encoder.features(),
                                       [](const Feature& feature) { return feature.formula.has_value(); })) {}

bool CounterexampleSearch::breaks(const Matrix& rows, Eigen::Index row, int chosen) const {
    return chosen != no_treatment && !has(claim_.allowed, chosen) && claim_.applies.holds(rows.row(row).data()) &&
           contains(domain_, rows.row(row).transpose());
}

std::optional<Vector> CounterexampleSearch::as_table_row(const Eigen::Ref<const Vector>& row) const {
    try {
        const Matrix again = policy_.encoder.encode(decode_row(policy_.encoder, row));
        const int chosen = choose(policy_.rules, again, forward(policy_.network, again)).front();
        if (breaks(again, 0, chosen)) return again.row(0).transpose();
        return std::nullopt;
    } catch (const Error&) {  // a derived feature has no value for this row
        return std::nullopt;
    }
}

Vector CounterexampleSearch::rounded(Vector row) const {
    for (Eigen::Index input = 0; input < row.size(); ++input) {
        if (domain_.integer[static_cast<std::size_t>(input)]) continue;
        const double magnitude = std::max(std::abs(row[input]), domain_.upper[input] - domain_.lower[input]);
        if (!(magnitude > 0)) continue;
        bool done = false;
        for (int digits = 1; digits <= 6 && !done; ++digits) {
            const double unit = std::pow(10, digits - 1 - std::floor(std::log10(magnitude)));
            const double scaled = row[input] * unit;
            // Near a bound of the condition, the nearest number may violate it.
            for (const double near : {std::round(scaled), std::floor(scaled), std::ceil(scaled)}) {
                Vector other = row;
                other[input] = near / unit + 0.0;  // never -0
                std::optional<Vector> same = as_table_row(other);
                done = same.has_value();
                if (!done) continue;
                row = std::move(*same);
                break;
            }
        }
    }
    return row;
}

void CounterexampleSearch::derive(Matrix& rows) const {
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        try {
            rows.row(i) = policy_.encoder.encode(decode_row(policy_.encoder, rows.row(i).transpose())).row(0);
        } catch (const Error&) {
            continue;
        }
    }
}

CounterexampleSearch::Best CounterexampleSearch::look_at(Matrix& rows) {
    if (has_derived_) {
        // If even rows that no table can contain break the claim, it cannot be proved.
        const std::vector<int> chosen = choose(policy_.rules, rows, forward(policy_.network, rows));
        for (Eigen::Index i = 0; i < rows.rows() && !met_impossible_row_; ++i)
            met_impossible_row_ = breaks(rows, i, chosen[static_cast<std::size_t>(i)]);
        derive(rows);
    }
    const Matrix outputs = forward(policy_.network, rows);
    const std::vector<int> chosen = choose(policy_.rules, rows, outputs);
    const bool has_rules = !policy_.rules.bound.empty();
    Best best{-1, infinity};
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const int prescribed = chosen[static_cast<std::size_t>(i)];
        if (breaks(rows, i, prescribed)) {
            if (auto row = as_table_row(rows.row(i).transpose())) {
                found_ = std::move(row);
                return {i, -1};
            }
            met_impossible_row_ = true;
            continue;
        }
        if (prescribed == no_treatment || !claim_.applies.holds(rows.row(i).data())) continue;
        const TreatmentSet allowed = has_rules ? policy_.rules.bound.supported(rows.row(i).data()) : ~TreatmentSet{0};
        for (int k = 0; k < static_cast<int>(outputs.cols()); ++k) {
            if (!has(allowed, k) || has(claim_.allowed, k)) continue;
            const double score = outputs(i, k) - outputs(i, prescribed);
            if (score < best.score) best = {i, score};
        }
    }
    return best;
}

std::optional<Vector> CounterexampleSearch::near(const std::vector<Vector>& points, const Vector& inside,
                                                 const Domain& box) {
    const Vector middle = box.lower + (box.upper - box.lower) / 2;
    std::vector<Vector> rows;
    for (const Vector& point : points)
        for (const Vector* towards : {&inside, &middle})
            for (const double share : {0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.05, 0.3})
                rows.push_back(nearest_row(box, point + share * (*towards - point)));
    Matrix matrix = rows_of(rows, domain_.inputs());
    (void)look_at(matrix);
    return found_;
}

// Changes one free input at a time.
Matrix CounterexampleSearch::neighbors(const Vector& row, const Domain& box) const {
    std::vector<Vector> rows;
    std::vector<char> grouped(static_cast<std::size_t>(row.size()));
    for (const std::vector<Eigen::Index>& group : box.groups)
        for (const Eigen::Index member : group) {
            grouped[static_cast<std::size_t>(member)] = 1;
            if (row[member] == 1 || box.upper[member] < 1) continue;
            Vector other = row;
            for (const Eigen::Index each : group) other[each] = each == member ? 1 : 0;
            rows.push_back(std::move(other));
        }
    for (Eigen::Index input = 0; input < row.size(); ++input) {
        if (grouped[static_cast<std::size_t>(input)] || box.lower[input] >= box.upper[input]) continue;
        const double low = box.lower[input];
        const double high = box.upper[input];
        const double fine = box.integer[static_cast<std::size_t>(input)] ? 1 : (high - low) / 50;
        for (const double value : {low, high, row[input] - fine, row[input] + fine, low + (high - low) / 2,
                                   row[input] + (high - low) / 10}) {
            Vector other = row;
            other[input] = std::clamp(value, low, high);
            if (box.integer[static_cast<std::size_t>(input)]) other[input] = std::round(other[input]);
            if (other[input] != row[input]) rows.push_back(std::move(other));
        }
    }
    return rows_of(rows, row.size());
}

std::optional<Vector> CounterexampleSearch::climb(const Domain& box) {
    constexpr Eigen::Index starts = 128;
    constexpr int most_moves = 30;
    Rng rng(0, Draw::refute, ++climbs_);
    Matrix rows(starts, domain_.inputs());
    for (Eigen::Index i = 0; i < starts; ++i) {
        Vector point(domain_.inputs());
        for (Eigen::Index input = 0; input < point.size(); ++input)
            point[input] = rng.uniform(box.lower[input], box.upper[input]);
        rows.row(i) = nearest_row(box, point).transpose();
    }
    Best best = look_at(rows);
    if (best.row < 0) return found_;
    Vector at = rows.row(best.row).transpose();
    for (int move = 0; move < most_moves && !found_; ++move) {
        Matrix around = neighbors(at, box);
        const Best next = look_at(around);
        if (next.row < 0 || !(next.score < best.score)) break;
        best = next;
        at = around.row(next.row).transpose();
    }
    return found_;
}

}  // namespace polyrx
