# SPDX-License-Identifier: Apache-2.0
"""Policies that keep to what the data support, and whether they are recommended."""

import json
import math
import random
import re

import pytest
from program import ROLES, polyrx, records_of, refuses, rows_of, succeeds, unless_slow, write_rows

pytestmark = unless_slow
DOSES = ["low", "mid", "high"]


def clinic(count, seed, good=True, truth=False):
    """Three doses of which one is right by the patient's need; doctors find it nearly always, or draw lots."""
    draw = random.Random(seed)
    rows = [["need", "age", "noise", "treatment", "outcome"] + (["y0", "y1", "y2"] if truth else [])]
    for _ in range(count):
        need, age, noise = draw.gauss(0, 1), draw.gauss(60, 10), draw.gauss(0, 1)
        right = 0 if need < -0.7 else 1 if need < 1.3 else 2
        seen = need + draw.gauss(0, 0.15)
        given = (0 if seen < -0.7 else 1 if seen < 1.3 else 2) if good else draw.randrange(3)
        harm = [abs(k - right) + 0.02 * (age - 60) for k in range(3)]
        rows.append([f"{need:.4f}", f"{age:.1f}", f"{noise:.3f}", DOSES[given], f"{harm[given] + draw.gauss(0, 0.5):.4f}"]
                    + ([f"{value:.4f}" for value in harm] if truth else []))
    return rows


TRUTH = ["--truth", "low=y0,mid=y1,high=y2"]


@pytest.fixture(scope="module")
def ward(tmp_path_factory):
    """Good doctors: train.csv, test.csv with its truth, default.json, model.json (supported, kept whatever it is worth) and
    bold.json (extrapolating)."""
    folder = tmp_path_factory.mktemp("ward")
    write_rows(folder / "train.csv", clinic(1500, 1))
    write_rows(folder / "test.csv", clinic(1500, 2, truth=True))
    succeeds("fit", "train.csv", *ROLES, "--hidden", "3", "-q", "-o", "default.json", cwd=folder)
    fit = ["fit", "train.csv", *ROLES, "--hidden", "3", "--fallback", "none", "-q"]
    succeeds(*fit, "-o", "model.json", cwd=folder)
    succeeds(*fit, "--beyond-support", "extrapolate", "-o", "bold.json", cwd=folder)
    return folder


def test_a_supported_policy_is_about_as_good_as_good_doctors(ward):
    right = json.loads(succeeds("evaluate", "default.json", "test.csv", *TRUTH, "--json", "-q", cwd=ward).out)["accuracy"]
    test = records_of(ward / "test.csv")
    practice = sum(min((float(row["y0"]), 0), (float(row["y1"]), 1), (float(row["y2"]), 2))[1] == DOSES.index(row["treatment"])
                   for row in test) / len(test)
    assert practice > 0.9
    assert right > practice - 0.03


def test_prescriptions_name_their_reason_and_keep_to_the_doses_that_such_patients_received(ward):
    header, *supported = rows_of(succeeds("prescribe", "model.json", "test.csv", "--reasons", "-q", cwd=ward).out)
    assert header == ["prescription", "reason"]
    _, *bold = rows_of(succeeds("prescribe", "bold.json", "test.csv", "--reasons", "-q", cwd=ward).out)
    assert {reason for _, reason in bold} == {"outcome"}
    assert {reason for _, reason in supported} == {"outcome", "support"}
    needs = [float(row["need"]) for row in records_of(ward / "test.csv")]
    for need, (dose, _) in zip(needs, supported):
        assert not (dose == "high" and need < 0) and not (dose == "low" and need > 0.8)


def test_the_tree_names_support_and_is_proved(ward):
    out = succeeds("tree", "model.json", "--data", "train.csv", "-o", "tree.json", cwd=ward)
    assert "Support: a treatment is not prescribed where rows like it received another" in out.err
    assert succeeds("verify", "model.json", "tree.json", "-q", cwd=ward).out.startswith("proved:")
    text = succeeds("tree", "tree.json", cwd=ward).out
    words = " ".join(text.replace("│", " ").split())
    assert " not supported)" in words and "supported?)" not in words
    assert re.search(r"\(if (so|not), (\w+ is supported|not \w+: rows like this received \w+ more than 50 times as often|\w+ is not supported)\)", words)
    both = [rows_of(succeeds("prescribe", model, "test.csv", "-q", cwd=ward).out) for model in ("model.json", "tree.json")]
    assert both[0] == both[1]
    for form in ("svg", "dot"):
        assert "supported" in succeeds("tree", "tree.json", "--format", form, cwd=ward).out


