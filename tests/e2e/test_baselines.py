# SPDX-License-Identifier: Apache-2.0
"""The methods that networks are compared with: fitted, saved, loaded, asked, obeying rules, shown."""

import json
import math
import signal
import time

import pytest
from program import ALONE, ROLES, begun, patients, polyrx, records_of, refuses, rows_of, start, succeeds, write_rows

MANY = ["rc-lr", "rc-rf", "ct-1va", "ct-1v1a", "ct-1v1b", "cf-1va", "cf-1v1a", "cf-1v1b", "pt", "pf", "opt", "policytree",
        "s-learner", "x-learner", "r-learner", "dr-learner", "constant"]
TWO = ["rc-lr", "rc-rf", "ct", "cf", "pt", "pf", "opt", "policytree", "s-learner", "x-learner", "r-learner",
       "dr-learner", "constant"]
WORDS = {"ct-1v1b": "votes", "cf-1v1b": "votes", "pf": "votes"}


def word_of(method):
    if method in WORDS:
        return WORDS[method]
    return "effect" if method[:2] in ("ct", "cf", "x-", "r-", "dr") else "outcome"


@pytest.fixture(scope="module")
def ward(tmp_path_factory):
    """Patients with three treatments, and those of them with two."""
    folder = tmp_path_factory.mktemp("ward")
    rows = [row[1:] for row in patients(400)]
    write_rows(folder / "ward.csv", rows)
    write_rows(folder / "two.csv", [row for row in rows if row[-2] != "mid"])
    return folder


def fitted(ward, method, data, *options):
    """A model's file, made once."""
    model = f"{method}-{data}.json"
    if not (ward / model).exists():
        succeeds("fit", data, *ROLES, "--method", method, *options, "-q", "-o", model, cwd=ward)
    return model


@pytest.mark.parametrize("method, data", [(m, "ward.csv") for m in MANY] + [(m, "two.csv") for m in TWO])
def test_each_method_prescribes_the_best_of_what_it_says(ward, method, data):
    model = fitted(ward, method, data)
    rows = records_of_run(succeeds("prescribe", model, data, "--outcomes", cwd=ward))
    labels = ["high", "low", "mid"] if data == "ward.csv" else ["high", "low"]
    word = word_of(method)
    better = max if word == "votes" else min
    for row in rows:
        said = [float(row[f"{word}_{label}"]) for label in labels]
        assert row["prescription"] == labels[said.index(better(said))]
    assert len(rows) == len(records_of(ward / data))


