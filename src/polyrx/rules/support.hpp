// SPDX-License-Identifier: Apache-2.0
// Where the data support a treatment: a model of propensities that is simple enough to prove things about.
//
// Of the treatments that rules allow for a row, k is supported if its propensity is at least epsilon times the largest:
// e_k >= epsilon max_j e_j. The most likely allowed treatment is always supported. See docs/support.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/study/epsilon.hpp"

namespace polyrx {

// What becomes of treatments that the data do not support.
enum class BeyondSupport {
    avoid,        // they are not prescribed
    extrapolate,  // they are, if their predicted outcome is best
};

[[nodiscard]] std::string_view name_of(BeyondSupport beyond_support);

// Log-odds of each treatment as a weighted sum of encoded inputs. Without terms, they are the same for all rows.
struct LinearLogOdds {
    struct Score {
        std::vector<HalfSpace::Term> terms;  // in the order of the inputs
        double constant = 0;
        friend bool operator==(const Score&, const Score&) = default;
    };
    std::vector<Score> scores;  // by treatment
    friend bool operator==(const LinearLogOdds&, const LinearLogOdds&) = default;
};

// Counts of training rows, by treatment, in the leaves of a tree with one feature in each split.
struct PropensityTree {
    struct Node {
        int feature = -1;  // of the encoder; -1: a leaf
        // A number goes to the left if it is at most this; a category if it is one of these.
        double threshold = 0;
        std::vector<int> categories = {};
        bool missing_left = false;
        int left = 0;                   // the right child is the node after it
        std::vector<double> rows = {};  // of a leaf, by treatment
        friend bool operator==(const Node&, const Node&) = default;
    };
    std::vector<Node> nodes;  // the root first; children come after their parents
    friend bool operator==(const PropensityTree&, const PropensityTree&) = default;
};

// Fewer training rows than this do not say for whom a treatment is good: it is not prescribed.
inline constexpr std::size_t least_rows_of_treatment = 20;

struct Support {
    double epsilon = default_epsilon;
    bool design = false;  // who assigned treatments knows the propensities: they are not estimated
    // Supported for no row for which rules allow another: too few training rows, or never given by design.
    std::vector<int> never = {};
    std::variant<LinearLogOdds, PropensityTree> model;

    friend bool operator==(const Support&, const Support&) = default;
};

// "constant", "logistic", "tree" or "design".
[[nodiscard]] std::string kind_of(const Support& support);
// Inputs in the widest comparison of two treatments; the splits of a tree have one each.
[[nodiscard]] std::size_t most_terms(const Support& support);

// What prescriptions of a policy with this support are judged by: at most the default. A policy that keeps to what is
// common does not change what the data can tell.
[[nodiscard]] double judging_epsilon(const std::optional<Support>& support);

// As comparisons of encoded inputs. Follows from the support alone, so it is not kept in files. Throws a data error for
// a model that does not fit the encoder or the number of treatments.
[[nodiscard]] std::vector<SupportRule> bind_support(const Support& support, const Encoder& encoder,
                                                    std::size_t treatments);

}  // namespace polyrx
