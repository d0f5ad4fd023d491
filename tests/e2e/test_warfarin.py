# SPDX-License-Identifier: Apache-2.0
"""The warfarin verb: the consortium's file to the paper's cohort, and to an observational study of it."""

import gzip
import json
import math
import os
import random
import signal
import subprocess

import pytest
from iwpc import REAL, REFERENCE, iwpc_file, needs_the_real_file, subject
from program import (ROLES, TINY, begun, content, polyrx, records_of, refuses, rows_of, start, succeeds, unless_slow,
                     where_bytes_are_promised)
from test_readme import ROOT, commands_of, make_folders, output_of, says_the_same

DOSES = ["Low", "Medium", "High"]


@pytest.fixture
def clinic(tmp_path):
    """A folder with iwpc.csv, of sixty subjects, one without a weight."""
    draw = random.Random(1)
    subjects = [subject(pharmgkb=f"PA{i}", height=f"{draw.uniform(150, 195):.2f}", weight=f"{draw.uniform(45, 120):.1f}",
                        gender=draw.choice(["male", "female", "NA"]), vkorc1=draw.choice(["A/A", "A/G", "G/G", "NA"]),
                        therapeutic=draw.choice(["14", "35.00", "52.5"])) for i in range(60)]
    subjects[7]["Weight (kg)"] = "NA"
    (tmp_path / "iwpc.csv").write_bytes(iwpc_file(subjects))
    return tmp_path


# --- small files


def test_a_subject_becomes_a_row_of_the_papers_features(tmp_path):
    (tmp_path / "iwpc.csv").write_bytes(iwpc_file([
        subject(height="193.04", weight="115.7", gender="male", indication="1,7", cyp2c9="NA", therapeutic="49.00")]))
    run = succeeds("warfarin", "iwpc.csv", cwd=tmp_path)
    header, row = rows_of(run.out)
    cells = dict(zip(header, row))
    assert len(header) == 43
    assert [cells[name] for name in ("id", "Height", "Weight", "BMI", "dose_mg_week", "class")] == [
        "PA1", "193.04", "115.7", "31.048365", "49", "2"]
    assert [name for name in header[4:41] if cells[name] == "1"] == [
        "Gender_male", "Race_White", "Age_60-69", "Ind_DVT", "Ind_PostOrthopedic", "VKORC1_A/G"]
    assert {cells[name] for name in header[4:41]} == {"0", "1"}
    assert run.err == "right dose: Low 0 (0.0 %), Medium 0 (0.0 %), High 1 (100.0 %)\n"


def test_it_says_how_many_it_wrote_and_left_out(clinic):
    run = succeeds("warfarin", "iwpc.csv", "-o", "patients.csv", cwd=clinic)
    assert run.out == "" and run.err.startswith(
        "59 patients in patients.csv; 1 without dose, height or weight left out\nright dose: Low ")
    assert len(records_of(clinic / "patients.csv")) == 59
    assert succeeds("warfarin", "iwpc.csv", "-q", cwd=clinic).err == ""


def test_the_file_may_be_packed_or_come_from_a_pipe(clinic):
    plain = succeeds("warfarin", "iwpc.csv", cwd=clinic).out
    (clinic / "iwpc.csv.gz").write_bytes(gzip.compress((clinic / "iwpc.csv").read_bytes()))
    assert succeeds("warfarin", "iwpc.csv.gz", cwd=clinic).out == plain
    assert succeeds("warfarin", "-", cwd=clinic, stdin=(clinic / "iwpc.csv").read_bytes()).out == plain


