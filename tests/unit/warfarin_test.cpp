// SPDX-License-Identifier: Apache-2.0
#include "polyrx/studies/warfarin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "polyrx/core/rng.hpp"
#include "polyrx/study/observations.hpp"
#include "tests/support/columns.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

using test::categories;
using test::column_names;
using test::numbers;
using test::sentence_of;

const std::string vkorc1 = "VKORC1 genotype: -1639 G>A (3673); chr16:31015190; rs9923231; C/T";

// As the file has them: among others that are not needed, one of them with commas.
const std::vector<std::string> headings = {"PharmGKB Subject ID",
                                           "Gender",
                                           "Race",
                                           "Age",
                                           "Height (cm)",
                                           "Weight (kg)",
                                           "Indication for Warfarin Treatment",
                                           "\"Herbal Medications, Vitamins, Supplements\"",
                                           "Therapeutic Dose of Warfarin",
                                           "Cyp2C9 genotypes",
                                           vkorc1,
                                           "CYP2C9 consensus"};

using Cells = std::map<std::string, std::string>;

// A patient who differs from the usual one in these cells.
std::string patient(const Cells& cells = {}) {
    Cells all = {{"PharmGKB Subject ID", "PA1"},
                 {"Gender", "female"},
                 {"Race", "White"},
                 {"Age", "60 - 69"},
                 {"Height (cm)", "160.00"},
                 {"Weight (kg)", "64"},
                 {"Indication for Warfarin Treatment", "3"},
                 {"Therapeutic Dose of Warfarin", "35.00"},
                 {"Cyp2C9 genotypes", "*1/*1"},
                 {vkorc1, "A/G"},
                 {"CYP2C9 consensus", "*3/*3"}};
    for (const auto& [heading, cell] : cells) all[heading] = cell;
    std::string line;
    for (const std::string& heading : headings) line += all[heading] + ",";
    return line + ",,\r\n";
}

// With the marks of the spreadsheet that the file comes from: a byte order mark, three columns without a name, and a
// last row of commas alone.
std::string file_of(const std::vector<std::string>& patients) {
    std::string text = "\xef\xbb\xbf";
    for (const std::string& heading : headings) text += heading + ",";
    text += ",,\r\n";
    for (const std::string& each : patients) text += each;
    return text + std::string(headings.size() + 2, ',');
}

WarfarinCohort parsed_warfarin(const std::string& text) {
    return parse_warfarin(text, "iwpc.csv");
}

std::string warfarin_trouble(const std::string& text) {
    return sentence_of(ErrorKind::data, [&] { (void)parsed_warfarin(text); });
}

// The names of the features of 0 and 1 that are 1.
std::vector<std::string> holds(const Table& patients, std::size_t row) {
    std::vector<std::string> names;
    for (const Column& column : patients.columns())
        if (column.type() == ColumnType::boolean && column.text(row) == "1") names.push_back(column.name);
    return names;
}

std::vector<std::string> holds_with(const Cells& cells) {
    return holds(parsed_warfarin(file_of({patient(cells)})).patients, 0);
}

TEST(Warfarin, HasIdFortyFeaturesDoseAndClass) {
    const std::vector<std::string> names = column_names(parsed_warfarin(file_of({patient()})).patients);
    ASSERT_EQ(names.size(), 43u);
    EXPECT_EQ(names.front(), "id");
    EXPECT_EQ((std::vector(names.begin() + 1, names.begin() + 5)),
              (std::vector<std::string>{"Height", "Weight", "BMI", "Gender_female"}));
    EXPECT_EQ((std::vector(names.end() - 3, names.end())),
              (std::vector<std::string>{"VKORC1_G/G", "dose_mg_week", "class"}));
}

TEST(Warfarin, ReadsAPatient) {
    const Table patients = parsed_warfarin(file_of({patient()})).patients;
    EXPECT_EQ(patients.rows(), 1u);
    EXPECT_EQ(patients.at("id").text(0), "PA1");
    EXPECT_EQ(numbers(patients, "Height")[0], 160);
    EXPECT_EQ(numbers(patients, "Weight")[0], 64);
    EXPECT_EQ(numbers(patients, "BMI")[0], 25);
    EXPECT_EQ(numbers(patients, "dose_mg_week")[0], 35);
    EXPECT_EQ(numbers(patients, "class")[0], 1);
    EXPECT_EQ(holds(patients, 0), (std::vector<std::string>{"Gender_female", "Race_White", "Age_60-69", "Ind_Afib",
                                                            "Cyp2C9_1/1", "VKORC1_A/G"}));
}

