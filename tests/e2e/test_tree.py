# SPDX-License-Identifier: Apache-2.0
"""A model becomes a tree that prescribes the same, in four formats; and what is said where it cannot."""

import gzip
import json
import math
import re
import xml.etree.ElementTree as xml

import pytest
from program import (ROLES, content, leaves_nothing_when_canceled, polyrx, records_of, refuses, rows_of, succeeds,
                     write_rows)
from tree_files import leaves_of, nodes_of, twin_of

ADVICE = "; --mode supported with --data FILE makes a tree of any network"
SOON = ["--max-lps", "3000"]  # enough for the small model; of the large one the default spends seconds on trying


# --- formats


def test_a_tree_is_text_unless_said_else_and_words_come_with_files_only(garden):
    run = succeeds("tree", "small.json", cwd=garden)
    assert run.err == "" and run.out.startswith("Which treatment for the lowest outcome\n\n")
    leaves = leaves_of(garden / "tree.json")
    assert len(re.findall(r"(?:yes|no) → (?:5|10|20) mg", run.out)) == len(leaves)
    assert f"\n{len(leaves)} leaves, depth " in run.out and "\nExact: every leaf is certified" in run.out
    to_file = succeeds("tree", "small.json", "-o", "tree.txt", cwd=garden)
    assert (garden / "tree.txt").read_text() == run.out
    assert to_file.out == "" and to_file.err.endswith("tree tree.txt\n")
    assert to_file.err.startswith(f"{len(leaves)} leaves, depth ")
    assert succeeds("tree", "small.json", "-q", "-o", "tree.txt", cwd=garden).err == ""


def test_a_tree_as_json_has_what_the_format_says(garden):
    tree = json.loads(succeeds("tree", "small.json", "--format", "json", cwd=garden).out)
    assert list(tree) == ["format", "format_version", "leaves", "depth", "mode", "certified_share", "rows", "outside",
                          "fidelity", "held_out", "inputs", "domain", "model", "nodes", "sha256"]
    assert (tree["format"], tree["mode"], tree["certified_share"], tree["rows"]) == ("polyrx-tree", "exact", 1, 0)
    assert tree["model"] == json.loads((garden / "small.json").read_text())
    leaves = [node for node in tree["nodes"] if "treatment" in node]
    splits = [node for node in tree["nodes"] if "split" in node]
    assert tree["leaves"] == len(leaves) == len(splits) + 1
    assert sorted(child for split in splits for child in (split["yes"], split["no"])) == list(range(1, len(tree["nodes"])))
    assert all(leaf["certified"] and leaf["label"] == tree["model"]["treatments"][leaf["treatment"]] for leaf in leaves)


def test_a_tree_as_dot_names_every_node_and_edge(garden):
    out = succeeds("tree", "small.json", "--format", "dot", cwd=garden).out
    nodes = nodes_of(garden / "tree.json")
    assert out.startswith("digraph") and out.rstrip().endswith("}") and out.count("{") == out.count("}")
    assert out.count(" -> ") == len(nodes) - 1


def test_a_tree_as_svg_is_well_formed_and_names_the_treatments(garden):
    root = xml.fromstring(succeeds("tree", "small.json", "--format", "svg", cwd=garden).out)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(root.itertext())
    assert all(leaf["label"] in words for leaf in leaves_of(garden / "tree.json"))


def test_leaves_that_no_row_reached_are_drawn_only_if_asked(garden):
    rows = (garden / "clinic.csv").read_text().splitlines()
    (garden / "few.csv").write_text("\n".join(rows[:4]) + "\n")
    leaves = len(leaves_of(garden / "tree.json"))
    few = ["tree", "tree.json", "--data", "few.csv"]
    out = succeeds(*few, cwd=garden).out
    left_out = int(re.search(r"\nNot drawn: (\d+) of these leaves; ", out)[1])
    assert leaves - 3 <= left_out < leaves and f"\n{leaves} leaves, depth " in out and "no rows" not in out
    assert len(re.findall("→ (?:5|10|20) mg", out)) == leaves - left_out or leaves - left_out == 1
    whole = succeeds(*few, "--all-leaves", cwd=garden).out
    assert "Not drawn" not in whole and len(re.findall("→ (?:5|10|20) mg", whole)) == leaves and "no rows" in whole
    for form in ("dot", "svg"):
        run = succeeds(*few, "-o", f"few.{form}", cwd=garden)
        assert f"Not drawn: {left_out} of these leaves; " in run.err
        drawn = (garden / f"few.{form}").read_text()
        assert "Not drawn" in drawn and "no rows" not in drawn.replace("no rows shown", "")
        assert len(succeeds(*few, "--all-leaves", "--format", form, cwd=garden).out) > len(drawn)
    run = succeeds(*few, "-o", "few.json", cwd=garden)
    assert len(leaves_of(garden / "few.json")) == leaves and "Not drawn" not in run.err