def test_a_claim_can_rest_on_support(ward):
    (ward / "claims.txt").write_text("if need < -1 then not high\n", encoding="utf-8")
    assert "proved" in succeeds("verify", "model.json", "--claims", "claims.txt", cwd=ward).out
    assert polyrx("verify", "bold.json", "--claims", "claims.txt", cwd=ward).status in (0, 4)


def test_rules_and_support_work_together(ward, tmp_path):
    (tmp_path / "rules.txt").write_text("if age > 50 then low, high\n", encoding="utf-8")
    succeeds("constrain", ward / "model.json", "rules.txt", "--data", ward / "train.csv", "-q", "-o", "ruled.json",
             cwd=tmp_path)
    _, *rows = rows_of(succeeds("prescribe", "ruled.json", ward / "test.csv", "--reasons", "-q", cwd=tmp_path).out)
    old = [float(row["age"]) > 50 for row in records_of(ward / "test.csv")]
    assert all(dose in ("low", "high") for (dose, _), is_old in zip(rows, old) if is_old)
    assert {"rule"} <= {reason for _, reason in rows}


def supported_without_rules(model, row):
    """The doses that the support of a model (parsed JSON) calls supported for a row when all doses are allowed."""
    support = model["support"]
    if "nodes" in support:
        at = support["nodes"][0]
        while "rows" not in at:
            at = support["nodes"][at["left"] + (0 if float(row[at["feature"]]) <= at["at_most"] else 1)]
        likely = at["rows"]
    else:
        inputs = [float(row[feature["name"]]) for feature in model["features"]]
        likely = [math.exp(each["constant"] + sum(weight * inputs[at] for at, weight in each["terms"]))
                  for each in support["log_odds"]]
    return {dose for dose, chance in zip(model["treatments"], likely) if chance >= support["epsilon"] * max(likely)}


def count_only_unsupported(model, rows, applies, allowed):
    """Rows to which the rule applies and for which it allows only unsupported doses."""
    return sum(applies(row) and not supported_without_rules(model, row) & allowed for row in rows)


def sentence_about(count, rows):
    return (f"For {count} rows ({100 * count / rows:.1f} %) the rules allow only treatments that the data do not support; "
            "support is then taken among the allowed.\n")


def test_rows_whose_rules_allow_only_unsupported_doses_are_counted(ward, tmp_path):
    (tmp_path / "rules.txt").write_text("if need > 1.5 then low\n", encoding="utf-8")
    test = records_of(ward / "test.csv")
    model = json.loads((ward / "model.json").read_text(encoding="utf-8"))
    count = count_only_unsupported(model, test, lambda row: float(row["need"]) > 1.5, {"low"})
    assert count > 20  # nobody with such a need received a low dose
    constrain = ["constrain", ward / "model.json", "rules.txt", "-o", "ruled.json"]
    assert sentence_about(count, len(test)) in succeeds(*constrain, "--data", ward / "test.csv", cwd=tmp_path).err
    summary = json.loads(succeeds(*constrain, "--data", ward / "test.csv", "--json", "-q", cwd=tmp_path).out)
    assert summary["only_unsupported_allowed"] == count
    prescribed = succeeds("prescribe", "ruled.json", ward / "test.csv", "-o", "prescribed.csv", cwd=tmp_path)
    assert sentence_about(count, len(test)) in prescribed.err
    assert {row["prescription"] for row, patient in zip(records_of(tmp_path / "prescribed.csv"), test)
            if float(patient["need"]) > 1.5} == {"low"}
    # A model that extrapolates has no support to count by.
    bold = ["constrain", ward / "bold.json", "rules.txt", "--data", ward / "test.csv", "-o", "bold.json", "--json"]
    run = succeeds(*bold, cwd=tmp_path)
    assert "do not support" not in run.err and "only_unsupported_allowed" not in json.loads(run.out)


