// SPDX-License-Identifier: Apache-2.0
// A formula as a weighted sum of features, where whatever is not linear in them is a derived feature of its own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// Where names are looked up: the columns that an encoder reads, and the derived features of `let`.
class NameScope {
public:
    // Throws a data error for a `let` whose name or formula is wrong. The rules must outlive it.
    NameScope(const Encoder& encoder, const Rules& rules, std::string_view source);

    // nullptr if there is no such column.
    [[nodiscard]] const Feature* column(std::string_view name) const;
    [[nodiscard]] bool is_let(std::string_view name) const;
    // Each with its formula in terms of columns.
    [[nodiscard]] const std::vector<DerivedFeature>& lets() const { return lets_; }

    // The formula in terms of columns that are numbers or truth values. Throws a data error for others.
    [[nodiscard]] Formula in_columns(const Formula& formula) const;

    // A data error with its place in the source, as far as it is known.
    [[noreturn]] void fail(const Formula& at, const std::string& sentence) const;
    [[noreturn]] void fail_at(int line, int column, const std::string& sentence) const;
    [[noreturn]] void fail_unknown(const Formula& name) const;

private:
    const Encoder& encoder_;
    const std::vector<std::string>& lines_;
    std::string_view source_;
    std::vector<DerivedFeature> lets_;
};

// How the input is called that says whether a column's cell is missing: an indicator of the encoder, or a derived
// feature.
[[nodiscard]] std::string name_of_missing(const std::string& column);

struct LinearForm {
    // Names of columns and derived features, each once, or of columns that are missing.
    std::vector<std::pair<std::string, double>> terms;
    double constant = 0;
    // Those of the terms that are neither columns nor of `let`.
    std::vector<DerivedFeature> derived;
};

[[nodiscard]] LinearForm linear_form(const Formula& formula, const NameScope& scope);

}  // namespace polyrx
