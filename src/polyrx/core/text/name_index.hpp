// SPDX-License-Identifier: Apache-2.0
// Maps names to their positions in constant time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace polyrx {

class NameIndex {
public:
    NameIndex() = default;
    // `name_of` returns the name of an element.
    template <class Range, class NameOf = std::identity>
    explicit NameIndex(const Range& range, NameOf name_of = {}) {
        for (const auto& each : range) add(std::invoke(name_of, each));
    }

    // Adds a name at the next position. If it exists, keeps the old position and returns false.
    bool add(std::string_view name) { return places_.emplace(name, next_++).second; }

    // The 0-based position; the first one for equal names.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
        const auto found = places_.find(name);
        return found == places_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] bool contains(std::string_view name) const { return places_.contains(name); }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
    };

    std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;
    std::size_t next_ = 0;
};

}  // namespace polyrx
