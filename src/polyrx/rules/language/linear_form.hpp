// SPDX-License-Identifier: Apache-2.0
// Writes a formula as a weighted sum of features. Each nonlinear part becomes a derived feature.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "polyrx/core/text/name_index.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/language/rules.hpp"

namespace polyrx {

// Limit for the derived features of all rules, counted in names, numbers and operators after every `let` is expanded.
// Repeated use of one `let` in another grows exponentially, so a short file could exhaust memory.
inline constexpr std::size_t most_written_out = 100'000;

// Resolves names: the columns that an encoder reads, and the derived features of `let`.
class NameScope {
public:
    // Throws a data error for a `let` with an invalid name or formula. The rules must outlive it.
    NameScope(const Encoder& encoder, const Rules& rules, std::string_view source);

    // nullptr if the column does not exist.
    [[nodiscard]] const Feature* column(std::string_view name) const;
    [[nodiscard]] bool is_let(std::string_view name) const;
    // The derived features, with formulas in terms of columns.
    [[nodiscard]] const std::vector<DerivedFeature>& lets() const { return lets_; }

    // The formula in terms of numeric and Boolean columns. Throws a data error for other columns, and if the result is
    // too long. `name` appears in messages and identifies the formula.
    [[nodiscard]] const Formula& in_columns(const Formula& formula, const std::string& name) const;

    // Throws the same errors as in_columns() for a single name.
    void check(const Formula& name) const;

    // Adds the columns that must have values to evaluate the formula, without duplicates. missing(age) needs no value
    // of age.
    void add_value_columns(const Formula& formula, std::vector<std::string>& columns) const;

    // Throws a data error with the position in the source, if known.
    [[noreturn]] void fail(const Formula& at, const std::string& sentence) const;
    [[noreturn]] void fail_at(int line, int column, const std::string& sentence) const;
    [[noreturn]] void fail_unknown(const Formula& name) const;

private:
    [[nodiscard]] const DerivedFeature* let(std::string_view name) const;
    [[nodiscard]] std::size_t size_in_columns(const Formula& formula) const;
    [[nodiscard]] Formula replaced(const Formula& formula) const;

    const Encoder& encoder_;
    const std::vector<std::string>& lines_;
    std::string_view source_;
    NameIndex features_;
    std::vector<DerivedFeature> lets_;
    NameIndex let_names_;
    std::vector<std::size_t> let_sizes_;
    std::vector<std::vector<std::string>> let_columns_;  // columns that must have values, by `let`
    // Cache of in_columns() by name: several rules may use the same formula.
    mutable std::unordered_map<std::string, Formula> written_out_;
    mutable std::size_t written_ = 0;
};

// The name of the input that indicates a missing cell of the column: an indicator of the encoder or a derived feature.
[[nodiscard]] std::string name_of_missing(const std::string& column);

struct LinearForm {
    // Distinct names of columns, derived features and indicators of missing cells.
    std::vector<std::pair<std::string, double>> terms;
    double constant = 0;
    // Derived features among the terms that do not come from `let`.
    std::vector<DerivedFeature> derived;
};

[[nodiscard]] LinearForm linear_form(const Formula& formula, const NameScope& scope);

}  // namespace polyrx
