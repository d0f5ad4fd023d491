# SPDX-License-Identifier: Apache-2.0
"""Rules where numbers round, cells are missing, formulas have no bounds, and models have rules already."""

import json

import pytest
from program import ROLES, TINY, patients, polyrx, refuses, rows_of, succeeds, write_rows


@pytest.fixture
def ward(tmp_path):
    """Patients with a score in tenths, and a tiny model of them."""
    rows = [row[1:] for row in patients(300)]
    rows[0].insert(0, "score")
    for i, row in enumerate(rows[1:]):
        row.insert(0, str(i % 11))
    write_rows(tmp_path / "ward.csv", rows)
    succeeds("fit", "ward.csv", *ROLES, *TINY, "-q", "-o", "model.json", cwd=tmp_path)
    return tmp_path


def count(ward, rule, *options):
    """How many rows of the ward the rule applies to."""
    (ward / "rule.txt").write_text(rule + "\n")
    run = succeeds("rules", "check", "rule.txt", "model.json", "--data", "ward.csv", "--json", *options, cwd=ward)
    return json.loads(run.out)["rules"][0]["rows"]


@pytest.mark.parametrize("written, meant", [
    ("score / 10 <= 0.3", "score <= 3"),
    ("0.1 * score <= 0.3", "score <= 3"),
    ("0.1 * score + 0.2 * score > 0.3 * score", "score > 100"),
    ("0.1 * score + 0.7 * age <= 0.8 * 50 - 0.05", "2 * score + 14 * age <= 799"),
    ("score / 3 = 1", "score = 3"),
    ("-score / 10 >= -0.3", "score <= 3"),
])
def test_weights_are_the_decimals_that_are_written(ward, written, meant):
    assert count(ward, f"if {written} then low") == count(ward, f"if {meant} then low")


def test_what_is_missing_stays_missing_where_terms_cancel(ward):
    known = sum(row[1] != "" for row in rows_of((ward / "ward.csv").read_text())[1:])
    assert known < 300
    for rule in ("age = age", "age * 0 = 0", "age - age = 0", "age + 300 > age"):
        assert count(ward, f"if {rule} then low", "--when-missing", "skip") == known
    assert count(ward, "if age * 0 > 3 then low") == 300 - known


def test_a_rule_that_applies_only_to_missing_cells_is_said_to(ward):
    (ward / "rule.txt").write_text("if missing(age) then low\nif 2 < 1 then low\n")
    rules = json.loads(succeeds("rules", "check", "rule.txt", "model.json", "--json", cwd=ward).out)["rules"]
    assert [rule["never_applies"] for rule in rules] == [False, True]
    assert [rule["only_if_missing"] for rule in rules] == [True, False]


# --- derived features whose formulas have no bounds


def test_nothing_is_certain_beyond_the_values_that_a_formula_had(ward):
    # Ages are whole numbers, so b is -1 at least; but the range of the formula does not know that.
    (ward / "log.txt").write_text("let b = 1 / (2 * age - 83)\nif b < -5 then high\nif b < -4 then low\n")
    called = ["log.txt", "model.json", "--data", "ward.csv", "--when-missing", "skip"]
    run = succeeds("rules", "check", *called, cwd=ward)
    assert "it can never apply" not in run.out and "not certain" in run.out
    run = succeeds("constrain", "model.json", "log.txt", "--data", "ward.csv", "--when-missing", "skip", "-o", "new.json",
                   cwd=ward)
    assert "log.txt: no conflict was found, but it is not certain that the rules leave every row a treatment" in run.err


