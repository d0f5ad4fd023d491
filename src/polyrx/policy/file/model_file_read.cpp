// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/model_file_keys.hpp"
#include "polyrx/policy/file/support_json.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/study/treatments.hpp"

namespace polyrx {
namespace {

ColumnType type_in(const JsonCursor& json) {
    for (const ColumnType type : {ColumnType::numeric, ColumnType::categorical, ColumnType::boolean})
        if (json.text_view() == name_of(type)) return type;
    json.fail(fmt::format("{} is not a type of column", in_quotes(json.text_view())));
}

Feature feature_in(const JsonCursor& json) {
    Feature feature;
    feature.name = json.at("name").text();
    feature.type = type_in(json.at("type"));
    feature.fill = json.at("fill").number();
    feature.indicator = json.at("indicator").truth();
    if (const auto unit = json.find("unit")) feature.unit = unit->text();
    if (feature.type == ColumnType::categorical) {
        feature.categories = json.at("categories").texts();
        const std::set<std::string> distinct(feature.categories.begin(), feature.categories.end());
        if (distinct.empty() || distinct.size() != feature.categories.size())
            json.fail("its categories are empty or repeat");
        if (!(feature.fill >= 0 && feature.fill < static_cast<double>(distinct.size())))
            json.fail("its fill is not one of its categories");
    }
    if (feature.type == ColumnType::numeric) {
        feature.integer = json.at("integer").truth();
        feature.lower = json.at("lower").number();
        feature.upper = json.at("upper").number();
        feature.lower_declared = json.at("lower_declared").truth();
        feature.upper_declared = json.at("upper_declared").truth();
        feature.integer_declared = json.at("integer_declared").truth();
    }
    if (const auto formula = json.find("formula")) {
        if (feature.type != ColumnType::numeric) json.fail("a derived feature is numeric");
        feature.formula = formula_in(*formula);
    }
    return feature;
}

Layer layer_in(const JsonCursor& json) {
    const JsonItems neurons = json.at("weights").items();
    const std::vector<double> bias = json.at("bias").numbers();
    if (neurons.size() == 0) json.fail("it has no neurons");
    const std::size_t inputs = neurons[0].size();
    Layer layer;
    layer.weights.resize(static_cast<Eigen::Index>(neurons.size()), static_cast<Eigen::Index>(inputs));
    Eigen::Index neuron = 0;
    for (const JsonCursor weights : neurons) {
        if (weights.size() != inputs) json.fail("its neurons have different numbers of weights");
        Eigen::Index input = 0;
        for (const JsonCursor weight : weights.items()) layer.weights(neuron, input++) = weight.number();
        ++neuron;
    }
    layer.bias = Eigen::Map<const Vector>(bias.data(), static_cast<Eigen::Index>(bias.size()));
    return layer;
}

ReluNetwork network_in(const JsonCursor& model) {
    std::vector<Layer> layers;
    for (const JsonCursor layer : model.at("layers").items()) layers.push_back(layer_in(layer));
    try {
        return ReluNetwork(std::move(layers));
    } catch (const Error& error) {
        model.fail(error.what());
    }
}

SplitRecord split_in(const JsonCursor& json) {
    SplitRecord split;
    const JsonCursor by = json.at("by");
    if (by.text_view() == name_of(SplitBy::features))
        split.by = SplitBy::features;
    else if (by.text_view() == name_of(SplitBy::group))
        split.by = SplitBy::group;
    else
        by.fail(fmt::format("{} is no way to hold rows out (features, group)", in_quotes(by.text_view())));
    split.one_by_one = json.at("one_by_one").truth();
    split.rows_sha256 = json.at("rows_sha256").text();
    split.held_out_sha256 = json.at("held_out_sha256").text();
    return split;
}

double share_in(const JsonCursor& json) {
    const double share = json.number();
    if (!(share >= 0 && share <= 1)) json.fail_expected("a share from 0 to 1");
    return share;
}

RowSketch sketch_in(const JsonCursor& json) {
    std::optional<std::vector<std::uint64_t>> hashes = hashes_from_hex(json.at("rows").text_view());
    if (!hashes)
        json.at("rows").fail(fmt::format("expected at most {} hashes, each above the one before", most_sketched));
    return {std::move(*hashes), share_in(json.at("repeated"))};
}

Provenance provenance_in(const JsonCursor& json) {
    Provenance provenance;
    provenance.program = json.at("program").text();
    provenance.seed = json.at("seed").whole<std::uint64_t>();
    provenance.rows = json.at("rows").whole<std::size_t>();
    provenance.data_sha256 = json.at("data_sha256").text();
    if (const auto fraction = json.find("test_fraction")) {
        provenance.test_fraction = share_in(*fraction);
        if (provenance.test_fraction == 1) fraction->fail_expected("a share below 1");
    }
    if (const auto split = json.find("split")) provenance.split = split_in(*split);
    if (const auto sketch = json.find("row_sketch")) provenance.sketch = sketch_in(*sketch);
    const JsonCursor options = json.at("options");
    for (const JsonMember& option : options.members())
        provenance.options.emplace_back(option.name, options.member(option).text());
    return provenance;
}

RuleBook rules_from(const JsonCursor& json, const Policy& policy, std::optional<Support> support) {
    json.expect_object({"lets", "rules", "when_missing", "big_m"});
    const JsonCursor word = json.at("when_missing");
    if (word.text_view() != name_of(WhenMissing::apply) && word.text_view() != name_of(WhenMissing::skip))
        word.fail(
            fmt::format("{} is not what rules do when a value is missing (apply, skip)", in_quotes(word.text_view())));
    RuleBook book = make_rule_book(
        rules_in(json), word.text_view() == name_of(WhenMissing::apply) ? WhenMissing::apply : WhenMissing::skip,
        policy.encoder, policy.treatments, json.place(), std::move(support));
    if (const auto big_m = json.find("big_m")) book.big_m = big_m->number();
    return book;
}

// The formula of a derived feature may only use columns before it.
void check_derived(const std::vector<Feature>& features, const JsonCursor& model) {
    std::set<std::string> known;
    for (const Feature& feature : features) {
        if (!feature.formula) {
            if (feature.type != ColumnType::categorical) known.insert(feature.name);
            continue;
        }
        for (const std::string& name : names_in(*feature.formula))
            if (!known.contains(name) && feature.formula->kind != Formula::Kind::missing)
                model.fail(
                    fmt::format("the formula of '{}' needs '{}', which is no number before it", feature.name, name));
    }
}

// The parts of a model must have consistent sizes, so that prescribe() reads nothing out of bounds.
void check_consistent(const Policy& policy, const JsonCursor& model) {
    std::set<std::string> names;
    for (const Feature& feature : policy.encoder.features())
        if (!names.insert(feature.name).second)
            model.fail(fmt::format("the feature '{}' stands there twice", feature.name));
    const std::set<std::string> labels(policy.treatments.begin(), policy.treatments.end());
    if (labels.size() != policy.treatments.size()) model.fail("a treatment label stands there twice");
    if (labels.size() > most_treatments)
        model.fail(fmt::format("it has {} treatments; there may be at most {}", labels.size(), most_treatments));
    if (policy.baseline) return;
    if (policy.network.inputs() != static_cast<Eigen::Index>(policy.encoder.columns().size()))
        model.fail(fmt::format("the network takes {} inputs but the features make {}", policy.network.inputs(),
                               policy.encoder.columns().size()));
    if (policy.network.outputs() != static_cast<Eigen::Index>(policy.treatments.size()))
        model.fail(fmt::format("the network has {} outputs but there are {} treatments", policy.network.outputs(),
                               policy.treatments.size()));
}

std::string not_a_model(const std::string& name) {
    return name + ": not a polyrx model";
}

Json parse_document(std::string_view json, const std::string& name) {
    return parse_json(json, not_a_model(name), {.borrow_long_texts = true});
}

// Checks the checksum. Leaves the document sorted and without the checksum.
void check_document(JsonDocument& document) {
    const JsonCursor root = document.root();
    const Json* format = document.json.find("format");
    if (format == nullptr || !format->is_text() || format->text() != model_format_name)
        throw data_error(not_a_model(document.name));
    const auto version = root.at("format_version").whole<std::int64_t>();
    if (version > model_format_version)
        throw data_error(fmt::format("{}: written by a newer polyrx (model format {}; this program reads up to {})",
                                     document.name, version, model_format_version));
    if (version < 1) root.fail(fmt::format("there is no model format {}", version));
    const std::string checksum = root.at(checksum_key).text();
    document.json.erase(checksum_key);
    document.json.sort_members();
    Sha256 hash;
    document.json.write([&](std::string_view part) { hash.add(part); });
    if (checksum != hash.hex())
        root.fail("the file was changed or damaged since it was written: its content does not match its checksum");
}

}  // namespace

Policy policy_in(Json json, const std::string& name, TreeReading trees) {
    JsonDocument document{name, std::move(json)};
    check_document(document);
    const JsonCursor model = document.root();
    Policy policy;

    std::vector<Feature> features;
    for (const JsonCursor feature : model.at("features").items()) features.push_back(feature_in(feature));
    policy.encoder = Encoder(std::move(features));

    const auto baseline = model.find(baseline_key);
    if (!baseline) policy.network = network_in(model);

    const JsonCursor objective = model.at("objective");
    if (objective.text_view() != name_of(Objective::min) && objective.text_view() != name_of(Objective::max))
        objective.fail(fmt::format("{} is not an objective (min, max)", in_quotes(objective.text_view())));
    policy.objective = objective.text_view() == name_of(Objective::min) ? Objective::min : Objective::max;
    policy.treatments = model.at("treatments").texts();
    if (baseline) policy.baseline = baseline_in(*baseline, policy.encoder, policy.treatments.size(), trees);
    policy.treatment_name = model.at("treatment_column").text();
    policy.outcome_name = model.at("outcome_column").text();
    policy.missing_texts = model.at("missing").texts();
    policy.provenance = provenance_in(model.at("provenance"));
    check_consistent(policy, model);
    check_derived(policy.encoder.features(), model);
    std::optional<Support> support;
    if (const auto json_of_support = model.find("support"))
        support = support_in(*json_of_support, policy.encoder, policy.treatments);
    if (const auto rules = model.find("rules"))
        policy.rules = rules_from(*rules, policy, std::move(support));
    else if (support)
        policy.rules =
            make_rule_book({}, WhenMissing::apply, policy.encoder, policy.treatments, name, std::move(support));
    if (const auto said = model.find("recommendation"))
        policy.recommendation = {said->at("recommended").truth(), said->at("sentence").text()};
    return policy;
}

Policy parse_model(std::string_view json, const std::string& name) {
    return policy_in(parse_document(json, name), name, TreeReading::kept);
}

void check_model(std::string_view json, const std::string& name) {
    (void)policy_in(parse_document(json, name), name, TreeReading::checked);
}

PolicyFile read_policy_file(const std::string& path, const Progress& progress) {
    return {path == "-" ? "stdin" : path, read_bytes(path, progress)};
}

Policy load_model(const std::string& path, const Progress& progress) {
    const PolicyFile file = read_policy_file(path, progress);
    return parse_model(file.bytes, file.name);
}

}  // namespace polyrx
