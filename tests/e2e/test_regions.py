# SPDX-License-Identifier: Apache-2.0
"""Regions are listed and counted, in words and as JSON, and the two ways of counting are kept apart."""

import json
import re

import pytest
from program import (ALONE, ROLES, content, leaves_nothing_when_canceled, records_of, refuses, rows_of, succeeds,
                     unless_slow, write_rows)


def listed(garden, *options):
    return json.loads(succeeds("regions", "small.json", "--json", *options, cwd=garden).out)


def write_inside(garden, data, to, tree="tree.json"):
    """Writes the rows of a file that are in a tree's domain, as prescribe sees it. Returns the numbers of the others."""
    header, *rows = rows_of((garden / data).read_text())
    _, *explained = rows_of(succeeds("prescribe", tree, data, "--reasons", cwd=garden).out)
    write_rows(garden / to, [header] + [row for row, (_, _, _, who) in zip(rows, explained, strict=True) if who != "outside"])
    return [number for number, (_, _, _, who) in enumerate(explained) if who == "outside"]


def value(function, point):
    return sum(weight * point[place] for place, weight in function["terms"]) + function["constant"]


# --- counting


def test_each_count_says_what_it_counts(garden):
    run = succeeds("regions", "small.json", "--count", cwd=garden)
    assert (run.out, run.err) == ("4 activation patterns feasible on the domain\n", "")
    run = succeeds("regions", "large.json", "--count", "--data", "clinic.csv", cwd=garden)
    count = int(re.fullmatch(r"([\d,]+) activation patterns visited by 600 rows\n", run.out)[1].replace(",", ""))
    assert 4 < count <= 600 and run.err == ""
    feasible = json.loads(succeeds("regions", "small.json", "--count", "--json", cwd=garden).out)
    assert feasible == {"mode": "feasible", "patterns": 4}
    visited = json.loads(succeeds("regions", "large.json", "--count", "--json", "--data", "clinic.csv", cwd=garden).out)
    assert visited == {"mode": "visited", "patterns": count, "rows_outside": 0}


def test_rows_do_not_change_what_is_feasible(garden):
    assert succeeds("regions", "small.json", "--count", "--mode", "feasible", "--data", "clinic.csv",
                    cwd=garden).out == "4 activation patterns feasible on the domain\n"
    assert refuses("regions", "small.json", "--mode", "visited", status=2,
                   cwd=garden) == "--mode visited needs the rows that visit: name a file with --data"


def test_one_is_one(garden):
    model = json.loads((garden / "small.json").read_text())
    numeric = [feature for feature in model["features"] if feature["type"] == "numeric"]
    point = ",".join(f"{feature['name']}={feature['fill']}:{feature['fill']}" for feature in numeric)
    domain = ["--domain", point + ",sex=F,metabolizer=normal,smoker=true,diabetes=true"]
    lines = (garden / "clinic.csv").read_text().splitlines()
    (garden / "one.csv").write_text("\n".join(lines[:2]) + "\n")
    assert succeeds("regions", "small.json", "--data", "one.csv", "--count",
                    cwd=garden).out == "1 activation pattern visited by 1 row\n"
    assert succeeds("regions", "small.json", "--data", "one.csv", cwd=garden).err == "1 region visited by the rows\n"
    count = succeeds("regions", "small.json", "--count", *domain, cwd=garden).out
    assert re.fullmatch(r"(1 activation pattern|\d activation patterns) feasible on the domain\n", count)


def test_counts_and_lists_do_not_depend_on_the_number_of_threads(garden):
    for options in (["--count"], ["--json"], ["--json", "--data", "new.csv"]):
        assert len({succeeds("regions", "small.json", *options, "--threads", threads, cwd=garden).out
                    for threads in (1, 2, 5)}) == 1


# --- listing


def test_feasible_regions_hold_what_they_say(garden):
    model = json.loads((garden / "small.json").read_text())
    got = listed(garden)
    assert (got["mode"], got["treatments"]) == ("feasible", model["treatments"])
    assert len({region["pattern"] for region in got["regions"]}) == 4
    for region in got["regions"]:
        assert set(region) == {"pattern", "treatment", "inequalities", "inside", "outcomes"}
        assert all(value(side, region["inside"]) > 0 for side in region["inequalities"])
        outcomes = [value(outcome, region["inside"]) for outcome in region["outcomes"]]
        assert got["treatments"][outcomes.index(min(outcomes))] == region["treatment"]
    words = succeeds("regions", "small.json", cwd=garden)
    assert words.err == f"{len(got['regions'])} regions feasible on the domain\n"
    assert len(re.findall(r"^region \d+: ", words.out, re.MULTILINE)) == len(got["regions"])


