# SPDX-License-Identifier: Apache-2.0
"""Bad data gets one clear sentence that names the file, line, column or value, and leaves every file as it was."""

import gzip

import pytest
from program import ROLES, content, not_as_root, patients, refuses

pytestmark = pytest.mark.usefixtures("old_model")

HEADER = "x,treatment,outcome\n"
GOOD = HEADER + "1,a,1\n2,b,2\n3,a,3\n4,b,4\n"


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
        assert sentence == "data.csv.gz: not a readable gzip file: the file is truncated", length


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
    (HEADER, "data.csv: there are no rows to learn from"),
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
    ("1,a,1\n", "data.csv: column 'treatment': every row has the treatment 'a'; at least two treatments are needed"),
    ("1,a,1\n2,a,2\n", "data.csv: column 'treatment': every row has the treatment 'a'; at least two treatments are "
                       "needed"),
    ("1,a,1\n2,b,2\n3,a,3\n", "data.csv: column 'treatment': the treatment 'b' has one row only, but at least two rows "
                              "are needed"),
    ("1,a,2\n2,b,2\n3,a,2\n4,b,2\n", "data.csv: column 'outcome': the outcome is 2 in every row, so there is nothing "
                                     "to learn from it"),
    ("1,a,1\n2,b,good\n3,a,3\n4,b,4\n", "data.csv:3: column 'outcome': 'good' is not a number; the outcome must be "
                                        "numeric"),
    ("1,a,yes\n2,b,no\n3,a,no\n4,b,yes\n", "data.csv:2: column 'outcome': 'yes' is not a number; the outcome must be "
                                           "numeric"),
    ("1,a,1\n2,b,inf\n3,a,3\n4,b,4\n", "data.csv:3: column 'outcome': the outcome is infinite; expected a finite "
                                       "number"),
    ("1,a,1\n2,b,1e999\n3,a,3\n4,b,4\n", "data.csv:3: column 'outcome': the outcome is infinite; expected a finite "
                                         "number"),
    ("1,a,1\n2,b,\n3,a,NA\n4,b,4\n", "data.csv:3: column 'outcome': the outcome is missing here, and in 2 of 4 rows in "
                                     "total (1 of 2 of 'a', 1 of 2 of 'b'); every row needs one"),
    ("1,a,1\n2,,2\n3,a,3\n4,b,4\n", "data.csv:3: column 'treatment': the treatment is missing here, and in 1 of 4 rows "
                                    "in total; every row needs one"),
    (",a,1\nNA,b,2\n,a,3\nNaN,b,4\n", "data.csv: column 'x': no row has a value; leave it out with --ignore x"),
    ("1,a,1\n-inf,b,2\n3,a,3\n4,b,4\n", "data.csv:3: column 'x': the value is infinite; a feature must be finite or "
                                        "missing"),
])
def test_observations_that_teach_nothing_are_refused(cohort, rows, sentence):
    assert refused_fit(cohort, HEADER + rows) == sentence


def test_a_table_with_no_feature_left_is_refused(cohort):
    sentence = refused_fit(cohort, GOOD, *ROLES, "--ignore", "x")
    assert sentence == "data.csv: no columns are left as features; at least one is needed"


@pytest.mark.parametrize("column", ["x", "outcome"])
@pytest.mark.parametrize("size, trouble", [(1e300, "large to compute with; use a larger unit"),
                                           (1e-310, "small to compute with; use a smaller unit")])
def test_values_beyond_all_reckoning_are_refused(cohort, column, size, trouble):
    rows = [f"{size * i if column == 'x' else i},{'ab'[i % 2]},{size * i if column == 'outcome' else i}"
            for i in range(1, 9)]
    sentence = refused_fit(cohort, HEADER + "\n".join(rows) + "\n")
    assert sentence == f"column '{column}': its values are too {trouble}"


def test_a_text_of_too_many_values_is_no_feature(cohort):
    rows = [["name", "x", "treatment", "outcome"]] + [[f"n{i // 2}", i, i % 2, i] for i in range(2400)]
    sentence = refused_fit(cohort, "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    assert "column 'name': 1200 distinct texts look like an identifier" in sentence and "--ignore name" in sentence


def test_a_dose_is_no_treatment_until_it_is_grouped(cohort):
    rows = [["x", "treatment", "outcome"]] + [[i, i / 7, i] for i in range(1000)]
    sentence = refused_fit(cohort, "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    assert "column 'treatment': 1000 distinct values" in sentence and "group the values first" in sentence


def test_weights_must_be_numbers_of_zero_or_more_and_not_all_zero(cohort):
    def sentence_for(weights):
        rows = ["x,treatment,outcome,w"] + [f"{i},{'ab'[i % 2]},{i},{weight}" for i, weight in enumerate(weights)]
        return refused_fit(cohort, "\n".join(rows) + "\n", *ROLES, "--weight", "w")

    assert sentence_for([1, 1, -2, 1]) == "data.csv:4: column 'w': the weight -2 is negative; expected 0 or more"
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
    ("50,north,maybe", "new.csv:3: column 'smoker': 'maybe' is not a truth value (true, false, yes, no, 1 or 0)"),
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
