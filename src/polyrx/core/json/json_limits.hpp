// SPDX-License-Identifier: Apache-2.0
// Limits of JSON files. Readers reject larger files. Writers read their files back, so they have the same limits.
#pragma once

#include <cstddef>

namespace polyrx {

// Nesting of objects and lists, and so the depth of recursion. The deepest values that polyrx writes are conditions of
// rules, with four levels for each of rules/language's deepest_nesting.
inline constexpr int deepest_json = 1024;

// Values of one document, each at least 16 bytes. A network of 5 hidden layers of 1,000 neurons has 5 million.
inline constexpr std::size_t most_json_values = 100'000'000;

// A forest may take gigabytes.
inline constexpr std::size_t most_json_bytes = std::size_t{64} << 30;

}  // namespace polyrx
