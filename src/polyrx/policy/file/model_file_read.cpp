// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "polyrx/baselines/cut_texts.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/model_file_keys.hpp"
#include "polyrx/policy/file/support_json.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rules_json.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/study/treatments.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::json;  // sorts its keys, so that equal content is equal text

// Reads members of a JSON object, and says where in the file one is absent or wrong.
class Reader {
public:
    Reader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
        if (!json_.is_object()) fail("expected an object");
    }

    [[nodiscard]] const Json& member(const char* key) const {
        const auto found = json_.find(key);
        if (found == json_.end()) fail(fmt::format("'{}' is missing", key));
        return *found;
    }

    template <class T>
    [[nodiscard]] T get(const char* key) const {
        try {
            return member(key).get<T>();
        } catch (const Json::exception&) {
            fail(fmt::format("'{}' is not of the right type", key));
        }
    }

    [[nodiscard]] double number(const char* key) const {
        const Json& value = member(key);
        if (!value.is_number()) fail(fmt::format("'{}' is not a number", key));
        return value.get<double>();
    }

    [[nodiscard]] bool has(const char* key) const { return json_.contains(key); }

    [[noreturn]] void fail(const std::string& what) const { throw data_error(fmt::format("{}: {}", place_, what)); }

    [[nodiscard]] const std::string& place() const { return place_; }

private:
    const Json& json_;
    std::string place_;
};

ColumnType type_named(const Reader& reader) {
    const auto name = reader.get<std::string>("type");
    for (const ColumnType type : {ColumnType::numeric, ColumnType::categorical, ColumnType::boolean})
        if (name == name_of(type)) return type;
    reader.fail(fmt::format("'{}' is not a type of column", name));
}

Feature feature_of(const Json& json, const std::string& place) {
    const Reader reader(json, place);
    Feature feature;
    feature.name = reader.get<std::string>("name");
    feature.type = type_named(reader);
    feature.fill = reader.number("fill");
    feature.indicator = reader.get<bool>("indicator");
    if (reader.has("unit")) feature.unit = reader.get<std::string>("unit");
    if (feature.type == ColumnType::categorical) {
        feature.categories = reader.get<std::vector<std::string>>("categories");
        const std::set<std::string> distinct(feature.categories.begin(), feature.categories.end());
        if (distinct.empty() || distinct.size() != feature.categories.size())
            reader.fail("its categories are empty or repeat");
        if (!(feature.fill >= 0 && feature.fill < static_cast<double>(distinct.size())))
            reader.fail("its fill is not one of its categories");
    }
    if (feature.type == ColumnType::numeric) {
        feature.integer = reader.get<bool>("integer");
        feature.lower = reader.number("lower");
        feature.upper = reader.number("upper");
        feature.lower_declared = reader.get<bool>("lower_declared");
        feature.upper_declared = reader.get<bool>("upper_declared");
        feature.integer_declared = reader.get<bool>("integer_declared");
    }
    if (reader.has("formula")) {
        if (feature.type != ColumnType::numeric) reader.fail("a derived feature is numeric");
        feature.formula = parse_formula(reader.get<std::string>("formula"), place);
    }
    return feature;
}

Layer layer_of(const Json& json, const std::string& place) {
    const Reader reader(json, place);
    const auto weights = reader.get<std::vector<std::vector<double>>>("weights");
    const auto bias = reader.get<std::vector<double>>("bias");
    if (weights.empty()) reader.fail("it has no neurons");
    Layer layer;
    layer.weights.resize(static_cast<Eigen::Index>(weights.size()), static_cast<Eigen::Index>(weights.front().size()));
    for (std::size_t neuron = 0; neuron < weights.size(); ++neuron) {
        if (weights[neuron].size() != weights.front().size())
            reader.fail("its neurons have different numbers of weights");
        for (std::size_t input = 0; input < weights[neuron].size(); ++input)
            layer.weights(static_cast<Eigen::Index>(neuron), static_cast<Eigen::Index>(input)) = weights[neuron][input];
    }
    layer.bias = Eigen::Map<const Vector>(bias.data(), static_cast<Eigen::Index>(bias.size()));
    return layer;
}

ReluNetwork network_of(const Reader& reader, const std::string& name) {
    std::vector<Layer> layers;
    for (const Json& layer : reader.get<std::vector<Json>>("layers"))
        layers.push_back(layer_of(layer, fmt::format("{}: layer {}", name, layers.size() + 1)));
    try {
        return ReluNetwork(std::move(layers));
    } catch (const Error& error) {
        reader.fail(error.what());
    }
}

