// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/domain_words.hpp"
#include "polyrx/network/big_m.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/row_words.hpp"

namespace polyrx {
namespace {

std::string certified_words(const TreeCheck& check) {
    return fmt::format("{} of {} {} certified", grouped(check.certified), grouped(check.leaves),
                       check.leaves == 1 ? "leaf" : "leaves");
}

// What the certificates of a proved tree show.
std::string proved_words(const TreeCheck& check, const ProvedDomain& domain, bool rules) {
    const std::string_view who = rules ? "the network and its rules do" : "the network does";
    std::string words;
    if (check.certified == check.leaves)
        words = fmt::format("proved: on every row of its domain the tree prescribes what {}\n", who);
    else
        words = fmt::format(
            "proved: in its certified leaves the tree prescribes what {}; in the others the network is asked\n", who);
    if (!domain.differences.empty())
        words += one_line(fmt::format("its domain is {} the model's: {}", domain.narrower ? "narrower than" : "not",
                                      fmt::join(domain.differences, ", "))) +
                 "\n";
    return words + fmt::format("{}; {} of proof replayed\n", certified_words(check), counted(check.steps, "step"));
}

std::string failed_words(const TreeCheck& check, const TreePolicy& tree) {
    std::string words = fmt::format("not proved: {}\n", check.reason);
    if (check.leaf < 0) return words + certified_words(check) + "; the network is asked for every row\n";
    if (check.point.size() > 0)
        words += fmt::format("worst gap {:.6g} at {}{}\n", check.worst_gap, row_words(tree.policy.encoder, check.point),
                             check.refuted ? "" : " (a bound: no row was found that refutes it)");
    else
        words += fmt::format("worst gap {:.6g}; no row was found where it happens\n", check.worst_gap);
    return words;
}

}  // namespace

std::string counted(std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : "s");
}

std::string big_m_words(const Policy& policy) {
    return fmt::format("big M {:.6g} is enough on the domain; the paper's bound is {:.6g}", *policy.rules.big_m,
                       crude_big_m(policy.network, policy_domain(policy)));
}

std::string not_certain_words(const std::string& rules) {
    return fmt::format("{}: no conflict was found, but it is not certain that the rules leave every row a treatment",
                       rules);
}

std::string none_words(std::size_t rows) {
    return fmt::format("the rules leave no treatment for {}: prescribed as 'none'", counted(rows, "row"));
}

std::string only_unsupported_words(std::size_t only_unsupported, std::size_t rows, const Support& support) {
    const std::string who = fmt::format("For {} ({:.1f} %) the rules", counted(only_unsupported, "row"),
                                        100.0 * static_cast<double>(only_unsupported) / static_cast<double>(rows));
    if (support.epsilon == most_likely_epsilon)
        return who + " do not allow the most likely treatment; the most likely of the allowed is then prescribed.";
    return who + " allow only treatments that the data do not support; support is then taken among the allowed.";
}

std::string this_and_others(std::size_t number) {
    return number == 1 ? "this row" : fmt::format("this and {}", counted(number - 1, "other row"));
}

ProvedDomain proved_domain(const TreePolicy& tree) {
    Domain own;
    try {
        own = tree_domain(tree.policy);
    } catch (const Error&) {  // the model's domain is too wide for a proof, so the tree's is narrower
        own = domain_of(tree.policy.encoder);
    }
    return {is_within(tree.tree.domain, own), domain_differences(tree.policy.encoder, tree.tree.domain, own)};
}

std::string proof_summary(const TreeCheck& check, const TreePolicy& tree) {
    return check.proved ? proved_words(check, proved_domain(tree), !tree.policy.rules.empty())
                        : failed_words(check, tree);
}

}  // namespace polyrx
