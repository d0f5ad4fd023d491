// SPDX-License-Identifier: Apache-2.0
// Makes options of the program from the library's descriptions of fields.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "option_table.hpp"
#include "polyrx/fit/option_fields.hpp"

namespace polyrx::cli {

// An option that checks its value and appends it to `given` by name.
template <class Options>
[[nodiscard]] Option field_option(const OptionField<Options>& field, OptionTexts& given) {
    Option option;
    option.name = field.name;
    option.value = field.value;
    option.help = field.help;
    option.default_text = field.default_text;
    option.choices = field.choices;
    option.group = field.group;
    option.is_advanced = !field.is_common;
    option.assign = [&field, &given, is_flag = field.value.empty()](const std::string& text) {
        const std::string meant = is_flag ? "yes" : text;
        Options scratch;
        field.read(scratch, "--" + field.name, meant);
        given.emplace_back(field.name, meant);
    };
    return option;
}

// Appends options for all fields that are not in `but` or already in `options`.
template <class Options>
void add_fields(std::span<const OptionField<Options>> fields, OptionTexts& given, std::vector<Option>& options,
                std::span<const std::string_view> but = {}) {
    for (const OptionField<Options>& field : fields) {
        const bool is_there = std::ranges::find(options, field.name, &Option::name) != options.end();
        if (!is_there && std::ranges::find(but, field.name) == but.end()) options.push_back(field_option(field, given));
    }
}

}  // namespace polyrx::cli
