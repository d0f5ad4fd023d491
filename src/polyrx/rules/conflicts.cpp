// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/decode_row.hpp"
#include "polyrx/encode/input_domain.hpp"

namespace polyrx {
namespace {

using Answer = FoundRow::Answer;
using ConditionKind = BoundCondition::Kind;

std::vector<int> treatments_in(TreatmentSet set) {
    std::vector<int> treatments;
    for (; set != 0; set &= set - 1) treatments.push_back(std::countr_zero(set));
    return treatments;
}

// Every treatment is forbidden by a rule that applies.
BoundCondition nothing_allowed(const BoundRules& rules) {
    BoundCondition all{ConditionKind::all_of, {}, {}};
    for (const int treatment : treatments_in(rules.all())) {
        BoundCondition forbidden{ConditionKind::any_of, {}, {}};
        for (const BoundRule& rule : rules.rules())
            if (!has(rule.allowed, treatment)) forbidden.operands.push_back(rule.applies);
        all.operands.push_back(std::move(forbidden));
    }
    return all;
}

// A minimal subset of the rules that apply to the row and together leave no treatment.
std::vector<std::size_t> to_blame(const BoundRules& rules, const Vector& row) {
    std::vector<std::size_t> blamed;
    for (std::size_t i = 0; i < rules.rules().size(); ++i)
        if (rules.rules()[i].applies.holds(row.data())) blamed.push_back(i);
    for (std::size_t i = blamed.size(); i-- > 0;) {
        TreatmentSet left = rules.all();
        for (const std::size_t other : blamed)
            if (other != blamed[i]) left &= rules.rules()[other].allowed;
        if (left == 0) blamed.erase(blamed.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return blamed;
}

// Whether, wherever the rule applies, others forbid all that it does.
bool is_implied(const BoundRules& rules, std::size_t index, const std::vector<bool>& implied, const Domain& domain) {
    const BoundRule& rule = rules.rules()[index];
    for (const int treatment : treatments_in(rules.all() & ~rule.allowed)) {
        // A row where it applies and no other rule forbids the treatment.
        BoundCondition alone{ConditionKind::all_of, {}, {rule.applies}};
        for (std::size_t other = 0; other < rules.rules().size(); ++other)
            if (other != index && !implied[other] && !has(rules.rules()[other].allowed, treatment))
                alone.operands.push_back(rules.rules()[other].applies.complement());
        if (find_row(domain, alone).answer != Answer::none) return false;
    }
    return true;
}

// The rows of the domain without missing cells.
Domain without_missing(const Encoder& encoder, Domain domain) {
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const EncodedColumn& column = encoder.columns()[c];
        if (column.kind == InputKind::indicator || encoder.features()[column.feature].says_missing())
            domain.upper[static_cast<Eigen::Index>(c)] = 0;
    }
    return domain;
}

void collect_names(const Condition& condition, std::vector<std::string>& names) {
    for (const Formula* side : {&condition.left, &condition.right})
        for (const std::string& name : names_in(*side)) names.push_back(name);
    for (const Condition& operand : condition.operands) collect_names(operand, names);
}

Conflict conflict_on(const BoundRules& rules, const Encoder& encoder, const Domain& domain) {
    const FoundRow found = find_row(domain, nothing_allowed(rules));
    Conflict conflict{found.answer};
    if (found.answer != Answer::found) return conflict;
    conflict.row = decode_row(encoder, found.row);
    try {
        const Vector again = encoder.encode(conflict.row).row(0).transpose();
        conflict.rules = to_blame(rules, again);
        if (rules.allowed(again.data()) != 0) conflict.answer = Answer::unknown;
    } catch (const Error&) {  // a formula has no value for this row
        conflict.answer = Answer::unknown;
    }
    return conflict;
}

}  // namespace

Conflict find_conflict(const BoundRules& rules, const Encoder& encoder, const Domain& domain) {
    // An example with missing cells is less convincing, so it is used only if there is no other.
    std::vector<Domain> domains = {without_missing(encoder, domain), domain};
    if (!learned_bounds(encoder).empty()) domains.push_back(without_learned_bounds(encoder, domain));
    Conflict result;
    for (const Domain& each : domains) {
        Conflict conflict = conflict_on(rules, encoder, each);
        if (conflict.answer == Answer::found) return conflict;
        if (conflict.answer == Answer::unknown) result.answer = Answer::unknown;
    }
    return result;
}

std::string describe(const Conflict& conflict, const Rules& rules, std::size_t of_model) {
    std::string numbers;
    std::vector<std::string> names;
    const bool mixed = std::ranges::any_of(conflict.rules, [&](std::size_t rule) { return rule < of_model; });
    for (std::size_t i = 0; i < conflict.rules.size(); ++i) {
        const std::size_t rule = conflict.rules[i];
        if (i > 0) numbers += i + 1 == conflict.rules.size() ? " and " : ", ";
        if (!mixed)
            numbers += fmt::format("{}", rule + 1 - of_model);
        else
            numbers += rule < of_model ? fmt::format("the model's rule {}", rule + 1)
                                       : fmt::format("rule {}", rule + 1 - of_model);
        collect_names(rules.rules[rule].condition, names);
    }
    if (!mixed) numbers = fmt::format("rule{} {}", conflict.rules.size() == 1 ? "" : "s", numbers);
    for (const Let& let : rules.lets)
        if (std::ranges::find(names, let.name) != names.end())
            for (const std::string& name : names_in(let.formula)) names.push_back(name);
    std::string cells;
    for (const Column& column : conflict.row.columns()) {
        if (std::ranges::find(names, column.name) == names.end()) continue;
        cells += fmt::format("{}{} {}", cells.empty() ? "" : ", ", column.name,
                             column.is_missing(0) ? "missing" : column.text(0));
    }
    return fmt::format("{} leave{} no treatment for {}", numbers, conflict.rules.size() == 1 ? "s" : "",
                       cells.empty() ? "any row" : "a row such as " + cells);
}

RuleFindings check_rules(const BoundRules& rules, const Encoder& encoder, const Domain& domain,
                         const Progress& progress) {
    RuleFindings findings;
    const std::size_t count = rules.rules().size();
    findings.never_applies.resize(count);
    findings.only_if_missing.resize(count);
    findings.implied.resize(count);
    if (count == 0) return findings;
    const auto tell = [&](std::size_t done) {
        report(progress, static_cast<double>(done) / static_cast<double>(2 * count), "checking rules");
    };
    tell(0);
    findings.conflict = find_conflict(rules, encoder, domain);
    const Domain all = without_learned_bounds(encoder, domain);
    const Domain complete = without_missing(encoder, all);
    for (std::size_t i = 0; i < count; ++i) {
        tell(i);
        const BoundCondition& applies = rules.rules()[i].applies;
        if (find_row(complete, applies).answer != Answer::none) continue;
        (find_row(all, applies).answer == Answer::none ? findings.never_applies : findings.only_if_missing)[i] = true;
    }
    for (std::size_t i = count; i-- > 0;) {
        tell(2 * count - i);
        findings.implied[i] = !findings.never_applies[i] && is_implied(rules, i, findings.implied, all);
    }
    return findings;
}

}  // namespace polyrx
