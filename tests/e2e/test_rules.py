# SPDX-License-Identifier: Apache-2.0
"""Rules are checked, obeyed and trained with; and what is said where they are wrong."""

import json

import pytest
from program import ROLES, TINY, content, patients, polyrx, records_of, refuses, rows_of, succeeds, write_rows

RULES = """\
# for the ward
if age >= 80 then low
if ward = south and smoker = yes then not high
let strain = age * age / 100
if strain > 30 or not (ward != west) then low, mid
"""


@pytest.fixture
def ward(tmp_path):
    """Patients, a tiny model of them, and rules."""
    write_rows(tmp_path / "ward.csv", [row[1:] for row in patients(300)])
    (tmp_path / "rules.txt").write_text(RULES)
    succeeds("fit", "ward.csv", *ROLES, *TINY, "-q", "-o", "model.json", cwd=tmp_path)
    return tmp_path


def allowed(row):
    """By hand, with what is missing on the safe side."""
    age = float(row["age"]) if row["age"] else None
    ward_known = row["ward"] != "NA"
    left = {"low", "mid", "high"}
    if age is None or age >= 80:
        left &= {"low"}
    if (not ward_known or row["ward"] == "south") and row["smoker"] == "yes":
        left -= {"high"}
    if age is None or age * age / 100 > 30 or not ward_known or row["ward"] == "west":
        left &= {"low", "mid"}
    return left


# --- checking


def test_check_says_each_rule_in_words_and_counts_its_rows(ward):
    run = succeeds("rules", "check", "rules.txt", "ward.csv", "--treatment", "treatment", cwd=ward)
    rows = records_of(ward / "ward.csv")
    old = sum(row["age"] == "" or float(row["age"]) >= 80 for row in rows)
    assert "rule 1: if age >= 80 then low\n  Where age is at least 80, only low may be prescribed.\n" in run.out
    assert f"  applies to {old} of 300 rows" in run.out
    assert run.out.endswith("no conflict: whatever the row, some treatment is allowed\n")


def test_check_of_a_model_needs_no_rows_and_counts_them_if_given(ward):
    assert "applies to" not in succeeds("rules", "check", "rules.txt", "model.json", cwd=ward).out
    counted = json.loads(
        succeeds("rules", "check", "rules.txt", "model.json", "--data", "ward.csv", "--json", cwd=ward).out)
    assert len(counted["rules"]) == 3 and all(rule["rows"] > 0 for rule in counted["rules"])
    assert counted["conflict"] is None and counted["certain"]


def test_a_conflict_has_a_row_as_witness_and_status_4(ward):
    (ward / "bad.txt").write_text("if age > 60 then low\nif ward = north then mid\nif age < 30 then high\n")
    run = polyrx("rules", "check", "bad.txt", "model.json", cwd=ward)
    assert run.status == 4
    assert "conflict: rules 1 and 2 leave no treatment for a row such as age " in run.out and "ward north" in run.out
    before = content(ward)
    sentence = refuses("constrain", "model.json", "bad.txt", "-o", "new.json", status=4, cwd=ward)
    assert sentence.startswith("bad.txt: rules 1 and 2 leave no treatment for a row such as age ")
    refuses("fit", "ward.csv", *ROLES, *TINY, "--rules", "bad.txt", "-o", "new.json", status=4, cwd=ward)
    assert content(ward) == before


def test_without_the_treatments_only_conflicts_that_they_cannot_resolve_are_reported(ward):
    (ward / "old.txt").write_text("if age > 60 then not high\nif age > 70 then not low\n")
    run = succeeds("rules", "check", "old.txt", "ward.csv", cwd=ward)
    assert run.out.endswith("whether the rules leave every row a treatment depends on which treatments there are: name "
                            "their column with --treatment, or give a model\n")
    answer = json.loads(succeeds("rules", "check", "old.txt", "ward.csv", "--json", cwd=ward).out)
    assert (answer["conflict"], answer["certain"], answer["treatments_known"]) == (None, False, False)
    known = json.loads(succeeds("rules", "check", "old.txt", "ward.csv", "--treatment", "treatment", "--json", cwd=ward).out)
    assert known["certain"] and "treatments_known" not in known
    (ward / "bad.txt").write_text("if age > 60 then low\nif age > 70 then high\n")
    run = polyrx("rules", "check", "bad.txt", "ward.csv", cwd=ward)
    assert run.status == 4 and "conflict: rules 1 and 2 leave no treatment for a row such as age " in run.out


def test_rules_that_do_nothing_are_named(ward):
    (ward / "idle.txt").write_text("if age > 60 then low\nif age > 70 then low, mid\nif age > 500 then mid\n")
    rules = json.loads(succeeds("rules", "check", "idle.txt", "model.json", "--when-missing", "skip", "--json",
                                cwd=ward).out)["rules"]
    assert [rule["implied"] for rule in rules] == [False, True, False]
    assert [rule["never_applies"] for rule in rules] == [False, False, True]


