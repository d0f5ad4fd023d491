# SPDX-License-Identifier: Apache-2.0
"""Bad models, options and targets get one clear sentence, and every file stays as it was; test_bad_data.py has data."""

import hashlib
import json

import pytest
from program import ROLES, TINY, content, little_memory, not_as_root, patients, refuses, without_sanitizers, write_rows

pytestmark = pytest.mark.usefixtures("old_model")


# --- models that are not as they were written


def refused_model(cohort, data, name="bad.json"):
    """The sentence of every verb that reads models, on the given bytes."""
    (cohort / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    sentence = refuses("prescribe", name, "cohort.csv", "-o", "out.csv", status=3, cwd=cohort)
    assert refuses("evaluate", name, "cohort.csv", "--truth", "a,b,c", status=3, cwd=cohort) == sentence
    assert not (cohort / "out.csv").exists()
    return sentence


def signed(model):
    """A model with the checksum of its content, so that what else is wrong with it shows."""
    model.pop("sha256", None)
    text = json.dumps(model, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    model["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps(model)


def test_a_truncated_model_is_refused_wherever_it_was_cut(cohort):
    whole = (cohort / "cohort.json").read_bytes()
    for length in (1, 10, len(whole) // 2, len(whole) - 3):
        sentence = refused_model(cohort, whole[:length])
        assert sentence.startswith("bad.json: not a polyrx model: line ") and sentence.endswith("but the text ends here")


def test_a_tampered_model_is_refused(cohort):
    text = (cohort / "cohort.json").read_text()
    expected = "bad.json: the file was changed or damaged since it was written: its content does not match its checksum"
    model = json.loads(text)
    model["layers"][0]["weights"][0][0] += 1e-9
    assert refused_model(cohort, json.dumps(model)) == expected
    assert refused_model(cohort, text.replace('"low"', '"LOW"', 1)) == expected
    model = json.loads(text)
    del model["sha256"]
    assert "sha256" in refused_model(cohort, json.dumps(model))


def test_a_newer_model_is_refused_with_both_versions(cohort):
    model = json.loads((cohort / "cohort.json").read_text())
    model["format_version"] = 5
    sentence = refused_model(cohort, signed(model))
    assert sentence == "bad.json: written by a newer polyrx (model format 5; this program reads up to 4)"


@pytest.mark.parametrize("data", [b"", b"\n", b"x,y\n1,2\n", b"\x00\x01\x02"])
def test_what_is_not_json_is_no_model(cohort, data):
    assert refused_model(cohort, data).startswith("bad.json: not a polyrx model")


@pytest.mark.parametrize("data", ["{}", "[]", "null", "3", '{"format": "onnx"}'])
def test_json_of_others_is_no_model(cohort, data):
    assert refused_model(cohort, data) == "bad.json: not a polyrx model"


def test_deeply_nested_json_is_no_model(cohort):
    assert refused_model(cohort, "[" * 1_000_000).startswith("bad.json: not a polyrx model")


def test_a_model_whose_parts_do_not_fit_is_refused_even_if_its_checksum_is_right(cohort):
    def broken(change):
        model = json.loads((cohort / "cohort.json").read_text())
        change(model)
        return refused_model(cohort, signed(model))

    def other_label(model):
        model["treatments"] = model["treatments"][:1] * 3

    assert "the network has 3 outputs but there are 2 treatments" in broken(lambda m: m["treatments"].pop())
    assert "inputs but the features make" in broken(lambda m: m["features"].pop())
    assert "a treatment label stands there twice" in broken(other_label)
    assert "'layers' is missing" in broken(lambda m: m.pop("layers"))
    assert "bad.json: layers[0]: " in broken(lambda m: m["layers"][0]["weights"][0].pop())
    assert "bad.json: features[0].fill: a number was expected, not the text 'x'" in broken(lambda m: m["features"][0].update(fill="x"))


def test_a_model_and_its_data_given_the_wrong_way_round_are_told_apart(cohort):
    sentence = refuses("prescribe", "cohort.csv", "cohort.json", status=3, cwd=cohort)
    assert sentence.startswith("cohort.csv: not a polyrx model")


# --- evaluate


@pytest.mark.parametrize("truth, status, sentence", [
    ("y0", 2, "--truth names 1 column, but the model has 2 treatments (0, 1)"),
    ("y0,y1,y2", 2, "--truth names 3 columns, but the model has 2 treatments (0, 1)"),
    ("0=y0,0=y1", 2, "--truth names two columns for treatment 0"),
    ("y0,y0", 2, "--truth names the column 'y0' for two treatments"),
    ("y0,y7", 3, "trial.csv has no column 'y7'"),
    ("y0,", 2, "--truth"),
])
def test_truth_columns_must_be_one_for_each_treatment(studio, truth, status, sentence):
    got = refuses("evaluate", "trial.json", "trial.csv", "--truth", truth, status=status, cwd=studio)
    assert got.startswith(sentence)


def test_the_truth_must_be_finite_numbers(cohort):
    rows = patients()
    for cell, expected in (("", "expected the true outcome, a finite number"), ("good", "'good' is not a number"),
                           ("inf", "expected the true outcome, a finite number")):
        write_rows(cohort / "truth.csv", [[*rows[0], "a", "b", "c"]] + [[*row, 1, cell, 3] for row in rows[1:]])
        sentence = refuses("evaluate", "cohort.json", "truth.csv", "--truth", "a,b,c", status=3, cwd=cohort)
        assert sentence == f"truth.csv:2: column 'b': {expected}"


def test_nobody_cannot_be_evaluated(cohort):
    (cohort / "nobody.csv").write_text("age,ward,smoker,a,b,c\n")
    sentence = refuses("evaluate", "cohort.json", "nobody.csv", "--truth", "a,b,c", status=3, cwd=cohort)
    assert sentence.startswith("nobody.csv") and "rows" in sentence


# --- options out of range


@pytest.mark.parametrize("option, value", [
    ("--seed", "-1"), ("--seed", "1.5"), ("--seed", "one"), ("--seed", ""), ("--seed", str(2**64)),
    ("--threads", "-3"), ("--threads", "two"), ("--threads", "99999999999"),
    ("--epochs", "0"), ("--epochs", "-1"), ("--epochs", "1e3"),
    ("--batch", "0"), ("--batch", "-5"),
    ("--mu", "-0.1"), ("--mu", "1.1"), ("--mu", "nan"), ("--mu", "inf"), ("--mu", "small"),
    ("--learning-rate", "0"), ("--learning-rate", "-1"),
    ("--weight-decay", "-1"),
    ("--validation-fraction", "1"), ("--validation-fraction", "-0.2"), ("--validation-fraction", "20%"),
    ("--patience", "-1"), ("--patience", "3"),  # 3: nothing is held out
    ("--hidden", "0"), ("--hidden", "-5"), ("--hidden", "10,,10"), ("--hidden", ""), ("--hidden", "ten"),
    ("--hidden", "5x"), ("--hidden", "x5"), ("--hidden", "0x5"), ("--hidden", "101x5"), ("--hidden", "100001"),
    ("--hidden", "99999999999999"), ("--hidden", "60x5,60x5"),
    ("--recipe", "slow"), ("--objective", "least"), ("--schedule", "never"), ("--outcome-scale", "log"),
])
def test_an_option_out_of_range_is_refused_by_name(cohort, option, value):
    before = content(cohort)
    sentence = refuses("fit", "cohort.csv", *ROLES, "--ignore", "id", f"{option}={value}", status=2, cwd=cohort)
    assert content(cohort) == before
    assert option in sentence, sentence


@pytest.mark.parametrize("value, sentence", [
    ("3x", "'3x' is not a layer; expected 100,50 or 5x100 or none"),
    ("x3", "'x3' is not a layer; expected 100,50 or 5x100 or none"),
    ("10,ten", "'ten' is not a layer; expected 100,50 or 5x100 or none"),
    ("99999999999999", "'99999999999999' is too wide; a layer has at most 100000 neurons"),
])
def test_hidden_layers_that_cannot_be_read_are_told_how_to_be_written(cohort, value, sentence):
    assert refuses("fit", "cohort.csv", *ROLES, "--hidden", value, status=2, cwd=cohort) == f"--hidden: {sentence}"


@pytest.mark.parametrize("option, value, sentence", [
    ("--epochs", "99999999999", "'99999999999' is too large; the largest is 2147483647"),
    ("--epochs", "-99999999999", "'-99999999999' is too small"),
    ("--mu", "1e999", "'1e999' is out of range"),
])
def test_a_number_beyond_all_bounds_is_said_to_be(cohort, option, value, sentence):
    assert refuses("fit", "cohort.csv", *ROLES, f"{option}={value}", status=2, cwd=cohort) == f"{option}: {sentence}"


@pytest.mark.parametrize("verb", [["simulate", "1"], ["demo"]])
def test_a_seed_that_is_no_whole_number_is_refused(cohort, verb):
    assert refuses(*verb, "--seed", "-1", status=2, cwd=cohort) == "--seed: '-1' is not a whole number of 0 or more"
    assert refuses(*verb, "--seed", "99999999999999999999", status=2,
                   cwd=cohort) == "--seed: '99999999999999999999' is too large; the largest is 18446744073709551615"
    assert refuses(*verb, "--seed", "99999999999999999999x", status=2,
                   cwd=cohort) == "--seed: '99999999999999999999x' is not a whole number of 0 or more"
    assert not (cohort / "polyrx-demo").exists()


@pytest.mark.parametrize("verb", [
    ["prescribe", "cohort.json", "cohort.csv"],
    ["evaluate", "cohort.json", "cohort.csv", "--truth", "a,b,c"],
    ["demo"],
])
def test_a_negative_number_of_threads_is_refused(cohort, verb):
    sentence = refuses(*verb, "--threads", "-3", status=2, cwd=cohort)
    assert sentence == "--threads: '-3' is not a whole number of 0 or more"


def test_a_wrong_option_is_said_before_a_large_file_is_read(cohort):
    assert "--mu" in refuses("fit", "nowhere.csv", *ROLES, "--mu", "2", status=2, cwd=cohort)


@without_sanitizers
def test_simulating_more_rows_than_memory_holds_is_refused(cohort):
    for rows in (10**9, 10**17):
        sentence = refuses("simulate", "1", "-n", rows, status=1, cwd=cohort, preexec_fn=little_memory)
        assert sentence == "not enough memory"


@without_sanitizers
def test_a_network_that_memory_cannot_hold_is_refused(cohort):
    before = content(cohort)
    sentence = refuses("fit", "cohort.csv", *ROLES, "--ignore", "id", "--hidden", "50x100000", status=1, cwd=cohort,
                       preexec_fn=little_memory)
    assert sentence == "not enough memory"
    assert content(cohort) == before


def test_a_schema_goes_with_the_clinic_only(cohort):
    sentence = refuses("simulate", "1", "--schema", "s.json", status=2, cwd=cohort)
    assert sentence.startswith("--schema goes with clinic")


# --- training that diverges


def test_a_run_that_diverges_says_so_and_leaves_the_old_model(cohort):
    before = content(cohort)
    sentence = refuses("fit", "cohort.csv", *ROLES, "--ignore", "id", "--hidden", "20", "--mu", "1", "--epochs", "3000",
                       "--learning-rate", "0.05", "--weight-decay", "0", status=1, cwd=cohort)
    assert sentence.startswith("training diverged in epoch ") and "mu > 0" in sentence
    assert content(cohort) == before


# --- results that cannot be saved


@pytest.mark.parametrize("arguments", [
    ["fit", "cohort.csv", *ROLES, *TINY],
    ["prescribe", "cohort.json", "cohort.csv"],
    ["simulate", "1"],
    ["completions", "bash"],
])
def test_an_output_folder_that_is_not_there_is_named(cohort, arguments):
    before = content(cohort)
    sentence = refuses(*arguments, "-o", "nowhere/out", status=1, cwd=cohort)
    assert sentence == "cannot write nowhere/out: there is no folder nowhere"
    (cohort / "folder").mkdir()
    assert refuses(*arguments, "-o", "folder", status=1, cwd=cohort) == "cannot write folder: it is a folder"
    assert refuses(*arguments, "-o", "cohort.csv/x", status=1, cwd=cohort).startswith("cannot write cohort.csv/x: ")
    assert content(cohort) == before


def test_the_output_is_checked_before_the_work(cohort):
    sentence = refuses("fit", "nowhere.csv", *ROLES, "-o", "nowhere/model.json", status=1, cwd=cohort)
    assert sentence.startswith("cannot write nowhere/model.json")
    sentence = refuses("simulate", "clinic", "-n", "5", "-o", "new.csv", "--schema", "nowhere/s.json", status=1,
                       cwd=cohort)
    assert sentence.startswith("cannot write nowhere/s.json")
    assert not (cohort / "new.csv").exists()


@pytest.mark.parametrize("arguments, loses", [
    (["fit", "cohort.csv", *ROLES, *TINY, "-o", "cohort.csv"], "cohort.csv"),
    (["fit", "cohort.csv", *ROLES, *TINY, "-o", "./cohort.csv"], "./cohort.csv"),
    (["fit", "cohort.csv", *ROLES, *TINY, "-o", "link.csv"], "link.csv"),
    (["fit", "cohort.csv", *ROLES, *TINY, "--schema", "schema.json", "-o", "schema.json"], "schema.json"),
    (["prescribe", "cohort.json", "cohort.csv", "-o", "cohort.csv"], "cohort.csv"),
    (["prescribe", "cohort.json", "cohort.csv", "-o", "cohort.json"], "cohort.json"),
    (["simulate", "clinic", "--schema", "same.csv", "-o", "same.csv"], "same.csv"),
    (["simulate", "clinic", "--schema", "same.csv", "-o", "./same.csv"], "same.csv"),
    (["simulate", "clinic", "--schema", "-"], "-"),
])
def test_an_input_is_never_written_over(cohort, arguments, loses):
    (cohort / "link.csv").symlink_to("cohort.csv")
    (cohort / "schema.json").write_text("{}")
    before = content(cohort)
    sentence = refuses(*arguments, status=2, cwd=cohort)
    assert loses in sentence
    assert content(cohort) == before


def test_a_demo_cannot_go_where_a_file_is(cohort):
    assert refuses("demo", "-o", "cohort.csv", status=1, cwd=cohort).startswith("cannot make the folder cohort.csv")


@not_as_root
def test_a_folder_that_may_not_be_written_to_is_said_before_the_work(cohort):
    (cohort / "locked").mkdir(mode=0o555)
    sentence = refuses("fit", "nowhere.csv", *ROLES, "-o", "locked/model.json", status=1, cwd=cohort)
    assert sentence == "cannot write locked/model.json: Permission denied"
