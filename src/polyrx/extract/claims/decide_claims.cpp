// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/claims/decide_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/extract/claims/prove_claim.hpp"

namespace polyrx {
namespace {

std::string why_undecided(const ClaimSearch& search, const ClaimOptions& options) {
    if (search.met_impossible_row)
        return "because no row of a table was found to break it, only inputs such as a derived feature that does not "
               "follow from its columns";
    if (search.end == ClaimSearch::End::cases_spent) return fmt::format("after {} cases", search.cases);
    if (search.end == ClaimSearch::End::time_spent) return fmt::format("after {:.3g} s", options.seconds);
    return "because two treatments are closer than the rounding errors of the network";
}

// Whether another search setting may find what this search did not.
bool is_worth_repeating(const ClaimSearch& search, const ClaimManner& next) {
    if (search.met_impossible_row) return false;
    if (search.end == ClaimSearch::End::proof) return true;           // the checker rejected it
    return search.end == ClaimSearch::End::gaps && next.inputs_only;  // a larger margin does not close gaps
}

ClaimAnswer decide(const Policy& policy, const Domain& domain, const BoundRule& claim, const ProofChecker& is_proof,
                   const ClaimOptions& options, const Progress& progress) {
    // Cases are limited, not linear programs. But a budget without a limit on these does not report progress.
    constexpr auto no_limit = std::numeric_limits<std::size_t>::max();
    Budget budget({.leaves = 0, .linear_programs = no_limit, .seconds = options.seconds}, progress);
    const Ground ground(policy.network, domain, budget);
    std::vector<ClaimManner> manners{{}, {.room = 4000}};
    if (std::ranges::count(domain.integer, 0) == 0) manners.push_back({.inputs_only = true});

    // Checking a proof may take longer than finding it.
    const Progress within_time = [&](double, std::string_view) {
        budget.check_clock();
        return true;
    };
    const auto is_convincing = [&](ClaimSearch& search) {
        try {
            return is_proof(claim, search.proof, within_time);
        } catch (const BudgetSpent&) {
            search.end = ClaimSearch::End::time_spent;
            return false;
        }
    };
    ClaimAnswer answer;
    std::optional<ClaimSearch> last;
    for (const ClaimManner& manner : manners) {
        if (last && !is_worth_repeating(*last, manner)) continue;
        last = prove_claim(policy, ground, claim, manner, options.cases);
        answer.cases += last->cases;
        if (last->end == ClaimSearch::End::proof && is_convincing(*last)) {
            answer.verdict = Verdict::proved;
            answer.proof = std::move(last->proof);
            break;
        }
        if (last->end == ClaimSearch::End::row) {
            answer.verdict = Verdict::refuted;
            answer.row = std::move(last->row);
            break;
        }
    }
    answer.linear_programs = budget.linear_programs();
    if (answer.verdict == Verdict::undecided) answer.why = why_undecided(*last, options);
    return answer;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::proved:
            return "proved";
        case Verdict::refuted:
            return "refuted";
        case Verdict::undecided:
            break;
    }
    return "undecided";
}

std::vector<ClaimAnswer> decide_claims(const Policy& policy, const Domain& domain, const BoundRules& claims,
                                       const ProofChecker& is_proof, const ClaimOptions& options,
                                       const Progress& progress) {
    const std::vector<BoundRule>& all = claims.rules();
    std::vector<ClaimAnswer> answers(all.size());
    std::atomic<std::size_t> decided{0};
    Progress within;
    if (progress)
        within = [&](double, std::string_view) {
            return progress(static_cast<double>(decided) / static_cast<double>(all.size()), "deciding claims");
        };
    report(within, 0, "");
    parallel_for(all.size(), options.threads, [&](std::size_t i) {
        answers[i] = decide(policy, domain, all[i], is_proof, options, within);
        ++decided;
    });
    return answers;
}

}  // namespace polyrx