TEST(Warfarin, RoundsTheBodyMassIndexToSixDecimals) {
    const Table patients =
        parsed_warfarin(file_of({patient({{"Height (cm)", "193.04"}, {"Weight (kg)", "115.7"}})})).patients;
    EXPECT_EQ(numbers(patients, "BMI")[0], 31.048365);
}

TEST(Warfarin, LeavesOutWhoHasNoDoseHeightOrWeightAndCountsThem) {
    const WarfarinCohort cohort = parsed_warfarin(file_of({
        patient({{"PharmGKB Subject ID", "PA1"}}),
        patient({{"PharmGKB Subject ID", "PA2"}, {"Height (cm)", "NA"}}),
        patient({{"PharmGKB Subject ID", "PA3"}, {"Weight (kg)", ""}}),
        patient({{"PharmGKB Subject ID", "PA4"}, {"Therapeutic Dose of Warfarin", "NA"}, {"Race", "of no interest"}}),
        patient({{"PharmGKB Subject ID", "PA5"}}),
    }));
    EXPECT_EQ(cohort.patients.rows(), 2u);
    EXPECT_EQ(cohort.patients.at("id").text(1), "PA5");
    EXPECT_EQ(cohort.left_out, 3u) << "the last row of commas is nobody";
}

TEST(Warfarin, TakesAMissingCategoryForAllZeros) {
    for (const char* missing : {"NA", "", " "})
        EXPECT_EQ(holds_with({{"Gender", missing},
                              {"Race", missing},
                              {"Age", missing},
                              {"Indication for Warfarin Treatment", missing},
                              {"Cyp2C9 genotypes", missing},
                              {vkorc1, missing}}),
                  std::vector<std::string>{});
}

