# SPDX-License-Identifier: Apache-2.0
"""The man page and the completions know every verb and option that the help knows."""

import re
import shutil
import subprocess

import pytest
from program import polyrx, succeeds

VERBS = ["demo", "simulate", "warfarin", "fit", "prescribe", "evaluate", "compare", "rules", "constrain", "distill", "tree",
         "verify", "regions", "prune", "completions"]


def needs(tool):
    """Skips where the tool is not installed."""
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


def options_of(verb, folder):
    """The options in the whole help of a verb: ["--seed", ...] and ["-o", ...]."""
    text = succeeds(verb, "--help", "all", cwd=folder).out
    text = text[:text.index("\nexample:")]
    long = re.findall(r"^ +(?:-\w, )?(--[\w-]+)", text, re.MULTILINE)
    short = re.findall(r"^ +(-\w), --", text, re.MULTILINE)
    assert "--output" in long or verb in ("evaluate", "rules", "verify")
    return long, short


@pytest.fixture(scope="module")
def manuals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manuals")
    for kind in ("bash", "zsh", "fish", "man"):
        (folder / kind).write_text(succeeds("completions", kind, cwd=folder).out)
    return folder


# --- the man page


@needs("groff")
def test_the_man_page_renders_without_a_warning(manuals):
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-b", "man"], cwd=manuals, capture_output=True, text=True,
                          check=True)
    assert done.stderr == ""
    # Overstrikes and colors away: what a reader sees.
    text = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout).replace("\u2010", "-").replace("\u2212", "-")
    for verb in VERBS:
        assert f"POLYRX {verb}".lower() in text.lower()
        for option in sum(options_of(verb, manuals), []):
            assert option in text, (verb, option)
    assert "'" in text and "train.csv" in text and "130" in text


@needs("man")
@needs("groff")
def test_man_itself_has_no_complaint(manuals):
    done = subprocess.run(["man", "--warnings", "-l", "./man"], cwd=manuals, capture_output=True, text=True, check=True,
                          env={"LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MANROFFSEQ": "", "PATH": "/usr/bin:/bin"})
    assert done.stderr == "" and "POLYRX(1)" in done.stdout


def test_the_man_page_has_every_option_under_its_verb(manuals):
    sections = dict(re.findall(r'^\.SH "POLYRX (\w+)"\n(.*?)(?=^\.SH)', (manuals / "man").read_text(),
                               re.MULTILINE | re.DOTALL))
    assert list(sections) == VERBS
    for verb, text in sections.items():
        for option in sum(options_of(verb, manuals), []):
            assert option.replace("-", "\\-") in text, (verb, option)


# --- bash


def bash_offers(folder, *words):
    """What bash would offer for the last of the words."""
    script = """
        source ./bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        compopt() { :; }  # it works only while bash itself asks for completions
        _polyrx
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    done = subprocess.run(["bash", "-uc", script, "bash", *words], cwd=folder, capture_output=True, text=True,
                          check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout != "\n" else []


def test_bash_offers_verbs_options_choices_and_files(manuals):
    (manuals / "my data.csv").write_text("")
    assert bash_offers(manuals, "polyrx", "fi") == ["fit"]
    assert bash_offers(manuals, "polyrx", "") == [*VERBS, "--help", "--version"]
    assert bash_offers(manuals, "polyrx", "fit", "--tre") == ["--treatment", "--treatment-rows"]
    assert bash_offers(manuals, "polyrx", "fit", "--recipe", "") == ["auto", "fast", "paper"]
    assert bash_offers(manuals, "polyrx", "fit", "--recipe", "p") == ["paper"]
    assert bash_offers(manuals, "polyrx", "simulate", "cl") == ["clinic"]
    assert bash_offers(manuals, "polyrx", "fit", "--seed", "") == []
    assert bash_offers(manuals, "polyrx", "fit", "my") == ["my data.csv"]
    assert bash_offers(manuals, "polyrx", "fit", "-o", "my") == ["my data.csv"]
    assert bash_offers(manuals, "polyrx", "fit", "--help", "") == ["all"]


@pytest.mark.parametrize("verb", VERBS)
def test_bash_offers_every_option_of_a_verb(verb, manuals):
    assert sorted(bash_offers(manuals, "polyrx", verb, "--")) == sorted([*options_of(verb, manuals)[0], "--help"])


# --- zsh and fish


@pytest.mark.parametrize("verb", VERBS)
def test_zsh_and_fish_scripts_hold_every_option(verb, manuals):
    zsh = (manuals / "zsh").read_text()
    start = zsh.index(f"        {verb}) _arguments")
    section = zsh[start:zsh.index(" ;;\n", start)]
    fish = [line for line in (manuals / "fish").read_text().splitlines() if f"subcommand_from {verb}'" in line]
    for option in options_of(verb, manuals)[0]:
        assert option in section
        assert any(f" -l {option.removeprefix('--')} " in line for line in fish), option


@needs("zsh")
def test_the_zsh_script_parses(manuals):
    subprocess.run(["zsh", "-n", "zsh"], cwd=manuals, check=True)


@needs("fish")
def test_the_fish_script_parses(manuals):
    subprocess.run(["fish", "--no-execute", "fish"], cwd=manuals, check=True)


def test_every_quote_in_the_scripts_is_closed(manuals):
    # bash reads enough of the other two languages' quoting to notice one that is open.
    for line in (manuals / "fish").read_text().splitlines():
        assert subprocess.run(["bash", "-n"], input=line, text=True, capture_output=True).returncode == 0, line


def test_completions_can_go_into_a_file(manuals):
    assert polyrx("completions", "bash", "-o", "again", cwd=manuals).out == ""
    assert (manuals / "again").read_text() == (manuals / "bash").read_text()
