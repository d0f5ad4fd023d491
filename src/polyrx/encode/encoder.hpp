// SPDX-License-Identifier: Apache-2.0
// Columns of a table to the numeric inputs of a network, in the user's own units, and back to names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/encode/formula.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// One column of the user's table, or one derived from others, with what was learned about it from the training rows.
struct Feature {
    std::string name;
    std::string unit;
    ColumnType type = ColumnType::numeric;
    std::vector<std::string> categories;  // categorical only
    bool integer = false;                 // numeric: declared so, or every training value was whole
    double lower = 0;                     // numeric: declared bounds, else those of the training rows
    double upper = 0;
    bool lower_declared = false;  // by the user, so that new values must keep to it
    bool upper_declared = false;
    bool integer_declared = false;
    double fill =
        0;  // stands in for a missing cell: the lower median, the commoner boolean, the commonest category's index
    // The training rows had missing cells, so missingness has an input of its own. A missing category is then all
    // zeros and the indicator one, so that a group always sums to one.
    bool indicator = false;
    // A derived feature, numeric, stands in no file: its value is that of this formula of features before it.
    std::optional<Formula> formula = {};

    // A derived feature that says of a column, formula->name, whether its cell is missing.
    [[nodiscard]] bool says_missing() const { return formula && formula->kind == Formula::Kind::missing; }
};

enum class InputKind { value, category, indicator };

// One column of the encoded matrix.
struct EncodedColumn {
    std::string name;  // "age", "sex = F", "age is missing"
    std::string unit;
    std::size_t feature = 0;  // its origin
    InputKind kind = InputKind::value;
    std::size_t category = 0;  // of a category column
};

enum class Unseen {
    error,   // a category that the training rows did not have is an error that names it
    ignore,  // it becomes all zeros
};

[[nodiscard]] std::string_view name_of(Unseen unseen);

class Encoder {
public:
    Encoder() = default;
    explicit Encoder(std::vector<Feature> features);

    [[nodiscard]] const std::vector<Feature>& features() const { return features_; }
    [[nodiscard]] const std::vector<EncodedColumn>& columns() const { return columns_; }

    // Rows first .. first+count-1 of the table, one encoded row each. Throws a data error for a column that is
    // absent (named), of another type, an infinite value, or an unseen category (named).
    [[nodiscard]] Matrix encode(const Table& table, std::size_t first, std::size_t count,
                                Unseen unseen = Unseen::error) const;
    [[nodiscard]] Matrix encode(const Table& table, Unseen unseen = Unseen::error) const {
        return encode(table, 0, table.rows(), unseen);
    }

    // The names of the columns that it reads: all features but the derived ones.
    [[nodiscard]] std::vector<std::string> read_columns() const;

    // The schema under which new data must be read to mean the same as the training data did.
    [[nodiscard]] Schema schema() const;

private:
    std::vector<Feature> features_;
    std::vector<EncodedColumn> columns_;
};

struct DerivedFeature {
    std::string name;
    Formula formula;  // of the names of columns
};

// Learns fills, categories and bounds from the training features.
[[nodiscard]] Encoder make_encoder(const Table& features, const Schema& schema = {});

// The bounds that a formula has where the features keep to theirs; infinite where it is without bound there.
[[nodiscard]] Range derived_range(const Encoder& encoder, const Formula& formula);

// The same encoder with more derived features, each an input like any other. Its bounds are those of its formula where
// these are finite, so that every row which keeps to the bounds of its columns keeps to them. What else there is to
// know is learned from the rows; without rows nothing is ever missing, and where a bound is not finite a usage error
// asks for those of the columns.
[[nodiscard]] Encoder with_derived(const Encoder& encoder, std::span<const DerivedFeature> all, const Table* rows);

}  // namespace polyrx