def test_rules_that_leave_a_supported_dose_are_not_remarked_on(ward, tmp_path):
    (tmp_path / "rules.txt").write_text("if need > 1.5 then high\n", encoding="utf-8")
    run = succeeds("constrain", ward / "model.json", "rules.txt", "--data", ward / "test.csv", "-o", "ruled.json", "--json",
                   cwd=tmp_path)
    assert "do not support" not in run.err and json.loads(run.out)["only_unsupported_allowed"] == 0


def test_fit_counts_training_rows_whose_rules_allow_only_unsupported_doses(ward, tmp_path):
    (tmp_path / "rules.txt").write_text("if need > 1.5 then low\n", encoding="utf-8")
    fit = ["fit", ward / "train.csv", *ROLES, "--hidden", "3", "--no-recommendation", "--rules", "rules.txt", "-o", "m.json"]
    run = succeeds(*fit, "--json", cwd=tmp_path)
    train = records_of(ward / "train.csv")
    model = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    count = count_only_unsupported(model, train, lambda row: float(row["need"]) > 1.5, {"low"})
    assert count > 20
    assert json.loads(run.out)["support"]["only_unsupported_allowed"] == count
    assert sentence_about(count, len(train)) in run.err


def test_a_fallback_names_the_rows_whose_rules_forbid_the_most_likely_dose(ward, tmp_path):
    model = json.loads((ward / "default.json").read_text(encoding="utf-8"))
    assert model["provenance"]["options"]["fallback"] == "the most likely treatment"
    (tmp_path / "rules.txt").write_text("if need > 1.5 then low\n", encoding="utf-8")
    test = records_of(ward / "test.csv")
    count = count_only_unsupported(model, test, lambda row: float(row["need"]) > 1.5, {"low"})
    run = succeeds("constrain", ward / "default.json", "rules.txt", "--data", ward / "test.csv", "-o", "ruled.json",
                   cwd=tmp_path)
    assert (f"For {count} rows ({100 * count / len(test):.1f} %) the rules do not allow the most likely treatment; "
            "the most likely of the allowed is then prescribed.\n") in run.err


def test_a_model_keeps_its_support_and_an_old_one_extrapolates(ward):
    model = json.loads((ward / "model.json").read_text(encoding="utf-8"))
    assert model["format_version"] == 4 and model["support"]["epsilon"] == 0.02
    assert model["provenance"]["options"]["beyond-support"] == "avoid"
    assert "support" not in json.loads((ward / "bold.json").read_text(encoding="utf-8"))


def test_the_summary_begins_with_the_recommendation(ward, tmp_path):
    out = succeeds("fit", ward / "train.csv", *ROLES, "--hidden", "3", "-o", "m.json", cwd=tmp_path).err.splitlines()
    assert out[0].startswith(("Recommended: ", "NOT recommended: "))
    text = "\n".join(out)
    assert "used nothing that is not in these columns" in text
    assert "A smaller outcome is better." in text
    assert "3 features: 'need', 'age', 'noise'" in text or "3 features: need, age, noise" in text
    assert "would change treatment" in text and "Support (" in text


def test_a_trial_in_which_dosing_by_need_pays_is_recommended(tmp_path):
    write_rows(tmp_path / "trial.csv", clinic(1500, 3, good=False))
    summary = json.loads(succeeds("fit", "trial.csv", *ROLES, "--hidden", "10", "--json", "-q", "-o", "m.json",
                                  cwd=tmp_path).out)
    assert summary["recommended"] is True, summary["recommendation"]
    assert summary["support"]["model"] == "constant"
    assert summary["gains"][0]["over"] == "current practice" and summary["gains"][0]["low"] > 0


