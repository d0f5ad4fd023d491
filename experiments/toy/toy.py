#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Examples 1 and 2 of the paper: writes their network as a model file, asks polyrx for regions, tree and proof, without
and with a rule, and draws the figures.

    python3 experiments/toy/toy.py --program build/release/polyrx

Everything in the figures comes from what the program wrote into results/. Needs nothing but Python.
"""

import hashlib
import json
import pathlib
import subprocess
import sys

import figure1
import figure2

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from laboratory import beside_readme, parser_of  # noqa: E402

# x¹ = (x1 - x2, x1 + x2 - 0.5), and the outcomes of the two treatments from z¹ = max(x¹, 0).
LAYERS = [
    {"weights": [[1.0, -1.0], [1.0, 1.0]], "bias": [0.0, -0.5]},
    {"weights": [[-0.5, 2.0], [0.5, -1.0]], "bias": [0.0, 0.0]},
]

# Example 2, as printed.
RULE = "if x1 + x2 > 1 and x2 > 0.5 then 0\n"

# What is kept, and the call that makes it. The words of a call come after the file, as on a terminal.
RESULTS = {
    "regions.json": ["regions", "model.json", "--json"],
    "regions.txt": ["regions", "model.json"],
    "tree.json": ["tree", "model.json", "--mode", "exact", "--format", "json"],
    "tree.txt": ["tree", "model.json", "--mode", "exact"],
    "verify.txt": ["verify", "model.json", "tree.json"],
    "constrained.json": ["constrain", "model.json", "rules.txt", "-o", "-"],
    "constrained_tree.json": ["tree", "constrained.json", "--mode", "exact", "--format", "json"],
    "constrained_tree.txt": ["tree", "constrained.json", "--mode", "exact"],
    "constrained_verify.txt": ["verify", "constrained.json", "constrained_tree.json"],
}


def feature(name):
    """An input of [0, 1], as the model file says it (docs/formats.md)."""
    return {
        "name": name, "type": "numeric", "fill": 0.5, "indicator": False, "integer": False, "lower": 0.0, "upper": 1.0,
        "lower_declared": True, "upper_declared": True, "integer_declared": False,
    }


def model():
    """The model file of Example 1, with its checksum: of the content without it, keys sorted and no spaces."""
    content = {
        "format": "polyrx-model",
        "format_version": 1,
        "features": [feature("x1"), feature("x2")],
        "layers": LAYERS,
        "objective": "min",
        "treatments": ["0", "1"],
        "treatment_column": "treatment",
        "outcome_column": "y",
        "missing": ["NA"],
        "provenance": {"program": "experiments/toy/toy.py", "seed": 0, "rows": 0, "data_sha256": "", "options": {}},
    }
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    content["sha256"] = hashlib.sha256(plain.encode()).hexdigest()
    return json.dumps(content, indent=1) + "\n"


def reproduce(program, folder):
    """Fills a folder with the model and what the program says of it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.json").write_text(model(), encoding="utf-8")
    (folder / "rules.txt").write_text(RULE, encoding="utf-8")
    for name, call in RESULTS.items():
        done = subprocess.run([program, *call], cwd=folder, check=True, capture_output=True)
        (folder / name).write_bytes(done.stdout)


def main():
    arguments = parser_of(__file__, __doc__).parse_args()
    pictures = beside_readme(arguments, __file__)
    if not arguments.table:
        reproduce(str(arguments.program.resolve()), arguments.results)
        (pictures / "figure1.svg").write_text(figure1.picture(arguments.results), encoding="utf-8")
        (pictures / "figure2.svg").write_text(figure2.picture(arguments.results), encoding="utf-8")
    print((arguments.results / "tree.txt").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