def test_a_proof_says_which_values_of_a_formula_it_is_about(ward):
    (ward / "rules.txt").write_text("let b = 1 / (2 * age - 83)\nif b < 0 then high\n")
    succeeds("constrain", "model.json", "rules.txt", "--data", "ward.csv", "--when-missing", "skip", "-q", "-o", "new.json",
             cwd=ward)
    (ward / "claims.txt").write_text("if age > 30 then low, mid, high\n")
    run = succeeds("verify", "new.json", "--claims", "claims.txt", cwd=ward)
    assert "proved, in" in run.out and ", of rows where b is between" in run.out and "as in the data" in run.out
    answer = json.loads(succeeds("verify", "new.json", "--claims", "claims.txt", "--json", cwd=ward).out)["claims"][0]
    assert [range["feature"] for range in answer["assumed"]] == ["b"]


# --- models that have rules already


def test_new_rules_do_with_missing_values_what_the_models_do(ward):
    (ward / "first.txt").write_text("if age > 60 then not high\n")
    (ward / "second.txt").write_text("if score > 8 then not low\n")
    succeeds("constrain", "model.json", "first.txt", "--when-missing", "skip", "-q", "-o", "skip.json", cwd=ward)
    for verb in (["rules", "check", "second.txt", "skip.json"], ["constrain", "skip.json", "second.txt", "-o", "x.json"]):
        assert "the model's rules are skipped" in refuses(*verb, "--when-missing", "apply", status=2, cwd=ward)
    succeeds("constrain", "skip.json", "second.txt", "-q", "-o", "both.json", cwd=ward)
    assert json.loads((ward / "both.json").read_text())["rules"]["when_missing"] == "skip"


def test_rules_are_checked_together_with_those_of_the_model(ward):
    (ward / "first.txt").write_text("if age > 60 then low\n")
    (ward / "second.txt").write_text("if score > 8 then not low\n")
    succeeds("constrain", "model.json", "first.txt", "-q", "-o", "ruled.json", cwd=ward)
    run = polyrx("rules", "check", "second.txt", "ruled.json", cwd=ward)
    assert run.status == 4 and "rule 1: if score > 8 then not low" in run.out
    sentence = "the model's rule 1 and rule 1 leave no treatment for a row such as "
    assert f"conflict: {sentence}" in run.out
    assert refuses("constrain", "ruled.json", "second.txt", "-o", "x.json", status=4,
                   cwd=ward).startswith(f"second.txt: {sentence}")


def test_rows_without_a_treatment_cannot_be_evaluated(ward):
    (ward / "apart.txt").write_text("if age > 95 then low\nif age > 96 then mid\n")
    succeeds("constrain", "model.json", "apart.txt", "--when-missing", "skip", "-q", "-o", "new.json", cwd=ward)
    write_rows(ward / "old.csv", [["score", "age", "ward", "smoker", "a", "b", "c"], [1, 50, "north", "no", 1, 2, 3],
                                  [1, 99, "north", "no", 1, 2, 3]])
    assert refuses("evaluate", "new.json", "old.csv", "--truth", "a,b,c", status=3, cwd=ward) == (
        "old.csv:3: the rules leave no treatment for this row, which cannot be evaluated")


def test_a_treatment_called_none_has_no_place_beside_rules(tmp_path):
    rows = [row[1:] for row in patients(60)]
    write_rows(tmp_path / "ward.csv", [["none" if cell == "mid" else cell for cell in row] for row in rows])
    (tmp_path / "rules.txt").write_text("if age > 60 then low\n")
    succeeds("fit", "ward.csv", *ROLES, *TINY, "-q", "-o", "model.json", cwd=tmp_path)
    for verb in (["constrain", "model.json", "rules.txt"], ["fit", "ward.csv", *ROLES, *TINY, "--rules", "rules.txt"]):
        assert "a treatment is called 'none'" in refuses(*verb, "-o", "new.json", status=3, cwd=tmp_path)


def test_many_rules_are_checked_quickly(ward):
    (ward / "many.txt").write_text("".join(f"if age > {i % 70 + 18} and score < {i % 10} then not high\n"
                                           for i in range(400)))
    run = succeeds("rules", "check", "many.txt", "model.json", cwd=ward)
    assert run.out.count("it forbids nothing that the other rules do not") > 200
