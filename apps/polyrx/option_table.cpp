// SPDX-License-Identifier: Apache-2.0
#include "option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/fit/option_fields.hpp"

namespace polyrx::cli {

Option&& Option::letter_is(char c) && {
    letter = c;
    return std::move(*this);
}

Option&& Option::must_be_given() && {
    required = true;
    return std::move(*this);
}

Option&& Option::completes(Complete kind) && {
    complete = kind;
    return std::move(*this);
}

Option&& Option::one_of(std::vector<std::string> values) && {
    choices = std::move(values);
    assign = [plain = std::move(assign), values = choices,
              shown = is_positional ? name : "--" + name](const std::string& text) {
        if (std::find(values.begin(), values.end(), text) == values.end()) refuse_choice(shown, text, values);
        plain(text);
    };
    return std::move(*this);
}

Option&& Option::default_is(std::string text) && {
    default_text = std::move(text);
    return std::move(*this);
}

Option&& Option::advanced() && {
    is_advanced = true;
    return std::move(*this);
}

Option&& Option::must_be(Allowed range) && {
    assign = [plain = std::move(assign), range, shown = "--" + name](const std::string& text) {
        double number = 0;
        read_option(shown, text, range.words, number);
        plain(text);
        if (!range.holds(number)) refuse_option(shown, text, range.words);
    };
    return std::move(*this);
}

void Verb::add(std::string_view group, const std::vector<Option>& more) {
    for (const Option& option : more) {
        options.push_back(option);
        options.back().group = group;
    }
}

void parse_value(const std::string& flag, const std::string& text, std::string& target) {
    if (text.empty()) throw usage_error(fmt::format("{}: the value is empty", flag));
    target = text;
}

void parse_value(const std::string& flag, const std::string& text, std::vector<std::string>& target) {
    if (text.empty()) throw usage_error(fmt::format("{}: the list is empty", flag));
    for (std::string& part : split_list(text)) {
        if (part.empty()) throw usage_error(fmt::format("{}: '{}' has an empty part between its commas", flag, text));
        if (!is_utf8(part)) throw usage_error(fmt::format("{}: {} is not valid UTF-8", flag, in_quotes(part)));
        target.push_back(std::move(part));
    }
}

std::string default_text(const std::string& value) {
    return value;
}

std::string default_text(int value) {
    return fmt::format("{}", value);
}

std::string default_text(std::uint64_t value) {
    return fmt::format("{}", value);
}

std::string default_text(double value) {
    return fmt::format("{}", value);
}

std::string default_text(const std::vector<std::string>& value) {
    return fmt::format("{}", fmt::join(value, ","));
}

Option flag(bool& target, std::string name, std::string help) {
    Option option;
    option.name = std::move(name);
    option.help = std::move(help);
    option.assign = [&target](const std::string&) { target = true; };
    return option;
}

Option threads_option(int& target) {
    return option(target, "threads", "N", field_named(fit_fields(), "threads").help).must_be(allowed::whole_from_0);
}

Option terms_per_split_option(std::uint64_t& target) {
    return option(target, "terms-per-split", "N", "show only the N largest terms of each split (0 = all)");
}

const std::string& seed_help() {
    return field_named(fit_fields(), "seed").help;
}

const std::string& max_seconds_help() {
    return field_named(tuning_fields(), "max-seconds").help;
}

Option json_option(bool& target) {
    return flag(target, "json", "write results as JSON");
}

Option quiet_option(bool& target) {
    return flag(target, "quiet", "suppress messages on stderr, except warnings and errors").letter_is('q');
}

Option output_option(std::string& target, std::string help) {
    return option(target, "output", "FILE", std::move(help) + "; - is stdout").letter_is('o').completes(Complete::file);
}

Option positional(std::string& target, std::string name, std::string help) {
    Option option;
    option.assign = [&target, name](const std::string& text) { parse_value(name, text, target); };
    option.name = std::move(name);
    option.help = std::move(help);
    option.required = true;
    option.is_positional = true;
    return option;
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t comma = text.find(',');
        std::string_view part = text.substr(0, comma);
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        parts.emplace_back(part);
        if (comma == std::string_view::npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace polyrx::cli
