// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/atomic_file.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/check_written.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/model_file_keys.hpp"
#include "polyrx/policy/file/support_json.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"

namespace polyrx {
namespace {

Json json_of(const Feature& feature) {
    Json json = {{"name", feature.name},
                 {"type", name_of(feature.type)},
                 {"fill", feature.fill},
                 {"indicator", feature.indicator}};
    if (!feature.unit.empty()) json["unit"] = feature.unit;
    if (feature.type == ColumnType::categorical) json["categories"] = feature.categories;
    if (feature.type == ColumnType::numeric) {
        json["integer"] = feature.integer;
        json["lower"] = feature.lower;
        json["upper"] = feature.upper;
        json["lower_declared"] = feature.lower_declared;
        json["upper_declared"] = feature.upper_declared;
        json["integer_declared"] = feature.integer_declared;
    }
    if (feature.formula) json["formula"] = to_text(*feature.formula);
    return json;
}

Json json_of(const Layer& layer) {
    Json weights = Json::array();
    for (Eigen::Index neuron = 0; neuron < layer.weights.rows(); ++neuron) {
        const auto row = layer.weights.row(neuron);
        weights.push_back(std::vector<double>(row.begin(), row.end()));
    }
    Json json = {{"bias", std::vector<double>(layer.bias.begin(), layer.bias.end())}};
    json.add("weights", std::move(weights));
    return json;
}

// True if rows were split by anything but their content, which is what files without this record mean.
bool is_split(const Provenance& provenance) {
    return provenance.test_fraction > 0 && provenance.split.by != SplitBy::content;
}

Json json_of(const Provenance& provenance) {
    Json options = Json::object();
    for (const auto& [name, value] : provenance.options) options[name] = value;
    Json json = {{"program", provenance.program},
                 {"seed", provenance.seed},
                 {"rows", provenance.rows},
                 {"data_sha256", provenance.data_sha256},
                 {"options", std::move(options)}};
    if (provenance.test_fraction > 0) json["test_fraction"] = provenance.test_fraction;
    if (is_split(provenance))
        json["split"] = {{"by", name_of(provenance.split.by)},
                         {"one_by_one", provenance.split.one_by_one},
                         {"rows_sha256", provenance.split.rows_sha256},
                         {"held_out_sha256", provenance.split.held_out_sha256}};
    if (provenance.sketch)
        json["row_sketch"] = {{"rows", to_hex(provenance.sketch->hashes)}, {"repeated", provenance.sketch->repeated}};
    return json;
}

Json json_of(const RuleBook& rules) {
    Json json = json_of(rules.rules);
    json["when_missing"] = name_of(rules.when_missing);
    if (rules.big_m) json["big_m"] = *rules.big_m;
    return json;
}

// The least version that covers the content, so that an older program does not ignore rules, derived features,
// baselines, support, splits or sketches.
int version_of(const Policy& policy) {
    constexpr int with_rules = 2;
    constexpr int with_baseline = 3;
    if (policy.rules.support || policy.recommendation || is_split(policy.provenance) || policy.provenance.sketch)
        return model_format_version;
    if (policy.baseline) return with_baseline;
    const bool plain = policy.rules.empty() && std::ranges::none_of(policy.encoder.features(), [](const Feature& f) {
                           return f.formula.has_value();
                       });
    return plain ? 1 : with_rules;
}

// All content except the baseline and the checksum, sorted so that equal content is equal text.
Json document_of(const Policy& policy) {
    Json features = Json::array();
    for (const Feature& feature : policy.encoder.features()) features.push_back(json_of(feature));
    Json document = {
        {"format", model_format_name},
        {"format_version", version_of(policy)},
        {"features", std::move(features)},
        {"objective", name_of(policy.objective)},
        {"treatments", policy.treatments},
        {"treatment_column", policy.treatment_name},
        {"outcome_column", policy.outcome_name},
        {"missing", policy.missing_texts},
        {"provenance", json_of(policy.provenance)},
    };
    if (!policy.baseline) {
        Json& layers = document["layers"] = Json::array();
        for (const Layer& layer : policy.network.layers()) layers.push_back(json_of(layer));
    }
    if (!policy.rules.empty()) document["rules"] = json_of(policy.rules);
    if (policy.rules.support) document["support"] = json_of(*policy.rules.support, policy.encoder, policy.treatments);
    if (policy.recommendation)
        document["recommendation"] = {{"recommended", policy.recommendation->recommended},
                                      {"sentence", policy.recommendation->sentence}};
    document.sort_members();
    return document;
}

// One line per top-level key, feature and layer: readable and diffable, without one line per number.
void lay_out(const Json& document, char opening, const std::function<void(std::string_view)>& write) {
    write({&opening, 1});
    const char* comma = "\n";
    for (const auto& [key, value] : document.members()) {
        write(fmt::format("{} {}: ", comma, json_text(key)));
        const bool has_lines = value.is_array() && !value.items().empty() &&
                               (value.items().front().is_array() || value.items().front().is_object());
        if (has_lines) {
            const char* before = "[";
            for (const Json& item : value.items()) {
                write(fmt::format("{}\n  ", before));
                item.write(write);
                before = ",";
            }
            write("\n ]");
        } else {
            value.write(write);
        }
        comma = ",\n";
    }
    write("\n}\n");
}

// Returns the checksum. Streams the baseline to file and checksum, because it may be too large to hold. "baseline"
// sorts before all other keys.
std::string write_document(const Policy& policy, const std::function<void(std::string_view)>& write) {
    Json document = document_of(policy);
    Sha256 hash;
    if (policy.baseline) {
        hash.add(fmt::format("{{\"{}\":", baseline_key));
        write(fmt::format("{{\n \"{}\": ", baseline_key));
        write_json(*policy.baseline, [&](std::string_view part) {
            hash.add(part);
            write(part);
        });
        hash.add(",");
    }
    bool is_first = true;
    document.write([&](std::string_view part) {
        hash.add(part.substr(is_first && policy.baseline ? 1 : 0));  // the '{' precedes the baseline
        is_first = false;
    });
    std::string checksum = hash.hex();
    document.add(checksum_key, checksum);
    document.sort_members();
    lay_out(document, policy.baseline ? ',' : '{', write);
    return checksum;
}

}  // namespace

void write_model(const Policy& policy, const std::function<void(std::string_view)>& write) {
    (void)write_document(policy, write);
}

std::string to_json(const Policy& policy) {
    std::string json;
    write_model(policy, [&](std::string_view part) { json += part; });
    return json;
}

std::string model_sha256(const Policy& policy) {
    return write_document(policy, [](std::string_view) {});
}

void save_model(const Policy& policy, const std::filesystem::path& path) {
    AtomicFile file(path);
    write_model(policy, [&](std::string_view part) { file.write(part); });
    file.commit(check_written);
}

}  // namespace polyrx
