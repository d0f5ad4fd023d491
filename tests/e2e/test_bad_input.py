# SPDX-License-Identifier: Apache-2.0
"""Bad input gets one clear sentence that names the file, line, column or value, and leaves every file as it was."""

import gzip
import hashlib
import json

import pytest
from program import ROLES, TINY, little_memory, not_as_root, content, patients, refuses, without_sanitizers, write_rows

HEADER = "x,treatment,outcome\n"
GOOD = HEADER + "1,a,1\n2,b,2\n3,a,3\n4,b,4\n"


@pytest.fixture(autouse=True)
def old_model(cohort):
    """Every refused fit must leave this model as it was."""
    (cohort / "model.json").write_bytes((cohort / "cohort.json").read_bytes())


def refused_fit(cohort, data, *options, status=3, name="data.csv"):
    """The sentence of a fit that fails on the given bytes or text."""
    path = cohort / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    before = content(cohort)
    sentence = refuses("fit", name, *(options or ROLES), status=status, cwd=cohort)
    assert content(cohort) == before
    return sentence


# --- files that cannot be read


@pytest.mark.parametrize("arguments", [
    ["fit", "nowhere.csv", *ROLES],
    ["prescribe", "cohort.json", "nowhere.csv"],
    ["prescribe", "nowhere.csv", "cohort.csv"],
    ["evaluate", "cohort.json", "nowhere.csv", "--truth", "a,b,c"],
    ["fit", "cohort.csv", *ROLES, "--schema", "nowhere.csv"],
])
def test_a_missing_file_is_named(cohort, arguments):
    assert refuses(*arguments, status=3, cwd=cohort) == "nowhere.csv: No such file or directory"


@pytest.mark.parametrize("arguments", [
    ["fit", "folder", *ROLES],
    ["prescribe", "cohort.json", "folder"],
    ["prescribe", "folder", "cohort.csv"],
    ["fit", "cohort.csv", *ROLES, "--schema", "folder"],
])
def test_a_folder_is_no_file(cohort, arguments):
    (cohort / "folder").mkdir()
    assert refuses(*arguments, status=3, cwd=cohort) == "folder: this is a directory, not a file"


@not_as_root
def test_a_file_that_may_not_be_read_is_named(cohort):
    (cohort / "cohort.csv").chmod(0)
    assert refuses("fit", "cohort.csv", *ROLES, status=3, cwd=cohort) == "cohort.csv: Permission denied"


