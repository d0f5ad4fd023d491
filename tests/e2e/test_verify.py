# SPDX-License-Identifier: Apache-2.0
"""Proofs are replayed: good trees are proved, and forged ones are not, whatever their checksum says."""

import hashlib
import json
import re

import pytest
from program import ROLES, polyrx, refuses, succeeds
from tree_files import forge, forge_text, leaves_of, nodes_of


def not_proved(garden, tree="forged.json"):
    """What verify says of a tree that it cannot prove: stdout, and the gap."""
    run = polyrx("verify", "small.json", tree, cwd=garden)
    assert run.status == 4, run
    assert run.err == f"polyrx: {tree}: the tree is not proved to prescribe what small.json does\n"
    said = re.fullmatch(r"not proved: (.+)\nworst gap (\S+) at (age .+)\n", run.out)
    assert said, run
    assert float(said[2]) > 0 and ", weight " in said[3]
    as_json = polyrx("verify", "small.json", tree, "--json", cwd=garden)
    answer = json.loads(as_json.out)
    assert as_json.status == 4 and as_json.err == run.err
    assert answer["proved"] is False and answer["reason"] == said[1]
    assert list(answer["point"]) == json.loads((garden / "tree.json").read_text())["inputs"]
    return said[1], answer


# --- what holds


def test_a_proof_is_said_in_words_and_as_json(garden):
    leaves = len(leaves_of(garden / "tree.json"))
    run = succeeds("verify", "small.json", "tree.json", cwd=garden)
    assert run.err == ""
    assert re.fullmatch("proved: on every row of its domain the tree prescribes what the network does\n"
                        rf"{leaves} of {leaves} leaves certified; [\d,]+ steps of proof replayed\n", run.out)
    answer = json.loads(succeeds("verify", "small.json", "tree.json", "--json", cwd=garden).out)
    assert list(answer) == ["proved", "refuted", "leaves", "certified", "steps", "worst_gap", "leaf",
                            "point", "reason", "domain", "domain_differences"]
    assert (answer["domain"], answer["domain_differences"]) == ("the model's", [])
    assert answer["proved"] is True and answer["refuted"] is False and answer["worst_gap"] <= 0
    assert (answer["leaves"], answer["certified"], answer["point"], answer["reason"]) == (leaves, leaves, None, "")


def test_a_proof_names_the_domain_where_it_is_not_the_models(garden):
    succeeds("tree", "small.json", "--domain", "age=30:31,sex=F,smoker=true", "-o", "some.json", cwd=garden)
    for options in ([], ["-q"]):
        run = succeeds("verify", "small.json", "some.json", *options, cwd=garden)
        first, second, _ = run.out.splitlines()
        assert first == "proved: on every row of its domain the tree prescribes what the network does"
        assert second == "its domain is narrower than the model's: age 30 to 31, sex F, smoker true"
        assert run.err == ""
    answer = json.loads(succeeds("verify", "small.json", "some.json", "--json", cwd=garden).out)
    assert (answer["domain"], answer["domain_differences"]) == ("narrower", ["age 30 to 31", "sex F", "smoker true"])
    succeeds("tree", "small.json", "--domain", "age=10:99", "-o", "some.json", cwd=garden)
    run = succeeds("verify", "small.json", "some.json", cwd=garden)
    assert run.out.splitlines()[1] == "its domain is not the model's: age 10 to 99"
    assert json.loads(succeeds("verify", "small.json", "some.json", "--json", cwd=garden).out)["domain"] == "other"


def test_a_domain_that_was_edited_is_named_too(garden):
    # Without a hidden layer: proofs about neurons may not fit bounds that are not those they were made for.
    succeeds("fit", "clinic.csv", *ROLES, "--hidden", "none", "--epochs", "5", "-o", "linear.json", cwd=garden)
    succeeds("tree", "linear.json", "-o", "linear_tree.json", cwd=garden)
    lower = json.loads((garden / "linear_tree.json").read_text())["domain"]["lower"]
    assert lower[0] == int(lower[0])
    old, new = (f'"lower":[{value},' for value in (json.dumps(lower[0]), json.dumps(lower[0] + 5)))
    forge_text(garden / "linear_tree.json", garden / "edited.json", old, new)
    run = succeeds("verify", "linear.json", "edited.json", cwd=garden)
    assert re.match(rf"its domain is narrower than the model's: age {int(lower[0]) + 5} to \d+$", run.out.splitlines()[1])
    assert run.err == ""