def test_an_observed_cohort_can_be_fitted_and_evaluated_as_it_is(clinic):
    succeeds("warfarin", "iwpc.csv", "--observe", "3", "-o", "observed.csv", "--schema", "warfarin.json", cwd=clinic)
    run = succeeds("fit", "observed.csv", *ROLES, *TINY, "--schema", "warfarin.json", cwd=clinic)
    assert "59 rows, 40 inputs; " in run.err and "40 features: " in run.err
    model = json.loads((clinic / "model.json").read_text())
    assert model["treatments"] == DOSES
    assert {feature["name"]: feature.get("unit") for feature in model["features"]}["BMI"] == "kg/m²"
    score = json.loads(succeeds("evaluate", "model.json", "observed.csv", "--truth", "y0,y1,y2", "--json", cwd=clinic).out)
    given = [row[0] for row in rows_of(succeeds("prescribe", "model.json", "observed.csv", "-q", cwd=clinic).out)[1:]]
    best = [row["best"] for row in records_of(clinic / "observed.csv")]
    assert score["accuracy"] == pytest.approx(sum(a == b for a, b in zip(given, best)) / 59)


def test_without_the_schema_the_truth_is_named_by_dose(clinic):
    succeeds("warfarin", "iwpc.csv", "--observe", "3", "-o", "observed.csv", cwd=clinic)
    succeeds("fit", "observed.csv", *ROLES, *TINY, cwd=clinic)
    assert json.loads((clinic / "model.json").read_text())["treatments"] == ["High", "Low", "Medium"]
    score = json.loads(succeeds("evaluate", "model.json", "observed.csv", "--truth", "Low=y0,Medium=y1,High=y2", "--json",
                                cwd=clinic).out)
    assert score["best_outcome"] == 0 and sum(dose["accuracy"] for dose in score["always"]) == pytest.approx(1)
    best = [row["best"] for row in records_of(clinic / "observed.csv")]
    assert {dose["treatment"]: round(59 * dose["accuracy"]) for dose in score["always"]} == {
        dose: best.count(dose) for dose in DOSES}


def test_the_seed_changes_who_gets_what_and_nothing_else(clinic):
    def observed(seed):
        return rows_of(succeeds("warfarin", "iwpc.csv", "--observe", seed, cwd=clinic).out)

    assert observed(1) == observed(1) != observed(2)
    for one, other in zip(observed(1), observed(2)):
        assert one[:40] + one[42:] == other[:40] + other[42:]


# --- bad input


@pytest.mark.parametrize("data, sentence", [
    (b"", "iwpc.csv: the file is empty"),
    (b"\xef\xbb\xbf\r\n", "iwpc.csv: the file is empty"),
    (b"<!DOCTYPE html>\n<html>, please log in\n", "iwpc.csv is not the IWPC file: none of the expected columns exist "
     "(PharmGKB Subject ID, Height (cm), Weight (kg), Therapeutic Dose of Warfarin, ...)"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
     "iwpc.csv is a spreadsheet; save its sheet 'Subject Data' as CSV and use that file"),
    (iwpc_file([subject()]).replace(b"Weight (kg)", b"Weight (lb)"),
     "iwpc.csv is not the IWPC file of PharmGKB: it lacks the column Weight (kg)"),
    (iwpc_file([]), "iwpc.csv: no patient has a dose, a height and a weight"),
    (iwpc_file([subject(), subject(therapeutic="about 35")]),
     "iwpc.csv:3: column 'Therapeutic Dose of Warfarin': 'about 35' is not a number"),
    (iwpc_file([subject(), subject(height="0")]),
     "iwpc.csv:3: column 'Height (cm)': 0 is not a finite number above 0"),
    (iwpc_file([subject(cyp2c9="*1/*9")]), "iwpc.csv:2: column 'Cyp2C9 genotypes': '*1/*9' is not one of *1/*1, *1/*11, "
     "*1/*13, *1/*14, *1/*2, *1/*3, *1/*5, *1/*6, *2/*2, *2/*3, *3/*3"),
    (iwpc_file([subject()]).rstrip(b",") + b"PA2,male", "iwpc.csv:3: 2 cells, but the header has 16 columns"),
])
def test_a_file_that_cannot_be_it_is_answered_by_a_sentence(data, sentence, tmp_path):
    (tmp_path / "iwpc.csv").write_bytes(data)
    before = content(tmp_path)
    assert refuses("warfarin", "iwpc.csv", "-o", "patients.csv", status=3, cwd=tmp_path) == sentence
    assert content(tmp_path) == before


