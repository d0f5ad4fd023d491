// SPDX-License-Identifier: Apache-2.0
// Where the data support a treatment: a propensity model that is simple enough for proofs.
//
// Among the treatments that rules allow for a row, k is supported if its propensity is at least epsilon times the
// largest: e_k >= epsilon max_j e_j. The most likely allowed treatment is always supported. See docs/support.md.
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

// The handling of treatments that the data do not support.
enum class BeyondSupport {
    avoid,        // do not prescribe them
    extrapolate,  // prescribe them if their predicted outcome is best
};

[[nodiscard]] std::string_view name_of(BeyondSupport beyond_support);

// Log-odds of each treatment as a weighted sum of encoded inputs. Without terms they are constant.
struct LinearLogOdds {
    struct Score {
        std::vector<HalfSpace::Term> terms;  // in the order of the inputs
        double constant = 0;
        friend bool operator==(const Score&, const Score&) = default;
    };
    std::vector<Score> scores;  // per treatment
    friend bool operator==(const LinearLogOdds&, const LinearLogOdds&) = default;
};

// Counts of training rows per treatment, in the leaves of a tree that splits on single features.
struct PropensityTree {
    struct Node {
        int feature = -1;  // of the encoder; -1 for a leaf
        // Numbers up to the threshold go left; categories go left if they are listed.
        double threshold = 0;
        std::vector<int> categories = {};
        bool missing_left = false;
        int left = 0;                   // the right child is the next node
        std::vector<double> rows = {};  // for leaves, per treatment
        friend bool operator==(const Node&, const Node&) = default;
    };
    std::vector<Node> nodes;  // the root first; children after their parents
    friend bool operator==(const PropensityTree&, const PropensityTree&) = default;
};

// With fewer training rows, a treatment is not prescribed: they do not show for whom it is good.
inline constexpr std::size_t least_rows_of_treatment = 20;

struct Support {
    double epsilon = default_epsilon;
    bool design = false;  // the propensities are known by design, not estimated
    // Supported only for rows where rules allow no other: too few training rows, or never given by design.
    std::vector<int> never = {};
    std::variant<LinearLogOdds, PropensityTree> model;

    friend bool operator==(const Support&, const Support&) = default;
};

// One of "constant", "logistic", "tree" and "design".
[[nodiscard]] std::string kind_of(const Support& support);
// The largest number of inputs in a comparison of two treatments; 1 for trees.
[[nodiscard]] std::size_t most_terms(const Support& support);

// The epsilon for evaluating a policy with this support: at most the default. A policy with stricter support does not
// change what the data can show.
[[nodiscard]] double judging_epsilon(const std::optional<Support>& support);

// Support as comparisons of encoded inputs. It follows from the support alone, so files do not contain it. Throws a
// data error if the model does not fit the encoder or the number of treatments.
[[nodiscard]] std::vector<SupportRule> bind_support(const Support& support, const Encoder& encoder,
                                                    std::size_t treatments);

}  // namespace polyrx