def test_a_row_outside_by_a_group_across_features_has_a_reason(garden):
    tree = json.loads((garden / "tree.json").read_text())
    pair = [tree["inputs"].index(name) for name in ("smoker", "diabetes")]
    old = json.dumps(tree["domain"]["groups"], separators=(",", ":"))
    new = json.dumps([*tree["domain"]["groups"], pair], separators=(",", ":"))
    forge_text(garden / "tree.json", garden / "edited.json", f'"groups":{old}', f'"groups":{new}')
    words = succeeds("prescribe", "edited.json", "clinic.csv", "-o", "out.csv", cwd=garden).err
    assert re.match(r"clinic\.csv:\d+: exactly one of 'smoker', 'diabetes' must be 1 in the tree's domain, but "
                    r"(none is|2 are); the network answered for this and \d+ other rows\n", words), words
    out = polyrx("verify", "small.json", "edited.json", cwd=garden).out
    assert "not proved" in out or "its domain is narrower than the model's: exactly one of 'smoker', 'diabetes' is 1" in out


def test_a_proof_does_not_depend_on_the_number_of_threads(garden):
    assert len({succeeds("verify", "small.json", "tree.json", "--json", "--threads", threads, cwd=garden).out
                for threads in (1, 2, 5)}) == 1


def test_a_proof_does_not_repeat_what_only_the_file_says(garden):
    succeeds("tree", "tree.json", "--data", "clinic.csv", "-o", "counted.json", cwd=garden)
    assert "600" not in succeeds("verify", "small.json", "counted.json", cwd=garden).out


def test_a_model_may_be_laid_out_anew(garden):
    model = json.loads((garden / "small.json").read_text())
    (garden / "other.json").write_text(json.dumps(model, indent=4))
    assert succeeds("verify", "other.json", "tree.json", cwd=garden).out.startswith("proved: ")


def test_model_or_tree_may_be_standard_input_but_not_both(garden):
    for arguments, stdin in ((["-", "tree.json"], "small.json"), (["small.json", "-"], "tree.json")):
        run = succeeds("verify", *arguments, cwd=garden, stdin=(garden / stdin).read_bytes())
        assert run.out.startswith("proved: ")
    assert refuses("verify", "-", "-", status=2, cwd=garden) == "only one of MODEL and TREE can be standard input"


def test_an_exact_tree_without_certificates_is_not_proved(garden):
    def forget(nodes):
        for node in nodes:
            if "treatment" in node:
                node["certified"] = False
                del node["certificate"]

    forge(garden / "tree.json", garden / "forged.json", forget)
    run = polyrx("verify", "small.json", "forged.json", cwd=garden)
    assert run.status == 4 and "of an exact tree has no certificate" in run.out
    both = [succeeds("prescribe", file, "new.csv", cwd=garden).out for file in ("forged.json", "small.json")]
    assert both[0] == both[1]


def test_a_supported_tree_is_proved_where_it_is_certified_and_nowhere_without_certificates(garden):
    def forget(nodes, first=None):
        for node in [node for node in nodes if "treatment" in node][:first]:
            node["certified"] = False
            node.pop("certificate", None)

    forge_text(garden / "tree.json", garden / "all.json", '"mode": "exact"', '"mode": "supported"')
    forge(garden / "all.json", garden / "some.json", lambda nodes: forget(nodes, 1))
    leaves = leaves_of(garden / "some.json")
    out = succeeds("verify", "small.json", "some.json", cwd=garden).out
    assert out.startswith("proved: in its certified leaves the tree prescribes what the network does; in the others ")
    assert f"{len(leaves) - 1} of {len(leaves)} leaves certified" in out
    forge(garden / "some.json", garden / "none.json", forget)
    run = polyrx("verify", "small.json", "none.json", cwd=garden)
    assert run.status == 4
    assert run.out == ("not proved: no leaf has a certificate, so nothing is claimed\n"
                       f"0 of {len(leaves)} leaves certified; the network is asked for every row\n")
    assert run.err == "polyrx: none.json: no leaf of the tree has a certificate, so nothing is proved\n"
    as_json = polyrx("verify", "small.json", "none.json", "--json", cwd=garden)
    assert as_json.status == 4 and json.loads(as_json.out)["proved"] is False


# --- what does not hold, with the right checksum


def test_a_forged_tree_that_is_not_forged_is_proved(garden):
    forge(garden / "tree.json", garden / "forged.json", lambda nodes: None)
    assert succeeds("verify", "small.json", "forged.json", cwd=garden).out.startswith("proved: ")


def test_no_leaf_can_be_relabeled(garden):
    labels = json.loads((garden / "small.json").read_text())["treatments"]
    places = [i for i, node in enumerate(nodes_of(garden / "tree.json")) if "treatment" in node]
    for place in places:
        def relabel(nodes, leaf=place):
            nodes[leaf]["treatment"] = (nodes[leaf]["treatment"] + 1) % len(labels)
            nodes[leaf]["label"] = labels[nodes[leaf]["treatment"]]

        forge(garden / "tree.json", garden / "forged.json", relabel)
        reason, answer = not_proved(garden)
        assert answer["refuted"] and answer["leaf"] == place
        assert re.fullmatch(rf"for a row of leaf {place}, the tree prescribes treatment \d and the network \d", reason)


