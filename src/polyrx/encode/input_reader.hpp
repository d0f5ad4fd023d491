// SPDX-License-Identifier: Apache-2.0
// Some inputs of an encoder, ready to be read from any number of tables: what follows from the encoder alone is worked
// out once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polyrx/encode/feature_matcher.hpp"

namespace polyrx {

// A table, with the columns of the features that are read.
struct MatchedTable {
    const Table* table = nullptr;
    std::vector<MatchedColumn> columns;
};

class InputReader {
public:
    // All inputs. The encoder must outlive the reader.
    explicit InputReader(const Encoder& encoder);
    InputReader(const Encoder& encoder, std::span<const Eigen::Index> inputs);

    // Never throws for a table that does not fit: reading its rows does (InputColumns).
    [[nodiscard]] MatchedTable match(const Table& table) const;

    // A feature that one of the inputs is of. All of its inputs are read.
    struct ReadFeature {
        FeatureMatcher matcher;
        std::size_t inputs = 0;
    };
    [[nodiscard]] const std::vector<ReadFeature>& features() const { return features_; }
    // By input of the encoder: how many are read before it.
    [[nodiscard]] const std::vector<std::size_t>& places() const { return places_; }
    // How many inputs are read.
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::vector<ReadFeature> features_;
    std::vector<std::size_t> places_;
    std::size_t size_ = 0;
};

}  // namespace polyrx