def test_rows_are_counted_by_the_treatment_that_they_received(garden):
    write_inside(garden, "new.csv", "inside.csv")
    rows = records_of(garden / "inside.csv")
    got = listed(garden, "--data", "inside.csv")
    assert (got["mode"], got["rows_outside"]) == ("visited", 0)
    counts = [region["rows"] for region in got["regions"]]
    assert sum(counts) == len(rows) and min(counts) > 0 and counts == sorted(counts, reverse=True)
    for place, treatment in enumerate(got["treatments"]):
        received = sum(region["received"][place] for region in got["regions"])
        assert received == sum(row["treatment"] == treatment for row in rows)
    prescribed = {treatment: 0 for treatment in got["treatments"]}
    for region in got["regions"]:
        prescribed[region["treatment"]] += region["rows"]
    by_model = succeeds("prescribe", "small.json", "inside.csv", cwd=garden).out.splitlines()[1:]
    assert prescribed == {treatment: by_model.count(treatment) for treatment in prescribed}
    words = succeeds("regions", "small.json", "--data", "inside.csv", cwd=garden)
    assert words.err == f"{len(got['regions'])} regions visited by the rows\n"
    first = got["regions"][0]
    received = ", ".join(f"{t}: {n}" for t, n in zip(got["treatments"], first["received"], strict=True))
    assert words.out.startswith(
        f"region 1: {first['treatment']}, pattern {first['pattern']}, {first['rows']} rows (received {received})\n")


def test_feasible_regions_can_have_rows_too(garden):
    got = listed(garden, "--data", "clinic.csv", "--mode", "feasible")
    assert len(got["regions"]) == len(listed(garden)["regions"])
    assert sum(region["rows"] for region in got["regions"]) == 600


DOMAIN = ["--domain", "age=40:60,sex=F"]


@pytest.mark.parametrize("options", [["--json"], ["--json", "--mode", "feasible"], ["--count", "--json"], ["--count"], []])
def test_rows_outside_of_the_domain_are_not_counted_and_named(garden, options):
    succeeds("tree", "small.json", *DOMAIN, "-o", "some.json", cwd=garden)
    outside = write_inside(garden, "new.csv", "inside.csv", "some.json")
    assert 1000 < len(outside) < 2900
    all_rows, inside = (succeeds("regions", "small.json", *DOMAIN, "--data", data, *options, "-q", cwd=garden)
                        for data in ("new.csv", "inside.csv"))
    assert inside.err == ""
    assert re.fullmatch(rf"new\.csv:{outside[0] + 2}: \w+ .+ is outside of the domain \(.+\); this and "
                        rf"{len(outside) - 1:,} other rows are not counted\n", all_rows.err), all_rows.err
    if "--json" not in options:
        assert all_rows.out == inside.out
        return
    told, expected = json.loads(all_rows.out), json.loads(inside.out)
    assert (told.pop("rows_outside"), expected.pop("rows_outside")) == (len(outside), 0)
    assert told == expected
    if "--count" not in options:
        assert sum(region["rows"] for region in told["regions"]) == 3000 - len(outside)


def test_one_row_outside_is_one_and_only_rows_outside_are_an_error(garden):
    header, *rows = rows_of((garden / "clinic.csv").read_text())
    age = header.index("age")
    young, old = ([*rows[0][:age], number, *rows[0][age + 1:]] for number in (30, 60))
    for name, some in (("one.csv", [young, old]), ("none.csv", [old, old]), ("only.csv", [old])):
        write_rows(garden / name, [header, *some])
    domain = ["--domain", "age=29:31"]
    for options in ([], ["--count"], ["--json"]):
        run = succeeds("regions", "small.json", *domain, "--data", "one.csv", *options, "-q", cwd=garden)
        assert run.err == "one.csv:3: age 60 is outside of the domain (29 to 31); this row is not counted\n"
        for name, rest in (("none.csv", "of 2 rows none is inside"), ("only.csv", "there is no other row")):
            sentence = refuses("regions", "small.json", *domain, "--data", name, *options, status=3, cwd=garden)
            assert sentence == f"{name}:2: age 60 is outside of the domain (29 to 31); {rest}"


def test_rows_need_no_treatment_to_be_counted(garden):
    rows = [list(row.values())[:-2] for row in records_of(garden / "clinic.csv")]
    header = list(records_of(garden / "clinic.csv")[0])
    assert header[-2:] == ["treatment", "outcome"]
    write_rows(garden / "untreated.csv", [header[:-2], *rows])
    got = listed(garden, "--data", "untreated.csv")
    assert sum(region["rows"] for region in got["regions"]) == 600
    assert not any("received" in region for region in got["regions"])