SplitRecord split_of(const Reader& reader) {
    SplitRecord split;
    const auto by = reader.get<std::string>("by");
    if (by == name_of(SplitBy::features))
        split.by = SplitBy::features;
    else if (by == name_of(SplitBy::group))
        split.by = SplitBy::group;
    else
        reader.fail(fmt::format("'{}' is no way to hold rows out (features, group)", by));
    split.one_by_one = reader.get<bool>("one_by_one");
    split.rows_sha256 = reader.get<std::string>("rows_sha256");
    split.held_out_sha256 = reader.get<std::string>("held_out_sha256");
    return split;
}

RowSketch sketch_of(const Reader& reader) {
    RowSketch sketch;
    std::optional<std::vector<std::uint64_t>> hashes = hashes_from_hex(reader.get<std::string>("rows"));
    if (!hashes) reader.fail(fmt::format("expected at most {} hashes, each above the one before", most_sketched));
    sketch.hashes = std::move(*hashes);
    sketch.repeated = reader.number("repeated");
    if (!(sketch.repeated >= 0 && sketch.repeated <= 1)) reader.fail("'repeated' is not a share from 0 to 1");
    return sketch;
}

Provenance provenance_of(const Reader& reader) {
    Provenance provenance;
    provenance.program = reader.get<std::string>("program");
    provenance.seed = reader.get<std::uint64_t>("seed");
    provenance.rows = reader.get<std::size_t>("rows");
    provenance.data_sha256 = reader.get<std::string>("data_sha256");
    if (reader.has("test_fraction")) provenance.test_fraction = reader.number("test_fraction");
    if (!(provenance.test_fraction >= 0 && provenance.test_fraction < 1))
        reader.fail(fmt::format("a test fraction of {} is none", provenance.test_fraction));
    if (reader.has("split")) provenance.split = split_of(Reader(reader.member("split"), reader.place() + ": split"));
    if (reader.has("row_sketch"))
        provenance.sketch = sketch_of(Reader(reader.member("row_sketch"), reader.place() + ": row_sketch"));
    for (const auto& [name, value] : reader.get<std::map<std::string, std::string>>("options"))
        provenance.options.emplace_back(name, value);
    return provenance;
}

RuleBook rules_of(const Json& json, const Policy& policy, const std::string& place, std::optional<Support> support) {
    const Reader reader(json, place);
    const auto word = reader.get<std::string>("when_missing");
    if (word != name_of(WhenMissing::apply) && word != name_of(WhenMissing::skip))
        reader.fail(fmt::format("'{}' is not what rules do when a value is missing (apply, skip)", word));
    std::optional<double> big_m;
    if (reader.has("big_m")) big_m = reader.number("big_m");
    Json rules = json;
    rules.erase("when_missing");
    rules.erase("big_m");
    RuleBook book = make_rule_book(parse_rules_json(rules.dump(), place),
                                   word == name_of(WhenMissing::apply) ? WhenMissing::apply : WhenMissing::skip,
                                   policy.encoder, policy.treatments, place, std::move(support));
    book.big_m = big_m;
    return book;
}

// A formula of a derived feature is of columns that come before it.
void check_derived(const std::vector<Feature>& features, const Reader& reader) {
    std::set<std::string> known;
    for (const Feature& feature : features) {
        if (!feature.formula) {
            if (feature.type != ColumnType::categorical) known.insert(feature.name);
            continue;
        }
        for (const std::string& name : names_in(*feature.formula))
            if (!known.contains(name) && feature.formula->kind != Formula::Kind::missing)
                reader.fail(
                    fmt::format("the formula of '{}' needs '{}', which is no number before it", feature.name, name));
    }
}

// The parts of a model must fit each other, or prescribing would read past the end of one.
void check_consistent(const Policy& policy, const Reader& reader) {
    std::set<std::string> names;
    for (const Feature& feature : policy.encoder.features())
        if (!names.insert(feature.name).second)
            reader.fail(fmt::format("the feature '{}' stands there twice", feature.name));
    const std::set<std::string> labels(policy.treatments.begin(), policy.treatments.end());
    if (labels.size() != policy.treatments.size()) reader.fail("a treatment label stands there twice");
    if (labels.size() > most_treatments)
        reader.fail(fmt::format("it has {} treatments; there may be at most {}", labels.size(), most_treatments));
    if (policy.baseline) return;
    if (policy.network.inputs() != static_cast<Eigen::Index>(policy.encoder.columns().size()))
        reader.fail(fmt::format("the network takes {} inputs but the features make {}", policy.network.inputs(),
                                policy.encoder.columns().size()));
    if (policy.network.outputs() != static_cast<Eigen::Index>(policy.treatments.size()))
        reader.fail(fmt::format("the network has {} outputs but there are {} treatments", policy.network.outputs(),
                                policy.treatments.size()));
}

// Writing a document for its checksum recurses into it, so a file of a million brackets must not get that far.
constexpr int deepest = 16;

// A document whose baseline has its long texts elsewhere.
struct Document {
    Json json;
    std::vector<std::string_view> texts;
};