@pytest.mark.parametrize("name, begins", [
    ("t.json", "{\n"), ("t.svg", "<svg"), ("t.dot", "digraph"), ("t.txt", "Which"), ("t", "Which"), ("json", "Which"),
])
def test_the_name_of_the_file_says_the_format(garden, name, begins):
    succeeds("tree", "small.json", "-o", name, cwd=garden)
    assert (garden / name).read_text().startswith(begins)


@pytest.mark.parametrize("name, given, begins", [
    ("t.json", "svg", "<svg"), ("t.svg", "text", "Which"), ("t.dot", "json", "{\n"), ("t.txt", "dot", "digraph"),
])
def test_a_format_that_is_given_beats_the_name(garden, name, given, begins):
    succeeds("tree", "small.json", "--format", given, "-o", name, cwd=garden)
    assert (garden / name).read_text().startswith(begins)


@pytest.mark.parametrize("form", ["text", "json", "dot", "svg"])
def test_a_tree_file_is_shown_as_its_model_is(garden, form):
    from_model, from_tree = (succeeds("tree", source, "--format", form, cwd=garden).out
                             for source in ("small.json", "tree.json"))
    assert from_model == from_tree


def test_a_tree_that_is_shown_rows_counts_them(garden):
    succeeds("tree", "tree.json", "--data", "new.csv", "-o", "counted.json", cwd=garden)
    counted = json.loads((garden / "counted.json").read_text())
    inside = 3000 - counted["outside"]
    assert counted["rows"] == 3000 and inside > 2500 and counted["nodes"][0]["rows"] == inside
    assert sum(node["rows"] for node in counted["nodes"] if "treatment" in node) == inside
    assert counted["certified_share"] == inside / 3000
    succeeds("tree", "small.json", "--data", "new.csv", "-o", "at_once.json", cwd=garden)
    assert (garden / "at_once.json").read_bytes() == (garden / "counted.json").read_bytes()
    assert "; leaf shares from 3,000 rows, of which " in succeeds("tree", "counted.json", cwd=garden).out


def test_words_can_be_short_and_scaled(garden):
    short = succeeds("tree", "small.json", "--terms-per-split", "1", cwd=garden).out
    assert "... (+" in short and max(map(len, short.splitlines())) <= 100
    scaled = succeeds("tree", "tree.json", "--units", "scaled", "--data", "clinic.csv", cwd=garden).out
    assert "z(weight)" in scaled and "z(" not in short
    sentence = refuses("tree", "small.json", "--units", "scaled", status=2, cwd=garden)
    assert sentence == "--units scaled shows deviations from the means of the rows: name a file with --data"


def test_long_labels_are_told_apart_and_ordinary_names_are_whole(tmp_path):
    labels = [f"extended-release formulation of the second line, {dose} mg" for dose in (50, 75)]
    wards = ["intermediate dependency", "a somewhat longer ward name"[:24], "ambulatory"]
    rows = [["number_of_visits_per_year", "ward_of_first_admission", "age", "treatment", "outcome"]]
    rows += [[i % 7, wards[i % 3], 20 + i * 37 % 61, labels[i % 2], (i % 7 - i % 3) * (i % 2) + i % 5] for i in range(240)]
    write_rows(tmp_path / "long.csv", rows)
    succeeds("fit", "long.csv", *ROLES, "--hidden", "3", "--epochs", "60", cwd=tmp_path)
    svg = xml.fromstring(succeeds("tree", "model.json", "--format", "svg", cwd=tmp_path).out)
    drawn = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert {text for text in drawn if text.startswith("extended")} == {
        text for text in drawn if re.fullmatch(r"extended.*….*(50|75) mg", text)} and any("50 mg" in t for t in drawn)
    dot = succeeds("tree", "model.json", "--format", "dot", cwd=tmp_path).out
    splits = [line for line in dot.splitlines() if re.match(r"    \d+ \[label=", line) and "fillcolor" not in line]
    assert splits and "…" not in "".join(splits)
    assert any("ward_of_first_admission" in line.partition("tooltip")[0] for line in splits)
    leaves = [line.partition("tooltip")[0] for line in dot.splitlines() if "fillcolor" in line]
    assert leaves and all(re.search(r"extended.*….*(50|75) mg", leaf) for leaf in leaves)


