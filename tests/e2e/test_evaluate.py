# SPDX-License-Identifier: Apache-2.0
"""The evaluate verb without the truth: which rows are judged, for any policy, and what is said when data cannot answer."""

import json
from xml.etree import ElementTree

import pytest
from program import ROLES, polyrx, records_of, refuses, succeeds, unless_slow, write_rows

QUICK = ["--trees", "10", "--bootstrap", "200"]
pytestmark = unless_slow


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """rows.csv (a clinic's, with truth), model.json that held some of it out, and whole.json that did not."""
    folder = tmp_path_factory.mktemp("evaluate")
    succeeds("simulate", "clinic", "-n", "1500", "-o", "rows.csv", cwd=folder)
    fit = ["fit", "rows.csv", *ROLES, "--hidden", "10", "--epochs", "5", "-q"]
    succeeds(*fit, "--test-fraction", "0.4", "-o", "model.json", cwd=folder)
    succeeds(*fit, "-o", "whole.json", cwd=folder)
    return folder


def judged(*words, cwd):
    return json.loads(succeeds("evaluate", *words, *QUICK, "--json", "-q", cwd=cwd).out)


def write_records(path, records):
    write_rows(path, [list(records[0]), *(list(record.values()) for record in records)])


def test_the_rows_that_were_held_out_are_found_again_in_any_order(shared, tmp_path):
    whole = judged("model.json", "rows.csv", cwd=shared)
    assert whole["held_out"] and 500 < whole["rows"] < 700
    write_records(tmp_path / "turned.csv", records_of(shared / "rows.csv")[::-1])
    turned = judged(shared / "model.json", "turned.csv", cwd=tmp_path)
    assert turned["rows"] == whole["rows"]
    fitted = json.loads((shared / "model.json").read_text(encoding="utf-8"))["provenance"]
    assert fitted["test_fraction"] == 0.4 and fitted["rows"] == 1500 - whole["rows"]


def test_training_rows_are_called_so_in_the_first_line(shared):
    said = succeeds("evaluate", "whole.json", "rows.csv", *QUICK, "-q", cwd=shared).out
    assert said.startswith("TRAINING ROWS: the model learned from these 1,500 rows of rows.csv")
    assert "TRAINING ROWS" in succeeds("evaluate", "model.json", "rows.csv", "--rows", "all", *QUICK, "-q",
                                       cwd=shared).out.splitlines()[0]
    assert "TRAINING" not in succeeds("evaluate", "model.json", "rows.csv", *QUICK, "-q", cwd=shared).out


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(shared):
    texts = {succeeds("evaluate", "model.json", "rows.csv", *QUICK, "-q", "--threads", threads, cwd=shared).out
             for threads in ("1", "2", "4")}
    assert len(texts) == 1


def test_a_constant_and_a_column_are_policies_too(shared, tmp_path):
    rows = records_of(shared / "rows.csv")
    labels = sorted({row["treatment"] for row in rows})
    for row in rows:
        row["plan"] = labels[0]
    write_records(tmp_path / "planned.csv", rows)
    column = judged("column:plan", "planned.csv", *ROLES, cwd=tmp_path)
    constant = judged(f"always:{labels[0]}", "planned.csv", *ROLES, "--ignore", "plan", cwd=tmp_path)
    assert column["values"] == constant["values"]
    assert [each["prescribed"] for each in column["overlap"]["treatments"]].count(1500) == 1


def test_a_second_policy_is_compared_on_the_same_rows(shared):
    report = judged("model.json", "rows.csv", "--against", "always:10 mg", cwd=shared)
    other = report["compared"][-1]
    assert other["with"] == "always:10 mg"
    low, high = other["difference"]["bounds"]
    assert low <= high
    interval = other["difference"]["interval"]
    assert interval["low"] < low and high < interval["high"]
    if report["supported"]["unsupported_rows"] == 0 and other["value"]["value"] is not None:
        assert low == pytest.approx(report["values"]["dr"]["value"] - other["value"]["value"])
    same = judged("model.json", "rows.csv", "--against", "model.json", cwd=shared)["compared"][-1]
    assert same["difference"]["bounds"] == [0, 0]


