// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/category_codes.hpp"

#include <cstring>
#include <utility>

namespace polyrx {
namespace {

std::size_t hash_of(std::string_view text) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = text.size() * odd;
    const auto mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * odd;
        hash ^= hash >> 32;
    };
    while (text.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), 8);
        mix(word);
        text.remove_prefix(8);
    }
    std::uint64_t word = 0;
    for (const char c : text) word = word << 8 | static_cast<unsigned char>(c);
    mix(word);
    return static_cast<std::size_t>(hash);
}

}  // namespace

std::int32_t CategoryCodes::find(std::string_view text) const {
    if (slots_.empty()) return -1;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash_of(text) & mask;; slot = (slot + 1) & mask) {
        const std::int32_t code = slots_[slot];
        if (code < 0 || texts_[static_cast<std::size_t>(code)] == text) return code;
    }
}

std::int32_t CategoryCodes::add(std::string_view text) {
    if (2 * (texts_.size() + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(text) & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::int32_t>(texts_.size());
    texts_.emplace_back(text);
    return slots_[slot];
}

std::vector<std::string> CategoryCodes::take_texts() {
    slots_ = {};
    return std::exchange(texts_, {});
}

void CategoryCodes::grow() {
    const std::size_t size = slots_.empty() ? 16 : 2 * slots_.size();
    slots_.assign(size, -1);
    for (std::size_t code = 0; code < texts_.size(); ++code) {
        std::size_t slot = hash_of(texts_[code]) & (size - 1);
        while (slots_[slot] >= 0) slot = (slot + 1) & (size - 1);
        slots_[slot] = static_cast<std::int32_t>(code);
    }
}

}  // namespace polyrx
