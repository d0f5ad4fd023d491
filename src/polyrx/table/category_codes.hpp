// SPDX-License-Identifier: Apache-2.0
// Numbers texts in the order of their first appearance; fast, since every cell of a text column asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

class CategoryCodes {
public:
    // -1 if the text is not there.
    [[nodiscard]] std::int32_t find(std::string_view text) const;
    // The text must not be there yet.
    std::int32_t add(std::string_view text);

    // The texts by code.
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
    // Leaves the object empty.
    [[nodiscard]] std::vector<std::string> take_texts();

private:
    void grow();

    std::vector<std::string> texts_;
    std::vector<std::int32_t> slots_;  // open addressing with linear probing; -1 is free, at most half are taken
};

}  // namespace polyrx
