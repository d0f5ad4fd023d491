# SPDX-License-Identifier: Apache-2.0
"""Cases in which a harmful policy was once recommended, or valued by a narrow interval around a wrong value."""

import json
import random

import pytest
from program import ROLES, records_of, refuses, succeeds, unless_slow, write_rows

pytestmark = unless_slow
DOSES = ["low", "mid", "high"]
TRUTH = ["--truth", "low=y0,mid=y1,high=y2"]


def ward(count, seed, truth=False):
    """The middle dose is right for those over 60, and doctors give it to nine in ten of them."""
    draw = random.Random(seed)
    rows = [["age", "noise", "treatment", "outcome"] + (["y0", "y1", "y2"] if truth else [])]
    for _ in range(count):
        age, noise = draw.uniform(40, 80), draw.gauss(0, 1)
        right = 1 if age > 60 else 0
        given = right if draw.random() < 0.9 else draw.randrange(3)
        harm = [2.0 * (k != right) for k in range(3)]
        rows.append([f"{age:.3f}", f"{noise:.3f}", DOSES[given], f"{harm[given] + draw.gauss(0, 0.5):.4f}"]
                    + ([f"{value:.2f}" for value in harm] if truth else []))
    return rows


@pytest.fixture(scope="module")
def ruled(tmp_path_factory):
    """A rule that forbids what is best for the old, and a model that keeps it."""
    folder = tmp_path_factory.mktemp("ruled")
    write_rows(folder / "train.csv", ward(1500, 1))
    write_rows(folder / "test.csv", ward(1500, 2, truth=True))
    (folder / "rules.txt").write_text("if age > 60 then not mid\n", encoding="utf-8")
    out = succeeds("fit", "train.csv", *ROLES, "--hidden", "5", "--rules", "rules.txt", "--json", "-o", "m.json", cwd=folder)
    return folder, json.loads(out.out), out.err


def test_a_policy_that_a_rule_makes_harmful_is_not_recommended(ruled):
    _, summary, _ = ruled
    assert summary["recommended"] is False, summary["recommendation"]
    # Few of the old received another dose than the one that the rule forbids.
    assert summary["gains"][0] == {"over": "current practice", "known": False, "too_few_rows": True}


def test_changes_are_counted_among_all_rows_also_those_whose_treatment_breaks_a_rule(ruled):
    folder, summary, words = ruled
    train = records_of(folder / "train.csv")
    broken = sum(float(row["age"]) > 60 and row["treatment"] == "mid" for row in train)
    assert summary["violations"] == broken > 500
    assert summary["rows"] == len(train)
    assert f"In {broken} of 1,500 rows, the treatment breaks a rule: mid ({broken})" in words


def test_evaluate_does_not_call_a_dose_supported_because_rules_forbid_the_others(ruled):
    folder, _, _ = ruled
    truth = json.loads(succeeds("evaluate", "m.json", "test.csv", *TRUTH, "--json", "-q", cwd=folder).out)["outcome"]
    said = json.loads(succeeds("evaluate", "m.json", "test.csv", "--bootstrap", "0", "--json", "-q", cwd=folder).out)["supported"]
    assert said["value"]["interval"]["low"] < truth < said["value"]["interval"]["high"]


def test_a_constrained_model_is_no_longer_recommended(tmp_path):
    draw = random.Random(3)
    rows = [["x", "treatment", "outcome"]]
    for _ in range(1000):
        x, given = draw.gauss(0, 1), draw.randrange(2)
        rows.append([f"{x:.4f}", "ab"[given], f"{(x if given else -x) + draw.gauss(0, 0.3):.4f}"])
    write_rows(tmp_path / "trial.csv", rows)
    (tmp_path / "rules.txt").write_text("if x > 0 then b\n", encoding="utf-8")
    fitted = succeeds("fit", "trial.csv", *ROLES, "--hidden", "5", "-o", "m.json", cwd=tmp_path).err
    assert fitted.startswith("Recommended: ")
    succeeds("constrain", "m.json", "rules.txt", "-q", "-o", "c.json", cwd=tmp_path)
    assert succeeds("prescribe", "c.json", "trial.csv", "-o", "p.csv", cwd=tmp_path).warned.startswith("NOT recommended: rules were added")