@pytest.mark.parametrize("rules, sentence", [
    ("if agge > 3 then low", "rules.txt:1:4: there is no feature 'agge' (did you mean 'age'?)"),
    ("if ward = nort then low", "rules.txt:1:11: 'ward' has no category 'nort' (did you mean 'north'?)"),
    ("if ward > 3 then low", "rules.txt:1:4: 'ward' has categories, which have no order: use = or !="),
    ("if ward = 3 then low", "rules.txt:1:11: 'ward' is compared with a number, but has categories: north, south, west"),
    ("if ward * 2 = 3 then low",
     "rules.txt:1:4: 'ward' has categories (north, south, west), and numbers are needed here"),
    ("if age > 3 then lwo", "rules.txt:1:17: there is no treatment 'lwo' (did you mean 'low'?)"),
    ("if age > 3 then low or mid",
     "rules.txt:1:17: there is no treatment 'low or mid' (treatments are listed with commas: high, low, mid)"),
    ("if age > 3 then not low, mid, high", "rules.txt:1:21: the rule excludes every treatment"),
    ("let age = 2 * age\nif age > 3 then low",
     "rules.txt:1:11: there is a feature 'age' already; a derived one needs another name"),
    ("# nothing", "rules.txt: there are no rules in it"),
])
def test_wrong_rules_get_a_sentence_with_their_place(ward, rules, sentence):
    (ward / "rules.txt").write_text(rules + "\n")
    before = content(ward)
    for call in (["rules", "check", "rules.txt", "model.json"], ["constrain", "model.json", "rules.txt", "-o", "new.json"]):
        run = polyrx(*call, cwd=ward)
        first, *excerpt = run.err.splitlines()
        assert run.status == 3 and run.out == "" and first == f"polyrx: {sentence}"
        if ":1:" in sentence:
            line, caret = excerpt
            assert line == "  " + rules.splitlines()[0]
            assert caret.index("^") == int(sentence.split(":")[2]) + 1
    assert content(ward) == before


def test_a_syntax_error_shows_the_line_and_a_caret(ward):
    (ward / "rules.txt").write_text("if age > 3 then low\nif age >\tthen low\n")
    run = polyrx("rules", "check", "rules.txt", "model.json", cwd=ward)
    assert run.status == 3 and run.out == ""
    first, line, caret = run.err.splitlines()
    assert first == "polyrx: rules.txt:2:10: a number or a name is missing after '>'"
    assert line == "  if age >\tthen low" and caret == "          \t^"


def test_a_formula_without_a_value_names_the_row(ward):
    (ward / "rules.txt").write_text("if 1 / (age - 50) > 1 then low\n")
    rows = rows_of((ward / "ward.csv").read_text())
    line = next(i for i, row in enumerate(rows, 1) if row[0] == "50")
    sentence = refuses("rules", "check", "rules.txt", "ward.csv", status=3, cwd=ward)
    assert sentence == f"ward.csv:{line}: '1 / (age - 50)' has no finite value: a division by zero"


def test_data_may_come_through_a_pipe(ward):
    called = ["rules", "check", "rules.txt"]
    piped = succeeds(*called, "-", "--treatment", "treatment", cwd=ward, stdin=(ward / "ward.csv").read_bytes())
    assert piped.out == succeeds(*called, "ward.csv", "--treatment", "treatment", cwd=ward).out


@pytest.mark.parametrize("arguments, sentence", [
    (["rules", "check", "rules.txt", "model.json", "--treatment", "treatment"], "--treatment is for data, and model.json is a model"),
    (["rules", "check", "rules.txt", "ward.csv", "--data", "ward.csv"], "--data is for models, and ward.csv is data"),
    (["fit", "ward.csv", *ROLES, "--big-m"], "--big-m applies to rules: give a file of them with --rules FILE"),
    (["fit", "ward.csv", *ROLES, "--on-violation", "keep"], "--on-violation applies to rules: give a file of them with --rules FILE"),
    (["verify", "model.json", "tree.json", "--when-missing", "apply"],
     "--when-missing is for --claims: a tree's rules are its model's"),
])
def test_options_that_would_do_nothing_are_refused(ward, arguments, sentence):
    assert refuses(*arguments, status=2, cwd=ward) == sentence


# --- obeying


@pytest.mark.parametrize("options", [[], ["--big-m"]])
def test_a_constrained_model_keeps_every_rule_and_changes_nothing_else(ward, options):
    run = succeeds("constrain", "model.json", "rules.txt", "--data", "ward.csv", *options, "-o", "new.json", cwd=ward)
    rows = records_of(ward / "ward.csv")
    before = records_of_run(succeeds("prescribe", "model.json", "ward.csv", cwd=ward))
    after = records_of_run(succeeds("prescribe", "new.json", "ward.csv", cwd=ward))
    changed = 0
    for row, was, now in zip(rows, before, after, strict=True):
        assert now in allowed(row)
        assert now == was or was not in allowed(row)
        changed += was != now
    assert changed > 0 and f"{changed} of 300 prescriptions changed by the rules" in run.err
    assert ("big M" in run.err) == bool(options)


