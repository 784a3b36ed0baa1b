"""The package says of itself what is true."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import vorrang
from vorrang import Time, ms, us

PACKAGE = Path(__file__).parents[1]


def test_the_types_of_keys_are_those_of_the_schema() -> None:
    schema = PACKAGE.parents[1] / "docs" / "vorrang.schema.json"
    program = [sys.executable, str(PACKAGE / "generate.py"), str(schema)]
    fresh = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert (PACKAGE / "python/vorrang/tables.py").read_text() == fresh


def test_every_public_name_is_documented() -> None:
    for name in vorrang.__all__:
        if name not in ("TOOL", "Duration"):
            assert getattr(vorrang, name).__doc__, name


def test_the_sessions_of_the_readme_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars")
    monkeypatch.chdir(PACKAGE.parents[1])
    parts = (PACKAGE / "README.md").read_text().split("```")[1::2]
    sessions = [part.removeprefix("python\n") for part in parts if part.startswith("python")]
    printed = [part.removeprefix("text\n") for part in parts if part.startswith("text")]
    assert len(sessions) == len(printed) == 2
    for session, expected in zip(sessions, printed, strict=True):
        command = [sys.executable, "-c", session]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == expected


@pytest.mark.parametrize(
    ("time", "text"),
    [(us(1400), "1400us"), (ms(2000), "2s"), (Time(0), "0ns"), (us(1.5), "1500ns")],
)
def test_a_time_prints_with_the_largest_unit_that_divides_it(time: Time, text: str) -> None:
    assert str(time) == text


def test_times_are_added_and_compared() -> None:
    assert ms(1) + us(500) == us(1500)
    assert 3 * us(2) - us(1) == us(5)
    assert ms(1) / us(250) == 4
    assert sorted([ms(1), us(1)]) == [us(1), ms(1)]


def test_the_session_of_the_projects_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = PACKAGE.parents[1]
    session = (root / "README.md").read_text().split("```python\n", 1)[1].split("```", 1)[0]
    monkeypatch.chdir(tmp_path)
    for folder in ("examples", "studies"):
        (tmp_path / folder).symlink_to(root / folder)
    done = subprocess.run(
        [sys.executable, "-c", session], capture_output=True, text=True, check=True
    )
    assert done.stdout == "proven\n"
    assert (tmp_path / "acceptance.pdf").read_bytes().startswith(b"%PDF")
