# SPDX-License-Identifier: Apache-2.0
"""Examples 1 and 2 of the paper, to the last bit: pieces, treatments and outcomes as printed, and the figure as kept.

POLYRX=build/release/polyrx python3 -m pytest experiments/toy/test_toy.py
"""

import json
import os
import pathlib
import sys
from fractions import Fraction

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import figure1  # noqa: E402
import figure2  # noqa: E402
import toy  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("POLYRX", HERE.parents[1] / "build/release/polyrx")).resolve()


def affine(x1, x2, constant):
    return (Fraction(x1), Fraction(x2)), Fraction(constant)


X1_MINUS_X2 = affine(1, -1, 0)
X1_PLUS_X2 = affine(1, 1, -0.5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    toy.reproduce(str(PROGRAM), folder)
    return folder


@pytest.fixture(scope="module")
def regions(folder):
    return figure1.regions_of(folder)


@pytest.fixture(scope="module")
def first(regions):
    """The regions in P1, where both neurons are on, by treatment."""
    return {region.treatment: region for region in regions if region.pattern == "11"}


def test_there_are_four_pieces_and_they_are_the_whole_square(regions):
    assert {region.pattern for region in regions} == {"00", "01", "10", "11"}
    assert sum(figure1.area(region.polygon) for region in regions) == 1


def test_p1_is_bounded_by_the_two_neurons_as_the_paper_prints_them(first):
    # F0 and F1 lie in P1 and fill it, so P1's own inequalities are those of theirs that do not come from the outcomes.
    difference = {affine(2, 4, -1.5), affine(-2, -4, 1.5)}
    sides = {side for region in first.values() for side in region.inequalities} - difference
    assert sides == {X1_MINUS_X2, X1_PLUS_X2}
    assert sum(figure1.area(region.polygon) for region in first.values()) == figure1.area(
        figure1.polygon_of([X1_MINUS_X2, X1_PLUS_X2]))


def test_the_outcomes_in_p1_are_the_papers(first):
    for region in first.values():
        assert region.outcomes == [affine(1.5, 2.5, -1), affine(-0.5, -1.5, 0.5)]


def test_f0_is_where_y0_is_below_y1_and_no_inequality_is_listed_that_follows_from_others(first):
    # y0 - y1 = 2 x1 + 4 x2 - 1.5. Where it is 0 or less and x1 + x2 >= 0.5:
    #     2 (x1 - x2) = 6 (x1 + x2 - 0.5) - (4 x1 + 8 x2 - 3) = 6 (...) + 2 (y1 - y0) >= 0,
    # so x1 - x2 >= 0 follows: it touches F0 in the corner (1/4, 1/4) only. The triangle's third side is x2 >= 0, of the
    # domain, which is not listed either.
    assert sorted(first[0].inequalities) == sorted([X1_PLUS_X2, affine(-2, -4, 1.5)])
    assert set(first[0].polygon) == {
        (Fraction(1, 2), 0), (Fraction(3, 4), 0), (Fraction(1, 4), Fraction(1, 4))}


def test_f1_is_the_rest_of_p1(first):
    # And here, from the same identity, x1 + x2 - 0.5 = ((x1 - x2) + (y0 - y1)) / 3 >= 0 follows from the two others.
    assert sorted(first[1].inequalities) == sorted([X1_MINUS_X2, affine(2, 4, -1.5)])
    assert set(first[1].polygon) == {(Fraction(3, 4), 0), (1, 0), (1, 1), (Fraction(1, 4), Fraction(1, 4))}


def test_outside_of_p1_each_piece_has_one_treatment_and_the_tie_goes_to_the_lower(regions):
    others = {region.pattern: region for region in regions if region.pattern != "11"}
    assert {pattern: region.treatment for pattern, region in others.items()} == {"00": 0, "10": 0, "01": 1}
    assert len(regions) == 5
    assert others["00"].outcomes == [affine(0, 0, 0)] * 2


def test_every_inequality_matters(regions):
    for region in regions:
        for side in region.inequalities:
            others = [other for other in region.inequalities if other != side]
            assert figure1.area(figure1.polygon_of(others)) > figure1.area(region.polygon)


def test_the_tree_is_proved_even_where_the_outcomes_tie(folder):
    # One leaf does for P2 and P4, where x1 + x2 < 0.5. There y0 - y1 = -max(x1 - x2, 0) reaches 0, and no bound with room
    # for rounding can show that 0 is not worse: it is shown by the order of the weights, -0.5 <= 0.5.
    tree = json.loads((folder / "tree.json").read_text())
    assert (tree["mode"], tree["leaves"], tree["depth"], tree["certified_share"]) == ("exact", 3, 2, 1)
    assert (folder / "verify.txt").read_text().startswith("proved: on every row of its domain ")
    splits = {tuple(map(tuple, node["split"])) + (node["constant"],) for node in tree["nodes"] if "split" in node}
    # Not x1 - x2: where it is below 0 and x1 + x2 above 0.5, so is 2 x1 + 4 x2 above 1.5.
    assert splits == {((0, 1), (1, 1), -0.5), ((0, 2), (1, 4), -1.5)}


# --- Example 2


def test_the_rule_divides_f1_and_leaves_f0_as_it_was(folder, first):
    parts = figure2.parts_of(folder)
    by_name = {name: [part for part in parts if part.name == name] for name in ("F₀", "F₀′", "F₁′")}
    assert len(parts) == sum(map(len, by_name.values()))
    # F0 lies below x1 + x2 = 1, where the rule does not apply, so one leaf has it all.
    assert [set(part.polygon) for part in by_name["F₀"]] == [set(first[0].polygon)]
    # F0' = {x in P1: x1 > 0.5, x2 > 0.5}, which in P1 is where x2 > 0.5: then x1 >= x2 > 0.5, and x1 + x2 > 1.
    half = Fraction(1, 2)
    assert [set(part.polygon) for part in by_name["F₀′"]] == [{(half, half), (1, half), (1, 1)}]
    # F1' is the rest of F1.
    assert sum(figure1.area(part.polygon) for part in by_name["F₁′"]) == (
        figure1.area(first[1].polygon) - figure1.area(by_name["F₀′"][0].polygon))
    for part in by_name["F₁′"]:
        assert all(x2 <= half for _, x2 in part.polygon)


def test_the_tree_under_the_rule_is_proved(folder):
    said = (folder / "constrained_verify.txt").read_text()
    assert said.startswith("proved: on every row of its domain the tree prescribes what the network and its rules do")


def test_what_is_kept_is_what_the_program_says_now(folder):
    again = "run experiments/toy/toy.py again"
    for name in ("model.json", "rules.txt", *toy.RESULTS):
        assert (folder / name).read_bytes() == (HERE / "results" / name).read_bytes(), again
    for figure in (figure1, figure2):
        assert figure.picture(folder) == (HERE / f"{figure.__name__}.svg").read_text(encoding="utf-8"), again