def test_where_a_simple_policy_is_better_it_is_written_unless_told_otherwise(tmp_path):
    # Doctors know the right dose nearly always, and 60 epochs too few teach a network nothing.
    write_rows(tmp_path / "ward.csv", clinic(2000, 5))
    fit = ["fit", "ward.csv", *ROLES, "--hidden", "1", "--epochs", "1", "--json", "-q"]
    replaced = json.loads(succeeds(*fit, "-o", "simple.json", cwd=tmp_path).out)
    assert replaced["fallback"] == "the most likely treatment"
    assert "The learned policy is worse than the most likely treatment" in replaced["recommendation"]
    header, *_ = rows_of(succeeds("prescribe", "simple.json", "ward.csv", "--outcomes", "-q", cwd=tmp_path).out)
    assert header == ["prescription", "outcome_high", "outcome_low", "outcome_mid"]  # the mean outcome of each
    kept = json.loads(succeeds(*fit, "--fallback", "none", "-o", "kept.json", cwd=tmp_path).out)
    assert kept["fallback"] is None and kept["recommended"] is False


def test_what_is_not_recommended_is_said_first_by_every_verb(ward, tmp_path):
    write_rows(tmp_path / "few.csv", clinic(60, 4))
    fitted = succeeds("fit", "few.csv", *ROLES, "--hidden", "2", "-o", "m.json", cwd=tmp_path).err
    assert fitted.startswith("NOT recommended: ")
    succeeds("tree", "m.json", "-q", "-o", "t.json", cwd=tmp_path)
    for words in (["prescribe", "m.json", "few.csv"], ["tree", "m.json"], ["verify", "m.json", "t.json"],
                  ["regions", "m.json", "--data", "few.csv"]):
        assert succeeds(*words, cwd=tmp_path).warned.startswith("NOT recommended: "), words
    evaluated = succeeds("evaluate", "m.json", "few.csv", "--bootstrap", "0", "--plots", "pictures", cwd=tmp_path)
    assert evaluated.out.startswith("NOT recommended: ")
    for picture in (tmp_path / "pictures").iterdir():
        assert ">NOT recommended<" in picture.read_text(encoding="utf-8"), picture
    assert "NOT recommended: " in succeeds("tree", "t.json", "--format", "svg", "-q", cwd=tmp_path).out


@pytest.mark.parametrize("epsilon", ["0", "1", "-0.1", "2"])
def test_an_epsilon_out_of_range_is_refused(ward, epsilon):
    sentence = refuses("fit", "train.csv", *ROLES, "--support", epsilon, status=2, cwd=ward)
    assert "--support" in sentence and "above 0 and below 1" in sentence


def test_a_policy_that_was_not_compared_says_so(ward, tmp_path):
    fit = ["fit", ward / "train.csv", *ROLES, "--hidden", "3", "--no-recommendation", "-o", "m.json"]
    assert succeeds(*fit, cwd=tmp_path).err.startswith("NOT recommended: the policy was not compared with current practice.\n")
    assert json.loads(succeeds(*fit, "--json", "-q", cwd=tmp_path).out)["recommended"] is None
    assert "recommendation" not in json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    sentence = refuses(*fit, "--fallback", "none", status=2, cwd=tmp_path)
    assert sentence == "--fallback is about the recommendation, which --no-recommendation leaves out"


def test_options_that_contradict_each_other_are_refused(ward):
    sentence = refuses("fit", "train.csv", *ROLES, "--beyond-support", "extrapolate", "--support", "0.1", status=2, cwd=ward)
    assert sentence.startswith("--support is for --beyond-support avoid")
    sentence = refuses("fit", "train.csv", *ROLES, "--recipe", "paper", "--support", "0.1", status=2, cwd=ward)
    assert "this call prescribes beyond support" in sentence


def test_the_same_seed_gives_the_same_bytes_for_any_number_of_threads(ward, tmp_path):
    for threads in ("1", "3"):
        succeeds("fit", ward / "train.csv", *ROLES, "--hidden", "3", "--threads", threads, "-q", "-o", f"{threads}.json",
                 cwd=tmp_path)
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "3.json").read_bytes()


def rare_arm(count, rare, seed=1):
    """A or B by lot, of which one is better by x; the first `rare` rows received C."""
    draw = random.Random(seed)
    rows = [["x", "z", "treatment", "outcome"]]
    for i in range(count):
        x, z = draw.gauss(0, 1), draw.gauss(0, 1)
        arm = "C" if i < rare else draw.choice("AB")
        rows.append([f"{x:.4f}", f"{z:.4f}", arm, f"{({'A': x, 'B': -x, 'C': -1}[arm]) + draw.gauss(0, 1):.4f}"])
    return rows


