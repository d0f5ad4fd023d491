// SPDX-License-Identifier: Apache-2.0
// Converts table columns to numeric network inputs in the user's units, and back to names.
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

// A table column or derived feature, with what was learned about it from the training rows.
struct Feature {
    std::string name;
    std::string unit;
    ColumnType type = ColumnType::numeric;
    std::vector<std::string> categories;  // categorical only
    bool integer = false;                 // numeric: declared, or every training value was whole
    double lower = 0;                     // numeric: declared bounds, or those of the training rows
    double upper = 0;
    bool lower_declared = false;  // `lower` was declared, so new values must respect it
    bool upper_declared = false;
    bool integer_declared = false;
    double fill =
        0;  // stands in for a missing cell: the lower median, the commoner boolean, the commonest category's index
    // True if the training rows had missing cells. Missingness then has its own input. A missing category sets it to
    // one and all categories to zero, so that a group always sums to one.
    bool indicator = false;
    // Derived features only: a formula of earlier features. Derived features are numeric and in no file.
    std::optional<Formula> formula = {};

    // True for a derived feature missing(formula->name).
    [[nodiscard]] bool says_missing() const { return formula && formula->kind == Formula::Kind::missing; }
};

enum class InputKind { value, category, indicator };

// One column of the encoded matrix.
struct EncodedColumn {
    std::string name;  // "age", "sex = F", "age is missing"
    std::string unit;
    std::size_t feature = 0;  // index into features()
    InputKind kind = InputKind::value;
    std::size_t category = 0;  // for category inputs
};

enum class Unseen {
    error,   // throw a data error for categories not in the training rows
    ignore,  // encode them as all zeros
};

[[nodiscard]] std::string_view name_of(Unseen unseen);

class Encoder {
public:
    Encoder() = default;
    explicit Encoder(std::vector<Feature> features);

    [[nodiscard]] const std::vector<Feature>& features() const { return features_; }
    [[nodiscard]] const std::vector<EncodedColumn>& columns() const { return columns_; }

    // Encodes rows first .. first+count-1. Throws a data error for a column that is absent or has another type, an
    // infinite value, or an unseen category.
    [[nodiscard]] Matrix encode(const Table& table, std::size_t first, std::size_t count,
                                Unseen unseen = Unseen::error) const;
    [[nodiscard]] Matrix encode(const Table& table, Unseen unseen = Unseen::error) const {
        return encode(table, 0, table.rows(), unseen);
    }

    // The columns that encode() reads: all features except derived ones.
    [[nodiscard]] std::vector<std::string> read_columns() const;

    // The schema to read new data with, so that it is interpreted like the training data.
    [[nodiscard]] Schema schema() const;

private:
    std::vector<Feature> features_;
    std::vector<EncodedColumn> columns_;
};

struct DerivedFeature {
    std::string name;
    Formula formula;  // in terms of column names
};

// Learns fill values, categories and bounds from the training features.
[[nodiscard]] Encoder make_encoder(const Table& features, const Schema& schema = {});

// The bounds of a formula while its features keep to theirs; infinite if it is unbounded.
[[nodiscard]] Range derived_range(const Encoder& encoder, const Formula& formula);

// Adds derived features as inputs. Their bounds follow from their formulas if these are finite, so rows within the
// bounds of their columns are within them. Everything else is learned from the rows. Without rows, derived features are
// assumed never to be missing, and a usage error asks for rows if a bound is infinite.
[[nodiscard]] Encoder with_derived(const Encoder& encoder, std::span<const DerivedFeature> all, const Table* rows);

}  // namespace polyrx