def test_no_split_can_have_a_sign_flipped(garden):
    for place, node in enumerate(nodes_of(garden / "tree.json")):
        if "split" not in node:
            continue

        def flip(nodes, split=place):
            largest = max(nodes[split]["split"], key=lambda term: abs(term[1]))
            largest[1] = -largest[1]

        forge(garden / "tree.json", garden / "forged.json", flip)
        not_proved(garden)


def test_no_split_can_be_moved_or_turned_around(garden):
    def move(nodes):
        nodes[0]["constant"] += 1 + abs(nodes[0]["constant"]) / 10

    def turn(nodes):
        nodes[0]["yes"], nodes[0]["no"] = nodes[0]["no"], nodes[0]["yes"]

    for change in (move, turn):
        forge(garden / "tree.json", garden / "forged.json", change)
        not_proved(garden)


def test_a_guard_cannot_be_thinner_than_rounding(garden):
    def thin(nodes):
        nodes[0]["guard"] = 1e-300

    forge(garden / "tree.json", garden / "forged.json", thin)
    assert not_proved(garden)[0] == "the guard of node 0 is not above the rounding error of its split"


def with_bounds(nodes):
    """The leaves whose proof first bounds an input or a neuron."""
    return [node for node in nodes if any(step.get("bounds") for step in node.get("certificate", {}).get("steps", []))]


def test_bounds_cannot_be_left_out_of_a_certificate(garden):
    def forget(nodes):
        for leaf in with_bounds(nodes):
            for step in leaf["certificate"]["steps"]:
                step.pop("bounds", None)

    assert with_bounds(nodes_of(garden / "tree.json"))
    forge(garden / "tree.json", garden / "forged.json", forget)
    reason, answer = not_proved(garden)
    assert not answer["refuted"], "the tree is right, and not proved"
    assert "which does not prove that the network prescribes treatment" in reason


def test_multipliers_cannot_be_left_out_or_made_up(garden):
    def forget(nodes):
        for leaf in with_bounds(nodes):
            for step in leaf["certificate"]["steps"]:
                for comparison in step.get("comparisons", []):
                    comparison["multipliers"] = []

    def exaggerate(nodes):
        for leaf in with_bounds(nodes):
            for step in leaf["certificate"]["steps"]:
                for comparison in step.get("comparisons", []):
                    comparison["multipliers"] = [[place, 1e6 * value] for place, value in comparison["multipliers"]]

    for change in (forget, exaggerate):
        forge(garden / "tree.json", garden / "forged.json", change)
        assert not not_proved(garden)[1]["refuted"]


def test_an_empty_certificate_proves_nothing(garden):
    def empty(nodes):
        for node in nodes:
            if "certificate" in node:
                node["certificate"] = {"steps": [{}]}

    forge(garden / "tree.json", garden / "forged.json", empty)
    run = polyrx("verify", "small.json", "forged.json", cwd=garden)
    assert run.status in (3, 4) and not run.out.startswith("proved"), run


# --- files that are no proof of this model


def test_a_tree_of_another_model_is_refused(garden):
    sentence = refuses("verify", "large.json", "tree.json", status=3, cwd=garden)
    assert re.fullmatch(r"tree\.json: the tree belongs to another model: its model's sha256 is \w{12}\.\.\., that of "
                        r"large\.json is \w{12}\.\.\.", sentence)
    succeeds("fit", "clinic.csv", *ROLES, "--hidden", "2", "--epochs", "31", "-q", "-o", "near.json", cwd=garden)
    assert "the tree belongs to another model" in refuses("verify", "near.json", "tree.json", status=3, cwd=garden)


def test_the_model_inside_of_a_tree_cannot_be_exchanged(garden):
    forge_text(garden / "tree.json", garden / "forged.json", '"objective": "min"', '"objective": "max"')
    sentence = refuses("verify", "small.json", "forged.json", status=3, cwd=garden)
    assert sentence == ("forged.json: model: the file was changed or damaged since it was written: its content does not "
                        "match its checksum")


def test_model_and_tree_given_the_wrong_way_round_are_told_apart(garden):
    assert refuses("verify", "tree.json", "small.json", status=3, cwd=garden) == "tree.json: not a polyrx model"
    assert refuses("verify", "small.json", "small.json", status=3, cwd=garden) == "small.json: not a polyrx tree"
    assert refuses("verify", "small.json", "nowhere.json", status=3,
                   cwd=garden) == "nowhere.json: No such file or directory"