def test_policies_with_other_features_are_compared_each_with_its_own(shared, tmp_path):
    (tmp_path / "rows.csv").write_bytes((shared / "rows.csv").read_bytes())
    fit = ["fit", "rows.csv", *ROLES, "--hidden", "6", "--epochs", "3", "--test-fraction", "0.4", "-q"]
    succeeds(*fit, "--features", "age,egfr", "-o", "one.json", cwd=tmp_path)
    succeeds(*fit, "--features", "sex,weight", "-o", "other.json", cwd=tmp_path)
    compared = judged("one.json", "rows.csv", "--against", "other.json", cwd=tmp_path)["compared"][-1]
    # The same prescriptions from elsewhere.
    plans = succeeds("prescribe", "other.json", "rows.csv", "-q", cwd=tmp_path).out.split("\n")[1:]
    rows = records_of(tmp_path / "rows.csv")
    for row, plan in zip(rows, plans):
        row["plan"] = plan
    write_records(tmp_path / "planned.csv", rows)
    planned = judged("one.json", "planned.csv", "--against", "column:plan", cwd=tmp_path)["compared"][-1]
    assert {**compared, "with": ""} == {**planned, "with": ""}
    for row in rows:
        del row["sex"]
    write_records(tmp_path / "fewer.csv", rows)
    assert refuses("evaluate", "one.json", "fewer.csv", "--against", "other.json", *QUICK, status=3, cwd=tmp_path) == (
        "other.json needs the column 'sex', and fewer.csv has none")


def test_the_recommendation_of_the_model_is_repeated(shared):
    said = json.loads((shared / "model.json").read_text(encoding="utf-8"))["recommendation"]
    report = judged("model.json", "rows.csv", cwd=shared)
    assert report["recommended"] is said["recommended"] and report["recommendation"] == said["sentence"]
    constant = judged("always:10 mg", "rows.csv", *ROLES, cwd=shared)
    assert constant["recommended"] is None and constant["recommendation"] is None


def test_leaves_of_a_tree_and_groups_of_a_column_add_up(shared, tmp_path):
    succeeds("fit", "rows.csv", *ROLES, "--method", "pt", "--no-recommendation", "--test-fraction", "0.4", "-q", "-o",
             tmp_path / "pt.json", cwd=shared)
    report = judged(tmp_path / "pt.json", "rows.csv", "--by", "sex", cwd=shared)
    for part in ("leaves", "groups"):
        assert sum(each["rows"] for each in report[part]) == report["rows"]
    assert {each["name"] for each in report["groups"]} >= {"F", "M"}


def test_known_propensities_are_taken_as_they_are_and_must_be_some(shared, tmp_path):
    rows = records_of(shared / "rows.csv")
    for row in rows:
        row.update(p1="0.25", p2="0.25", p3="0.5")
    write_records(tmp_path / "known.csv", rows)
    known = ["--propensities", "p1,p2,p3"]
    report = judged(shared / "model.json", "known.csv", *known, cwd=tmp_path)
    assert report["propensities"]["known"]
    assert all(each["smallest"][0] in (0.25, 0.5) for each in report["overlap"]["treatments"])
    rows[7]["p3"] = "0.6"
    write_records(tmp_path / "wrong.csv", rows)
    refused = polyrx("evaluate", shared / "model.json", "wrong.csv", "--rows", "all", *known, *QUICK, cwd=tmp_path)
    assert refused.status == 3 and "sum" in refused.err


def test_weak_overlap_is_said(tmp_path):
    succeeds("simulate", "1", "-n", "2000", "-o", "rows.csv", cwd=tmp_path)
    succeeds("fit", "rows.csv", *ROLES, "--method", "rc-lr", "--test-fraction", "0.5", "-q", cwd=tmp_path)
    report = judged("model.json", "rows.csv", cwd=tmp_path)
    assert report["overlap"]["verdict"] != "supported"
    assert report["overlap"]["words"] in succeeds("evaluate", "model.json", "rows.csv", *QUICK, "-q",
                                                  cwd=tmp_path).out


