// SPDX-License-Identifier: Apache-2.0
// Prepares the reading of selected inputs of an encoder, once for any number of tables.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polyrx/encode/feature_matcher.hpp"

namespace polyrx {

// A table, and the columns of the features to read.
struct MatchedTable {
    const Table* table = nullptr;
    std::vector<MatchedColumn> columns;
};

class InputReader {
public:
    // Reads all inputs. The encoder must outlive the reader.
    explicit InputReader(const Encoder& encoder);
    InputReader(const Encoder& encoder, std::span<const Eigen::Index> inputs);

    // Never throws. Reading rows of a table that does not match throws (InputColumns).
    [[nodiscard]] MatchedTable match(const Table& table) const;

    // A feature of a selected input. All of its inputs are read.
    struct ReadFeature {
        FeatureMatcher matcher;
        std::size_t inputs = 0;
    };
    [[nodiscard]] const std::vector<ReadFeature>& features() const { return features_; }
    // By input of the encoder: the number of inputs read before it.
    [[nodiscard]] const std::vector<std::size_t>& places() const { return places_; }
    // The number of inputs that are read.
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::vector<ReadFeature> features_;
    std::vector<std::size_t> places_;
    std::size_t size_ = 0;
};

}  // namespace polyrx