def refused_tree(garden, data):
    """The sentence of every verb that reads trees, on the given bytes."""
    (garden / "bad.json").write_bytes(data)
    sentence = refuses("verify", "small.json", "bad.json", status=3, cwd=garden)
    if b'"polyrx-tree"' in data:
        assert refuses("prescribe", "bad.json", "new.csv", "-o", "out.csv", status=3, cwd=garden) == sentence
        assert refuses("tree", "bad.json", "-o", "out.svg", status=3, cwd=garden) == sentence
    assert not (garden / "out.csv").exists() and not (garden / "out.svg").exists()
    return sentence


def test_a_damaged_tree_is_refused_wherever_it_was_damaged(garden):
    whole = (garden / "tree.json").read_bytes()
    for length in (1, len(whole) // 2, len(whole) - 3):
        sentence = refused_tree(garden, whole[:length])
        assert sentence.startswith("bad.json: not a polyrx tree: line ") and sentence.endswith("but the text ends here")
    changed = ("bad.json: the file was changed or damaged since it was written: its content does not match its checksum")
    assert refused_tree(garden, whole.replace(b'"yes":1', b'"yes":2', 1)) == changed
    assert refused_tree(garden, whole.replace(b'"leaves"', b'"Leaves"', 1)) == changed
    assert refused_tree(garden, json.dumps(json.loads(whole)).encode()) == changed
    assert refused_tree(garden, b"") == ("bad.json: not a polyrx tree: line 1, column 1: not valid JSON: "
                                         "a value was expected, but the text ends here")
    newer = whole.replace(b'"format_version": 1', b'"format_version": 2', 1)
    assert refused_tree(garden, newer) == "bad.json: written by a newer polyrx (tree format 2; this program reads up to 1)"


@pytest.mark.parametrize("old, new", [
    ('"yes":1,', '"yes":0,'), ('"yes":1,', '"yes":999999,'), ('"yes":1,', '"yes":-1,'), ('"yes":1,', '"yes":1.0,'),
    ('"yes":1,', ""), ('"certified":true', '"certified":1'), ('"guard":', '"guard":-'), ('"rows":0}', '"rows":-1}'),
    ('"rows":0}', '"rows":1e999}'), ('"split":[[0,', '"split":[[99,'), ('"treatment":', '"treatment":7'),
    ('"leaves": ', '"leaves": 1'), ('"depth": ', '"depth": 1'), ('"mode": "exact"', '"mode": "perfect"'),
    ('"lower":[', '"lower":[0,'), ('"inputs": ["age"', '"inputs": ["Age"'), ('"steps":[{', '"steps":[[{'),
    ('"certificate":{"steps":', '"certificate":{"stops":'), ('"outside": 0', '"outside": "0"'),
])
def test_a_tree_whose_parts_do_not_fit_is_refused_even_if_its_checksum_is_right(garden, old, new):
    forge_text(garden / "tree.json", garden / "forged.json", old, new)
    sentence = refused_tree(garden, (garden / "forged.json").read_bytes())
    assert sentence.startswith("bad.json: ")


@pytest.mark.parametrize("number, sentence", [
    ("1e999", "this number is too large"),
    ("-1e999", "this number is too large"),
    ("NaN", "a value was expected"),
    ("Infinity", "a value was expected"),
    ("null", "bad.json: layers[0].weights[0][0]: a number was expected, not null"),
    ('"1"', "bad.json: layers[0].weights[0][0]: a number was expected, not the text '1'"),
])
def test_weights_that_are_no_numbers_are_refused_by_every_verb(garden, number, sentence):
    model = json.loads((garden / "small.json").read_text())
    del model["sha256"]
    model["layers"][0]["weights"][0][0] = 12345.5
    text = json.dumps(model, sort_keys=True, separators=(",", ":"), ensure_ascii=False).replace("12345.5", number)
    checksum = hashlib.sha256(text.encode()).hexdigest()
    (garden / "bad.json").write_text(f'{text[:-1]},"sha256":"{checksum}"}}')
    for call in (["verify", "bad.json", "tree.json"], ["tree", "bad.json"], ["regions", "bad.json"],
                 ["prescribe", "bad.json", "new.csv"]):
        said = refuses(*call, status=3, cwd=garden)
        assert said.startswith("bad.json: ") and said.endswith(sentence)


def test_weights_too_large_for_finite_outcomes_are_refused(garden):
    model = json.loads((garden / "small.json").read_text())
    del model["sha256"]
    for layer in model["layers"]:
        layer["weights"][0] = [1e300] * len(layer["weights"][0])
    text = json.dumps(model, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    model["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    (garden / "bad.json").write_text(json.dumps(model))
    for verb in ("tree", "regions"):
        sentence = refuses(verb, "bad.json", status=2, cwd=garden)
        assert sentence.startswith("the domain of 'age', from ") and "its predicted outcomes may not be finite" in sentence