@pytest.mark.parametrize(("words", "sentence"), [
    (["always:10 mg", "rows.csv"], "without a model, --treatment COLUMN and --outcome COLUMN must be given"),
    (["always:7 mg", "rows.csv", *ROLES], "'7 mg' is none of the treatments"),
    (["column:sex", "rows.csv", *ROLES], "column 'sex': 'F' is none of the treatments"),
    (["model.json", "rows.csv", "--treatment", "treatment"], "a model knows its own"),
    (["model.json", "rows.csv", "--objective", "max"], "a model knows its own"),
    (["column:treatment", "rows.csv", "--treatment", "treatment", "--outcome", "outcome"], "this is the treatment received"),
    (["whole.json", "rows.csv", "--rows", "held-out"], "was fitted without --test-fraction"),
    (["model.json", "rows.csv", "--by", "weight"], "expected at most 50"),
    (["model.json", "rows.csv", "--by", "nothing"], "nothing"),
    (["model.json", "rows.csv", "--group", "nothing"], "nothing"),
    (["model.json", "rows.csv", "--support", "0"], "a number above 0 and below 1"),
    (["model.json", "rows.csv", "--support", "1"], "a number above 0 and below 1"),
    (["model.json", "rows.csv", "--outcome-range", "3"], "expected two numbers A,B with A below B"),
    (["model.json", "rows.csv", "--outcome-range", "3,1"], "expected two numbers A,B with A below B"),
    (["model.json", "rows.csv", "--outcome-range", "40,90"], "outside of the declared range from 40 to 90"),
    (["model.json", "rows.csv", "--propensities", "p1,p2,p3"], "no column 'p1'"),
    (["model.json", "rows.csv", "--propensities", "age"], "--propensities names 1 column, but there are 3 treatments"),
])
def test_bad_input_gets_one_sentence(shared, words, sentence):
    refused = polyrx("evaluate", *words, cwd=shared)
    assert refused.status in (2, 3), refused.err
    assert sentence in refused.err
    assert refused.out == ""


def test_pictures_are_well_formed_and_show_every_treatment(shared, tmp_path):
    text = succeeds("evaluate", "model.json", "rows.csv", "--plots", tmp_path / "pictures", *QUICK, cwd=shared).err
    for name in ("values", "overlap", "balance"):
        file = tmp_path / "pictures" / f"{name}.svg"
        assert file.name in text
        root = ElementTree.parse(file).getroot()
        words = " ".join(element.text or "" for element in root.iter() if element.tag.endswith("text"))
        if name == "overlap":
            assert all(label in words for label in ("5 mg", "10 mg", "20 mg"))
        if name == "values":
            assert "policy, doubly robust" in words and "as treated" in words
    assert not (tmp_path / "pictures" / "qini.svg").exists()


def test_pictures_need_a_place_to_go_and_something_to_estimate(shared, tmp_path):
    (tmp_path / "taken").write_text("a file")
    words = ["evaluate", "model.json", "rows.csv", *QUICK, "--plots"]
    assert "cannot make the folder" in refuses(*words, tmp_path / "taken", status=1, cwd=shared)
    assert "--truth needs none" in refuses(*words, tmp_path / "p", "--truth", "a,b,c", status=2, cwd=shared)


def test_two_treatments_have_a_qini_curve(tmp_path):
    table = [["x", "treatment", "outcome"]]
    for i in range(600):
        x, treatment = (i * 37 % 101) / 101, i * 13 % 7 % 2
        table.append([x, treatment, x * treatment + (i * 29 % 97) / 97])
    write_rows(tmp_path / "rows.csv", table)
    succeeds("fit", "rows.csv", *ROLES, "--method", "rc-lr", "--test-fraction", "0.5", "-q", cwd=tmp_path)
    said = succeeds("evaluate", "model.json", "rows.csv", *QUICK, "--plots", ".", "-q", cwd=tmp_path).out
    assert "rows where both are supported" in said
    assert "share of rows that receive 1" in (tmp_path / "qini.svg").read_text(encoding="utf-8")


def test_only_rows_that_were_held_out_are_called_so(shared, tmp_path):
    write_records(tmp_path / "fewer.csv", records_of(shared / "rows.csv")[1:])
    said = succeeds("evaluate", shared / "whole.json", "fewer.csv", *QUICK, "-q", cwd=tmp_path).out
    assert "held-out" not in said
    assert said.startswith("TRAINING ROWS: the model learned from about 100 % of these 1,499 rows of fewer.csv")
    warned = succeeds("evaluate", "model.json", "rows.csv", "--against", "whole.json", *QUICK, cwd=shared).err
    assert "whole.json was not fitted with the same rows held out" in warned
    assert "held out" not in succeeds("evaluate", "model.json", "rows.csv", "--against", "always:5 mg", *QUICK,
                                      cwd=shared).err


