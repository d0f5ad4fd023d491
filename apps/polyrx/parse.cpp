// SPDX-License-Identifier: Apache-2.0
#include "parse.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "help.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/version.hpp"

namespace polyrx::cli {
namespace {

std::string flags_of(const Option& option) {
    return option.letter == 0 ? "--" + option.name : fmt::format("-{},--{}", option.letter, option.name);
}

void add(CLI::App& app, const Option& option) {
    const auto assign = [&option](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) option.assign(text);
    };
    if (option.value.empty())
        app.add_flag_callback(flags_of(option), [&option] { option.assign(""); });
    else
        // CLI11 passes one value at a time. If an option is repeated, assign() extends a list or replaces another
        // value.
        app.add_option_function<std::vector<std::string>>(flags_of(option), assign)
            ->expected(1)
            ->allow_extra_args(false)
            ->required(option.required)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_positional(CLI::App& app, const Option& option) {
    // CLI11 takes a name without dashes as a positional argument. It allows no dots and never shows the name.
    std::string name = "positional_" + option.name;
    for (char& c : name)
        if (c == '.' || c == '-' || c == '|') c = '_';
    app.add_option_function<std::string>(name, [&option](const std::string& text) { option.assign(text); })
        ->required(option.required);
}

std::string see_help(const Verb* verb) {
    return verb ? fmt::format("see polyrx {} --help", verb->name) : std::string("see polyrx --help");
}

// The error for an unknown verb or option, or an excess argument.
std::string unexpected(const std::vector<Verb>& verbs, const Verb* chosen, const std::string& extra) {
    const bool is_verb = !chosen && !extra.starts_with("-");
    std::vector<std::string> known;
    if (is_verb)
        for (const Verb& verb : verbs) known.push_back(verb.name);
    if (chosen && extra.starts_with("--"))
        for (const Option& option : chosen->options) known.push_back("--" + option.name);
    const auto meant = closest_name(extra.substr(0, extra.find('=')), known);
    return fmt::format("'{}' {}; {}{}", extra, is_verb ? "is not a verb of polyrx" : "was not expected",
                       meant ? fmt::format("did you mean {}? ", *meant) : "", see_help(chosen));
}

// Handles "--help all" before CLI11, which would take "all" for a required positional argument.
HelpExtent extent_of(int argc, const char* const* argv) {
    for (int i = 1; i + 1 < argc; ++i)
        if ((std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") &&
            std::string_view(argv[i + 1]) == "all")
            return HelpExtent::all;
    return HelpExtent::common;
}

// Describes what is missing in the words of the option table instead of CLI11's.
std::string missing_part(const Verb& verb, const CLI::App& app) {
    for (std::size_t i = 0; i < verb.positionals.size(); ++i) {
        const auto* given = app.get_options([](const CLI::Option* o) { return o->get_positional(); })[i];
        if (verb.positionals[i].required && given->count() == 0) return verb.positionals[i].name;
    }
    for (const Option& option : verb.options)
        if (option.required && app.get_option_no_throw("--" + option.name)->count() == 0)
            return "--" + option.name + " " + option.value;
    return "an argument";
}

}  // namespace

Parsed parse(const std::vector<Verb>& verbs, int argc, const char* const* argv) {
    CLI::App app;
    app.set_help_flag();
    bool help = false;
    bool version = false;
    app.add_flag("-h,--help", help);
    app.add_flag("--version", version);
    app.require_subcommand(0, 1);
    for (const Verb& verb : verbs) {
        CLI::App* sub = app.add_subcommand(verb.name);
        sub->set_help_flag();
        sub->add_flag("-h,--help", help);
        for (const Option& option : verb.positionals) add_positional(*sub, option);
        for (const Option& option : verb.options) add(*sub, option);
    }

    const Verb* chosen = nullptr;
    const auto find_chosen = [&] {
        for (const Verb& verb : verbs)
            if (app.got_subcommand(verb.name)) chosen = &verb;
    };
    const auto help_text = [&] { return chosen ? verb_help(*chosen, extent_of(argc, argv)) : program_help(verbs); };
    try {
        app.parse(argc, argv);
        find_chosen();
    } catch (const Error&) {
        find_chosen();
        if (!help) throw;
    } catch (const CLI::ParseError& error) {
        find_chosen();
        if (help) return {nullptr, help_text()};
        // Checked first, because a missing option may be a mistyped one.
        if (const auto extras = app.remaining(true); !extras.empty())
            throw usage_error(unexpected(verbs, chosen, extras.front()));
        if (dynamic_cast<const CLI::RequiredError*>(&error) && chosen)
            throw usage_error(fmt::format("{} is missing; usage: {}",
                                          missing_part(*chosen, *app.get_subcommand(chosen->name)),
                                          usage_line(*chosen)));
        const std::string_view what = error.what();
        if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
            throw usage_error(fmt::format("{} needs a value; {}", what.substr(0, what.find(':')), see_help(chosen)));
        throw usage_error(fmt::format("{}; {}", what, see_help(chosen)));
    }
    if (help) return {nullptr, help_text()};
    if (version) return {nullptr, "polyrx " POLYRX_VERSION "\n"};
    if (!chosen) throw usage_error("polyrx needs a verb; see polyrx --help, or try polyrx demo");
    return {chosen, {}};
}

}  // namespace polyrx::cli
