# SPDX-License-Identifier: Apache-2.0
"""A process that is kept alive and answers requests, and the words about what it measured."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TRAIN_WORKER = ROOT / "build/bench/polyrx_train_worker"


class WorkerError(Exception):
    """A request that was refused, or a worker that died of it."""


class Worker:
    """Answers a line of JSON with a line of JSON."""

    def __init__(self, *command):
        self.words = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.words,
            encoding="utf-8",
        )

    def ask(self, what, **request):
        with contextlib.suppress(BrokenPipeError):  # its last words say more
            print(json.dumps({"do": what} | request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            self.words.seek(0)
            words = self.words.read().strip().splitlines()
            raise WorkerError(words[-1] if words else "it ended without a word")
        answer = json.loads(line)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.words.close()


def train_worker(program):
    if not pathlib.Path(program).exists():
        sys.exit(f"there is no {program}; ./dev build bench makes it")
    return Worker(program)


def flops(rows, widths):
    """Of the three products of each layer: its values, the gradient of its weights, and that of its inputs, which the
    first layer does not need."""
    layers = list(zip(widths, widths[1:]))
    return 2 * rows * sum((2 if i == 0 else 3) * a * b for i, (a, b) in enumerate(layers))


def load():
    """How busy the machine is, since that spoils every figure."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


class Report:
    """Lines for the reader now, and for a file later."""

    def __init__(self, output):
        self.output, self.lines = output, []

    def __call__(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def save(self):
        if self.output:
            self.output.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