@pytest.mark.parametrize("recipe", [["--recipe", "fast"], ["--recipe", "auto", "--candidates", "2", "--averaged", "2", "--folds", "2"]])
def test_an_arm_of_two_rows_is_not_prescribed(tmp_path, recipe):
    write_rows(tmp_path / "train.csv", rare_arm(400, 2))
    run = succeeds("fit", "train.csv", *ROLES, *recipe, "-o", "m.json", cwd=tmp_path)
    assert "C is not prescribed: 2 training rows received it, and at least 20 are needed." in run.err
    assert run.err.startswith("Recommended: ")


def test_an_arm_of_one_row_is_refused_in_one_sentence(tmp_path):
    write_rows(tmp_path / "train.csv", rare_arm(400, 1))
    sentence = refuses("fit", "train.csv", *ROLES, "--recipe", "fast", status=3, cwd=tmp_path)
    assert "the treatment 'C' has one row only, but at least two rows are needed" in sentence


@pytest.mark.parametrize("rare", [0, 1, 8])
def test_evaluate_answers_for_the_other_arms_where_one_is_rare(tmp_path, rare):
    write_rows(tmp_path / "train.csv", rare_arm(400, 30))
    write_rows(tmp_path / "test.csv", rare_arm(800, rare, seed=2))
    succeeds("fit", "train.csv", *ROLES, "--hidden", "3", "--no-recommendation", "-q", "-o", "m.json", cwd=tmp_path)
    run = succeeds("evaluate", "m.json", "test.csv", "--bootstrap", "0", "--trees", "20", "--json", cwd=tmp_path)
    overlap = {each["treatment"]: each for each in json.loads(run.out)["overlap"]["treatments"]}
    assert overlap["C"]["received"] == rare and overlap["A"]["received"] > 300


def strata(count, seed=1):
    """C by design: never in stratum u, rarely in v, often in w. It is best everywhere."""
    draw = random.Random(seed)
    rows = [["g", "x", "treatment", "outcome", "pA", "pB", "pC"]]
    for _ in range(count):
        g, x = draw.choice("uvw"), draw.gauss(0, 1)
        rare = {"u": 0, "v": 0.01, "w": 0.3}[g]
        chances = [0.5 * (1 - rare), 0.5 * (1 - rare), rare]
        arm = draw.choices("ABC", chances)[0]
        outcome = {"A": x, "B": -x, "C": -3}[arm] + draw.gauss(0, 0.5)
        rows.append([g, f"{x:.4f}", arm, f"{outcome:.4f}", *[f"{chance:.4f}" for chance in chances]])
    return rows


def test_support_follows_a_design_with_zeros(tmp_path):
    write_rows(tmp_path / "train.csv", strata(1500))
    run = succeeds("fit", "train.csv", *ROLES, "--propensities", "pA,pB,pC", "--hidden", "3", "--fallback", "none", "-o", "m.json",
                   cwd=tmp_path)
    assert "Support (design): " in run.err and "more conservative" not in run.err
    prescribed = [row[0] for row in rows_of(succeeds("prescribe", "m.json", "train.csv", "-q", cwd=tmp_path).out)[1:]]
    for row, arm in zip(records_of(tmp_path / "train.csv"), prescribed):
        assert (arm == "C") == (row["g"] != "u")
    succeeds("tree", "m.json", "--data", "train.csv", "-q", "-o", "t.json", cwd=tmp_path)
    assert succeeds("verify", "m.json", "t.json", "-q", cwd=tmp_path).out.startswith("proved:")
    text = succeeds("tree", "t.json", cwd=tmp_path).out
    assert "Support: a treatment is not prescribed where the design gave it a probability below 0.001." in text
    assert "times as often" not in text


def test_a_treatment_that_the_design_never_gives_is_not_blamed_on_few_rows(tmp_path):
    rows = strata(600)
    for row in rows[1:]:  # more rows received it than such a design explains
        row[4:] = ["0.49975", "0.49975", "0.0005"]
    write_rows(tmp_path / "train.csv", rows)
    run = succeeds("fit", "train.csv", *ROLES, "--propensities", "pA,pB,pC", "--hidden", "3", "-o", "m.json", cwd=tmp_path)
    assert "C is not prescribed: the design gives it a probability below 0.001 for every training row." in run.err