def test_labels_and_names_with_quotes_angles_unicode_and_line_ends_survive(tmp_path):
    labels = ["Dosis, groß", 'the "low" one', "two\nlines", "低 <b>&"]
    rows = [["body weight, kg", "odd\nname", "treat ment", 'out"come']]
    rows += [[i * 37 % 101, ["a<b", "c&d", "e\nf"][i % 3], labels[i % 4], i * 53 % 29 + i % 4] for i in range(160)]
    write_rows(tmp_path / "odd.csv", rows)
    succeeds("fit", "odd.csv", "--treatment", "treat ment", "--outcome", 'out"come', "--hidden", "4", "--epochs", "40",
             cwd=tmp_path)
    succeeds("tree", "model.json", "-o", "tree.json", cwd=tmp_path)
    xml.fromstring(succeeds("tree", "tree.json", "--format", "svg", cwd=tmp_path).out)
    text = succeeds("tree", "tree.json", cwd=tmp_path).out
    assert "\nlines" not in text and "\nname" not in text
    assert succeeds("verify", "model.json", "tree.json", cwd=tmp_path).out.startswith("proved: ")
    by_tree, by_model = (succeeds("prescribe", file, "odd.csv", cwd=tmp_path).out for file in ("tree.json", "model.json"))
    assert by_tree == by_model


# --- the same bytes


@pytest.mark.parametrize("arguments", [
    ["small.json", "--mode", "exact"],
    ["large.json", "--mode", "supported", "--data", "clinic.csv", "--leaves", "12"],
])
def test_a_tree_does_not_depend_on_the_number_of_threads(garden, arguments):
    trees = []
    for threads in (1, 2, 5):
        succeeds("tree", *arguments, "--threads", threads, "-o", "t.json", cwd=garden)
        trees.append((garden / "t.json").read_bytes())
    assert trees[0] == trees[1] == trees[2]


# --- prescribing


def same_prescriptions(garden, tree, model, data="new.csv"):
    """Prescribes with both, which must give the same bytes. Returns the words of the tree."""
    by_tree = succeeds("prescribe", tree, data, "--outcomes", "-o", "by_tree.csv", cwd=garden)
    succeeds("prescribe", model, data, "--outcomes", "-o", "by_model.csv", cwd=garden)
    assert (garden / "by_tree.csv").read_bytes() == (garden / "by_model.csv").read_bytes()
    return by_tree.err


def asked(words):
    """The numbers of the line that says who answered: rows, asked, in guards, in empirical leaves, outside."""
    found = re.search(r"^tree: ([\d,]+) rows, ([\d,]+) asked the network \([\d.]+ %\): ([\d,]+) in guard bands, ([\d,]+) in "
                      r"empirical leaves, ([\d,]+) outside of the domain$", words, re.MULTILINE)
    return [int(number.replace(",", "")) for number in found.groups()]


def test_an_exact_tree_is_proved_and_prescribes_as_its_model_to_the_byte(garden):
    assert "NA" in (garden / "new.csv").read_text()
    assert succeeds("verify", "small.json", "tree.json", cwd=garden).out.startswith("proved: on every row of its domain ")
    words = same_prescriptions(garden, "tree.json", "small.json")
    rows, network, guards, empirical, outside = asked(words)
    assert (rows, empirical) == (3000, 0) and network == guards + outside and guards <= 1