def test_what_it_wrote_is_not_what_it_reads(clinic):
    succeeds("warfarin", "iwpc.csv", "-o", "patients.csv", cwd=clinic)
    sentence = refuses("warfarin", "patients.csv", status=3, cwd=clinic)
    assert sentence.startswith("patients.csv is not the IWPC file: none of the expected columns exist")


def test_a_file_that_is_none_is_named(clinic):
    (clinic / "folder").mkdir()
    assert refuses("warfarin", "folder", status=3, cwd=clinic).endswith("this is a directory, not a file")
    assert refuses("warfarin", "nowhere.csv", status=3, cwd=clinic).endswith("No such file or directory")


def test_one_patient_is_a_cohort_too(tmp_path):
    (tmp_path / "iwpc.csv").write_bytes(iwpc_file([subject()]))
    succeeds("warfarin", "iwpc.csv", "--observe", "1", "-o", "observed.csv", cwd=tmp_path)
    [row] = records_of(tmp_path / "observed.csv")
    assert row["treatment"] in DOSES and row["best"] == "Medium"
    assert float(row["outcome"]) == (row["treatment"] != "Medium")
    assert "every row has the treatment" in refuses("fit", "observed.csv", *ROLES, status=3, cwd=tmp_path)


@pytest.mark.parametrize("arguments, status, sentence", [
    ([], 2, "IWPC.csv is missing; usage: polyrx warfarin IWPC.csv [options]"),
    (["iwpc.csv", "--observe", "-1"], 2, "--observe: '-1' is not a whole number of 0 or more"),
    (["iwpc.csv", "--schema", "s.json"], 2, "--schema goes with --observe, whose treatments it puts in order"),
    (["iwpc.csv", "--observe", "1", "--schema", "a", "-o", "./a"], 2, "--output and --schema cannot both write a"),
    (["iwpc.csv", "--observe", "1", "--schema", "/dev/stdout"], 2, "--output and --schema cannot both write /dev/stdout"),
    (["iwpc.csv", "-o", "nowhere/out"], 1, "cannot write nowhere/out: there is no folder nowhere"),
    (["iwpc.csv", "--observe", "1", "-o", "a", "--schema", "nowhere/s"], 1,
     "cannot write nowhere/s: there is no folder nowhere"),
    (["iwpc.csv", "-o", "/dev/full"], 1, "cannot write /dev/full: No space left on device"),
])
def test_a_wrong_call_or_target_leaves_everything_as_it_was(arguments, status, sentence, clinic):
    before = content(clinic)
    assert refuses("warfarin", *arguments, status=status, cwd=clinic) == sentence
    assert content(clinic) == before


@pytest.mark.parametrize("options", [["-o", "iwpc.csv"], ["-o", "./iwpc.csv"],
                                     ["--observe", "1", "-o", "out.csv", "--schema", "iwpc.csv"]])
def test_the_consortiums_file_is_never_written_over(options, clinic):
    before = content(clinic)
    assert "iwpc.csv" in refuses("warfarin", "iwpc.csv", *options, status=2, cwd=clinic)
    assert content(clinic) == before


def test_stdout_on_a_full_device_is_an_error(clinic):
    with open("/dev/full", "wb") as full:
        sentence = refuses("warfarin", "iwpc.csv", "-q", status=1, cwd=clinic, stdout=full)
    assert sentence == "cannot write to standard output: No space left on device"


def test_ctrl_c_while_it_waits_for_its_input_leaves_no_file(clinic):
    before = content(clinic)
    process = start("warfarin", "-", "-o", "patients.csv", cwd=clinic, stdin=subprocess.PIPE)
    begun(process)
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(timeout=5) == 130
        assert process.stderr.read() == b"polyrx: canceled\n"
    finally:
        process.kill()
        process.communicate()
    assert content(clinic) == before


