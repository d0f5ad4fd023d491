// SPDX-License-Identifier: Apache-2.0
// Our estimates of the values of policies, from predicted outcomes and propensities that values.py gives to others' as
// well.
//
//     peer_values ROWS.csv LEAST_PROPENSITY DRAWS
//
// Columns, all of them numbers: `treatment` (0, 1, ..), `outcome`, `weight`, `group`, predicted outcomes `m0`, `m1`,
// .., propensities `e0`, `e1`, .., and prescriptions, one policy each, whose names begin with `policy`. Prints a table:
// every policy by every estimator, and every policy minus the first by the doubly robust one, each with rows that count
// once, that have weights, and that have groups; for rows that count once, with the bootstrap's 95 % interval too.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "polyrx/evaluate/value/policy_difference.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"
#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/intervals.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace {

using namespace polyrx;

const std::vector<double>& numbers(const Table& table, const std::string& column) {
    return std::get<NumericColumn>(table.at(column).values).values;
}

template <typename Whole>
std::vector<Whole> whole_numbers(const Table& table, const std::string& column) {
    std::vector<Whole> whole;
    for (const double value : numbers(table, column)) whole.push_back(static_cast<Whole>(value));
    return whole;
}

// The columns m0, m1, .. or e0, e1, ..: as many as there are.
Matrix by_treatment(const Table& table, const std::string& letter) {
    Matrix matrix(static_cast<Eigen::Index>(table.rows()), 0);
    while (table.find(letter + std::to_string(matrix.cols())) != nullptr) {
        const std::vector<double>& values = numbers(table, letter + std::to_string(matrix.cols()));
        matrix.conservativeResize(Eigen::NoChange, matrix.cols() + 1);
        matrix.rightCols(1) = Eigen::Map<const Vector>(values.data(), matrix.rows());
    }
    return matrix;
}

void print_number(const std::optional<double>& value) {
    value ? std::printf(",%.17g", *value) : std::printf(",");
}

void print_line(const std::string& policy, const std::string& against, const char* counting, Estimator estimator,
                const ValueEstimate& estimate, const IntervalAnswer& drawn) {
    std::printf("%s,%s,%s,%s", policy.c_str(), against.c_str(), counting, std::string(name_of(estimator)).c_str());
    print_number(estimate.value);
    print_number(estimate.standard_error);
    print_number(drawn.interval ? std::optional(drawn.interval->low) : std::nullopt);
    print_number(drawn.interval ? std::optional(drawn.interval->high) : std::nullopt);
    std::printf(",%zu\n", estimate.clipped);
}

struct Policy {
    std::string name;
    std::vector<int> prescriptions;
};

void print_values(const EvaluatedRows& rows, const std::vector<Policy>& policies, const char* counting,
                  double least_propensity, std::size_t draws) {
    std::vector<ValueEstimate> robust;
    for (const Policy& policy : policies) {
        for (const Estimator estimator : {Estimator::dm, Estimator::ipw, Estimator::snipw, Estimator::dr}) {
            const ValueEstimate estimate = policy_value(rows, policy.prescriptions, estimator, least_propensity);
            IntervalAnswer interval;
            if (draws > 0) {
                const Matrix drawn = bootstrap({&estimate.terms, 1}, rows.group, {.draws = draws});
                interval = percentile_interval(estimate, {drawn.data(), draws}, 0.95);
            }
            print_line(policy.name, "", counting, estimator, estimate, interval);
            if (estimator == Estimator::dr) robust.push_back(estimate);
        }
    }
    for (std::size_t i = 1; i < policies.size(); ++i)
        print_line(policies[i].name, policies[0].name, counting, Estimator::dr,
                   policy_difference(rows, robust[i], robust[0]), {});
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fputs("usage: peer_values ROWS.csv LEAST_PROPENSITY DRAWS\n", stderr);
        return 2;
    }
    try {
        const Table table = read_csv(argv[1]);
        const double least = std::atof(argv[2]);
        const auto draws = static_cast<std::size_t>(std::atoll(argv[3]));
        const Matrix outcomes = by_treatment(table, "m");
        const Matrix propensities = by_treatment(table, "e");
        const auto treatment = whole_numbers<int>(table, "treatment");
        const auto group = whole_numbers<std::size_t>(table, "group");
        std::vector<Policy> policies;
        for (const Column& column : table.columns())
            if (column.name.starts_with("policy"))
                policies.push_back({column.name, whole_numbers<int>(table, column.name)});

        const EvaluatedRows rows{treatment, numbers(table, "outcome"), outcomes, propensities};
        EvaluatedRows weighted = rows;
        weighted.weight = numbers(table, "weight");
        EvaluatedRows grouped = weighted;
        grouped.group = group;
        std::puts("policy,against,counting,estimator,value,standard_error,low,high,clipped");
        print_values(rows, policies, "once", least, draws);
        print_values(weighted, policies, "weights", least, 0);
        print_values(grouped, policies, "weights and groups", least, 0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peer_values: %s\n", error.what());
        return 1;
    }
}
