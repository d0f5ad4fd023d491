# SPDX-License-Identifier: Apache-2.0
"""Held-out rows, groups, known propensities and training rows, from fit to evaluate and distill."""

import json
import random

import pytest
from program import ROLES, TINY, polyrx, records_of, refuses, succeeds, unless_slow, write_rows
from test_bad_input import signed

QUICK = ["--trees", "10", "--bootstrap", "200"]
BINARY = [f"x{j}" for j in range(1, 6)]
pytestmark = unless_slow


def write_trial(path, rows, seed, groups=0):
    """A trial with five binary features and a coin flip; the true means are 0.103 and 0.207."""
    chance = random.Random(seed)
    lines = []
    for i in range(rows):
        features = [chance.randrange(2) for _ in BINARY]
        treatment = chance.randrange(2)
        outcome = int(chance.random() < (0.207 if treatment else 0.103))
        lines.append([*features, treatment, outcome, *([f"site {i % groups}"] if groups else [])])
    write_rows(path, [[*BINARY, "treatment", "outcome", *(["site"] if groups else [])], *lines])


def write_records(path, records):
    write_rows(path, [list(records[0]), *(list(record.values()) for record in records)])


def judged(*words, cwd):
    return json.loads(succeeds("evaluate", *words, *QUICK, "--json", "-q", cwd=cwd).out)


def first_line(*words, cwd):
    return succeeds("evaluate", *words, *QUICK, "-q", cwd=cwd).out.splitlines()[0]


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """trial.csv, whose rows repeat, model.json that held 40 % of it out, and test.csv with these rows."""
    folder = tmp_path_factory.mktemp("trial")
    write_trial(folder / "trial.csv", 4000, 1)
    succeeds("fit", "trial.csv", *ROLES, *TINY, "--test-fraction", "0.4", "--seed", "2", "--test-file", "test.csv",
             "-q", cwd=folder)
    return folder


def test_held_out_rows_of_a_coarse_trial_tell_the_truth(trial):
    report = judged("model.json", "trial.csv", cwd=trial)
    assert report["held_out"] and 1450 < report["rows"] < 1750
    assert report["propensities"]["log_loss"] > 0.68  # a coin flip has 0.693
    for treatment, truth in ((0, 0.103), (1, 0.207)):
        value = judged(f"always:{treatment}", "test.csv", *ROLES, cwd=trial)["values"]["dr"]
        assert abs(value["value"] - truth) < 4 * value["standard_error"], value


def test_values_on_held_out_rows_of_coarse_trials_are_unbiased(tmp_path):
    """tests/property/coarse_trial_test.cpp has 2,000 draws of the split; here is a little of the whole program."""
    errors = {"0": [], "1": []}
    log_losses = []
    for seed in range(1, 21):
        write_trial(tmp_path / "rows.csv", 800, 100 + seed)
        succeeds("fit", "rows.csv", *ROLES, *TINY, "--test-fraction", "0.4", "--seed", seed, "--test-file", "test.csv",
                 "-q", cwd=tmp_path)
        for treatment, truth in (("0", 0.103), ("1", 0.207)):
            report = judged(f"always:{treatment}", "test.csv", *ROLES, cwd=tmp_path)
            value = report["values"]["dr"]
            errors[treatment].append((value["value"] - truth, value["standard_error"]))
            log_losses.append(report["propensities"]["log_loss"])
    for each in errors.values():
        assert abs(sum(error for error, _ in each)) < 3.3 * sum(deviation ** 2 for _, deviation in each) ** 0.5
        assert sum(abs(error) < 1.96 * deviation for error, deviation in each) >= 15  # of 20; fewer has a chance of 0.03 %
    assert sum(log_losses) / len(log_losses) > 0.69  # a coin flip has 0.693


def test_the_test_file_has_the_held_out_rows_with_all_their_columns(trial):
    whole = judged("model.json", "trial.csv", cwd=trial)
    alone = judged("model.json", "test.csv", cwd=trial)
    assert alone["held_out"] and alone["rows"] == whole["rows"] == len(records_of(trial / "test.csv"))
    assert list(records_of(trial / "test.csv")[0]) == list(records_of(trial / "trial.csv")[0])
    assert alone["compared"][0]["value"]["value"] == pytest.approx(whole["compared"][0]["value"]["value"])


