"""Two results compared, and layouts: what the command line says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import vorrang
from vorrang import Change, Verdict

ROOT = Path(__file__).parents[3]
SLOT, EDF = "examples/proxy-slot.toml", "examples/proxy-edf.toml"


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def said(*arguments: str) -> tuple[str, int]:
    """What the program prints, and its exit code."""
    program = [os.environ["VORRANG"], *arguments]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    return done.stdout, done.returncode


def test_a_difference_is_that_of_the_command_line() -> None:
    found = vorrang.diff(SLOT, EDF)
    assert (str(found), found.exit) == said("diff", SLOT, EDF)
    assert (found.json, found.exit) == said("diff", SLOT, EDF, "--json")
    control = found.rows.named("task.control")
    assert (found.worse, control.change) == (True, Change.WORSE)
    assert control.was is not None
    assert control.is_ is not None
    assert (control.was.verdict, control.is_.verdict) == (Verdict.PROVEN, Verdict.REFUTED)
    assert "budget of vcpu.a" in found._repr_html_()


def test_results_are_compared_as_well() -> None:
    slot = vorrang.check(SLOT)
    assert vorrang.diff(slot, SLOT, moved=0).rows.named("task.control").change is Change.SAME


def test_a_layout_is_that_of_the_command_line() -> None:
    text = (ROOT / SLOT).read_text()
    assert vorrang.fmt(text) == text
    assert vorrang.fmt("a=1 # one") == "a = 1 # one\n"
    with pytest.raises(ValueError, match="TOML parse error"):
        vorrang.fmt("[a")
