// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/verify_claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/api/row_json.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/encode/decode_row.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/verify/check_claim.hpp"

namespace polyrx {
namespace {

// Adds derived features that claims need as inputs that the network ignores.
Policy with_features(Policy policy, const std::vector<DerivedFeature>& needed) {
    if (needed.empty()) return policy;
    policy.encoder = with_derived(policy.encoder, needed, nullptr);
    const auto inputs = static_cast<Eigen::Index>(policy.encoder.columns().size());
    policy.network = add_ignored_inputs(policy.network, inputs - policy.network.inputs());
    return policy;
}

// The row as in a file, with all digits, followed by the derived features.
std::string words_of_row(const Policy& policy, const Table& table, const Vector& row) {
    std::vector<std::string> words;
    for (const Feature& feature : policy.encoder.features()) {
        if (feature.formula) continue;
        const Column& column = table.at(feature.name);
        const std::string name = one_line(feature.name);
        const std::string unit = one_line(feature.unit);
        words.push_back(column.is_missing(0) ? fmt::format("{} missing", name)
                        : unit.empty()       ? fmt::format("{} {}", name, one_line(column.text(0)))
                                             : fmt::format("{} {} {}", name, one_line(column.text(0)), unit));
    }
    for (std::size_t c = 0; c < policy.encoder.columns().size(); ++c) {
        const EncodedColumn& column = policy.encoder.columns()[c];
        const Feature& feature = policy.encoder.features()[column.feature];
        if (feature.formula && feature.formula->kind != Formula::Kind::missing && column.kind == InputKind::value)
            words.push_back(fmt::format("{} {:.6g}", one_line(feature.name), row[static_cast<Eigen::Index>(c)]));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

BreakingRow breaking_row(const Policy& policy, const Vector& encoded) {
    Table row = decode_row(policy.encoder, encoded);
    const Prescriptions given = prescribe(policy, row, {.outcomes = true});
    const int treatment = given.treatment.front();
    std::string words = words_of_row(policy, row, encoded);
    return {std::move(row),
            std::move(words),
            treatment == no_treatment ? "nothing" : policy.treatments[static_cast<std::size_t>(treatment)],
            {given.outcomes.row(0).begin(), given.outcomes.row(0).end()}};
}

std::vector<AssumedRange> assumed_ranges(const Policy& policy, const Domain& domain) {
    std::vector<AssumedRange> ranges;
    for (const LearnedBounds& learned : learned_bounds(policy.encoder))
        ranges.push_back({policy.encoder.features()[learned.feature].name, domain.lower[learned.input],
                          domain.upper[learned.input]});
    return ranges;
}

std::string answer_words(const DecidedClaim& claim, const DecidedClaims& decided) {
    switch (claim.answer.verdict) {
        case Verdict::proved: {
            std::string words = fmt::format("  proved, in {}", counted(claim.answer.proof->steps.size(), "step"));
            for (std::size_t i = 0; i < claim.assumed.size(); ++i)
                words +=
                    fmt::format("{} {} is between {:.6g} and {:.6g}", i == 0 ? ", of rows where" : " and",
                                one_line(claim.assumed[i].feature), claim.assumed[i].lower, claim.assumed[i].upper);
            return words + (claim.assumed.empty() ? "\n" : ", as in the data\n");
        }
        case Verdict::undecided:
            return fmt::format("  undecided {}\n", claim.answer.why);
        case Verdict::refuted:
            break;
    }
    const BreakingRow& broken_by = *claim.broken_by;
    std::vector<std::string> outcomes;
    for (std::size_t k = 0; k < decided.treatments.size(); ++k)
        outcomes.push_back(fmt::format("{} {:.6g}", one_line(decided.treatments[k]), broken_by.outcomes[k]));
    return fmt::format("  refuted by this row: {}\n  prescribed {}; predicted {}: {}\n", broken_by.words,
                       one_line(broken_by.treatment), one_line(decided.outcome_name), fmt::join(outcomes, ", "));
}

Json claim_json(const DecidedClaim& claim, const std::vector<std::string>& treatments) {
    Json assumed = Json::array();
    for (const AssumedRange& range : claim.assumed)
        assumed.push_back(Json{{"feature", range.feature}, {"lower", range.lower}, {"upper", range.upper}});
    Json row;
    Json prescribed;
    Json outcomes;
    if (claim.broken_by) {
        row = row_json(claim.broken_by->row);
        prescribed = claim.broken_by->treatment;
        outcomes = Json::object();
        for (std::size_t k = 0; k < treatments.size(); ++k) outcomes.add(treatments[k], claim.broken_by->outcomes[k]);
    }
    return {{"claim", claim.claim},
            {"answer", name_of(claim.answer.verdict)},
            {"cases", claim.answer.cases},
            {"linear_programs", claim.answer.linear_programs},
            {"row", std::move(row)},
            {"prescribed", std::move(prescribed)},
            {"outcomes", std::move(outcomes)},
            {"why", claim.answer.why},
            {"assumed", std::move(assumed)}};
}

}  // namespace

std::size_t DecidedClaims::count(Verdict verdict) const {
    return static_cast<std::size_t>(
        std::ranges::count(claims, verdict, [](const DecidedClaim& claim) { return claim.answer.verdict; }));
}

DecidedClaims verify_claims(const Policy& model, const Rules& claims, const VerifyClaimsOptions& options,
                            const Progress& progress) {
    require_network(model, "polyrx verify");
    if (claims.rules.empty()) throw data_error(fmt::format("{}: there are no claims", options.name));
    const Policy policy = with_features(model, needed_features(claims, model.encoder, options.name));
    const BoundRules bound = bind_rules(claims, policy.encoder, policy.treatments, options.when_missing, options.name);
    const Domain domain = with_fills(policy.encoder, policy_domain(policy, parse_overrides(options.domain)));
    std::vector<ClaimAnswer> answers = decide_claims(
        policy, domain, bound,
        [&](const BoundRule& claim, const ClaimProof& proof, const Progress& within_time) {
            return check_claim(policy.network, domain, policy.rules, claim, proof, within_time).proved;
        },
        options.search, progress);
    DecidedClaims decided{{}, policy.outcome_name, policy.treatments};
    for (std::size_t i = 0; i < answers.size(); ++i) {
        DecidedClaim claim{to_text(claims.rules[i]), std::move(answers[i])};
        if (claim.answer.verdict == Verdict::refuted) claim.broken_by = breaking_row(policy, claim.answer.row);
        if (claim.answer.verdict == Verdict::proved) claim.assumed = assumed_ranges(policy, domain);
        decided.claims.push_back(std::move(claim));
    }
    return decided;
}

std::string text_of(const DecidedClaims& decided) {
    std::string text;
    for (const DecidedClaim& claim : decided.claims)
        text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", claim.claim, answer_words(claim, decided));
    return text;
}

Json json_of(const DecidedClaims& decided) {
    Json claims = Json::array();
    for (const DecidedClaim& claim : decided.claims) claims.push_back(claim_json(claim, decided.treatments));
    return {{"claims", std::move(claims)}};
}

}  // namespace polyrx