def test_other_rows_cannot_be_split_again_where_features_repeat(trial, tmp_path):
    write_records(tmp_path / "fewer.csv", records_of(trial / "trial.csv")[1:])
    sentence = refuses("evaluate", trial / "model.json", "fewer.csv", "--rows", "held-out", *QUICK, status=3,
                       cwd=tmp_path)
    assert sentence == ("fewer.csv: it has other rows than the file that the model was fitted on, and rows with equal "
                        "features, so the held-out rows cannot be found again; take the training file, or that of fit "
                        "--test-file")
    assert "cannot be found again" in first_line(trial / "model.json", "fewer.csv", cwd=tmp_path)


def test_a_test_file_needs_a_test_fraction_and_a_place_of_its_own(trial):
    assert "--test-fraction" in refuses("fit", "trial.csv", *ROLES, *TINY, "--test-file", "t.csv", status=2, cwd=trial)
    assert "--test-file" in refuses("fit", "trial.csv", *ROLES, *TINY, "--test-fraction", "0.4", "-o", "same",
                                    "--test-file", "same", status=2, cwd=trial)


def test_a_model_of_an_earlier_version_keeps_its_rows_and_says_so(trial):
    model = json.loads((trial / "model.json").read_text(encoding="utf-8"))
    del model["provenance"]["split"], model["provenance"]["row_sketch"]
    model["format_version"] = 1
    (trial / "old.json").write_text(signed(model), encoding="utf-8")
    line = first_line("old.json", "trial.csv", cwd=trial)
    assert "held-out rows of 4,000 in trial.csv" in line and "as an earlier polyrx did" in line


def test_a_treatment_of_one_group_alone_leaves_nothing_to_tune_by(tmp_path):
    write_rows(tmp_path / "rows.csv", [["x", "school", *ROLES[1::2]],
                                       *([i * i % 7, f"school {i % 2}", i % 2, i % 5] for i in range(100))])
    said = succeeds("fit", "rows.csv", *ROLES, "--group", "school", "--epochs", "2", cwd=tmp_path)
    assert "too few groups of a treatment" in said.err


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    write_trial(folder / "rows.csv", 1200, 3, groups=30)
    succeeds("fit", "rows.csv", *ROLES, *TINY, "--group", "site", "--test-fraction", "0.4", "--test-file", "test.csv",
             "-q", cwd=folder)
    return folder


def test_groups_are_held_out_whole_and_are_no_feature(sites):
    model = json.loads((sites / "model.json").read_text(encoding="utf-8"))
    assert [feature["name"] for feature in model["features"]] == BINARY
    assert model["provenance"]["options"]["group"] == "site"
    assert model["provenance"]["split"]["by"] == "group"
    held_out = {row["site"] for row in records_of(sites / "test.csv")}
    report = judged("model.json", "rows.csv", cwd=sites)
    assert report["held_out"] and report["rows"] == 40 * len(held_out)
    some = [row for row in records_of(sites / "rows.csv") if row["site"] in {"site 1", "site 2", *sorted(held_out)[:3]}]
    write_records(sites / "some.csv", some)
    assert judged("model.json", "some.csv", cwd=sites)["rows"] == 40 * len(held_out & {row["site"] for row in some})
    without = [{name: value for name, value in row.items() if name != "site"} for row in records_of(sites / "rows.csv")]
    write_records(sites / "without.csv", without)
    assert "it has no column 'site', whose groups were held out whole" in first_line("model.json", "without.csv", cwd=sites)
    sentence = refuses("evaluate", "model.json", "rows.csv", "--group", "x1", *QUICK, status=2, cwd=sites)
    assert "whole groups of column 'site'" in sentence