def test_a_treatment_that_the_model_does_not_know_is_named(garden):
    (garden / "odd.csv").write_text((garden / "clinic.csv").read_text().replace("20 mg", "40 mg", 1))
    sentence = refuses("regions", "small.json", "--data", "odd.csv", status=3, cwd=garden)
    assert re.fullmatch(r"odd\.csv:\d+: column 'treatment': '40 mg' is not a treatment of the model \(5 mg, 10 mg, 20 mg\)",
                        sentence)


def test_a_network_without_hidden_neurons_that_matter_is_one_pattern(tmp_path):
    write_rows(tmp_path / "flat.csv", [["x", "treatment", "outcome"]] + [[i % 9, "ab"[i % 2], i % 2] for i in range(40)])
    run = succeeds("fit", "flat.csv", *ROLES, "--hidden", "1", "--epochs", "1", cwd=tmp_path)
    assert "\n40 rows, 1 input; network 1-1-2\n" in run.err
    assert re.fullmatch(r"[12] activation patterns? feasible on the domain\n",
                        succeeds("regions", "model.json", "--count", cwd=tmp_path).out)


def test_a_feature_that_never_varies_has_regions_nevertheless(tmp_path):
    write_rows(tmp_path / "flat.csv", [["x", "z", "treatment", "outcome"]] + [
        [3, i % 7, "ab"[i % 2], (i * 5) % 11] for i in range(60)])
    succeeds("fit", "flat.csv", *ROLES, "--hidden", "4", "--epochs", "60", cwd=tmp_path)
    regions = json.loads(succeeds("regions", "model.json", "--json", cwd=tmp_path).out)["regions"]
    assert regions and all(region["inside"][0] == 3 for region in regions)
    succeeds("tree", "model.json", "-o", "tree.json", cwd=tmp_path)
    assert succeeds("verify", "model.json", "tree.json", cwd=tmp_path).out.startswith("proved: ")


# --- limits, targets and Ctrl-C


@pytest.mark.parametrize("most, shown", [(1, "1 activation pattern"), (3, "3 activation patterns")])
def test_more_regions_than_wanted_are_refused_with_two_ways_out(garden, most, shown):
    before = content(garden)
    sentence = refuses("regions", "small.json", "--max-regions", most, "-o", "regions.txt", status=1, cwd=garden)
    assert sentence == (f"there are more than {shown} (--max-regions); --count counts them, and --data lists those that "
                        "rows visit")
    assert content(garden) == before
    assert len(listed(garden, "--max-regions", "4")["regions"]) >= 4
    assert len(listed(garden, "--max-regions", "0")["regions"]) >= 4


def test_a_large_network_is_refused_soon(garden):
    sentence = refuses("regions", "large.json", "--max-regions", "50", status=1, cwd=garden)
    assert sentence.startswith("there are more than 50 activation patterns (--max-regions)")


def test_a_full_disk_is_not_blamed_on_the_number_of_regions(garden):
    for options in ([], ["--data", "clinic.csv"], ["--count"]):
        sentence = refuses("regions", "small.json", *options, "-o", "/dev/full", status=1, cwd=garden)
        assert sentence == "cannot write /dev/full: No space left on device"


def test_a_tree_has_no_regions_and_a_model_is_asked_for(garden):
    assert refuses("regions", "tree.json", status=3, cwd=garden) == "tree.json: not a polyrx model"


def test_an_input_is_never_written_over_by_regions(garden):
    before = content(garden)
    for arguments in (["-o", "small.json"], ["--data", "clinic.csv", "-o", "clinic.csv"]):
        assert "which is read: name another file" in refuses("regions", "small.json", *arguments, status=2, cwd=garden)
    assert content(garden) == before


@pytest.mark.parametrize("arguments", [["--count"], ["--json", "--max-regions", "0"]])
def test_a_canceled_count_leaves_no_file(garden, arguments):
    leaves_nothing_when_canceled("regions", "large.json", *arguments, "-o", "count.txt", cwd=garden)


@unless_slow
def test_describing_the_regions_of_a_deep_network_can_be_canceled(garden):
    # Each takes some hundredths of a second, and there are as many as rows.
    succeeds("fit", "clinic.csv", *ROLES, *ALONE, "--hidden", "5x100", "--epochs", "3", "-q", "-o", "deep.json", cwd=garden)
    leaves_nothing_when_canceled("regions", "deep.json", "--data", "new.csv", "--json", "-o", "regions.json",
                                  cwd=garden, after=1)
