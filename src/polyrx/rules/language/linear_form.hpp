// SPDX-License-Identifier: Apache-2.0
// A formula as a weighted sum of features, where whatever is not linear in them is a derived feature of its own.
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

// Of the derived features of all rules together, written out in terms of columns: names, numbers and operators. What
// one `let` says twice of another is written out twice, so without a limit a short file could fill any memory.
inline constexpr std::size_t most_written_out = 100'000;

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

    // The formula in terms of columns that are numbers or truth values. Throws a data error for others, and where it
    // would be longer than it may be. `name` is what messages call it, and stands for one formula only.
    [[nodiscard]] const Formula& in_columns(const Formula& formula, const std::string& name) const;

    // Throws the same errors for a single name.
    void check(const Formula& name) const;

    // Adds the columns whose values the formula needs, each once. missing(age) is never missing itself.
    void add_value_columns(const Formula& formula, std::vector<std::string>& columns) const;

    // A data error with its place in the source, as far as it is known.
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
    std::vector<std::vector<std::string>> let_columns_;  // whose values each needs
    // What was written out already, by name: many rules may ask for the same.
    mutable std::unordered_map<std::string, Formula> written_out_;
    mutable std::size_t written_ = 0;
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
