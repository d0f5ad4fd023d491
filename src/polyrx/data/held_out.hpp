// SPDX-License-Identifier: Apache-2.0
// Which rows are held out, decided by what is in each row alone, so that a file read again holds out the same ones.
#pragma once

#include <cstdint>

#include "polyrx/data/observations.hpp"
#include "polyrx/data/split.hpp"

namespace polyrx {

// A row's content and the seed give it a number in [0, 1); it is held out if that is below `fraction`. Neither the
// order of rows and columns nor other rows or columns play a part, and what a smaller fraction holds out a larger one
// does, too. Equal rows stay together: were they apart, a policy would be valued on rows that it has seen.
//
// The content is the features by name, the treatment by its label and the outcome: what a model knows how to read.
// Weights are not part of it. To find the split again, `observations` must have the features that it was made with,
// and of the same types. Throws a usage error unless 0 < fraction < 1.
[[nodiscard]] RowSplit held_out_by_content(const Observations& observations, double fraction, std::uint64_t seed);

}  // namespace polyrx