def test_with_leaves_the_only_recommendation_is_that_of_the_tree(ward, tmp_path):
    run = succeeds("fit", ward / "train.csv", *ROLES, "--hidden", "3", "--fallback", "none", "--leaves", "6", "-o", "m.json", cwd=tmp_path)
    first = run.err.splitlines()[0]
    assert first == json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["recommendation"]["sentence"]
    assert "the learned policy" not in run.err.split("Support (")[0]


def test_fit_names_the_range_that_bounds_unsupported_prescriptions(ward, tmp_path):
    fit = ["fit", ward / "train.csv", *ROLES, "--hidden", "3", "--beyond-support", "extrapolate", "-o", "m.json"]
    run = succeeds(*fit, cwd=tmp_path)
    assert re.search(r"Outcomes of unsupported prescriptions are bounded by \S+ and \S+, the least and greatest observed: "
                     r"an assumption \(declare with --outcome-range\)\.", run.err)
    declared = succeeds(*fit, "--outcome-range", "-50,50", "--json", cwd=tmp_path)
    assert "Outcomes of unsupported prescriptions are bounded by -50 and 50.\n" in declared.err
    wide, narrow = (next(gain for gain in json.loads(out)["safer_policies"] if gain["policy"] == "always mid")
                    for out in (declared.out, succeeds(*fit, "--json", "-q", cwd=tmp_path).out))
    assert wide["low"] < narrow["low"]
    sentence = refuses(*fit, "--outcome-range", "0,1", status=3, cwd=tmp_path)
    assert "outside of the declared range from 0 to 1" in sentence
    sentence = refuses(*fit, "--outcome-range", "1,0", status=2, cwd=tmp_path)
    assert sentence.startswith("--outcome-range 1,0: expected two numbers A,B with A below B")


def test_a_tree_says_which_side_of_a_split_is_not_supported(tmp_path):
    write_rows(tmp_path / "train.csv", strata(1500))
    succeeds("fit", "train.csv", *ROLES, "--propensities", "pA,pB,pC", "--ignore", "x", "--hidden", "2", "--fallback", "none", "-q",
             "-o", "m.json", cwd=tmp_path)
    succeeds("tree", "m.json", "-q", "-o", "t.json", cwd=tmp_path)
    text = succeeds("tree", "t.json", cwd=tmp_path).out
    words = " ".join(text.replace("│", " ").split())
    side = re.search(r"g is (not u|u|v or w|w or v)\S* \(if (so|not), C is not supported\)", words)
    assert side and (side[2] == "so") == (side[1] == "u"), text
    assert re.search(r"→ [AB] \(C not supported\)", words), text
    assert "Where g is u: by design, not every row could receive C." in words, text
    for form in ("svg", "dot"):
        assert "not supported" in succeeds("tree", "t.json", "--format", form, cwd=tmp_path).out


def test_a_tree_lists_the_counts_behind_its_support(tmp_path):
    draw = random.Random(1)
    rows = [["x", "treatment", "outcome"]]
    for _ in range(1500):  # C only where |x| is large, which no logistic regression can say
        x = draw.uniform(-2, 2)
        arm = draw.choice("ABC") if abs(x) > 1 else draw.choice("AB")
        rows.append([f"{x:.3f}", arm, f"{-2 * (arm == 'C') + draw.gauss(0, 0.5):.3f}"])
    write_rows(tmp_path / "train.csv", rows)
    succeeds("fit", "train.csv", *ROLES, "--hidden", "2", "--fallback", "none", "-q", "-o", "m.json", cwd=tmp_path)
    assert json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))["support"]["kind"] == "tree"
    succeeds("tree", "m.json", "--data", "train.csv", "-q", "-o", "t.json", cwd=tmp_path)
    text = " ".join(succeeds("tree", "t.json", cwd=tmp_path).out.split())
    assert re.search(r"Where x [^:]*: 0 of \d+ rows received C\.", text), text
    assert "C not supported)" in text and re.search(r"\(if (so|not), C is supported\)", text), text
