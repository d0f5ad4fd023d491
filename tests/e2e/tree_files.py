# SPDX-License-Identifier: Apache-2.0
"""Reads tree files, and writes forged ones whose checksum is right (docs/formats.md)."""

import hashlib
import json

BEFORE_NODES = ',\n "nodes": [\n'


def nodes_of(path):
    """The nodes of a tree file, in their order."""
    return json.loads(path.read_text())["nodes"]


def leaves_of(path):
    return [node for node in nodes_of(path) if "treatment" in node]


def twin_of(path, to, change):
    """Writes a model that is changed as one likes: change(model) may do what it likes to the object."""
    model = json.loads(path.read_text())
    del model["sha256"]
    change(model)
    text = json.dumps(model, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    model["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    to.write_text(json.dumps(model, ensure_ascii=False))
    return to


def forge(path, to, change):
    """Writes a tree with changed nodes: change(nodes) may do what it likes to the list."""
    head, _ = path.read_text().split(BEFORE_NODES)
    nodes = nodes_of(path)
    change(nodes)
    lines = ",\n".join("  " + json.dumps(node, ensure_ascii=False, separators=(",", ":")) for node in nodes)
    sign(to, f"{head}{BEFORE_NODES}{lines}\n ],\n")
    return to


def forge_text(path, to, old, new):
    """Writes a tree with another text in place of one that it has."""
    before = path.read_text().partition('\n "sha256": ')[0] + "\n"
    assert old in before
    sign(to, before.replace(old, new, 1))
    return to


def sign(to, text):
    to.write_text(f'{text} "sha256": "{hashlib.sha256(text.encode()).hexdigest()}"\n}}\n')
