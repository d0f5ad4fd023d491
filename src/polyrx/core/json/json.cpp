// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/json/json.hpp"

#include <algorithm>

namespace polyrx {

static_assert(sizeof(Json) == 16);

Json::Json(std::initializer_list<JsonMember> members) : Json(object(members)) {}

Json Json::object() {
    return object({});
}

Json Json::object(std::vector<JsonMember> members) {
    return Json(Boxed<std::vector<JsonMember>>(std::move(members)));
}

double Json::number() const {
    if (const auto* whole = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*whole);
    if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
    return std::get<double>(value_);
}

std::string_view Json::text() const {
    if (const auto* borrowed = std::get_if<Boxed<std::string_view>>(&value_)) return **borrowed;
    return *std::get<Boxed<std::string>>(value_);
}

const Json* Json::find(std::string_view name) const {
    if (!is_object()) return nullptr;
    const auto found = std::ranges::find(members(), name, &JsonMember::name);
    return found == members().end() ? nullptr : &found->value;
}

Json& Json::operator[](std::string_view name) {
    if (is_null()) *this = object();
    const auto found = std::ranges::find(members(), name, &JsonMember::name);
    return found == members().end() ? members().emplace_back(std::string(name), Json()).value : found->value;
}

void Json::add(std::string name, Json value) {
    if (is_null()) *this = object();
    members().push_back({std::move(name), std::move(value)});
}

void Json::erase(std::string_view name) {
    std::erase_if(members(), [&](const JsonMember& member) { return member.name == name; });
}

void Json::push_back(Json item) {
    if (is_null()) *this = array();
    items().push_back(std::move(item));
}

void Json::sort_members() {
    if (is_array()) {
        for (Json& item : items()) item.sort_members();
    } else if (is_object()) {
        std::ranges::sort(members(), {}, &JsonMember::name);
        for (JsonMember& member : members()) member.value.sort_members();
    }
}

}  // namespace polyrx
