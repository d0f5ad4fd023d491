// SPDX-License-Identifier: Apache-2.0
#include "claims.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain_option.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/encode/decode_row.hpp"
#include "polyrx/extract/claims/decide_claims.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/verify/check_claim.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"

namespace polyrx::cli {
namespace {

// The same policy with the derived features that claims need as further inputs, which the network ignores.
Policy with_features(Policy policy, const std::vector<DerivedFeature>& needed) {
    if (needed.empty()) return policy;
    for (const DerivedFeature& derived : needed) policy.encoder = with_derived(policy.encoder, derived, nullptr);
    const auto inputs = static_cast<Eigen::Index>(policy.encoder.columns().size());
    policy.network = add_ignored_inputs(policy.network, inputs - policy.network.inputs());
    return policy;
}

// What the policy says of the row that breaks a claim.
struct Prescribed {
    std::string treatment;
    std::vector<double> outcomes;
};

Prescribed prescribed_for(const Policy& policy, const Vector& row) {
    const Prescriptions given = prescribe(policy, decode_row(policy.encoder, row), {.outcomes = true});
    const int treatment = given.treatment.front();
    return {treatment == no_treatment ? "nothing" : policy.treatments[static_cast<std::size_t>(treatment)],
            {given.outcomes.row(0).begin(), given.outcomes.row(0).end()}};
}

// The row as it would stand in a file, every digit, and then what follows from it.
std::string row_words(const Policy& policy, const Vector& row) {
    const Table table = decode_row(policy.encoder, row);
    std::vector<std::string> words;
    for (const Feature& feature : policy.encoder.features()) {
        if (feature.formula) continue;
        const Column& column = table.at(feature.name);
        words.push_back(column.is_missing(0)   ? fmt::format("{} missing", feature.name)
                        : feature.unit.empty() ? fmt::format("{} {}", feature.name, column.text(0))
                                               : fmt::format("{} {} {}", feature.name, column.text(0), feature.unit));
    }
    for (std::size_t c = 0; c < policy.encoder.columns().size(); ++c) {
        const EncodedColumn& column = policy.encoder.columns()[c];
        const Feature& feature = policy.encoder.features()[column.feature];
        if (feature.formula && feature.formula->kind != Formula::Kind::missing && column.kind == InputKind::value)
            words.push_back(fmt::format("{} {:.6g}", feature.name, row[static_cast<Eigen::Index>(c)]));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

nlohmann::ordered_json row_json(const Policy& policy, const Vector& row) {
    const Table table = decode_row(policy.encoder, row);
    nlohmann::ordered_json json;
    for (const Column& column : table.columns()) {
        if (column.is_missing(0))
            json[column.name] = nullptr;
        else if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
            json[column.name] = numeric->values.front();
        else
            json[column.name] = column.text(0);
    }
    return json;
}

// A derived feature that is bounded by what the data had, because its formula does not bound it.
struct AssumedRange {
    std::string feature;
    double lower = 0;
    double upper = 0;
};

std::vector<AssumedRange> assumed_ranges(const Policy& policy, const Domain& domain) {
    std::vector<AssumedRange> ranges;
    for (const LearnedBounds& learned : learned_bounds(policy.encoder))
        ranges.push_back({policy.encoder.features()[learned.feature].name, domain.lower[learned.input],
                          domain.upper[learned.input]});
    return ranges;
}

std::string words_of(const ClaimAnswer& answer, const Policy& policy, const std::vector<AssumedRange>& assumed) {
    switch (answer.verdict) {
        case Verdict::proved: {
            std::string words = fmt::format("  proved, in {}", counted(answer.proof->steps.size(), "step"));
            for (std::size_t i = 0; i < assumed.size(); ++i)
                words += fmt::format("{} {} is between {:.6g} and {:.6g}", i == 0 ? ", of rows where" : " and",
                                     assumed[i].feature, assumed[i].lower, assumed[i].upper);
            return words + (assumed.empty() ? "\n" : ", as in the data\n");
        }
        case Verdict::undecided:
            return fmt::format("  undecided {}\n", answer.why);
        case Verdict::refuted:
            break;
    }
    const Prescribed prescribed = prescribed_for(policy, answer.row);
    std::vector<std::string> outcomes;
    for (std::size_t k = 0; k < policy.treatments.size(); ++k)
        outcomes.push_back(fmt::format("{} {:.6g}", policy.treatments[k], prescribed.outcomes[k]));
    return fmt::format("  refuted by this row: {}\n  prescribed {}; predicted {}: {}\n", row_words(policy, answer.row),
                       prescribed.treatment, policy.outcome_name, fmt::join(outcomes, ", "));
}

nlohmann::ordered_json json_of(const Rule& claim, const ClaimAnswer& answer, const Policy& policy,
                               const std::vector<AssumedRange>& assumed) {
    nlohmann::ordered_json json = {{"claim", to_text(claim)}, {"answer", name_of(answer.verdict)},
                                   {"cases", answer.cases},   {"linear_programs", answer.linear_programs},
                                   {"row", nullptr},          {"prescribed", nullptr},
                                   {"outcomes", nullptr},     {"why", answer.why}};
    json["assumed"] = nlohmann::ordered_json::array();
    if (answer.verdict == Verdict::proved)
        for (const AssumedRange& range : assumed)
            json["assumed"].push_back({{"feature", range.feature}, {"lower", range.lower}, {"upper", range.upper}});
    if (answer.verdict != Verdict::refuted) return json;
    json["row"] = row_json(policy, answer.row);
    const Prescribed prescribed = prescribed_for(policy, answer.row);
    json["prescribed"] = prescribed.treatment;
    nlohmann::ordered_json outcomes;
    for (std::size_t k = 0; k < policy.treatments.size(); ++k) outcomes[policy.treatments[k]] = prescribed.outcomes[k];
    json["outcomes"] = std::move(outcomes);
    return json;
}

std::string all_words(const Rules& claims, const std::vector<ClaimAnswer>& answers, const Policy& policy,
                      const std::vector<AssumedRange>& assumed, bool json) {
    if (json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < answers.size(); ++i)
            list.push_back(json_of(claims.rules[i], answers[i], policy, assumed));
        return nlohmann::ordered_json{{"claims", std::move(list)}}.dump(1) + "\n";
    }
    std::string words;
    for (std::size_t i = 0; i < answers.size(); ++i)
        words +=
            fmt::format("{}{}\n{}", i > 0 ? "\n" : "", to_text(claims.rules[i]), words_of(answers[i], policy, assumed));
    return words;
}

}  // namespace

void verify_claims(const ClaimArguments& arguments, Terminal& terminal) {
    const Progress progress = terminal.progress();
    const Policy model = load_model(arguments.model, progress);
    repeat_recommendation(model, terminal);
    require_network(model, "polyrx verify");
    const DataText file = read_data(arguments.claims, progress);
    const Rules claims = parse_rules_file(file.bytes, file.name);
    if (claims.rules.empty()) throw data_error(fmt::format("{}: there are no claims", file.name));
    const Policy policy = with_features(model, needed_features(claims, model.encoder, file.name));
    const BoundRules bound = bind_rules(claims, policy.encoder, policy.treatments, arguments.when_missing, file.name);
    const Domain domain = with_fills(policy.encoder, domain_for(policy, arguments.domain));
    ClaimOptions options;
    options.seconds = arguments.max_seconds.value_or(0);
    options.threads = arguments.threads;
    const std::vector<ClaimAnswer> answers = decide_claims(
        policy, domain, bound,
        [&](const BoundRule& claim, const ClaimProof& proof, const Progress& within_time) {
            return check_claim(policy.network, domain, policy.rules, claim, proof, within_time).proved;
        },
        options, progress);
    Output("-").write(all_words(claims, answers, policy, assumed_ranges(policy, domain), arguments.json));
    const auto count = [&](Verdict verdict) { return std::ranges::count(answers, verdict, &ClaimAnswer::verdict); };
    const auto of_all = [&](std::ptrdiff_t some, std::string_view what) {
        return fmt::format("{}: {} of {} {} {}", file.name, some, answers.size(),
                           answers.size() == 1 ? "claim is" : "claims are", what);
    };
    if (count(Verdict::refuted) > 0) throw Error(ErrorKind::proof, of_all(count(Verdict::refuted), "refuted"));
    if (count(Verdict::undecided) > 0) throw other_error(of_all(count(Verdict::undecided), "undecided"));
}

}  // namespace polyrx::cli
