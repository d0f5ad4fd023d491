# SPDX-License-Identifier: Apache-2.0
"""`polyrx distill` makes a small model, says what it is worth, and its tree is proved."""

import json
import re
import xml.etree.ElementTree

import pytest
from program import ROLES, TINY, leaves_nothing_when_canceled, refuses, rows_of, succeeds

QUICK = ["--folds", "2", "--restarts", "1", "--neurons", "2"]


def distill(folder, *options, model="cohort.json", data="cohort.csv"):
    return succeeds("distill", model, data, *QUICK, *options, cwd=folder)


def test_the_tree_is_within_the_budget_and_proved(cohort):
    for leaves in (1, 3, 8):
        run = distill(cohort, "--leaves", leaves, "--tree", "tree.json", "--json", "-q")
        assert run.err == ""
        made = json.loads(run.out)
        assert made["leaves"] <= leaves and made["model"] == "distilled.json" and made["tree"] == "tree.json"
        assert succeeds("verify", "distilled.json", "tree.json", cwd=cohort).out.startswith("proved")
        shown = succeeds("tree", "distilled.json", cwd=cohort).out
        assert f"\n{made['leaves']} {'leaf' if made['leaves'] == 1 else 'leaves'}, depth" in shown
        assert shown.count("→") == (made["leaves"] if made["leaves"] > 1 else shown.count("→"))


def test_terms_have_a_budget_too(cohort):
    made = json.loads(distill(cohort, "--max-terms", 2, "--json", "-q").out)
    assert made["terms"] <= 2 and made["leaves"] <= 8
    assert all(point["terms"] <= 2 for point in made["frontier"] if point["chosen"])


def test_it_says_what_the_tree_is_worth_beside_the_model_and_one_treatment_for_all(cohort):
    run = distill(cohort, "-o", "new.json")
    assert run.out == ""
    number = r"\S+ \[\S+, \S+\]"
    for who in ("the model", "the tree", "one treatment for all"):
        assert re.search(rf"^{who} +{number}$", run.err, re.MULTILINE), run.err
    assert re.search(rf"^The tree has \d+ (leaf|leaves) and \d+ terms? \(.*\), is (better|worse) than the model by {number}, "
                     r"and prescribes the same to \d+\.\d % of the rows\.$", run.err, re.MULTILINE), run.err
    assert run.err.endswith("\nmodel new.json\n")


def test_the_frontier_is_a_table_a_picture_and_numbers(cohort):
    run = distill(cohort, "--frontier", "--plots", "charts", "--leaves", 4)
    header, *lines = run.out.splitlines()
    assert header.split()[:4] == ["student", "leaves", "terms", "value"]
    assert sum(line.endswith("chosen") for line in lines) == 1
    points = json.loads(distill(cohort, "--json", "-q", "--leaves", 4).out)["frontier"]
    assert len(points) == len(lines) and sum(point["chosen"] for point in points) == 1
    root = xml.etree.ElementTree.parse(cohort / "charts/frontier.svg").getroot()
    assert len(root.findall(".//{*}circle")) == len(points)
    chosen = next(point for point in points if point["chosen"])
    within = [point for point in points if point["leaves"] <= 4]
    assert chosen["value"]["value"] == min(point["value"]["value"] for point in within)


def test_the_same_seed_gives_the_same_bytes_whatever_the_threads(cohort):
    models = []
    for threads in ("1", "3"):
        distill(cohort, "-q", "--seed", 4, "--threads", threads)
        models.append((cohort / "distilled.json").read_bytes())
    assert models[0] == models[1]


def test_fit_with_leaves_is_a_fit_and_then_a_distillation(cohort):
    fit = ["fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--seed", 7, "-q"]
    succeeds(*fit, "-o", "large.json", cwd=cohort)
    succeeds("distill", "large.json", "cohort.csv", "--leaves", 4, "-o", "distilled.json", "-q", cwd=cohort)
    run = succeeds(*fit, "--leaves", 4, "--json", "--test-fraction", 0, "-o", "tree.json", cwd=cohort)
    assert (cohort / "tree.json").read_bytes() == (cohort / "distilled.json").read_bytes()
    assert json.loads(run.out)["distilled"]["leaves"] <= 4
    assert "distill" in json.loads(run.out)["timings"]
    ranged = ["fit", "cohort.csv", *ROLES, "--ignore", "id", "--hidden", "8", "--epochs", "2", "--seed", 7, "-q",
              "--outcome-range", "-50,200", "--fallback", "none"]
    succeeds(*ranged, "-o", "large.json", cwd=cohort)
    succeeds("distill", "large.json", "cohort.csv", "--leaves", 4, "-q", cwd=cohort)
    succeeds(*ranged, "--leaves", 4, "-o", "tree.json", cwd=cohort)
    assert (cohort / "tree.json").read_bytes() == (cohort / "distilled.json").read_bytes(), "the model has the range"
    assert "--big-m" in refuses("fit", "cohort.csv", *ROLES, "--big-m", "--leaves", 4, status=2, cwd=cohort)