def test_what_the_data_cannot_answer_has_no_number(shared, tmp_path):
    rows = records_of(shared / "rows.csv")
    doses = ["5 mg", "10 mg", "20 mg"]
    for i, row in enumerate(rows):  # the prescription is what a row did not get, but for two of them
        row["plan"] = row["treatment"] if i < 2 else doses[(doses.index(row["treatment"]) + 1) % 3]
    write_records(tmp_path / "rows.csv", rows)
    report = judged("column:plan", "rows.csv", *ROLES, cwd=tmp_path)
    assert report["values"]["dr"]["value"] is None and "too few rows" in report["values"]["dr"]["reason"]
    assert report["supported"]["value"]["interval"] is None
    said = succeeds("evaluate", "column:plan", "rows.csv", *ROLES, *QUICK, "-q", cwd=tmp_path).out
    assert "not answerable" in said and "is not estimable" in said.splitlines()[-1]


def test_doing_what_was_done_is_worth_what_was_seen(shared, tmp_path):
    rows = records_of(shared / "rows.csv")
    for row in rows:
        row["plan"] = row["treatment"]
    write_records(tmp_path / "rows.csv", rows)
    report = judged("column:plan", "rows.csv", *ROLES, cwd=tmp_path)
    mean = sum(float(row["outcome"]) for row in rows) / len(rows)
    assert report["values"]["dr"]["value"] == pytest.approx(mean)


def silent_rows(path, rows=1200):
    """Treatment 1 was never given where z = 1; an event is bad, and treatment 1 prevents most."""
    table = [["z", "x", "treatment", "outcome", "plan"]]
    for i in range(rows):
        z, x = int(i % 10 < 3), (i * 37 % 101) / 101
        treatment = 0 if z else i * 13 % 7 % 2
        outcome = int((i * 29 % 97) / 97 < (0.1 if treatment else 0.4))
        table.append([z, x, treatment, outcome, 1])
    write_rows(path, table)


def test_unsupported_prescriptions_are_bounded_and_the_headline_says_so(tmp_path):
    silent_rows(tmp_path / "rows.csv")
    words = ["column:plan", "rows.csv", *ROLES]
    report = judged(*words, cwd=tmp_path)
    supported = report["supported"]
    assert supported["supported_share"] == pytest.approx(0.7, abs=0.02)
    low, high = supported["value"]["bounds"]
    assert supported["value"]["value"] is None and high - low == pytest.approx(0.3, abs=0.03)
    interval = supported["value"]["interval"]
    assert interval["low"] < low < high < interval["high"]
    gain = supported["gain_where_supported"]
    assert gain["interval"]["high"] < 0
    assert supported["sensitivity"]["low"] > 1
    assert 0 < supported["tipping_point"] < 1
    assert report["overlap"]["verdict"] == "weak overlap"
    assert report["extrapolating"]
    assert report["risk"]["rows"] == pytest.approx(840, abs=20)
    said = succeeds("evaluate", *words, *QUICK, "-q", cwd=tmp_path).out
    assert "If those who chose treatments used nothing that is not in these columns" in said.splitlines()[-1]
    assert "extrapolation: estimates that ignore support" in said and "Tipping point" in said
    wider = judged(*words, "--outcome-range", "-1,2", cwd=tmp_path)["supported"]["value"]["bounds"]
    assert wider[0] < low and wider[1] > high


def test_a_constant_that_was_not_given_to_such_rows_cannot_be_compared(tmp_path):
    silent_rows(tmp_path / "rows.csv")
    report = judged("always:0", "rows.csv", *ROLES, "--against", "always:1", cwd=tmp_path)
    assert report["personalizing"]["cannot_be_compared"] == ["1"]
    other = report["compared"][-1]
    assert other["unsupported_share"] == pytest.approx(0.3, abs=0.03)


def test_a_rare_arm_is_too_few_rows(tmp_path):
    table = [["x", "treatment", "outcome", "plan"]]
    for i in range(2000):
        table.append([(i * 37 % 101) / 101, int(i % 100 == 0), int(i * 29 % 97 < 30), 1])
    write_rows(tmp_path / "rows.csv", table)
    said = succeeds("evaluate", "column:plan", "rows.csv", *ROLES, *QUICK, "-q", cwd=tmp_path).out
    assert "not answerable" in said and "number needed to treat, to" not in said


def test_rows_that_belong_together_must_say_to_what(shared, tmp_path):
    rows = records_of(shared / "rows.csv")
    for i, row in enumerate(rows):
        row["site"] = "" if i == 7 else f"site {i % 20}"
    write_records(tmp_path / "rows.csv", rows)
    sentence = refuses("evaluate", shared / "whole.json", "rows.csv", "--group", "site", *QUICK, status=3, cwd=tmp_path)
    assert sentence.startswith("rows.csv:9: column 'site': the group is missing")
