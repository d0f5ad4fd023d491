// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>

#include "polyrx/core/error.hpp"
#include "polyrx/core/part_of_work.hpp"
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

std::size_t hash_of(const BoundCondition& condition) {
    std::size_t hash = 17;
    const auto mix = [&](std::size_t more) { hash = (hash ^ more) * 1'099'511'628'211U + 1; };
    mix(static_cast<std::size_t>(condition.kind));
    for (const HalfSpace::Term& term : condition.half_space.terms) {
        mix(static_cast<std::size_t>(term.input));
        mix(std::hash<double>()(term.weight));
    }
    mix(std::hash<double>()(condition.half_space.constant));
    for (const BoundCondition& operand : condition.operands) mix(hash_of(operand));
    return hash;
}

// Per rule: the first equal rule.
std::vector<std::size_t> first_of_equals(const std::vector<BoundRule>& rules) {
    std::unordered_map<std::size_t, std::vector<std::size_t>> firsts;  // by hash
    std::vector<std::size_t> first(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
        std::vector<std::size_t>& known = firsts[hash_of(rules[i].applies) ^ rules[i].allowed];
        const auto same = std::ranges::find_if(known, [&](std::size_t other) {
            return rules[other].allowed == rules[i].allowed && rules[other].applies == rules[i].applies;
        });
        first[i] = same == known.end() ? i : *same;
        if (same == known.end()) known.push_back(i);
    }
    return first;
}

// Every treatment is forbidden by a rule that applies.
BoundCondition nothing_allowed(const BoundRules& rules) {
    const std::vector<std::size_t> first = first_of_equals(rules.rules());
    BoundCondition all{ConditionKind::all_of, {}, {}};
    for (const int treatment : treatments_in(rules.all())) {
        BoundCondition forbidden{ConditionKind::any_of, {}, {}};
        for (std::size_t i = 0; i < first.size(); ++i)
            if (const BoundRule& rule = rules.rules()[i]; first[i] == i && !has(rule.allowed, treatment))
                forbidden.operands.push_back(rule.applies);
        all.operands.push_back(std::move(forbidden));
    }
    return all;
}

// A minimal subset of the rules that apply to the row and together leave no treatment.
std::vector<std::size_t> to_blame(const BoundRules& rules, const Vector& row) {
    std::vector<std::size_t> blamed;
    for (std::size_t i = 0; i < rules.rules().size(); ++i)
        if (rules.rules()[i].applies.holds(row.data())) blamed.push_back(i);
    std::vector<TreatmentSet> by_those_before = {rules.all()};
    for (const std::size_t rule : blamed)
        by_those_before.push_back(by_those_before.back() & rules.rules()[rule].allowed);
    TreatmentSet by_those_kept = rules.all();
    std::vector<std::size_t> needed;
    for (std::size_t i = blamed.size(); i-- > 0;) {
        if ((by_those_before[i] & by_those_kept) == 0) continue;
        by_those_kept &= rules.rules()[blamed[i]].allowed;
        needed.push_back(blamed[i]);
    }
    std::ranges::reverse(needed);
    return needed;
}

// Whether the other rules forbid everything that this rule forbids, wherever it applies. `not_applies` has the
// complements of all conditions.
bool is_implied(const BoundRules& rules, std::size_t index, const std::vector<BoundCondition>& not_applies,
                const std::vector<bool>& implied, const Domain& domain, const Progress& progress) {
    const BoundRule& rule = rules.rules()[index];
    for (const int treatment : treatments_in(rules.all() & ~rule.allowed)) {
        // A row where it applies and no other rule forbids the treatment.
        std::vector<const BoundCondition*> alone = {&rule.applies};
        for (std::size_t other = 0; other < rules.rules().size(); ++other)
            if (other != index && !implied[other] && !has(rules.rules()[other].allowed, treatment))
                alone.push_back(&not_applies[other]);
        if (find_row(domain, alone, progress).answer != Answer::none) return false;
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

Conflict conflict_on(const BoundRules& rules, const Encoder& encoder, const Domain& domain, const Progress& progress) {
    const FoundRow found = find_row(domain, nothing_allowed(rules), progress);
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

Conflict find_conflict(const BoundRules& rules, const Encoder& encoder, const Domain& domain,
                       const Progress& progress) {
    // An example with missing cells is less convincing, so it is used only if there is no other.
    std::vector<Domain> domains = {without_missing(encoder, domain), domain};
    if (!learned_bounds(encoder).empty()) domains.push_back(without_learned_bounds(encoder, domain));
    Conflict result;
    for (const Domain& each : domains) {
        Conflict conflict = conflict_on(rules, encoder, each, progress);
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
    // A search reports that it is running, but not its progress.
    const auto at = [&](std::size_t done) {
        const double share = static_cast<double>(done) / static_cast<double>(2 * count);
        return part_of_work(progress, share, share, "checking rules");
    };
    findings.conflict = find_conflict(rules, encoder, domain, at(0));
    const std::vector<std::size_t> first = first_of_equals(rules.rules());
    const Domain all = without_learned_bounds(encoder, domain);
    const Domain complete = without_missing(encoder, all);
    for (std::size_t i = 0; i < count; ++i) {
        if (first[i] != i) {
            findings.never_applies[i] = findings.never_applies[first[i]];
            findings.only_if_missing[i] = findings.only_if_missing[first[i]];
            continue;
        }
        const BoundCondition& applies = rules.rules()[i].applies;
        if (find_row(complete, applies, at(i)).answer != Answer::none) continue;
        (find_row(all, applies, at(i)).answer == Answer::none ? findings.never_applies : findings.only_if_missing)[i] =
            true;
    }
    std::vector<BoundCondition> not_applies;
    not_applies.reserve(count);
    for (const BoundRule& rule : rules.rules()) not_applies.push_back(rule.applies.complement());
    for (std::size_t i = count; i-- > 0;) {
        if (findings.never_applies[i]) continue;
        findings.implied[i] =
            first[i] != i || is_implied(rules, i, not_applies, findings.implied, all, at(2 * count - i));
    }
    return findings;
}

}  // namespace polyrx