def test_distill_finds_the_rows_of_a_model_with_groups(sites):
    succeeds("distill", "model.json", "rows.csv", "--leaves", "2", "--neurons", "2", "--weights-per-neuron", "1",
             "--restarts", "1", "--folds", "2", "-o", "small.json", "-q", cwd=sites)
    options = json.loads((sites / "small.json").read_text(encoding="utf-8"))["provenance"]["options"]
    assert options["group"] == "site"
    assert judged("small.json", "rows.csv", cwd=sites)["held_out"]


def test_a_group_without_a_value_is_refused_with_its_line(sites, tmp_path):
    rows = records_of(sites / "rows.csv")
    rows[7]["site"] = ""
    write_records(tmp_path / "rows.csv", rows)
    sentence = "rows.csv:9: column 'site': the group is missing here, and in 1 of 1200 rows in total; every row needs one"
    for verb in ("fit", "compare"):
        assert refuses(verb, "rows.csv", *ROLES, "--group", "site", status=3, cwd=tmp_path) == sentence


def test_a_group_that_errs_together_widens_the_gain_that_tuning_announces(tmp_path):
    """Schools have effects of their own, and each school got one treatment."""
    chance = random.Random(5)
    lines = []
    for school in range(16):
        effect = chance.gauss(0, 3)
        for _ in range(25):
            x = chance.gauss(0, 1)
            lines.append([f"{x:.3f}", f"school {school}", school % 2, f"{effect + x + chance.gauss(0, 1):.3f}"])
    write_rows(tmp_path / "rows.csv", [["x", "school", "treatment", "outcome"], *lines])
    fit = ["fit", "rows.csv", *ROLES, "--candidates", "2", "--averaged", "1", "--epochs", "5", "--json", "-q"]
    alone = json.loads(succeeds(*fit, "--ignore", "school", cwd=tmp_path).out)
    together = json.loads(succeeds(*fit, "--group", "school", cwd=tmp_path).out)
    assert together["options"]["group"] == "school" and "group" not in alone["options"]
    said = [succeeds(*fit[:-2], *words, cwd=tmp_path).err for words in (["--ignore", "school"], ["--group", "school"])]
    assert said[0] != said[1]


def test_compare_keeps_groups_whole(sites):
    report = json.loads(succeeds("compare", "rows.csv", *ROLES, "--group", "site", "--folds", "3", "--methods",
                                 "rc-lr,observed", "--json", "-q", cwd=sites).out)
    assert report["rows"] == 1200
    few = refuses("compare", "rows.csv", *ROLES, "--group", "site", "--folds", "40", "--methods", "rc-lr", status=2,
                  cwd=sites)
    assert few == "40 folds need at least as many groups; there are only 30"


def test_known_propensities_are_numbers_or_columns_in_every_verb(trial, tmp_path):
    rows = records_of(trial / "trial.csv")[:800]
    for row in rows:
        row |= {"p0": "0.5", "p1": "0.5"}
    write_records(tmp_path / "rows.csv", rows)
    for i, known in enumerate(("1/2,1/2", "1=0.5,0=0.5", "p0,p1")):
        given = ["--propensities", known, *(["--ignore", "p0,p1"] if i < 2 else [])]
        succeeds("fit", "rows.csv", *ROLES, "--method", "policytree", "--depth", "1", *given, "--test-fraction", "0.4",
                 "-q", cwd=tmp_path)
        model = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
        assert [feature["name"] for feature in model["features"]] == BINARY
        assert model["provenance"]["options"]["propensities"] == known
        report = judged("model.json", "rows.csv", "--propensities", known, cwd=tmp_path)
        assert report["propensities"]["known"]
        assert report["propensities"]["log_loss"] == pytest.approx(0.6931, abs=1e-3)
    succeeds("compare", "rows.csv", *ROLES, "--propensities", "p0,p1", "--methods", "rc-lr", "--folds", "2", "-q",
             cwd=tmp_path)