def rare_arm(seed, events=None):
    """A trial of two common arms and a rare one, which does nothing; `events` are those that the rare arm's rows had, if given."""
    draw = random.Random(seed)
    rows = [["age", "treatment", "outcome"]]
    for i in range(3000):
        arm = 2 if i % 75 == 0 else draw.randrange(2)
        event = draw.random() < 0.2 if arm < 2 or events is None else i // 75 < events
        rows.append([f"{draw.gauss(60, 10):.2f}", "ABC"[arm], int(event)])
    draw.shuffle(body := rows[1:])
    return [rows[0], *body]


def test_a_rare_arm_with_few_events_is_too_few_rows(tmp_path):
    write_rows(tmp_path / "trial.csv", rare_arm(1, events=2))  # 2 of 40, where 8 are expected
    summary = json.loads(succeeds("fit", "trial.csv", *ROLES, "--hidden", "3", "--propensities", "A=0.493,B=0.493,C=0.014", "--json", "-q",
                                  "-o", "m.json", cwd=tmp_path).out)
    assert summary["recommended"] is False, summary["recommendation"]
    assert summary["fallback"] != "always C"


def test_an_arm_of_fewer_than_twenty_rows_is_no_policy_to_compare_with(tmp_path):
    rows = rare_arm(2)
    few = [rows[0], *[row for row in rows[1:] if row[1] != "C"], *[row for row in rows[1:] if row[1] == "C"][:12]]
    write_rows(tmp_path / "trial.csv", few)
    out = succeeds("fit", "trial.csv", *ROLES, "--hidden", "3", "--json", "-o", "m.json", cwd=tmp_path)
    names = [policy["policy"] for policy in json.loads(out.out)["safer_policies"]]
    assert not any(name.startswith(("always C", "C where")) for name in names), names


def test_compare_takes_the_worst_outcome_where_a_prescription_is_not_supported(tmp_path):
    write_rows(tmp_path / "rows.csv", ward(1500, 4, truth=True))
    said = json.loads(succeeds("compare", "rows.csv", *ROLES, *TRUTH, "--methods", "constant,observed", "--folds", "2", "--beyond-support",
                               "extrapolate", "--json", "-q", cwd=tmp_path).out)
    constant, observed = ({each["method"]: each for each in said["methods"]}[name] for name in ("constant", "observed"))
    assert constant["supported_share"] < 0.9
    assert constant["doubly_robust_value"] > constant["regret"] > observed["regret"]


def test_an_infinite_range_of_outcomes_is_refused(tmp_path):
    write_rows(tmp_path / "rows.csv", ward(200, 5))
    assert "expected two numbers" in refuses("evaluate", "always:low", "rows.csv", *ROLES, "--outcome-range=-inf,inf", status=2, cwd=tmp_path)


def u_shaped(count, seed, truth=False):
    """Doctors go by how far x1 is from 0, and are right for 97 %. No straight line tells whom they treat."""
    draw = random.Random(seed)
    rows = [["x1", "x2", "x3", "treatment", "outcome"] + (["y0", "y1"] if truth else [])]
    for _ in range(count):
        x = [draw.gauss(0, 1) for _ in range(3)]
        right = int(abs(x[0]) > 1)
        given = right if draw.random() < 0.97 else 1 - right
        good = [0.9 if k == right else 0.2 for k in range(2)]
        rows.append([*(f"{value:.2f}" for value in x), "ab"[given], int(draw.random() < good[given]), *(good if truth else [])])
    return rows