def test_a_supported_tree_prescribes_as_its_model_to_the_byte(garden):
    succeeds("tree", "large.json", "--mode", "supported", "--data", "clinic.csv", "-o", "t.json", cwd=garden)
    rows, network, guards, empirical, outside = asked(same_prescriptions(garden, "t.json", "large.json"))
    assert rows == 3000 and network == guards + empirical + outside and empirical > 0


def test_missing_values_everywhere_are_rows_like_others(garden):
    header = rows_of((garden / "clinic.csv").read_text())[0]
    write_rows(garden / "holes.csv", [header, ["NA"] * len(header), [""] * len(header)])
    assert asked(same_prescriptions(garden, "tree.json", "small.json", "holes.csv"))[0] == 2


def test_a_tree_knows_that_more_is_better(garden):
    succeeds("fit", "clinic.csv", *ROLES, "--objective", "max", "--hidden", "2", "--epochs", "30", "-q", "-o", "max.json",
             cwd=garden)
    succeeds("tree", "max.json", "-o", "max_tree.json", cwd=garden)
    assert succeeds("tree", "max_tree.json", cwd=garden).out.startswith("Which treatment for the highest outcome\n")
    assert asked(same_prescriptions(garden, "max_tree.json", "max.json"))[3] == 0


def test_nobody_is_prescribed_nothing(garden):
    (garden / "nobody.csv").write_text((garden / "clinic.csv").read_text().splitlines()[0] + "\n")
    assert "tree: 0 rows, 0 asked the network (0.00 %)" in same_prescriptions(garden, "tree.json", "small.json",
                                                                              "nobody.csv")


def test_rows_outside_of_the_domain_are_flagged_and_answered_by_the_network(garden):
    succeeds("tree", "small.json", "--domain", "age=40:60,sex=F,metabolizer=normal|poor", "-o", "some.json", cwd=garden)
    words = same_prescriptions(garden, "some.json", "small.json")
    rows = records_of(garden / "new.csv")
    first = re.match(r"new\.csv:(\d+): (.+) is outside of the tree's domain \((.+)\); the network answered for this and "
                     r"([\d,]+) other rows\n", words)
    assert first, words
    outside = int(first[4].replace(",", "")) + 1
    assert asked(words)[4] == outside > 1000
    explained = rows_of(succeeds("prescribe", "some.json", "new.csv", "--reasons", cwd=garden).out)
    assert explained[0] == ["prescription", "reason", "leaf", "answered_by"] and len(explained) == 3001
    assert sum(row[2:] == ["NA", "outside"] for row in explained) == outside
    assert explained[int(first[1]) - 1][3] == "outside" and "outside" not in {
        row[3] for row in explained[1:int(first[1]) - 1]}
    for row, (_, _, leaf, who) in zip(rows, explained[1:], strict=True):
        known = row["age"] != "NA" and row["sex"] != "NA"
        if known and not (40 <= float(row["age"]) <= 60 and row["sex"] == "F"):
            assert (leaf, who) == ("NA", "outside")


def test_an_explanation_names_leaves_that_prescribe_what_is_prescribed(garden):
    nodes = nodes_of(garden / "tree.json")
    explained = rows_of(succeeds("prescribe", "tree.json", "new.csv", "--reasons", "--keep", "age", cwd=garden).out)
    assert explained[0] == ["age", "prescription", "reason", "leaf", "answered_by"]
    answered = [row for row in explained[1:] if row[4] == "tree"]
    assert len(answered) > 2500
    assert all(nodes[int(leaf)]["label"] == label for _, label, _, leaf, _ in answered)
    for name in ("reason", "leaf", "answered_by"):
        (garden / "odd.csv").write_text((garden / "new.csv").read_text().replace("outcome", name, 1))
        sentence = refuses("prescribe", "tree.json", "odd.csv", "--reasons", "--keep", name, status=2, cwd=garden)
        assert sentence == f"--keep: the column '{name}' would stand beside the one that prescribe writes"