@pytest.mark.parametrize(("known", "sentence"), [
    ("0.5,0.6", "trial.csv:2: the propensities sum to 1.1; expected 1"),
    ("1,0", "was received, but its propensity is 0"),
    ("0.5,x1", "--propensities: expected numbers for all treatments or columns for all treatments"),
    ("0.5", "--propensities names 1 column, but there are 2 treatments (0, 1)"),
    ("-0.5,1.5", "the propensity of treatment '0' is -0.5; expected a number from 0 to 1"),
])
def test_propensities_that_are_none_get_one_sentence(trial, known, sentence):
    for words in (["fit", "trial.csv", *ROLES, *TINY], ["compare", "trial.csv", *ROLES, "--methods", "rc-lr"],
                  ["evaluate", "model.json", "trial.csv"]):
        refused = polyrx(*words, f"--propensities={known}", cwd=trial)
        assert refused.status in (2, 3) and sentence in refused.err, refused


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clinic")
    succeeds("simulate", "clinic", "-n", "2000", "-o", "all.csv", cwd=folder)
    rows = records_of(folder / "all.csv")
    for i, row in enumerate(rows):
        row["w"] = str(1 + i % 3)
    write_records(folder / "train.csv", rows[:1000])
    write_records(folder / "new.csv", rows[1000:])
    write_records(folder / "some.csv", rows[100:300])
    write_records(folder / "mixed.csv", rows[700:1300][::-1])
    succeeds("fit", "train.csv", *ROLES, *TINY, "--weight", "w", "-q", cwd=folder)
    succeeds("fit", "train.csv", *ROLES, *TINY, "--weight", "w", "--no-row-sketch", "-o", "silent.json", "-q", cwd=folder)
    return folder


def test_training_rows_are_recognized_in_any_file(clinic):
    words = "TRAINING ROWS: the model learned from about {} % of these {} rows of {}"
    assert first_line("model.json", "some.csv", cwd=clinic).startswith(words.format(100, 200, "some.csv"))
    assert first_line("model.json", "mixed.csv", cwd=clinic).startswith(words.format(50, 600, "mixed.csv"))
    assert first_line("model.json", "train.csv", "--rows", "all", cwd=clinic).startswith("TRAINING ROWS")
    assert first_line("model.json", "train.csv", "--weight", "w", cwd=clinic).startswith("TRAINING ROWS")
    assert first_line("model.json", "new.csv", cwd=clinic) == (
        "1,000 rows of new.csv: no training rows found among the 1,000 rows that could be checked")


def test_a_model_without_a_sketch_recognizes_the_whole_file_only(clinic):
    assert "row_sketch" not in (clinic / "silent.json").read_text(encoding="utf-8")
    assert (clinic / "model.json").stat().st_size < (clinic / "silent.json").stat().st_size + 64_000
    assert first_line("silent.json", "train.csv", "--weight", "w", cwd=clinic).startswith("TRAINING ROWS: the model")
    assert "Some of them may be training rows: the model cannot tell." in first_line("silent.json", "some.csv", cwd=clinic)


def test_a_trial_whose_rows_repeat_is_not_called_training_rows_by_chance(trial, tmp_path):
    write_trial(tmp_path / "new.csv", 1000, 9)
    assert not first_line(trial / "model.json", "new.csv", cwd=tmp_path).startswith("TRAINING ROWS")


def test_likely_mistakes_are_pointed_out(clinic, tmp_path):
    rows = records_of(clinic / "train.csv")
    for i, row in enumerate(rows):
        row |= {"id": str(i + 1), "name": f"patient {i * 7919 % 1009}", "after": f"{float(row['outcome']) / 10 + 3:.3f}",
                "arm": row["treatment"].replace("mg", "milligrams")}
    write_records(tmp_path / "rows.csv", rows)
    run = succeeds("fit", "rows.csv", *ROLES, *TINY, cwd=tmp_path)
    assert "column 'id' looks like an identifier and is left out" in run.err
    assert "column 'name' looks like an identifier and is left out" in run.err
    assert "column 'after' alone explains 100.0 % of the variance of the outcome" in run.err
    assert "column 'arm' alone predicts the treatment of almost every row" in run.err
    names = {feature["name"] for feature in json.loads((tmp_path / "model.json").read_text())["features"]}
    assert {"after", "arm"} <= names and not names & {"id", "name"}
    named = succeeds("fit", "rows.csv", *ROLES, *TINY, "--features", "age,id", cwd=tmp_path)
    assert "identifier" not in named.err
