#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layer check passes a tree that obeys the design, and catches each way of breaking it."""

import pathlib
import tempfile
import unittest
import unittest.mock

import check_layers

OBEDIENT = {
    "src/polyrx/core/matrix.hpp": "#include <Eigen/Core>\n#include <vector>\n",
    "src/polyrx/table/table.cpp": '#include "polyrx/core/matrix.hpp"\n#include "polyrx/table/table.hpp"\n#include <sys/stat.h>\n',
    "src/polyrx/core/read_bytes.cpp": "#include <zlib.h>\n#include <fmt/format.h>\n",
    "src/polyrx/core/json/json_dump.cpp": "#include <nlohmann/json.hpp>\n",
    "src/polyrx/core/tile_kernel-inl.hpp": "#include <hwy/highway.h>\n",
    "src/polyrx/train/dense_kernel.cpp": '#include "polyrx/core/tile_kernel-inl.hpp"\n#include "polyrx/version.hpp"\n',
    "tests/support/clp_lp.cpp": "#include <ClpSimplex.hpp>\n",
    "apps/polyrx/parse.cpp": '#include <CLI/CLI.hpp>\n#include "parse.hpp"\n#include "polyrx/fit/fit.hpp"\n',
}


UNUSED = "take the permission back"  # a small tree uses few


def violations(extra):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in (OBEDIENT | extra).items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return [each for each in check_layers.check(root) if UNUSED not in each]


class CheckLayers(unittest.TestCase):
    def caught(self, name, text, words):
        found = violations({name: text})
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(name + ":"), found)
        self.assertIn(words, found[0])

    def test_passes_an_obedient_tree(self):
        self.assertEqual(violations({}), [])

    def test_catches_a_stage_that_reaches_up(self):
        self.caught("src/polyrx/core/rng.cpp", '\n#include "polyrx/table/table.hpp"\n', ":2:")
        self.caught("src/polyrx/core/rng.cpp", "#  include <polyrx/table/table.hpp>\n", "core may not include table")

    def test_catches_a_checker_that_depends_on_the_maker(self):
        self.caught("src/polyrx/verify/replay.cpp", '#include "polyrx/extract/tree.hpp"\n', "verify may not include extract")

    def test_catches_a_stage_that_the_design_lacks(self):
        self.caught("src/polyrx/misc/stuff.cpp", "", "no stage")

    def test_catches_a_header_that_hides_its_stage(self):
        self.caught("src/polyrx/core/rng.cpp", '#include "../table/table.hpp"\n', "whole path")

    def test_catches_third_parties_out_of_place(self):
        self.caught("src/polyrx/table/table.hpp", "#include <fmt/format.h>\n", "public header")
        self.caught("apps/polyrx/main.cpp", "#include <CLI/App.hpp>\n", "parse.cpp only")
        self.caught("src/polyrx/table/schema.cpp", "#include <nlohmann/json.hpp>\n", "json_dump.cpp only")
        self.caught("src/polyrx/train/train.cpp", "#include <hwy/highway.h>\n", "*kernel*")
        self.caught("src/polyrx/train/dense_kernel.hpp", "#include <hwy/highway.h>\n", "public header")
        self.caught("src/polyrx/train/train.cpp", '#include "polyrx/core/tile_kernel-inl.hpp"\n', ".cpp of a kernel")
        self.caught("src/polyrx/study/splits/split.cpp", "#include <zlib.h>\n", "one file")
        self.caught("src/polyrx/core/rng.cpp", "#include <gtest/gtest.h>\n", "tests")
        self.caught("bench/micro/lp.cpp", "#include <ClpSimplex.hpp>\n", "clp_lp.hpp")
        self.caught("src/polyrx/core/rng.cpp", "#include <boost/any.hpp>\n", "unknown library")

    def test_catches_a_checker_that_reaches_readers_and_learners_through_others(self):
        found = violations({
            "src/polyrx/verify/check.cpp": '#include "polyrx/tree/tree.hpp"\n',
            "src/polyrx/tree/tree.hpp": '#include "polyrx/rules/language/rules.hpp"\n',
            "src/polyrx/rules/language/rules.hpp": '#include "polyrx/policy/policy.hpp"\n',
            "src/polyrx/policy/policy.hpp": ""})
        self.assertIn("src/polyrx/rules/language/rules.hpp:1: verify reaches policy through this file (polyrx/policy/policy.hpp)", found)

    def test_knows_the_stage_of_a_file_in_a_subfolder(self):
        with unittest.mock.patch.dict(check_layers.ALLOWED, {"study/deep": "core"}):
            self.assertEqual(check_layers.stage_of("study/deep/split.hpp"), "study/deep")
            self.assertEqual(check_layers.stage_of("study/other/deep/er.hpp"), "study")
            self.caught("src/polyrx/study/observations.cpp", '#include "polyrx/study/deep/split.hpp"\n', "study may not include study/deep")
        self.caught("src/polyrx/core/text/utf8.cpp", '#include "polyrx/table/table.hpp"\n', "core may not include table")

    def test_catches_a_permission_that_nothing_uses(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src/polyrx/train").mkdir(parents=True)
            (root / "src/polyrx/train/train.cpp").write_text('#include "polyrx/core/rng.hpp"\n')
            found = check_layers.check(root)
        self.assertIn("tools/check_layers.py:1: train may include network and does not: take the permission back", found)
        self.assertFalse([each for each in found if "train may include core" in each])

    def test_catches_a_constant_that_hides_a_headers(self):
        found = violations({
            "src/polyrx/study/treatments.hpp": "inline constexpr std::size_t most_treatments = 64;\n",
            "src/polyrx/studies/simulate.cpp": "namespace {\nconstexpr int most_treatments = 3;\n    constexpr int inner = 1;\n}\n"})
        self.assertEqual(found, ["src/polyrx/studies/simulate.cpp:2: most_treatments hides the constant of src/polyrx/study/treatments.hpp"])

    def test_every_allowed_stage_is_a_stage(self):
        for allowed in check_layers.ALLOWED.values():
            self.assertLessEqual(set(allowed.split()), set(check_layers.ALLOWED))


if __name__ == "__main__":
    unittest.main()
