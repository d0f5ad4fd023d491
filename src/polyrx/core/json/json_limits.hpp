// SPDX-License-Identifier: Apache-2.0
// How large a JSON file may be. Readers refuse more; what writes a file reads it back, so it cannot write more either.
#pragma once

#include <cstddef>

namespace polyrx {

// Objects and lists inside of each other. Parsing, writing and freeing recurse this deep. The deepest that polyrx
// writes are the conditions of a rule: four levels for each of rules/language's deepest_nesting.
inline constexpr int deepest_json = 1024;

// Values of one document, each of 16 bytes and more. A network of 5 hidden layers of 1,000 neurons has 5 million.
inline constexpr std::size_t most_json_values = 100'000'000;

// A forest takes gigabytes.
inline constexpr std::size_t most_json_bytes = std::size_t{64} << 30;

}  // namespace polyrx
