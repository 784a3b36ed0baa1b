from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import vorrang
from vorrang import Outcome, VorrangError, us

ROOT = Path(__file__).parents[3]
DATA = ROOT / "crates/observe/tests/data"


@pytest.mark.parametrize("name", ["observe", "wrong"])
def test_an_observation_is_that_of_the_command_line(name: str) -> None:
    description, trace = DATA / f"{name}.toml", DATA / "7.2-rt.trace"
    found = vorrang.observe(description, trace=trace)
    command = [os.environ["VORRANG"], "observe", str(description), "--trace", str(trace)]
    said = subprocess.run([*command, "--json"], capture_output=True, text=True)
    assert (found.json, found.exit) == (said.stdout, said.returncode)
    assert str(found) == subprocess.run(command, capture_output=True, text=True).stdout


def test_what_was_above_stands_with_its_time() -> None:
    found = vorrang.observe(DATA / "wrong.toml", trace=DATA / "7.2-rt.trace")
    assert (found.outcome, found.exit) == (Outcome.ABOVE, 1)
    row = found.rows.named("task.reserved")
    assert row.verdict == Outcome.ABOVE
    assert row.seen is not None
    assert (row.seen.who, row.seen.jobs, row.seen.longest) == ("reserved", 5, us(1513))
    response, execution = row.comparisons
    # Jobs that take more than is described take longer than what is proven of those.
    assert (response.what, response.verdict) == ("response", Outcome.ABOVE)
    assert execution.worst is not None
    assert (execution.above, execution.worst.time, execution.worst.bound) == (5, us(1507), us(800))
    html = found._repr_html_()
    assert "reserved (111)" in html
    assert "<b>above</b>" in html


def test_nothing_to_observe_is_said() -> None:
    with pytest.raises(VorrangError, match="--trace"):
        vorrang.observe(DATA / "observe.toml")
    with pytest.raises(VorrangError, match="no event"):
        vorrang.observe(DATA / "observe.toml", trace=DATA / "observe.toml")