@pytest.mark.parametrize("seed", [4, 7])
def test_a_policy_from_too_few_rows_gives_way_to_what_is_known_better(tmp_path, seed):
    write_rows(tmp_path / "train.csv", u_shaped(1500, seed))
    write_rows(tmp_path / "test.csv", u_shaped(3000, seed + 100, truth=True))
    succeeds("fit", "train.csv", *ROLES, "--objective", "max", "--method", "rc-lr", "-q", "-o", "m.json", cwd=tmp_path)
    truth = json.loads(succeeds("evaluate", "m.json", "test.csv", "--truth", "a=y0,b=y1", "--json", "-q", cwd=tmp_path).out)
    assert truth["outcome"] > 0.879 - 0.03, "practice reaches 0.879"


def test_a_design_has_no_most_likely_treatment(tmp_path):
    write_rows(tmp_path / "trial.csv", rare_arm(3))
    summary = json.loads(succeeds("fit", "trial.csv", *ROLES, "--hidden", "3", "--propensities", "A=0.493,B=0.493,C=0.014", "--json", "-q",
                                  "-o", "m.json", cwd=tmp_path).out)
    assert "the most likely treatment" not in {policy["policy"] for policy in summary["safer_policies"]}


def test_nothing_is_promised_from_fifteen_rows(tmp_path):
    draw = random.Random(3)
    rows = [["x", "treatment", "outcome"]]
    for i in range(600):
        given = "D" if i < 15 else draw.choice("ABC")
        rows.append([f"{draw.gauss(0, 1):.2f}", given, f"{draw.gauss(0, 1) - (3 if given == 'D' else 0):.2f}"])
    write_rows(tmp_path / "rows.csv", rows)
    said = succeeds("fit", "rows.csv", *ROLES, "--hidden", "3", "-o", "m.json", cwd=tmp_path).err
    promise, = (line for line in said.splitlines() if "--beyond-support extrapolate would change" in line)
    assert promise.endswith("its gain over current practice would be too few rows.") or "too few rows" in promise, promise


def test_outcomes_too_large_to_compare_policies_with_are_refused(tmp_path):
    rows = [["x", "treatment", "outcome"], *([i / 200, "ab"[i % 2], f"{(-1) ** (i // 2)}e200"] for i in range(200))]
    write_rows(tmp_path / "rows.csv", rows)
    sentence = "column 'outcome': its values are too large to compute with; use a larger unit"
    assert sentence in refuses("evaluate", "always:a", "rows.csv", *ROLES, status=3, cwd=tmp_path)
    assert sentence in refuses("fit", "rows.csv", *ROLES, "--method", "rc-lr", status=3, cwd=tmp_path)


def test_every_verb_and_drawing_begins_with_that_a_policy_is_not_recommended(ruled, tmp_path):
    folder, summary, _ = ruled
    sentence = summary["recommendation"]
    assert succeeds("evaluate", "m.json", "test.csv", *TRUTH, cwd=folder).warned.startswith(sentence)
    drawn = succeeds("tree", "m.json", "--data", "test.csv", cwd=folder)
    assert drawn.warned.startswith(sentence)
    assert " ".join(drawn.out.split()).startswith(sentence)
    succeeds("tree", "m.json", "--data", "test.csv", "-o", tmp_path / "tree.svg", "-q", cwd=folder)
    drawing = (tmp_path / "tree.svg").read_text(encoding="utf-8")
    assert 0 < drawing.find("NOT recommended") < drawing.rfind("Which treatment for")


def test_a_policy_that_was_not_compared_says_so(tmp_path):
    write_rows(tmp_path / "rows.csv", ward(300, 6))
    succeeds("fit", "rows.csv", *ROLES, "--hidden", "3", "--no-recommendation", "-q", "-o", "m.json", cwd=tmp_path)
    said = succeeds("prescribe", "m.json", "rows.csv", "-o", "p.csv", cwd=tmp_path).warned
    assert said.startswith("NOT recommended: the policy was not compared with current practice.")