def test_regressions_are_always_shown_beside_the_students(cohort):
    made = json.loads(succeeds("distill", "cohort.json", "cohort.csv", "--folds", 2, "--restarts", 1, "--json", "-q", cwd=cohort).out)
    assert sum(point["student"] == "regressions" for point in made["frontier"]) == 1


def test_held_out_rows_stay_so(cohort):
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--test-fraction", "0.3", "-q", cwd=cohort)
    distill(cohort, "-q", model="model.json")
    old, new = (json.loads((cohort / name).read_text())["provenance"] for name in ("model.json", "distilled.json"))
    assert new["test_fraction"] == 0.3 and new["data_sha256"] == old["data_sha256"] and new["rows"] == old["rows"] < 120
    for model in ("model.json", "distilled.json"):
        run = succeeds("evaluate", model, "cohort.csv", "--rows", "held-out", "--folds", 2, cwd=cohort)
        assert "TRAINING ROWS" not in run.out + run.err


def test_the_new_model_says_what_it_was_distilled_from(cohort):
    distill(cohort, "-q", "--leaves", 5, "--seed", 9)
    old, new = (json.loads((cohort / name).read_text()) for name in ("cohort.json", "distilled.json"))
    options = new["provenance"]["options"]
    assert options["distilled-from"] == old["sha256"] and options["leaves"] == "5" and options["distill-seed"] == "9"
    assert refuses("distill", "distilled.json", "cohort.csv", "-o", "new.json", status=2, cwd=cohort) == (
        "this model was distilled itself: distill the one that it was distilled from")


@pytest.mark.parametrize("method", ["rc-lr", "pt", "constant"])
def test_baselines_teach_too(cohort, method):
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", "--method", method, "-q", cwd=cohort)
    made = json.loads(distill(cohort, "--json", "-q", model="model.json").out)
    assert 0 < made["agreement"] <= 1
    assert len(rows_of(succeeds("prescribe", "distilled.json", "cohort.csv", cwd=cohort).out)) == 121


def test_models_travel_through_pipes(cohort):
    distill(cohort, "-q")
    piped = succeeds("distill", "-", "cohort.csv", *QUICK, "-q", "-o", "-", cwd=cohort,
                     stdin=(cohort / "cohort.json").read_bytes())
    assert piped.out.encode() == (cohort / "distilled.json").read_bytes()


def test_calls_that_make_no_sense_are_refused_in_a_sentence(cohort):
    call = ["distill", "cohort.json", "cohort.csv"]
    assert refuses("distill", "-", "-", status=2, cwd=cohort) == "only one of MODEL and DATA.csv can be standard input"
    assert refuses(*call, "--json", "-o", "-", status=2, cwd=cohort) == (
        "--json and -o - would both write to standard output")
    assert refuses(*call, "--frontier", "--tree", "-", status=2, cwd=cohort) == (
        "--frontier and --tree - would both write to standard output")
    assert "--leaves" in refuses(*call, "--leaves", 0, status=2, cwd=cohort)
    assert "cohort.json" in refuses(*call, "-o", "cohort.json", status=2, cwd=cohort)
    assert "distilled.json" in refuses(*call, "--tree", "distilled.json", status=2, cwd=cohort)
    lines = (cohort / "cohort.csv").read_text().splitlines()
    (cohort / "less.csv").write_text("\n".join(lines[:-1]) + "\n")
    assert refuses("distill", "cohort.json", "less.csv", status=3, cwd=cohort) == (
        "less.csv: these are not the 120 rows that the model learned from; expected the file that it was fitted on")
    assert not (cohort / "distilled.json").exists()


def test_nothing_is_left_of_a_run_that_is_canceled(cohort):
    leaves_nothing_when_canceled("distill", "cohort.json", "cohort.csv", "--restarts", 200, cwd=cohort, after=0.5)


def test_what_is_no_model_is_refused(cohort):
    assert refuses("distill", "always:low", "cohort.csv", status=2, cwd=cohort) == (
        "always:low: only a model can be distilled")