# --- the real file


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A folder with patients.csv, made of the real file, and what the program said."""
    folder = tmp_path_factory.mktemp("warfarin")
    return folder, succeeds("warfarin", REAL, "-o", "patients.csv", cwd=folder)


def is_same(ours, theirs):
    """Whether two cells hold the same number, 59 and 59.0, or the same text."""
    try:
        return float(ours) == float(theirs)
    except ValueError:
        return ours == theirs


@needs_the_real_file
def test_the_real_file_becomes_the_reference_cell_by_cell(real):
    folder, run = real
    assert run.err == ("4,417 patients in patients.csv; 1,283 without dose, height or weight left out\n"
                       "right dose: Low 1,439 (32.6 %), Medium 2,400 (54.3 %), High 578 (13.1 %)\n")
    ours, theirs = records_of(folder / "patients.csv"), records_of(REFERENCE)
    assert len(ours) == len(theirs) == 4417
    assert [*ours[0], "train_seed42"] == list(theirs[0])
    for mine, other in zip(ours, theirs):
        for name, cell in mine.items():
            assert is_same(cell, other[name]), (mine["id"], name, cell, other[name])


@needs_the_real_file
def test_the_classes_have_the_shares_of_the_reference(real):
    classes = [row["class"] for row in records_of(real[0] / "patients.csv")]
    assert [f"{100 * classes.count(k) / len(classes):.2f}" for k in "012"] == ["32.58", "54.34", "13.09"]


@needs_the_real_file
@pytest.mark.parametrize("feature, printed", [
    ("Cyp2C9_1/3", ("-0.31", "3.24")), ("Cyp2C9_1/5", ("-0.04", "24.84")), ("Cyp2C9_1/6", ("-0.03", "39.30")),
    ("Cyp2C9_2/3", ("-0.12", "8.32")), ("VKORC1_A/A", ("-0.63", "1.58")), ("Ind_BloodClot_PE", ("-0.29", "3.46")),
])
def test_scaled_features_are_those_of_the_papers_appendix(real, feature, printed):
    in_training = [row["train_seed42"] == "1" for row in records_of(REFERENCE)]
    values = [float(row[feature])
              for row, is_in in zip(records_of(real[0] / "patients.csv"), in_training) if is_in]
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    assert tuple(f"{(value - mean) / deviation:.2f}" for value in (0, 1)) == printed


def observed(folder, seed):
    """The rows of an observational study of the real file."""
    succeeds("warfarin", REAL, "--observe", seed, "-q", "-o", f"observed{seed}.csv", cwd=folder)
    return records_of(folder / f"observed{seed}.csv")


def propensities(rows):
    """For each row the chances of the three doses, by the formula of Section 5.3."""
    indices = [float(row["BMI"]) for row in rows]
    mean = sum(indices) / len(indices)
    deviation = math.sqrt(sum((bmi - mean) ** 2 for bmi in indices) / len(indices))
    odds = [[math.exp((dose - 1) * (bmi - mean) / deviation) for dose in range(3)] for bmi in indices]
    return [[share / sum(each) for share in each] for each in odds]


@needs_the_real_file
def test_doses_are_given_as_the_paper_gives_them(real):
    rows = observed(real[0], 1)
    chances = propensities(rows)
    assert f"{min(map(min, chances)):.0e}" == "9e-08"
    # Fifths of the patients by body mass index, and in each the three doses: ten degrees of freedom.
    order = sorted(range(len(rows)), key=lambda i: float(rows[i]["BMI"]))
    chi_square = 0
    for fifth in range(5):
        members = order[fifth * len(rows) // 5:(fifth + 1) * len(rows) // 5]
        for dose in range(3):
            expected = sum(chances[i][dose] for i in members)
            count = sum(rows[i]["treatment"] == DOSES[dose] for i in members)
            chi_square += (count - expected) ** 2 / expected
    assert chi_square < 29.6  # one seed in a thousand has more
    for row in rows:
        assert [row["y0"], row["y1"], row["y2"]] == ["0" if row["best"] == dose else "1" for dose in DOSES]
        assert row["outcome"] == ("0" if row["treatment"] == row["best"] else "1")


def least_squares(inputs, outcomes, count):
    """The so many coefficients of a linear regression, without numpy. Rows are lists of (column, value), less the zeros.
    Columns that add up to another leave them open; a ridge too small to matter otherwise takes the smallest."""
    system = [[1e-4 * (i == j) for j in range(count)] + [0.0] for i in range(count)]
    for row, outcome in zip(inputs, outcomes):
        for i, a in row:
            for j, b in row:
                system[i][j] += a * b
            system[i][count] += a * outcome
    for i in range(count):  # Gauss; the matrix is positive definite, so any pivot will do
        for k in range(i + 1, count):
            if system[k][i]:
                factor = system[k][i] / system[i][i]
                system[k] = [a - factor * b for a, b in zip(system[k], system[i])]
    solution = [0.0] * count
    for i in reversed(range(count)):
        solution[i] = (system[i][count] - sum(system[i][j] * solution[j] for j in range(i + 1, count))) / system[i][i]
    return solution


@needs_the_real_file
def test_regress_and_compare_is_as_good_as_in_the_paper(real):
    """One linear regression for each dose, and the dose of the least prediction: the paper has 66.68 %."""
    accuracies = []
    for seed in range(1, 11):
        rows = observed(real[0], seed)
        names = list(rows[0])[:40]
        means = {name: sum(float(row[name]) for row in rows) / len(rows) for name in names[:3]}
        inputs = [[(0, 1.0)] + [(1 + j, float(row[name]) / means[name] - 1 if name in means else 1.0)
                                for j, name in enumerate(names) if row[name] != "0"] for row in rows]
        order = random.Random(seed).sample(range(len(rows)), len(rows))
        training, test = order[:len(rows) * 7 // 10], order[len(rows) * 7 // 10:]
        models = []
        for dose in DOSES:
            members = [i for i in training if rows[i]["treatment"] == dose]
            outcomes = [float(rows[i]["outcome"]) for i in members]
            models.append(least_squares([inputs[i] for i in members], outcomes, 1 + len(names)))

        def prescribed(row):
            predictions = [sum(value * model[column] for column, value in row) for model in models]
            return DOSES[predictions.index(min(predictions))]

        accuracies.append(100 * sum(prescribed(inputs[i]) == rows[i]["best"] for i in test) / len(test))
    assert sum(accuracies) / len(accuracies) == pytest.approx(66.8, abs=1.5), accuracies


@needs_the_real_file
def test_a_fit_of_the_real_cohort_beats_the_best_single_dose(real):
    folder = real[0]
    succeeds("warfarin", REAL, "--observe", "1", "-q", "-o", "study.csv", "--schema", "study.json", cwd=folder)
    succeeds("fit", "study.csv", *ROLES, "--schema", "study.json", "--hidden", "none", "--mu", "0", "-q", cwd=folder)
    score = json.loads(succeeds("evaluate", "model.json", "study.csv", "--truth", "y0,y1,y2", "--json", cwd=folder).out)
    assert score["rows"] == 4417 and score["accuracy"] > 0.62
    assert [round(dose["accuracy"], 4) for dose in score["always"]] == [0.3258, 0.5434, 0.1309]


@needs_the_real_file
@unless_slow
@where_bytes_are_promised
def test_the_document_prints_what_the_real_file_gives(tmp_path):
    make_folders(tmp_path)
    (tmp_path / "here/iwpc.csv").symlink_to(REAL)
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    document = (ROOT / "docs/warfarin.md").read_text(encoding="utf-8")
    commands = commands_of(document.replace("```console", "```").replace("```sh", "```console"))
    assert len(commands) == 11
    for command, expected in commands:
        prints = output_of(command, tmp_path / "here", environment)
        assert says_the_same(expected, prints), f"$ {command}\nprints\n{prints}"


def test_ctrl_c_stops_it_at_work_too(tmp_path):
    (tmp_path / "iwpc.csv").write_bytes(iwpc_file([subject()] * 200_000))
    before = content(tmp_path)
    process = start("warfarin", "iwpc.csv", "-o", "patients.csv", cwd=tmp_path)
    begun(process)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20) == (b"", b"polyrx: canceled\n")
    assert process.returncode == 130 and content(tmp_path) == before
    assert polyrx("warfarin", "iwpc.csv", "-q", "-o", "patients.csv", cwd=tmp_path).status == 0