TEST(Warfarin, SplitsIndicationsAtSemicolonsAndCommas) {
    const auto indications = [](const char* cell) {
        std::vector<std::string> names = holds_with({{"Indication for Warfarin Treatment", cell}});
        std::erase_if(names, [](const std::string& name) { return !name.starts_with("Ind_"); });
        return names;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(indications("1; 2"), (Names{"Ind_DVT", "Ind_BloodClot_PE"}));
    EXPECT_EQ(indications("4;6"), (Names{"Ind_HeartValve", "Ind_Stroke"}));
    EXPECT_EQ(indications("\"8,5\""), (Names{"Ind_Cardiomyopathy", "Ind_Other"}));
    EXPECT_EQ(indications("\" 3, 7 ;\""), (Names{"Ind_Afib", "Ind_PostOrthopedic"}));
    EXPECT_EQ(indications("3; 3"), (Names{"Ind_Afib"}));
}

TEST(Warfarin, CallsADoseLowUpTo21AndHighFrom49) {
    for (const auto& [dose, expected] :
         std::map<std::string, double>{{"2.1", 0}, {"21.00", 0}, {"21.01", 1}, {"48.99", 1}, {"49", 2}, {"315", 2}})
        EXPECT_EQ(
            numbers(parsed_warfarin(file_of({patient({{"Therapeutic Dose of Warfarin", dose}})})).patients, "class")[0],
            expected)
            << dose;
}

TEST(Warfarin, KnowsTheHeadingsOfTheSpreadsheetToo) {
    std::string text = file_of({patient()});
    const auto rename = [&](const std::string& from, const std::string& to) {
        text.replace(text.find("," + from + ","), from.size() + 2, "," + to + ",");
    };
    rename("Race", "Race (OMB)");
    rename(vkorc1, "VKORC1 genotype:   -1639 G>A (3673); chr16:31015190; rs9923231; C/T");
    EXPECT_EQ(holds(parsed_warfarin(text).patients, 0), holds_with({}));
}

TEST(Warfarin, SaysHowAFileIsNotTheConsortiums) {
    EXPECT_EQ(warfarin_trouble("age,dose\n1,2,3\n"),
              "iwpc.csv is not the IWPC file: none of the expected columns exist (PharmGKB Subject ID, Height (cm), "
              "Weight (kg), Therapeutic Dose of Warfarin, ...)");
    EXPECT_EQ(warfarin_trouble("PharmGKB Subject ID,Gender,Race,Height (cm),Weight (kg),Therapeutic Dose of Warfarin,"
                               "Indication for Warfarin Treatment,Cyp2C9 genotypes," +
                               vkorc1 + "\n"),
              "iwpc.csv is not the IWPC file of PharmGKB: it lacks the column Age");
    EXPECT_EQ(warfarin_trouble("PharmGKB Subject ID,Gender,Age,Height (cm),Weight (kg),Therapeutic Dose of Warfarin,"
                               "Indication for Warfarin Treatment," +
                               vkorc1 + "\n"),
              "iwpc.csv is not the IWPC file of PharmGKB: it lacks the columns Race, Cyp2C9 genotypes");
    EXPECT_EQ(warfarin_trouble(""), "iwpc.csv: the file is empty");
    EXPECT_EQ(warfarin_trouble(",,\n"),
              "iwpc.csv is not the IWPC file: none of the expected columns exist (PharmGKB Subject ID, "
              "Height (cm), Weight (kg), Therapeutic Dose of Warfarin, ...)");
    for (const char* start : {"\xd0\xcf\x11\xe0\xa1\xb1", "PK\x03\x04"})
        EXPECT_EQ(warfarin_trouble(start),
                  "iwpc.csv is a spreadsheet; save its sheet 'Subject Data' as CSV and use that file");
    for (const auto& patients : {std::vector<std::string>{}, {patient({{"Height (cm)", "NA"}})}})
        EXPECT_EQ(warfarin_trouble(file_of(patients)), "iwpc.csv: no patient has a dose, a height and a weight");
}

TEST(Warfarin, NamesTheLineOfACellThatCannotBe) {
    const auto trouble_with = [](const std::string& heading, const std::string& cell) {
        return warfarin_trouble(file_of({patient(), patient({{heading, cell}})}));
    };
    EXPECT_EQ(trouble_with("Height (cm)", "tall"), "iwpc.csv:3: column 'Height (cm)': 'tall' is not a number");
    for (const auto& [cell, shown] : std::map<std::string, std::string>{{"0", "0"}, {"-70", "-70"}, {"inf", "inf"}})
        EXPECT_EQ(trouble_with("Weight (kg)", cell),
                  "iwpc.csv:3: column 'Weight (kg)': " + shown + " is not a finite number above 0");
    EXPECT_EQ(trouble_with("Gender", "Male"), "iwpc.csv:3: column 'Gender': 'Male' is not one of female, male");
    EXPECT_EQ(trouble_with("Indication for Warfarin Treatment", "1 or 2"),
              "iwpc.csv:3: column 'Indication for Warfarin Treatment': '1 or 2' is not one of 1, 2, 3, 4, 5, 6, 7, 8");
    EXPECT_EQ(warfarin_trouble(file_of({patient(), "PA2,male\r\n"})),
              "iwpc.csv:3: 2 cells, but the header has 15 columns");
}

// --- doses given as in an observational study

// Patients of whom nothing is known but the body mass index and the right dose.
Table patients_of(std::vector<double> indices, std::vector<double> classes) {
    return Table({test::numbers("BMI", std::move(indices)), test::numbers("class", std::move(classes))});
}

TEST(WarfarinDoses, AddTreatmentOutcomeAndTruthInsteadOfWhatGivesTheAnswerAway) {
    std::vector<std::string> expected = column_names(parsed_warfarin(file_of({patient()})).patients);
    expected.erase(expected.begin());
    expected.resize(40);
    for (const char* added : {"treatment", "outcome", "y0", "y1", "y2", "best"}) expected.emplace_back(added);
    EXPECT_EQ(column_names(observe_doses(parsed_warfarin(file_of({patient()})).patients, 1)), expected);
}

TEST(WarfarinDoses, AreWrongWhereTheyAreNotOfThePatientsClass) {
    Rng rng(1, Draw::test);
    std::vector<double> indices;
    std::vector<double> classes;
    for (int i = 0; i < 300; ++i) {
        indices.push_back(rng.uniform(15, 60));
        classes.push_back(static_cast<double>(rng.below(3)));
    }
    const Table seen = observe_doses(patients_of(indices, classes), 7);
    for (std::size_t row = 0; row < seen.rows(); ++row) {
        const auto given = static_cast<std::size_t>(categories(seen, "treatment").codes[row]);
        EXPECT_EQ(seen.at("best").text(row), warfarin_doses[static_cast<std::size_t>(classes[row])]);
        EXPECT_EQ(numbers(seen, "outcome")[row], given == static_cast<std::size_t>(classes[row]) ? 0 : 1);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_EQ(numbers(seen, "y" + std::to_string(k))[row], static_cast<double>(k) == classes[row] ? 0 : 1);
    }
}

TEST(WarfarinDoses, AreTheSameForTheSameSeedOnly) {
    const Table patients = patients_of(std::vector<double>(200, 25.0), std::vector<double>(200, 1.0));
    EXPECT_TRUE(test::same_values(observe_doses(patients, 3), observe_doses(patients, 3)));
    EXPECT_FALSE(test::same_values(observe_doses(patients, 3), observe_doses(patients, 4)));
}

TEST(WarfarinDoses, AreGivenAsOftenAsTheFormulaSays) {
    // Three body mass indices whose mean is 30 and deviation 6: z is 0 or the root of 3/2, with either sign.
    constexpr std::size_t each = 20'000;
    std::vector<double> indices;
    for (const double z : {-1.0, 0.0, 1.0}) indices.insert(indices.end(), each, 30 + 6 * z * std::sqrt(1.5));
    const Table seen = observe_doses(patients_of(indices, std::vector<double>(indices.size(), 0.0)), 1);
    const std::vector<std::int32_t>& given = categories(seen, "treatment").codes;
    double chi_square = 0;
    for (std::size_t group = 0; group < 3; ++group) {
        const double z = (static_cast<double>(group) - 1) * std::sqrt(1.5);
        const double sum = std::exp(-z) + 1 + std::exp(z);
        for (int dose = 0; dose < 3; ++dose) {
            const double expected = each * std::exp((dose - 1) * z) / sum;
            const auto start = given.begin() + static_cast<std::ptrdiff_t>(group * each);
            const auto count = static_cast<double>(std::count(start, start + each, dose));
            chi_square += (count - expected) * (count - expected) / expected;
        }
    }
    EXPECT_LT(chi_square, 22.5) << "six degrees of freedom: one seed in a thousand";
}

TEST(WarfarinDoses, AreGivenAtRandomWhereAllHaveTheSameBodyMassIndex) {
    for (const std::size_t rows : {1u, 3000u}) {
        const Table seen =
            observe_doses(patients_of(std::vector<double>(rows, 25.0), std::vector<double>(rows, 1.0)), 1);
        ASSERT_EQ(seen.rows(), rows);
        for (int dose = 0; rows > 1 && dose < 3; ++dose)
            EXPECT_NEAR(static_cast<double>(std::ranges::count(categories(seen, "treatment").codes, dose)), 1000, 80);
    }
}

TEST(WarfarinDoses, CanBeGivenToOneWhoIsUnlikeAllOthers) {
    // z is about 1,000, and exp(1000) would be infinite.
    std::vector<double> indices(1'000'000, 25.0);
    indices.back() = 80;
    const Table seen = observe_doses(patients_of(indices, std::vector<double>(indices.size(), 1.0)), 1);
    EXPECT_EQ(seen.at("treatment").text(indices.size() - 1), "High");
}

TEST(WarfarinSchema, DeclaresEveryColumnInItsOrderAndType) {
    const Schema schema = warfarin_schema();
    const Table seen = observe_doses(parsed_warfarin(file_of({patient()})).patients, 1);
    ASSERT_EQ(schema.columns.size(), 42u);
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
        EXPECT_EQ(schema.columns[c].name, seen.columns()[c].name);
        EXPECT_EQ(schema.columns[c].type, seen.columns()[c].type());
    }
    EXPECT_EQ(schema.find("BMI")->unit, "kg/m²");
    EXPECT_EQ(schema_json(parse_schema(schema_json(schema), "schema.json")), schema_json(schema));
}

TEST(WarfarinSchema, MakesTheDosesTreatmentsInOrderAndTheTruthNoFeature) {
    std::vector<std::string> patients;
    for (int i = 0; i < 40; ++i) patients.push_back(patient({{"Weight (kg)", std::to_string(50 + i)}}));
    const Observations seen = observe(observe_doses(parsed_warfarin(file_of(patients)).patients, 1),
                                      {.treatment = "treatment", .outcome = "outcome"}, warfarin_schema());
    EXPECT_EQ(seen.treatments, warfarin_doses);
    EXPECT_EQ(seen.features.columns().size(), 40u);
}

}  // namespace
}  // namespace polyrx
