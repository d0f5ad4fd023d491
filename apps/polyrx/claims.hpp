// SPDX-License-Identifier: Apache-2.0
// polyrx verify --claims: statements about a model, proved or refuted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/rules/bind.hpp"
#include "terminal.hpp"

namespace polyrx::cli {

struct ClaimArguments {
    std::string model;
    std::string claims;
    std::vector<std::string> domain;
    WhenMissing when_missing = WhenMissing::skip;
    std::optional<double> max_seconds;
    int threads = 0;
    bool json = false;
};

// Writes an answer for each claim. Throws an error of the kind `proof` if one is refuted, and else of the kind `other`
// if one is undecided.
void verify_claims(const ClaimArguments& arguments, Terminal& terminal);

}  // namespace polyrx::cli