def records_of_run(run):
    header, *rows = rows_of(run.out)
    return [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.parametrize("method", MANY)
def test_threads_change_no_byte(ward, method):
    model = fitted(ward, method, "ward.csv")
    for threads in ("1", "2", "4"):
        succeeds("fit", "ward.csv", *ROLES, "--method", method, "--threads", threads, "-q", "-o", "again.json", cwd=ward)
        assert (ward / "again.json").read_bytes() == (ward / model).read_bytes()


@pytest.mark.parametrize("method", MANY)
def test_rules_are_obeyed(ward, method):
    (ward / "rules.txt").write_text("if age >= 50 then not high\nlet strain = age * age / 100\nif strain < 9 then low\n")
    model = fitted(ward, method, "ward.csv")
    succeeds("constrain", model, "rules.txt", "--when-missing", "skip", "--data", "ward.csv", "-q", "-o", "c.json", cwd=ward)
    succeeds("fit", "ward.csv", *ROLES, "--method", method, "--rules", "rules.txt", "--when-missing", "skip", "-q", "-o",
             "f.json", cwd=ward)
    before = records_of_run(succeeds("prescribe", model, "ward.csv", cwd=ward))
    for name in ("c.json", "f.json"):
        after = records_of_run(succeeds("prescribe", name, "ward.csv", cwd=ward))
        for row, was, now in zip(records_of(ward / "ward.csv"), before, after, strict=True):
            age = float(row["age"]) if row["age"] else None
            if age is not None and age >= 50:
                assert now["prescription"] != "high"
            if age is not None and age * age / 100 < 9:
                assert now["prescription"] == "low"
            if name == "c.json" and (age is None or 30 <= age < 50):
                assert now == was


def test_what_is_for_networks_is_refused(ward):
    model = fitted(ward, "rc-rf", "ward.csv")
    assert refuses("regions", model, status=2, cwd=ward) == (
        "polyrx regions is for networks, and this model was made by --method rc-rf")
    for verb in (["tree", model], ["prune", model, "-o", "x.json"]):
        assert "is for networks, and this model was made by --method rc-rf" in refuses(*verb, status=2, cwd=ward)
    for option in (["--hidden", "3"], ["--recipe", "paper"], ["--epochs", "3"], ["--mu", "0.1"]):
        assert refuses("fit", "ward.csv", *ROLES, "--method", "rc-rf", *option, "-o", "x.json", status=2,
                       cwd=ward) == f"{option[0]} is for networks, not for --method rc-rf"
    assert not (ward / "x.json").exists()


def test_schemes_are_for_more_than_two_treatments_and_plain_methods_for_two(ward):
    assert "expected ct-1va, ct-1v1a or ct-1v1b" in refuses("fit", "ward.csv", *ROLES, "--method", "ct", status=2, cwd=ward)
    assert "for two it is --method cf" in refuses("fit", "two.csv", *ROLES, "--method", "cf-1va", status=2, cwd=ward)
    assert "rc-rf" in refuses("fit", "two.csv", *ROLES, "--method", "rf", status=2, cwd=ward)


def test_a_single_tree_is_shown_like_ours(ward):
    for method, data in (("pt", "ward.csv"), ("policytree", "ward.csv"), ("opt", "ward.csv"), ("ct", "two.csv")):
        model = fitted(ward, method, data)
        text = succeeds("tree", model, "--data", data, cwd=ward).out
        assert "The model is this tree." in text and "empirical" not in text and "network" not in text
        assert succeeds("tree", model, "--format", "svg", cwd=ward).out.startswith("<svg")
        assert "digraph" in succeeds("tree", model, "--format", "dot", cwd=ward).out
        assert "expected text, dot or svg" in refuses("tree", model, "--format", "json", status=2, cwd=ward)


def test_policy_trees_have_as_many_levels_as_they_are_given_and_say_whether_they_are_the_best(ward):
    fit = ["fit", "ward.csv", *ROLES, "--method", "policytree"]
    run = succeeds(*fit, "--depth", 1, "-o", "shallow.json", cwd=ward)
    assert "policytree (max-depth 1, search exact)" in run.err
    assert "2 leaves, depth 1." in succeeds("tree", "shallow.json", cwd=ward).out
    run = succeeds(*fit, "--depth", 3, "--split-step", 100, "-o", "deep.json", cwd=ward)
    assert "split-step 100, search approximate" in run.err
    assert "--split-step is for --depth 3 or more" in refuses(*fit, "--split-step", 100, status=2, cwd=ward)
    for option in ("--depth", "--split-step"):
        assert f"{option} is for --method policytree" in refuses("fit", "ward.csv", *ROLES, "--method", "pt", option, 1, status=2, cwd=ward)


def test_optimal_trees_are_searched_as_often_and_as_long_as_they_are_told(ward):
    fit = ["fit", "ward.csv", *ROLES, "--method", "opt"]
    succeeds(*fit, "--restarts", 3, "-q", "-o", "few.json", cwd=ward)
    assert json.loads((ward / "few.json").read_text())["provenance"]["options"]["restarts"] == "3"
    run = succeeds(*fit, "--max-seconds", 1e-3, "-o", "hasty.json", cwd=ward)
    assert "stopped after" in run.err
    for option in ("--restarts", "--max-seconds", "--treatment-rows"):
        assert option in refuses("fit", "ward.csv", *ROLES, "--method", "rc-lr", option, 1, status=2, cwd=ward)


def test_an_optimal_tree_prescribes_in_a_leaf_what_so_many_rows_got_there_and_says_what_it_costs_on_held_out_rows(ward):
    fit = ["fit", "ward.csv", *ROLES, "--method", "opt", "--restarts", 3, "--json", "-q"]
    for rows in (1, 40):
        made = json.loads(succeeds(*fit, "--treatment-rows", rows, "-o", "rows.json", cwd=ward).out)
        assert made["options"]["treatment-rows"] == str(rows)
        assert math.isfinite(float(made["options"]["held-out cost"]))
        leaves = [node for node in json.loads((ward / "rows.json").read_text())["baseline"]["nodes"] if "outcomes" in node]
        assert leaves and all(leaf["rows"][leaf["outcomes"].index(min(leaf["outcomes"]))] >= rows for leaf in leaves)


def test_an_optimal_tree_that_is_interrupted_is_the_best_so_far(ward, tmp_path):
    succeeds("simulate", 5, "-n", 4000, "-q", "-o", "rows.csv", cwd=tmp_path)
    process = start("fit", "rows.csv", *ROLES, "--method", "opt", *ALONE, "-o", "best.json", cwd=tmp_path)
    begun(process)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and out == b""
    assert b"interrupted: the model is the best tree that had been found" in err and b"stopped after" in err
    assert "The model is this tree." in succeeds("tree", "best.json", cwd=tmp_path).out
    process = start("fit", "rows.csv", *ROLES, "--method", "opt", "--leaves", 4, "-o", "small.json", cwd=tmp_path)
    begun(process)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert process.returncode == 130 and not (tmp_path / "small.json").exists()


def test_a_damaged_forest_is_refused(ward):
    model = json.loads((ward / fitted(ward, "rc-rf", "two.csv")).read_text())
    trees = model["baseline"]["arms"][0]["trees"]
    trees[0] = trees[0][:-2]
    (ward / "bad.json").write_text(json.dumps(model))
    run = polyrx("prescribe", "bad.json", "two.csv", cwd=ward)
    assert run.status == 3 and "does not match its checksum" in run.err


def test_large_outcomes_are_good_if_they_are_said_to_be(ward):
    rows = rows_of((ward / "ward.csv").read_text())
    turned = [rows[0]] + [[*row[:-1], str(-float(row[-1]))] for row in rows[1:]]
    write_rows(ward / "turned.csv", turned)
    for method in MANY:
        model = fitted(ward, method, "ward.csv")
        succeeds("fit", "turned.csv", *ROLES, "--method", method, "--objective", "max", "-q", "-o", "turned.json", cwd=ward)
        was = succeeds("prescribe", model, "ward.csv", cwd=ward).out
        assert succeeds("prescribe", "turned.json", "ward.csv", cwd=ward).out == was