def test_a_tree_may_come_from_standard_input_and_gzip(garden):
    (garden / "tree.json.gz").write_bytes(gzip.compress((garden / "tree.json").read_bytes()))
    plain = succeeds("prescribe", "tree.json", "new.csv", cwd=garden).out
    assert succeeds("prescribe", "tree.json.gz", "new.csv", cwd=garden).out == plain
    assert succeeds("prescribe", "-", "new.csv", cwd=garden, stdin=(garden / "tree.json").read_bytes()).out == plain
    assert succeeds("tree", "-", cwd=garden, stdin=(garden / "tree.json").read_bytes()).out.startswith("Which ")


# --- modes and budgets


def test_a_supported_tree_says_what_it_is(garden):
    run = succeeds("tree", "large.json", "--mode", "supported", "--data", "clinic.csv", "--leaves", "9",
                   "--test-fraction", "0.25", "-o", "t.json", cwd=garden)
    tree = json.loads((garden / "t.json").read_text())
    certified = sum(leaf["certified"] for leaf in leaves_of(garden / "t.json"))
    size, proved, held_out, _, named = run.err.splitlines()
    assert tree["leaves"] <= 9 and size == f"{tree['leaves']} leaves, depth {tree['depth']}; leaf shares from 600 rows."
    assert proved.startswith(f"Supported: {certified} of {tree['leaves']} leaves are certified; they answer ")
    assert tree["held_out"] == 150 and 0.5 < tree["fidelity"] <= 1
    assert held_out.startswith("Held out: without the network, the leaves agree with it on ")
    assert held_out.endswith(" of 150 rows.") and named == "tree t.json"
    verified = polyrx("verify", "large.json", "t.json", cwd=garden)
    assert (verified.status, verified.out.partition(":")[0]) == ((0, "proved") if certified else (4, "not proved"))


def test_the_seed_chooses_the_held_out_rows(garden):
    def tree(*options):
        return succeeds("tree", "large.json", "--mode", "supported", "--data", "clinic.csv", "--leaves", "6",
                        "--format", "json", *options, cwd=garden).out

    assert tree() == tree("--seed", "1") != tree("--seed", "2")
    assert json.loads(tree("--test-fraction", "0"))["fidelity"] is None


def test_auto_takes_the_exact_tree_of_a_small_network_and_a_supported_one_of_a_large(garden):
    for model, mode in (("small.json", "exact"), ("large.json", "supported")):
        succeeds("tree", model, "--data", "clinic.csv", *SOON, "-o", "t.json", cwd=garden)
        assert json.loads((garden / "t.json").read_text())["mode"] == mode
    sentence = refuses("tree", "large.json", *SOON, "-o", "new.json", status=1, cwd=garden)
    assert sentence.startswith("the exact tree ") and sentence.endswith(ADVICE)
    assert not (garden / "new.json").exists()


@pytest.mark.parametrize("mode", ["exact", "auto"])
def test_leaves_of_an_exact_tree_that_could_not_be_proved_are_a_warning(garden, mode):
    def nearly_tie(model):
        weights, bias = (model["layers"][-1][part] for part in ("weights", "bias"))
        weights[2] = weights[0]
        bias[2] = math.nextafter(bias[0], -math.inf)

    twin_of(garden / "small.json", garden / "ties.json", nearly_tie)
    run = succeeds("tree", "ties.json", "--mode", mode, "-q", "-o", "t.json", cwd=garden)
    leaves = leaves_of(garden / "t.json")
    unproved = sum(not leaf["certified"] for leaf in leaves)
    assert unproved > 0
    assert run.err == (f"{unproved} of {len(leaves)} leaves could not be proved, because outcomes tie there or differ by "
                       "less than rounding may; the network answers there, and polyrx verify will say that the tree is "
                       "not proved\n")
    assert succeeds("tree", "ties.json", "--mode", mode, cwd=garden).err == run.err
    assert polyrx("verify", "ties.json", "t.json", cwd=garden).status == 4
    assert succeeds("tree", "t.json", cwd=garden).err == "", "nothing was tried"


def test_a_supported_tree_needs_rows(garden):
    sentence = refuses("tree", "large.json", "--mode", "supported", status=2, cwd=garden)
    assert sentence == "a supported tree needs rows of data; name a file with --data"
    (garden / "nobody.csv").write_text((garden / "clinic.csv").read_text().splitlines()[0] + "\n")
    sentence = refuses("tree", "large.json", "--mode", "supported", "--data", "nobody.csv", status=3, cwd=garden)
    assert sentence == "nobody.csv: there are no rows"


