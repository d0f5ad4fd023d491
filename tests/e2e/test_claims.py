# SPDX-License-Identifier: Apache-2.0
"""Statements about a model are proved, refuted by a row that really breaks them, or left undecided."""

import csv
import io
import json

from program import polyrx, refuses, succeeds, write_rows


def decide(garden, claims, *options, model="small.json"):
    """The run, and its answers as JSON."""
    (garden / "claims.txt").write_text(claims)
    run = polyrx("verify", model, "--claims", "claims.txt", "--json", *options, cwd=garden)
    return run, json.loads(run.out)["claims"] if run.out else None


def test_what_always_holds_is_proved(garden):
    run, answers = decide(garden, "if age >= 18 then 5 mg, 10 mg, 20 mg\nif age > 50 and age < 40 then 5 mg\n")
    assert run.status == 0 and run.err == ""
    assert [answer["answer"] for answer in answers] == ["proved", "proved"]
    words = succeeds("verify", "small.json", "--claims", "claims.txt", cwd=garden).out
    assert words.startswith("if age >= 18 then 5 mg, 10 mg, 20 mg\n  proved, in ")


def test_a_refuting_row_is_prescribed_what_the_claim_forbids(garden):
    run, answers = decide(garden, "\n".join(f"if egfr < 120 and sex = {sex} then not {dose}" for sex in "FM"
                                            for dose in ("5 mg", "10 mg", "20 mg")) + "\n")
    assert run.status == 4 and run.err.endswith("claims are refuted\n"), run
    refuted = [answer for answer in answers if answer["answer"] == "refuted"]
    assert len(refuted) >= 2 and all(answer["answer"] != "undecided" for answer in answers)
    for answer in refuted:
        row = answer["row"]
        write_rows(garden / "row.csv", [list(row), ["" if cell is None else cell for cell in row.values()]])
        out = succeeds("prescribe", "small.json", "row.csv", "--outcomes", cwd=garden).out
        prescribed = next(csv.DictReader(io.StringIO(out)))["prescription"]
        assert prescribed == answer["prescribed"]
        assert answer["claim"].endswith(f"then not {prescribed}")
        assert row["egfr"] < 120 and f"sex = {row['sex']}" in answer["claim"]
    words = polyrx("verify", "small.json", "--claims", "claims.txt", cwd=garden)
    assert words.status == 4 and "  refuted by this row: age " in words.out and "; predicted outcome: 5 mg " in words.out


def test_claims_may_be_about_derived_features(garden):
    run, answers = decide(garden, "let load = weight / age\nif load > 1000 then 5 mg\nif load < 3 then 5 mg\n"
                                  "if load < 3 then not 5 mg\n")
    assert run.status == 4
    assert answers[0]["answer"] == "proved"
    assert "refuted" in (answers[1]["answer"], answers[2]["answer"])


def test_a_domain_narrows_what_a_claim_is_about(garden):
    everywhere, answers = decide(garden, "if age < 40 then 5 mg, 10 mg\n")
    nowhere, narrowed = decide(garden, "if age < 40 then 5 mg, 10 mg\n", "--domain", "age=50:60")
    assert nowhere.status == 0 and narrowed[0]["answer"] == "proved"
    assert everywhere.status in (0, 4) and answers[0]["answer"] in ("proved", "refuted")


def test_what_takes_too_long_is_undecided(garden):
    (garden / "claims.txt").write_text("".join(f"if {bound} then {dose}\n" for dose in ("not 5 mg", "not 10 mg", "not 20 mg")
                                               for bound in ("age < 30", "egfr < 30", "age > 80 and alt < 20")))
    run = polyrx("verify", "large.json", "--claims", "claims.txt", "--max-seconds", "0.01", cwd=garden)
    assert run.status in (0, 1, 4)
    if "undecided" in run.out:
        assert "  undecided after 0.01 s\n" in run.out


def test_calls_that_make_no_sense_are_refused(garden):
    (garden / "claims.txt").write_text("if age > 40 then 5 mg\n")
    either = "expected either a TREE or --claims FILE: name what to verify"
    assert refuses("verify", "small.json", status=2, cwd=garden) == either
    assert refuses("verify", "small.json", "tree.json", "--claims", "claims.txt", status=2, cwd=garden) == either
    assert "for --claims" in refuses("verify", "small.json", "tree.json", "--max-seconds", "1", status=2, cwd=garden)
    (garden / "claims.txt").write_text("# none\n")
    assert refuses("verify", "small.json", "--claims", "claims.txt", status=3,
                   cwd=garden) == "claims.txt: there are no claims"
    (garden / "claims.txt").write_text("if age > 40 then 7 mg\n")
    run = polyrx("verify", "small.json", "--claims", "claims.txt", cwd=garden)
    assert run.status == 3 and run.err.startswith("polyrx: claims.txt:1:18: there is no treatment '7 mg'")