def records_of_run(run):
    return [row[0] for row in rows_of(run.out)[1:]]


def test_a_fit_with_rules_counts_what_breaks_them_and_learns_from_it(ward):
    run = succeeds("fit", "ward.csv", *ROLES, *TINY, "--rules", "rules.txt", "-o", "new.json", cwd=ward)
    rows = records_of(ward / "ward.csv")
    broken = [i for i, row in enumerate(rows) if row["treatment"] not in allowed(row)]
    assert f"In {len(broken)} of 300 rows, the treatment breaks a rule: " in run.err
    assert "300 rows, " in run.err
    assert "3 rules: " in run.err
    for row, now in zip(rows, records_of_run(succeeds("prescribe", "new.json", "ward.csv", cwd=ward)), strict=True):
        assert now in allowed(row)
    sentence = refuses("fit", "ward.csv", *ROLES, *TINY, "--rules", "rules.txt", "--on-violation", "error", "-o",
                       "e.json", status=3, cwd=ward)
    treatment = rows[broken[0]]["treatment"]
    # The first rule says low only; else it is high that one of the others forbids.
    age, ward_of_row = rows[broken[0]]["age"], rows[broken[0]]["ward"]
    smokes_in_south = ward_of_row in ("south", "NA") and rows[broken[0]]["smoker"] == "yes"
    number = 1 if age == "" or float(age) >= 80 else 2 if smokes_in_south else 3
    assert sentence == f"ward.csv:{broken[0] + 2}: the treatment '{treatment}' breaks rule {number}"


def test_a_row_without_an_allowed_treatment_is_none_and_status_3(ward):
    # Beyond the ages that the conflict check knows of, two rules meet.
    (ward / "apart.txt").write_text("if age > 95 then low\nif age > 96 then mid\n")
    succeeds("constrain", "model.json", "apart.txt", "--when-missing", "skip", "-q", "-o", "new.json", cwd=ward)
    write_rows(ward / "old.csv", [["age", "ward", "smoker"], ["50", "north", "no"], ["99", "north", "no"]])
    run = polyrx("prescribe", "new.json", "old.csv", cwd=ward)
    assert run.status == 3 and rows_of(run.out)[2] == ["none"]
    assert run.err == "polyrx: old.csv:3: the rules leave no treatment for 1 row: prescribed as 'none'\n"


def test_rules_as_json_are_the_same_rules(ward):
    (ward / "rules.json").write_text(json.dumps({
        "lets": [{"name": "strain", "formula": "age * age / 100"}],
        "rules": [
            {"if": {"left": "age", "is": ">=", "right": "80"}, "allow": ["low"]},
            {"if": {"all": [{"left": "ward", "is": "=", "right": "south"}, {"left": "smoker", "is": "=", "right": "yes"}]},
             "exclude": ["high"]},
            {"if": {"any": [{"left": "strain", "is": ">", "right": "30"},
                            {"not": {"left": "ward", "is": "!=", "right": "west"}}]}, "allow": ["low", "mid"]},
        ]}))
    for rules in ("rules.txt", "rules.json"):
        succeeds("constrain", "model.json", rules, "-q", "-o", rules + ".model", cwd=ward)
    assert (ward / "rules.txt.model").read_bytes() == (ward / "rules.json.model").read_bytes()


@pytest.mark.parametrize("condition", ["not (" * 12 + "age >= 80" + ")" * 12, "age > 30 and (ward = south or (" * 6 + "age >= 80" + "))" * 6])
def test_a_model_with_nested_rules_can_be_read_again(ward, condition):
    (ward / "nested.txt").write_text(f"if {condition} then low\n")
    succeeds("fit", "ward.csv", *ROLES, *TINY, "--rules", "nested.txt", "-q", cwd=ward)
    succeeds("prescribe", "model.json", "ward.csv", "-q", "-o", "prescriptions.csv", cwd=ward)


def test_rules_nested_too_deeply_are_refused_and_the_model_stays(ward):
    before = (ward / "model.json").read_bytes()
    (ward / "nested.txt").write_text("if " + "not (" * 400 + "age >= 80" + ")" * 400 + " then low\n")
    run = polyrx("fit", "ward.csv", *ROLES, *TINY, "--rules", "nested.txt", cwd=ward)
    assert run.status == 3 and run.err.startswith("polyrx: nested.txt:1:504: nested more than 200 levels deep")
    assert (ward / "model.json").read_bytes() == before