// What work() returns, or one sentence instead of what the library throws.
template <class Work>
auto as_json(const std::string& name, const Work& work) {
    try {
        return work();
    } catch (const Json::out_of_range&) {
        throw data_error(fmt::format("{}: not a polyrx model: a number in it is too large to be one", name));
    } catch (const Json::exception&) {
        throw data_error(fmt::format("{}: not a polyrx model: it is not JSON, or was cut short", name));
    }
}

void put_back(Json& json, std::span<const std::string_view> texts) {
    if (json.is_structured())
        for (Json& each : json) put_back(each, texts);
    if (!json.is_string()) return;
    const auto& text = json.get_ref<const std::string&>();
    const std::string_view whole = whole_text(text, texts).value();
    if (whole.data() != text.data()) json = Json::parse(fmt::format("\"{}\"", whole));
}

// Before anything is put back, which could look like what stands for another. Throws for a text that is no JSON string.
std::string checksum(const Document& document) {
    Json hashed = document.json;
    hashed.erase(checksum_key);
    Sha256 hash;
    write_whole(hashed.dump(), document.texts, [&](std::string_view part) { hash.add(part); });
    return hash.hex();
}

Document parse_document(std::string_view text, const std::string& name) {
    CutJson cut = cut_long_texts(text);
    Document result{{}, std::move(cut.texts)};
    Json& document = result.json;
    as_json(name, [&] {
        document = Json::parse(cut.json, [&](int depth, Json::parse_event_t, Json&) {
            if (depth > deepest) throw data_error(fmt::format("{}: not a polyrx model", name));
            return true;
        });
    });
    if (!document.is_object() || !document.contains("format") || document["format"] != model_format_name)
        throw data_error(fmt::format("{}: not a polyrx model", name));
    const Reader reader(document, name);
    const auto version = reader.get<std::int64_t>("format_version");
    if (version > model_format_version)
        throw data_error(fmt::format("{}: written by a newer polyrx (model format {}; this program reads up to {})",
                                     name, version, model_format_version));
    if (version < 1) reader.fail(fmt::format("there is no model format {}", version));
    if (reader.get<std::string>(checksum_key) != as_json(name, [&] { return checksum(result); }))
        throw data_error(fmt::format(
            "{}: the file was changed or damaged since it was written: its content does not match its checksum", name));
    for (const auto& [key, value] : document.items())
        if (key != baseline_key) put_back(value, result.texts);
    return result;
}

}  // namespace

Policy parse_model(std::string_view json, const std::string& name) {
    const Document document = parse_document(json, name);
    const Reader reader(document.json, name);
    Policy policy;

    std::vector<Feature> features;
    for (const Json& feature : reader.get<std::vector<Json>>("features"))
        features.push_back(feature_of(feature, fmt::format("{}: feature {}", name, features.size() + 1)));
    policy.encoder = Encoder(std::move(features));

    if (!reader.has(baseline_key)) policy.network = network_of(reader, name);

    const auto objective = reader.get<std::string>("objective");
    if (objective != name_of(Objective::min) && objective != name_of(Objective::max))
        reader.fail(fmt::format("'{}' is not an objective (min, max)", objective));
    policy.objective = objective == name_of(Objective::min) ? Objective::min : Objective::max;
    policy.treatments = reader.get<std::vector<std::string>>("treatments");
    if (reader.has(baseline_key))
        policy.baseline = parse_baseline(reader.member(baseline_key).dump(), policy.encoder, policy.treatments.size(),
                                         name + ": baseline", document.texts);
    policy.treatment_name = reader.get<std::string>("treatment_column");
    policy.outcome_name = reader.get<std::string>("outcome_column");
    policy.missing_texts = reader.get<std::vector<std::string>>("missing");
    policy.provenance = provenance_of(Reader(reader.member("provenance"), name + ": provenance"));
    check_consistent(policy, reader);
    check_derived(policy.encoder.features(), reader);
    std::optional<Support> support;
    if (reader.has("support"))
        support = parse_support(reader.member("support").dump(), policy.encoder, policy.treatments, name + ": support");
    if (reader.has("rules"))
        policy.rules = rules_of(reader.member("rules"), policy, name + ": rules", std::move(support));
    else if (support)
        policy.rules =
            make_rule_book({}, WhenMissing::apply, policy.encoder, policy.treatments, name, std::move(support));
    if (reader.has("recommendation")) {
        const Reader said(reader.member("recommendation"), name + ": recommendation");
        policy.recommendation = {said.get<bool>("recommended"), said.get<std::string>("sentence")};
    }
    return policy;
}

PolicyFile read_policy_file(const std::string& path, const Progress& progress) {
    return {path == "-" ? "stdin" : path, read_bytes(path, progress)};
}

Policy load_model(const std::string& path, const Progress& progress) {
    const PolicyFile file = read_policy_file(path, progress);
    return parse_model(file.bytes, file.name);
}

}  // namespace polyrx