def test_a_supported_tree_of_one_row_is_a_leaf(garden):
    lines = (garden / "clinic.csv").read_text().splitlines()
    (garden / "one.csv").write_text("\n".join(lines[:2]) + "\n")
    run = succeeds("tree", "large.json", "--mode", "supported", "--data", "one.csv", "-o", "t.json", cwd=garden)
    assert re.match(r"1 leaf, depth 0; leaf shares from 1 row\.\nSupported: (every leaf is certified, so on its domain the tree "
                    r"prescribes as the network does|its only leaf is not certified\. The network is asked for every "
                    r"row)\.\n", run.err), run
    sentence = refuses("tree", "large.json", "--mode", "supported", "--data", "one.csv", "--domain", "age=200:201",
                       status=3, cwd=garden)
    assert sentence == "a supported tree needs rows inside the domain, but the only row is not"


@pytest.mark.parametrize("mode", ["exact", "auto"])
@pytest.mark.parametrize("option, value, sentence", [
    ("--leaves", "3", "the exact tree grows beyond 3 leaves (--leaves)"),
    ("--leaves", "1", "the exact tree grows beyond 1 leaf (--leaves)"),
    ("--max-lps", "1", "the exact tree takes more than 1 linear program (--max-lps)"),
    ("--max-lps", "10", "the exact tree takes more than 10 linear programs (--max-lps)"),
    ("--max-seconds", "0.000001", "the exact tree takes more than 1e-06 s (--max-seconds)"),
])
def test_a_budget_that_is_spent_is_named_with_the_way_out(garden, mode, option, value, sentence):
    before = content(garden)
    got = refuses("tree", "small.json", "--mode", mode, option, value, "-o", "t.json", status=1, cwd=garden)
    assert got == sentence + ADVICE
    assert content(garden) == before


@pytest.mark.parametrize("option, value", [
    ("--leaves", "0"), ("--leaves", "-1"), ("--leaves", "1.5"), ("--max-lps", "0"), ("--max-lps", "many"),
    ("--max-seconds", "0"), ("--max-seconds", "-1"), ("--max-seconds", "nan"), ("--max-seconds", "inf"),
    ("--test-fraction", "1"), ("--test-fraction", "-0.1"), ("--test-fraction", "nan"), ("--terms-per-split", "-1"), ("--format", "png"),
    ("--mode", "perfect"), ("--units", "metric"), ("--seed", "-1"), ("--threads", "-1"), ("--domain", ""),
])
def test_an_option_out_of_range_is_refused_by_name(garden, option, value):
    assert refuses("tree", "small.json", f"{option}={value}", status=2, cwd=garden).startswith(option)


# --- the domain


@pytest.mark.parametrize("domain, sentence", [
    ("age=90:18", "the domain of 'age' is empty: no whole number lies between 90 and 18"),
    ("weight=80:70", "the domain of 'weight' is empty: no number lies between 80 and 70"),
    ("age=18.2:18.8", "the domain of 'age' is empty: no whole number lies between 18.2 and 18.8"),
    ("age=18:inf", "the domain of 'age' has no upper bound, but the policy uses it: expected a finite range such as "
                   "age=18:90"),
    ("age=-inf:90", "the domain of 'age' has no lower bound, but the policy uses it: expected a finite range such as "
                    "age=18:90"),
    ("height=150:190", "there is no feature 'height'"),
    ("wieght=50:90", "there is no feature 'wieght' (did you mean 'weight'?)"),
    ("treatment=5 mg", "there is no feature 'treatment'"),
    ("age=old", "the feature 'age' is numeric: expected a range such as age=18:90, not 'old'"),
    ("age=nan:90", None),
    ("age", "'age': expected FEATURE=LOWER:UPPER or FEATURE=CATEGORY|CATEGORY"),
    ("=1:2", "'=1:2': expected FEATURE=LOWER:UPPER or FEATURE=CATEGORY|CATEGORY"),
    ("age=:", None),
    ("sex=X", "the feature 'sex' has no category 'X' (there are F, M)"),
    ("sex=F|", "'sex=F|': one of the categories between the | is empty"),
    ("smoker=perhaps", "the feature 'smoker' is true or false: expected smoker=true or smoker=false, not 'perhaps'"),
    ("age=18:30,age=30:40", "the domain of 'age' is given twice"),
])
def test_a_domain_that_cannot_be_is_answered_by_a_sentence(garden, domain, sentence):
    for verb in ("tree", "regions"):
        got = refuses(verb, "small.json", "--domain", domain, status=2, cwd=garden)
        assert got.startswith(sentence or "the ") or sentence is None and "age" in got