def test_a_gzip_file_cut_short_is_said_to_be(cohort):
    packed = gzip.compress(GOOD.encode() * 50)
    for length in (3, 12, len(packed) // 2, len(packed) - 1):
        sentence = refused_fit(cohort, packed[:length], name="data.csv.gz")
        assert sentence == "data.csv.gz: not a readable gzip file: it is cut short", length


def test_a_damaged_gzip_file_is_said_to_be(cohort):
    packed = bytearray(gzip.compress(GOOD.encode() * 50))
    packed[len(packed) // 2] ^= 0xff
    assert refused_fit(cohort, bytes(packed), name="data.csv.gz").startswith("data.csv.gz: not a readable gzip file: ")
    packed = bytearray(gzip.compress(GOOD.encode()))
    packed[-6] ^= 0xff
    assert refused_fit(cohort, bytes(packed), name="data.csv.gz").startswith("data.csv.gz: not a readable gzip file: ")


def test_binary_and_utf16_files_are_said_to_be(cohort):
    expected = "data.csv:1: a NUL byte: the file looks binary or UTF-16 (save it as UTF-8 text)"
    assert refused_fit(cohort, GOOD.encode("utf-16")) == expected
    assert refused_fit(cohort, b"\x7fELF\x02\x01\x01\x00\x00") == expected


def test_latin_1_is_said_not_to_be_utf_8(cohort):
    sentence = refused_fit(cohort, GOOD.replace("x,", "größe,").encode("latin-1"))
    assert sentence.startswith("data.csv:1: column 1: the name ") and "is not valid UTF-8" in sentence
    sentence = refused_fit(cohort, GOOD.replace("3,a", "3,ä").encode("latin-1"))
    assert sentence == "data.csv:4: column 'treatment': '?' is not valid UTF-8 (save the file as UTF-8)"


# --- files that are not tables


@pytest.mark.parametrize("data, sentence", [
    ("", "data.csv: the file is empty"),
    ("\n\n", "data.csv: the file is empty"),
    (HEADER, "data.csv: zero rows, so there is nothing to learn from"),
    (HEADER + "1,a\n", "data.csv:2: 2 cells, but the header has 3 columns"),
    (GOOD + "5,a,5,6\n", "data.csv:6: 4 cells, but the header has 3 columns"),
    (HEADER + "\n1,a,1\n", "data.csv:2: a blank line, but the header has 3 columns"),
    ("x,x,treatment,outcome\n1,1,a,1\n", "data.csv:1: columns 1 and 2 are both called 'x'"),
    ("x,,treatment,outcome\n1,1,a,1\n", "data.csv:1: column 2 of the header has no name"),
    ("x;treatment;outcome\n1;a;1\n",
     "data.csv:1: the header looks separated by semicolons, but polyrx reads commas or tabs"),
])
def test_a_malformed_table_is_refused(cohort, data, sentence):
    assert refused_fit(cohort, data) == sentence


def test_a_quote_that_never_ends_is_found(cohort):
    sentence = refused_fit(cohort, HEADER + '1,"a,1\n2,b,2\n')
    assert sentence.startswith("data.csv:2: ") and "quote" in sentence


# --- tables that nothing can be learned from


@pytest.mark.parametrize("rows, sentence", [
    ("1,a,1\n", "data.csv: column 'treatment': every row has the treatment 'a'; at least two treatments are needed to "
                "compare"),
    ("1,a,1\n2,a,2\n", "data.csv: column 'treatment': every row has the treatment 'a'; at least two treatments are "
                       "needed to compare"),
    ("1,a,1\n2,b,2\n3,a,3\n", "data.csv: column 'treatment': the treatment 'b' has one row only, but at least two rows "
                              "are needed to learn from"),
    ("1,a,2\n2,b,2\n3,a,2\n4,b,2\n", "data.csv: column 'outcome': the outcome is 2 in every row, so there is nothing "
                                     "to learn from it"),
    ("1,a,1\n2,b,good\n3,a,3\n4,b,4\n", "data.csv:3: column 'outcome': 'good' is not a number; the outcome must be "
                                        "numeric"),
    ("1,a,yes\n2,b,no\n3,a,no\n4,b,yes\n", "data.csv:2: column 'outcome': 'yes' is not a number; the outcome must be "
                                           "numeric"),
    ("1,a,1\n2,b,inf\n3,a,3\n4,b,4\n", "data.csv:3: column 'outcome': the outcome is infinite; a finite number was "
                                       "expected"),
    ("1,a,1\n2,b,1e999\n3,a,3\n4,b,4\n", "data.csv:3: column 'outcome': the outcome is infinite; a finite number was "
                                         "expected"),
    ("1,a,1\n2,b,\n3,a,NA\n4,b,4\n", "data.csv:3: column 'outcome': the outcome is missing, here and in 2 of 4 rows in "
                                     "all; every row needs one"),
    ("1,a,1\n2,,2\n3,a,3\n4,b,4\n", "data.csv:3: column 'treatment': the treatment is missing, here and in 1 of 4 rows "
                                    "in all; every row needs one"),
    (",a,1\nNA,b,2\n,a,3\nNaN,b,4\n", "data.csv: column 'x': no row has a value; leave it out with --ignore x"),
    ("1,a,1\n-inf,b,2\n3,a,3\n4,b,4\n", "data.csv:3: column 'x': the value is infinite; a feature must be finite or "
                                        "missing"),
])
def test_observations_that_teach_nothing_are_refused(cohort, rows, sentence):
    assert refused_fit(cohort, HEADER + rows) == sentence


def test_a_table_with_no_feature_left_is_refused(cohort):
    sentence = refused_fit(cohort, GOOD, *ROLES, "--ignore", "x")
    assert sentence == "data.csv: no column is left as a feature; at least one is needed"


@pytest.mark.parametrize("column", ["x", "outcome"])
def test_values_beyond_all_reckoning_are_refused(cohort, column):
    rows = [f"{1e300 * i if column == 'x' else i},{'ab'[i % 2]},{1e300 * i if column == 'outcome' else i}"
            for i in range(1, 9)]
    sentence = refused_fit(cohort, HEADER + "\n".join(rows) + "\n")
    assert sentence == f"column '{column}': its values are too large to compute with; use a larger unit"


@pytest.mark.parametrize("column", ["x", "outcome"])
def test_values_too_small_to_reckon_with_are_refused(cohort, column):
    rows = [f"{1e-310 * i if column == 'x' else i},{'ab'[i % 2]},{1e-310 * i if column == 'outcome' else i}"
            for i in range(1, 9)]
    sentence = refused_fit(cohort, HEADER + "\n".join(rows) + "\n")
    assert sentence == f"column '{column}': its values are too small to compute with; use a smaller unit"


def test_an_identifier_is_no_feature(cohort):
    rows = [["name", "x", "treatment", "outcome"]] + [[f"n{i}", i, i % 2, i] for i in range(1200)]
    sentence = refused_fit(cohort, "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    assert "column 'name': 1200 different texts look like an identifier" in sentence and "--ignore name" in sentence


def test_a_dose_is_no_treatment_until_it_is_grouped(cohort):
    rows = [["x", "treatment", "outcome"]] + [[i, i / 7, i] for i in range(1000)]
    sentence = refused_fit(cohort, "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    assert "column 'treatment': 1000 different values" in sentence and "group the values first" in sentence


def test_weights_must_be_numbers_of_zero_or_more_and_not_all_zero(cohort):
    def sentence_for(weights):
        rows = ["x,treatment,outcome,w"] + [f"{i},{'ab'[i % 2]},{i},{weight}" for i, weight in enumerate(weights)]
        return refused_fit(cohort, "\n".join(rows) + "\n", *ROLES, "--weight", "w")

    assert sentence_for([1, 1, -2, 1]) == "data.csv:4: column 'w': the weight -2 is negative; 0 or more was expected"
    assert sentence_for([0, 0, 0, 0]) == "data.csv: column 'w': the weight is 0 in every row, so no row counts"
    assert sentence_for([1, "", 1, 1]).startswith("data.csv:3: column 'w': the weight is missing")
    assert sentence_for([1, 1, 1, "heavy"]).startswith("data.csv:5: column 'w': 'heavy' is not a number")
    assert sentence_for([1, 1, 1, "inf"]).startswith("data.csv:5: column 'w': the weight is infinite")


# --- columns that are not there, or play two parts


@pytest.mark.parametrize("options", [
    ["--treatment", "treatmnet", "--outcome", "outcome"],
    [*ROLES, "--weight", "treatmnet"],
    [*ROLES, "--features", "x,treatmnet"],
    [*ROLES, "--ignore", "treatmnet"],
])
def test_a_mistyped_column_is_named_with_the_one_that_was_meant(cohort, options):
    sentence = refused_fit(cohort, GOOD, *options)
    assert sentence == "data.csv has no column 'treatmnet' (it has x, treatment, outcome); did you mean 'treatment'?"


@pytest.mark.parametrize("options, sentence", [
    (["--treatment", "outcome", "--outcome", "outcome"],
     "column 'outcome' cannot be both the treatment and the outcome"),
    ([*ROLES, "--weight", "outcome"], "column 'outcome' cannot be both the outcome and the weight"),
    ([*ROLES, "--features", "x,x"], "column 'x' is named twice as a feature"),
    ([*ROLES, "--features", "x,outcome"], "column 'outcome' cannot be both the outcome and a feature"),
    ([*ROLES, "--features", "x", "--ignore", "x"], "column 'x' cannot be both a feature and ignored"),
    ([*ROLES, "--ignore", "treatment"], "column 'treatment' cannot be both the treatment and ignored"),
])
def test_a_column_plays_one_part_only(cohort, options, sentence):
    assert refused_fit(cohort, GOOD, *options, status=2) == sentence


def test_an_empty_name_is_no_column(cohort):
    for options in (["--treatment", "", "--outcome", "outcome"], ["--treatment", "treatment", "--outcome", ""],
                    [*ROLES, "--features", "x,,"], [*ROLES, "--ignore", "x,"]):
        refuses("fit", "cohort.csv", *options, status=2, cwd=cohort)


def test_data_that_lacks_a_column_of_the_model_is_refused_by_name(cohort):
    (cohort / "new.csv").write_text("agee,ward,smoker\n50,north,yes\n")
    sentence = refuses("prescribe", "cohort.json", "new.csv", status=3, cwd=cohort)
    assert sentence == "new.csv has no column 'age' (it has agee, ward, smoker); did you mean 'agee'?"
    (cohort / "new.csv").write_text("height,weight\n50,north\n")
    sentence = refuses("prescribe", "cohort.json", "new.csv", status=3, cwd=cohort)
    assert sentence == "new.csv has no column 'age' (it has height, weight)"


def test_data_that_lacks_a_kept_column_is_refused_by_name(cohort):
    sentence = refuses("prescribe", "cohort.json", "cohort.csv", "--keep", "idd", status=3, cwd=cohort)
    assert "cohort.csv has no column 'idd'" in sentence and "did you mean 'id'?" in sentence


@pytest.mark.parametrize("cell, sentence", [
    ("old,north,yes", "new.csv:3: column 'age': 'old' is not a number"),
    ("inf,north,yes", "new.csv:3: column 'age': an infinite value; expected a finite number"),
    ("50,north,maybe", "new.csv:3: column 'smoker': 'maybe' is neither true nor false (nor yes, no, 1, 0)"),
    ("50,north", "new.csv:3: 2 cells, but the header has 3 columns"),
])
def test_a_new_row_that_does_not_fit_the_model_is_named_by_line(cohort, cell, sentence):
    (cohort / "new.csv").write_text(f"age,ward,smoker\n50,north,yes\n{cell}\n")
    (cohort / "out.csv").write_text("precious\n")
    assert refuses("prescribe", "cohort.json", "new.csv", "-o", "out.csv", status=3, cwd=cohort) == sentence
    assert (cohort / "out.csv").read_text() == "precious\n"


def test_an_awkward_value_in_an_error_stays_on_one_line(cohort):
    (cohort / "new.csv").write_text('age,ward,smoker\n50,"no\nrth",yes\n')
    sentence = refuses("prescribe", "cohort.json", "new.csv", status=3, cwd=cohort)
    assert sentence == "new.csv:2: column 'ward': 'no\\nrth' was not in the training data (north, south, west)"
    sentence = refuses("fit", "no\nfile.csv", *ROLES, status=3, cwd=cohort)
    assert sentence == "no\\nfile.csv: No such file or directory"
    refuses("a\nverb", status=2, cwd=cohort)


# --- schemas


@pytest.mark.parametrize("schema, sentence", [
    ("{", "schema.json"),
    ("[]", "schema.json"),
    ('{"columns": {"age": {"type": "numerical"}}}', "numerical"),
    ('{"columns": {"age": {"typ": "numeric"}}}', "typ"),
    ('{"columns": {"ward": {"categories": ["north", "south"]}}}',
     "cohort.csv:{line}: column 'ward': 'west' is not a declared category (north, south)"),
    ('{"columns": {"age": {"min": 30}}}', "is below the declared minimum of 30"),
    ('{"treatments": ["low", "mid"]}', "column 'treatment': 'high' is not a declared treatment (low, mid)"),
    ('{"treatments": ["low", "mid", "high", "max"]}', "the treatment 'max' has no rows"),
])
def test_a_schema_that_is_wrong_or_broken_by_the_data_is_refused(cohort, schema, sentence):
    (cohort / "schema.json").write_text(schema)
    west = next(i for i, row in enumerate(patients(), start=1) if row[2] == "west")
    got = refuses("fit", "cohort.csv", *ROLES, "--schema", "schema.json", status=3, cwd=cohort)
    assert sentence.replace("{line}", str(west)) in got


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
        assert sentence == "bad.json: not a polyrx model: it is not JSON, or was cut short"


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
    model["format_version"] = 2
    sentence = refused_model(cohort, signed(model))
    assert sentence == "bad.json: written by a newer polyrx (model format 2; this program reads up to 1)"


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
    assert "bad.json: layer 1" in broken(lambda m: m["layers"][0]["weights"][0].pop())
    assert "bad.json: feature 1: 'fill' is not a number" in broken(lambda m: m["features"][0].update(fill="x"))


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
    ("--validation", "1"), ("--validation", "-0.2"), ("--validation", "20%"),
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


@pytest.mark.parametrize("verb", [["simulate", "1"], ["demo"]])
def test_a_seed_that_is_no_whole_number_is_refused(cohort, verb):
    assert refuses(*verb, "--seed", "-1", status=2, cwd=cohort) == "--seed: '-1' is not a whole number of 0 or more"
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
