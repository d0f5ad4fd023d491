# SPDX-License-Identifier: Apache-2.0
"""Each verb does what its help says; test_fit.py has fit."""

import json
import re
import shlex
import subprocess

import pytest
from iwpc import iwpc_file, subject
from program import PROGRAM, ROLES, TINY, polyrx, records_of, refuses, rows_of, succeeds, unless_slow, write_rows

VERBS = ["demo", "simulate", "warfarin", "fit", "prescribe", "evaluate", "compare", "rules", "constrain", "distill", "tree",
         "verify", "regions", "prune", "completions"]


DEMO_FILES = {"cohort.csv", "new_patients.csv", "schema.json", "rules.txt", "steps.sh", "model.json", "distilled.json",
              "tree.json", "tree.svg"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A folder where the demo ran, and what it said."""
    folder = tmp_path_factory.mktemp("demo")
    return folder, succeeds("demo", cwd=folder)


@unless_slow
def test_the_examples_of_every_help_work_as_printed_one_after_the_other(tmp_path):
    (tmp_path / "rules.txt").write_text("if x1 > 1 then not 1\n")  # the one file that a person writes,
    (tmp_path / "iwpc.csv").write_bytes(iwpc_file([subject()]))  # and the one that a person fetches
    for verb in VERBS:
        text = succeeds(verb, "--help", cwd=tmp_path).out
        lines = [line.strip() for line in text[text.index("\nexample:\n"):].splitlines()[2:]]
        assert lines and all(line.startswith(f"polyrx {verb} ") for line in lines), text
        for line in lines:
            succeeds(*shlex.split(line)[1:], cwd=tmp_path)
    assert {path.name for path in (tmp_path / "polyrx-demo").iterdir()} == DEMO_FILES
    assert {path.name for path in tmp_path.iterdir()} == {
        "polyrx-demo", "train.csv", "test.csv", "iwpc.csv", "patients.csv", "observed.csv", "warfarin.json", "rules.txt",
        "distilled.json",
        "model.json", "prescriptions.csv", "constrained.json", "tree.json", "pruned.json", "polyrx.bash"}


@unless_slow
def test_the_demo_says_all_on_stdout_and_leaves_its_files(demo):
    folder, run = demo
    assert run.err == "" and run.out.startswith("4,000 simulated patients") and len(run.out.splitlines()) <= 25
    assert {path.name for path in (folder / "polyrx-demo").iterdir()} == DEMO_FILES


@unless_slow
def test_the_steps_of_the_demo_make_the_same_files(demo):
    tmp_path, text = demo[0], demo[1].out
    folder = tmp_path / "polyrx-demo"
    steps = [shlex.split(line) for line in (folder / "steps.sh").read_text().splitlines()]
    assert [step[:1] for step in steps] == [["polyrx"]] * len(steps)
    assert [step[1] for step in steps] == ["fit", "prescribe", "evaluate", "evaluate", "distill", "tree", "verify", "constrain"]
    before = {name: (folder / name).read_bytes() for name in ("model.json", "distilled.json", "tree.json")}
    printed = {step[1]: succeeds(*step[1:], cwd=tmp_path) for step in steps}
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert printed["verify"].out in text


# --- help, version and wrong calls


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb_goes_to_stdout_and_has_an_example(verb, tmp_path):
    for option in ("--help", "-h"):
        run = succeeds(verb, option, cwd=tmp_path)
        assert run.err == "" and run.out.startswith(f"polyrx {verb}: ") and "\nexample:\n  polyrx" in run.out
        assert max(map(len, run.out.splitlines())) <= 100


def options_in(text):
    return re.findall(r"^ +(?:-\w, )?(--[\w-]+)", text[:text.index("\nexample:")], re.MULTILINE)


@pytest.mark.parametrize("verb", VERBS)
def test_help_all_has_what_help_leaves_out_and_help_says_how_much_that_is(verb, tmp_path):
    some, everything = (succeeds(verb, "--help", *extent, cwd=tmp_path).out for extent in ([], ["all"]))
    left_out = [option for option in options_in(everything) if option not in options_in(some)]
    assert [option for option in options_in(everything) if option not in left_out] == options_in(some)
    said = re.search(r"^polyrx (\w+) --help all shows (\d+) more options?\.$", some, re.MULTILINE)
    assert (said.groups() if said else (verb, "0")) == (verb, str(len(left_out)))
    assert "--help all" not in everything
    assert succeeds(verb, "-h", "all", cwd=tmp_path).out == everything


def test_the_help_of_fit_is_short_and_in_groups(tmp_path):
    text = succeeds("fit", "--help", cwd=tmp_path).out
    assert len(text.splitlines()) <= 50 and max(len(line) for line in text.splitlines()) <= 100
    groups = ["data", "policy", "support and rules", "tuning", "network", "output", "example"]
    everything = succeeds("fit", "--help", "all", cwd=tmp_path).out
    assert re.findall(r"^(\S.*):$", everything, re.MULTILINE) == groups
    assert re.findall(r"^(\S.*):$", text, re.MULTILINE) == [group for group in groups if group != "tuning"]
    assert not {"--big-m", "--sparsify", "--schedule", "--criterion"} & set(options_in(text))
    assert {"--treatment", "--recipe", "--hidden", "--rules", "--leaves", "--test-fraction", "--seed"} <= set(options_in(text))


def test_an_option_of_several_verbs_has_one_help_text(tmp_path):
    helps = {}
    for verb in VERBS:
        text = re.sub(r"\n {10,}", " ", succeeds(verb, "--help", "all", cwd=tmp_path).out)
        for name, said in re.findall(r"^ +(?:-\w, )?(--[\w-]+)(?: \S+)?  +(.*)$", text, re.MULTILINE):
            helps.setdefault(name, set()).add(re.sub(r" \[[^\[]*\]$", "", said))
    for name in ("--seed", "--threads", "--json", "--quiet", "--max-seconds", "--when-missing", "--terms-per-split",
                 "--objective", "--beyond-support", "--group", "--propensities", "--outcome-range", "--weight"):
        assert len(helps[name]) == 1, (name, helps[name])


def test_help_wins_over_what_is_missing_or_wrong_beside_it(tmp_path):
    assert succeeds("fit", "nowhere.csv", "--help", cwd=tmp_path).out.startswith("polyrx fit: ")
    assert succeeds("evaluate", "--help", "--truth", "a,b", cwd=tmp_path).out.startswith("polyrx evaluate: ")
    assert succeeds("fit", "--nonsense", "--help", cwd=tmp_path).out.startswith("polyrx fit: ")


def test_help_of_the_program_names_every_verb(tmp_path):
    run = succeeds("--help", cwd=tmp_path)
    assert re.findall(r"^  (\w+)  ", run.out, re.MULTILINE) == VERBS
    assert run.err == ""


def test_version_is_one_line(tmp_path):
    assert re.fullmatch(r"polyrx \d+\.\d+\.\d+\n", succeeds("--version", cwd=tmp_path).out)


@pytest.mark.parametrize("arguments, sentence", [
    ([], "polyrx needs a verb; see polyrx --help, or try polyrx demo"),
    (["fti"], "'fti' is not a verb of polyrx; did you mean fit? see polyrx --help"),
    (["learn"], "'learn' is not a verb of polyrx; see polyrx --help"),
    (["--nonsense"], "'--nonsense' was not expected; see polyrx --help"),
    (["fit", "a.csv", *ROLES, "--nonsense"], "'--nonsense' was not expected; see polyrx fit --help"),
    (["fit", "a.csv", "--treatmnet", "t", "--outcome", "y"],
     "'--treatmnet' was not expected; did you mean --treatment? see polyrx fit --help"),
    (["fit", "a.csv", *ROLES, "--epoch=3"],
     "'--epoch=3' was not expected; did you mean --epochs? see polyrx fit --help"),
    (["fit", "a.csv", *ROLES, "--seed"], "--seed needs a value; see polyrx fit --help"),
    (["fit", "a.csv", "b.csv", *ROLES], "'b.csv' was not expected; see polyrx fit --help"),
    (["fit", *ROLES], "DATA.csv is missing; usage: polyrx fit DATA.csv --treatment COLUMN --outcome COLUMN [options]"),
    (["fit", "a.csv", "--treatment", "t"],
     "--outcome COLUMN is missing; usage: polyrx fit DATA.csv --treatment COLUMN --outcome COLUMN [options]"),
    (["evaluate", "m.json"], "DATA.csv is missing; usage: polyrx evaluate POLICY DATA.csv [options]"),
    (["prescribe", "m.json"], "DATA.csv is missing; usage: polyrx prescribe MODEL DATA.csv [options]"),
    (["simulate", "7"], "DATASET: '7' is not one of 1, 2, 3, 4, 5, 6, custom, clinic"),
    (["simulate", "custom"], "custom needs --functions: a base and one or two effects, as f3,f2"),
    (["simulate", "custom", "--functions", "f1,g2"], "--functions: 'g2' is not one of f1, f2, f3, f4"),
    (["simulate", "custom", "--functions", "f1"], "expected two or three functions (a base and its effects), not 1"),
    (["simulate", "2", "--functions", "f1,f2"], "--functions goes with custom"),
    (["completions", "csh"], "KIND: 'csh' is not one of bash, zsh, fish, man"),
])
def test_a_wrong_call_is_answered_by_a_sentence(arguments, sentence, tmp_path):
    assert refuses(*arguments, status=2, cwd=tmp_path) == sentence


# --- simulate


@pytest.mark.parametrize("dataset, treatments", [(1, 2), (2, 2), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_simulate_writes_the_papers_columns(dataset, treatments, tmp_path):
    header, *rows = rows_of(succeeds("simulate", dataset, "-n", "50", "--truth", cwd=tmp_path).out)
    truth = [f"y{k}" for k in range(treatments)]
    assert header == [f"x{i}" for i in range(1, 21)] + ["treatment", "outcome", *truth, "best"]
    assert len(rows) == 50
    for row in rows:
        cells = dict(zip(header, row))
        outcomes = [float(cells[name]) for name in truth]
        assert cells["best"] == str(outcomes.index(min(outcomes)))
        assert cells["treatment"] in map(str, range(treatments))


def test_simulate_without_truth_does_not_give_it_away(tmp_path):
    header = rows_of(succeeds("simulate", 1, "-n", "5", cwd=tmp_path).out)[0]
    assert header[-2:] == ["treatment", "outcome"] and len(header) == 22


def test_simulate_needs_a_row_at_least(tmp_path):
    for dataset in ("1", "clinic"):
        sentence = refuses("simulate", dataset, "-n", "0", status=2, cwd=tmp_path)
        assert sentence == "cannot simulate 0 rows; expected at least 1"
        assert succeeds("simulate", dataset, "-n", "1", cwd=tmp_path).out.count("\n") == 2


def test_the_variant_and_the_seed_change_the_simulated_rows(tmp_path):
    def rows(*options):
        return succeeds("simulate", 3, "-n", "20", *options, cwd=tmp_path).out

    assert len({rows(), rows("--variant", "literal"), rows("--seed", "2")}) == 3
    assert rows() == rows("--variant", "paper", "--seed", "1")


def test_the_clinic_has_a_schema_that_fit_takes(tmp_path):
    succeeds("simulate", "clinic", "-n", "300", "-o", "clinic.csv", "--schema", "clinic-schema.json", cwd=tmp_path)
    assert "NA" in (tmp_path / "clinic.csv").read_text()
    succeeds("fit", "clinic.csv", "--schema", "clinic-schema.json", *ROLES, *TINY, cwd=tmp_path)
    model = json.loads((tmp_path / "model.json").read_text())
    schema = json.loads((tmp_path / "clinic-schema.json").read_text())
    assert model["treatments"] == schema["treatments"]
    assert any("unit" in feature for feature in model["features"])


# --- prescribe


def test_prescribe_writes_one_label_per_row_in_order(cohort):
    run = succeeds("prescribe", "cohort.json", "cohort.csv", "--keep", "id", "-o", "out.csv", cwd=cohort)
    got = records_of(cohort / "out.csv")
    assert run.out == ""
    assert [row["id"] for row in got] == [row["id"] for row in records_of(cohort / "cohort.csv")]
    assert list(got[0]) == ["id", "prescription"]
    assert {row["prescription"] for row in got} <= {"low", "mid", "high"}
    counts = {label: sum(row["prescription"] == label for row in got) for label in ("low", "mid", "high")}
    for label, count in counts.items():
        assert re.search(rf"\b{label} \(?{count}\b", run.err)
    assert run.err.startswith("120 prescriptions in out.csv: ")


def test_prescribe_ignores_other_columns_and_the_order_of_columns(cohort):
    rows = records_of(cohort / "cohort.csv")
    write_rows(cohort / "few.csv", [["smoker", "junk", "ward", "age"]] + [
        [row["smoker"], "1e999,x", row["ward"], row["age"]] for row in rows])
    assert succeeds("prescribe", "cohort.json", "few.csv", cwd=cohort).out == succeeds(
        "prescribe", "cohort.json", "cohort.csv", cwd=cohort).out


def test_the_outcomes_explain_the_prescription(cohort):
    header, *rows = rows_of(succeeds("prescribe", "cohort.json", "cohort.csv", "--outcomes", cwd=cohort).out)
    assert header[0] == "prescription" and sorted(header[1:]) == ["outcome_high", "outcome_low", "outcome_mid"]
    for row in rows:
        values = [float(cell) for cell in row[1:]]
        assert header[1 + values.index(min(values))] == f"outcome_{row[0]}"


def test_kept_columns_come_out_as_they_went_in(cohort):
    rows = [["id", "note", "age", "ward", "smoker"],
            ["007", "a, b", "40.50", "north", "yes"],
            ["1e3", 'she said "no"', "", "NA", "no"],
            ["  x", "zwei\nZeilen", "NA", "south", ""],
            ["", "ünï", "1e1", "west", "Yes"]]
    write_rows(cohort / "new.csv", rows)
    kept = rows_of(succeeds("prescribe", "cohort.json", "new.csv", "--keep", "id,note,age,ward,smoker", cwd=cohort).out)
    assert [row[:5] for row in kept] == rows


@pytest.mark.parametrize("keep, sentence", [
    ("prescription", "--keep: the column 'prescription' would stand beside the one that prescribe writes"),
    ("id,id", "--keep names the column 'id' twice"),
])
def test_kept_columns_must_not_collide(cohort, keep, sentence):
    data = (cohort / "cohort.csv").read_text().replace("outcome", "prescription", 1)
    (cohort / "again.csv").write_text(data)
    assert refuses("prescribe", "cohort.json", "again.csv", "--keep", keep, status=2, cwd=cohort) == sentence


def test_prescribing_for_nobody_is_a_header(cohort):
    (cohort / "nobody.csv").write_text("age,ward,smoker\n")
    assert succeeds("prescribe", "cohort.json", "nobody.csv", cwd=cohort).out == "prescription\n"
    out = succeeds("prescribe", "cohort.json", "nobody.csv", "--keep", "ward", "--outcomes", cwd=cohort).out
    assert out.startswith("ward,prescription,outcome_") and out.count("\n") == 1


def test_missing_cells_are_fine_even_in_columns_that_had_none(cohort):
    (cohort / "holes.csv").write_text("age,ward,smoker\n,,\nNA,NA,NA\n50,north,\n")
    rows = rows_of(succeeds("prescribe", "cohort.json", "holes.csv", cwd=cohort).out)
    assert len(rows) == 4 and rows[1] == rows[2]


def test_an_unseen_category_is_an_error_or_ignored(cohort):
    (cohort / "east.csv").write_text("age,ward,smoker\n50,north,yes\n51,east,no\n")
    sentence = refuses("prescribe", "cohort.json", "east.csv", status=3, cwd=cohort)
    assert sentence == "east.csv:3: column 'ward': 'east' was not in the training data (north, south, west)"
    assert len(rows_of(succeeds("prescribe", "cohort.json", "east.csv", "--unseen", "ignore", cwd=cohort).out)) == 3


# --- evaluate


def test_evaluate_scores_a_policy_for_people_and_machines(studio):
    run = succeeds("evaluate", "trial.json", "trial.csv", "--truth", "y0,y1", "--json", cwd=studio)
    score = json.loads(run.out)
    assert run.err == ""
    assert score["rows"] == 400 and 0 <= score["accuracy"] <= 1 and score["regret"] >= 0
    # The same from the prescriptions, the slow way.
    given = [row[0] for row in rows_of(succeeds("prescribe", "trial.json", "trial.csv", cwd=studio).out)[1:]]
    truth = [[float(row["y0"]), float(row["y1"])] for row in records_of(studio / "trial.csv")]
    right = [outcomes[int(label)] == min(outcomes) for label, outcomes in zip(given, truth)]
    regret = [outcomes[int(label)] - min(outcomes) for label, outcomes in zip(given, truth)]
    assert score["accuracy"] == pytest.approx(sum(right) / 400)
    assert score["regret"] == pytest.approx(sum(regret) / 400)
    words = succeeds("evaluate", "trial.json", "trial.csv", "--truth", "y0,y1", cwd=studio)
    assert f"{100 * score['accuracy']:.1f} %" in words.out and words.err == "truth: 0 = y0, 1 = y1\n"


def test_truth_columns_can_be_named_by_treatment(studio):
    plain, named = (succeeds("evaluate", "trial.json", "trial.csv", "--truth", truth, "--json", cwd=studio).out
                    for truth in ("y0,y1", "1=y1, 0=y0"))
    assert plain == named


def test_evaluate_knows_that_more_is_better(studio):
    succeeds("fit", "trial.csv", *ROLES, *TINY, "--objective", "max", "-o", studio.parent / "max.json", cwd=studio)
    score = json.loads(succeeds("evaluate", studio.parent / "max.json", "trial.csv", "--truth", "y0,y1", "--json",
                                cwd=studio).out)
    assert score["best_outcome"] >= max(entry["outcome"] for entry in score["always"])
    assert score["regret"] == pytest.approx(score["best_outcome"] - score["outcome"])


# --- labels and names that are awkward


def test_labels_and_names_with_commas_quotes_spaces_unicode_and_newlines_survive(tmp_path):
    labels = ["Dosis, groß", 'the "low" one', "two\nlines", "低"]
    rows = [["body weight, kg", "treat ment", "out\"come"]]
    rows += [[90 - i, labels[i % 4], (i % 4) + i / 100] for i in range(40)]
    write_rows(tmp_path / "odd.csv", rows)
    succeeds("fit", "odd.csv", "--treatment", "treat ment", "--outcome", 'out"come', *TINY, cwd=tmp_path)
    got = rows_of(succeeds("prescribe", "model.json", "odd.csv", "--outcomes", cwd=tmp_path).out)
    assert {row[0] for row in got[1:]} <= set(labels)
    assert set(got[0]) == {"prescription", *(f"outcome_{label}" for label in labels)}


@pytest.mark.parametrize("labels, shown", [
    (["0", "1"], ["0", "1"]),
    (["1", "2", "10"], ["1", "2", "10"]),
    (["1.0", "2.0"], ["1", "2"]),  # numbers, so 1.0 is 1
    (["0.5", "1.5"], ["0.5", "1.5"]),
    (["yes", "no"], ["no", "yes"]),
    (["Yes", "No"], ["No", "Yes"]),
    (["TRUE", "FALSE"], ["FALSE", "TRUE"]),
    (["true", "false"], ["false", "true"]),
    (["A", "b"], ["A", "b"]),
])
def test_labels_come_back_as_they_were_and_in_a_natural_order(labels, shown, tmp_path):
    rows = [["x", "treatment", "outcome"]] + [[-i, labels[i % len(labels)], (i * 7) % 11] for i in range(24)]
    write_rows(tmp_path / "data.csv", rows)
    succeeds("fit", "data.csv", *ROLES, *TINY, cwd=tmp_path)
    assert json.loads((tmp_path / "model.json").read_text())["treatments"] == shown


def test_the_same_number_written_in_two_ways_is_one_treatment(tmp_path):
    rows = [["x", "treatment", "outcome"]] + [[-i, ["1", "1.0", "2", "2.00"][i % 4], (i * 7) % 11] for i in range(24)]
    write_rows(tmp_path / "data.csv", rows)
    succeeds("fit", "data.csv", *ROLES, *TINY, cwd=tmp_path)
    assert json.loads((tmp_path / "model.json").read_text())["treatments"] == ["1", "2"]


def test_a_file_whose_name_begins_with_a_dash_can_be_given(cohort):
    (cohort / "-odd.csv").write_bytes((cohort / "cohort.csv").read_bytes())
    succeeds("prescribe", "cohort.json", "./-odd.csv", cwd=cohort)
    succeeds("prescribe", "--", "cohort.json", "-odd.csv", cwd=cohort)


def test_a_data_file_can_be_a_pipe(cohort):
    shell = f"{shlex.quote(str(PROGRAM))} prescribe cohort.json <(cat cohort.csv)"
    piped = subprocess.run(["bash", "-c", shell], cwd=cohort, capture_output=True, text=True, check=True)
    assert piped.stdout == polyrx("prescribe", "cohort.json", "cohort.csv", cwd=cohort).out


def test_a_list_may_be_given_in_pieces_and_nothing_may_be_empty(cohort):
    succeeds("fit", "cohort.csv", *ROLES, *TINY, "--ignore", "id", "--ignore", "ward", "-q", "-o", "pieces.json", cwd=cohort)
    features = [feature["name"] for feature in json.loads((cohort / "pieces.json").read_text())["features"]]
    assert features == ["age", "smoker"]
    for option in ("--features", "--ignore", "--weight", "--schema", "-o"):
        sentence = refuses("fit", "cohort.csv", *ROLES, *TINY, option, "", status=2, cwd=cohort)
        assert sentence.endswith("is empty"), sentence
    assert refuses("prescribe", "cohort.json", "", status=2, cwd=cohort) == "DATA.csv: the value is empty"


def test_standard_output_by_another_name_is_still_standard_output(cohort):
    with open(cohort / "log", "w") as log:
        log.write("before\n")
        log.flush()
        succeeds("prescribe", "cohort.json", "cohort.csv", "-o", "/dev/stdout", cwd=cohort, stdout=log)
        log.seek(0, 2)
        log.write("after\n")
    lines = (cohort / "log").read_text().splitlines()
    assert lines[:2] == ["before", "prescription"] and lines[-1] == "after"