@pytest.mark.parametrize("domain", ["weight=0:1e100", "weight=-1e15:1e15", "weight=1e-300:1e-299", "age=-0:0", "age=60"])
def test_a_domain_of_any_size_changes_no_prescription(garden, domain):
    run = polyrx("tree", "small.json", "--domain", domain, "-o", "odd.json", cwd=garden)
    if run.status == 2:  # one number is no range
        assert run.err.startswith("polyrx: the feature 'age' is numeric: expected a range such as age=18:90")
        return
    assert run.status == 0, run
    # Where the numbers are too large to prove anything, it says so; the prescriptions are the network's all the same.
    verified = polyrx("verify", "small.json", "odd.json", cwd=garden)
    assert verified.out.startswith("proved") if verified.status == 0 else "has no certificate" in verified.out, verified
    same_prescriptions(garden, "odd.json", "small.json")


def test_a_domain_of_one_point_has_a_leaf(garden):
    model = json.loads((garden / "small.json").read_text())
    point = ",".join(
        f"{feature['name']}={feature['fill']}:{feature['fill']}" if feature["type"] == "numeric" else
        f"{feature['name']}={feature['categories'][0] if feature['type'] == 'categorical' else 'true'}"
        for feature in model["features"])
    run = succeeds("tree", "small.json", "--domain", point, "-o", "point.json", cwd=garden)
    leaves = json.loads((garden / "point.json").read_text())["leaves"]
    assert leaves < json.loads((garden / "tree.json").read_text())["leaves"], run
    assert succeeds("verify", "small.json", "point.json", cwd=garden).out.startswith("proved: ")


@pytest.mark.parametrize("option, value", [
    ("--mode", "auto"), ("--mode", "supported"), ("--leaves", "3"), ("--max-lps", "1000"), ("--max-seconds", "1"),
    ("--test-fraction", "0.2"), ("--seed", "1"),
])
def test_a_tree_file_is_not_made_again(garden, option, value):
    sentence = refuses("tree", "tree.json", option, value, "-o", "t.json", status=2, cwd=garden)
    assert sentence == f"tree.json is a tree already: {option} is for making one from a model"
    assert not (garden / "t.json").exists()


def test_a_tree_has_its_domain_already(garden):
    sentence = refuses("tree", "tree.json", "--domain", "age=18:90", status=2, cwd=garden)
    assert sentence == "tree.json is a tree already, with a domain of its own: --domain is for models"


# --- targets, and Ctrl-C


def test_an_input_is_never_written_over_by_a_tree(garden):
    before = content(garden)
    for arguments in (["small.json", "-o", "small.json"], ["tree.json", "-o", "./tree.json"],
                      ["small.json", "--data", "clinic.csv", "-o", "clinic.csv"]):
        assert "which is read: name another file" in refuses("tree", *arguments, status=2, cwd=garden)
    assert refuses("tree", "small.json", "-o", "nowhere/t.svg", status=1, cwd=garden).startswith("cannot write nowhere/t.svg")
    assert refuses("tree", "small.json", "-o", "/dev/full", status=1,
                   cwd=garden) == "cannot write /dev/full: No space left on device"
    assert content(garden) == before


@pytest.mark.parametrize("arguments", [
    ["--mode", "exact", "--leaves", "100000000", "--max-lps", "1000000000000"],
    ["--mode", "supported", "--data", "new.csv", "--leaves", "100000"],
])
def test_a_canceled_extraction_leaves_no_file(garden, arguments):
    leaves_nothing_when_canceled("tree", "large.json", *arguments, "-o", "t.json", cwd=garden)
