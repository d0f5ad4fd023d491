// SPDX-License-Identifier: Apache-2.0
// Assigns codes to strings in order of first appearance. A custom hash table, because every text cell is looked up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

class CategoryCodes {
public:
    // -1 if unknown.
    [[nodiscard]] std::int32_t find(std::string_view text) const;
    // Requires find(text) == -1.
    std::int32_t add(std::string_view text);

    // Indexed by code.
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
    // Leaves the object empty.
    [[nodiscard]] std::vector<std::string> take_texts();

private:
    void grow();

    std::vector<std::string> texts_;
    std::vector<std::int32_t> slots_;  // open addressing with linear probing; -1 is free; load factor at most 1/2
};

}  // namespace polyrx
