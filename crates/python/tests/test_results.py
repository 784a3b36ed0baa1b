"""What is found is what the command line says."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
import vorrang
from vorrang import Verdict, ms, us

ROOT = Path(__file__).parents[3]
SHOWN = ["hello.toml", "undecided.toml", "proxy-edf.toml", "storm.toml", "kvm-host.toml"]


def command_line(*arguments: str) -> str:
    """What the program prints."""
    program = os.environ["VORRANG"]
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 1, 3), done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", SHOWN)
def test_a_check_is_that_of_the_command_line(name: str) -> None:
    path = f"examples/{name}"
    found = vorrang.check(path)
    assert found.json == command_line("check", path, "--json")
    assert str(found) == command_line("check", path)


@pytest.mark.parametrize("name", ["hello.toml", "video.toml", "network.toml"])
def test_a_simulation_is_that_of_the_command_line(name: str) -> None:
    path = f"examples/{name}"
    found = vorrang.simulate(path, seed=7, horizon="2s")
    options = ("--seed", "7", "--for", "2s")
    assert found.json == command_line("simulate", path, *options, "--json")
    assert str(found) == command_line("simulate", path, *options)


def test_a_report_is_that_of_the_command_line(tmp_path: Path) -> None:
    path, page, folder = "examples/hello.toml", tmp_path / "report.html", tmp_path / "figures"
    options = ("--out", str(page), "--figures", str(folder), "--margins", "50", "--date", "today")
    said = command_line("report", path, *options)
    found = vorrang.report(path, margins=50, date="today")
    assert (str(found), found.exit) == (said, 0)
    assert found.html == page.read_text()
    assert found.figures
    assert {file.stem for file in folder.iterdir()} == set(found.figures)
    for name, figure in found.figures.items():
        assert figure._repr_svg_() == (folder / f"{name}.svg").read_text()
    shown = found._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!')
    assert shown.count('"') == 4


def test_every_field_of_a_check_is_typed() -> None:
    found = vorrang.check("examples/proxy-edf.toml")
    assert found.verdict is Verdict.REFUTED
    assert found.exit == 1
    control = found.requirements.named("task.control")
    assert control.limit == ms(101)
    assert control.bound is not None
    assert control.observed is not None
    assert control.limit < control.observed <= control.bound
    assert control.witness is not None
    seen = vorrang.simulate("examples/proxy-edf.toml", witness=control.witness.pattern)
    assert seen.missed
    assert seen.cores.named("core.0").responses.named("task.control").longest is not None


def test_a_requirement_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(KeyError, match=r"task\.control"):
        vorrang.check("examples/hello.toml").requirements.named("task.contol")


def test_options_are_those_of_the_command_line() -> None:
    found = vorrang.check("examples/hello.toml", seed=5, horizon=timedelta(seconds=1), runs=3)
    options = ("--seed", "5", "--for", "1s", "--runs", "3", "--json")
    assert found.json == command_line("check", "examples/hello.toml", *options)


def test_results_cannot_be_changed() -> None:
    found = vorrang.check("examples/hello.toml")
    with pytest.raises(AttributeError):
        found.verdict = Verdict.REFUTED  # type: ignore[misc]
    with pytest.raises(AttributeError):
        found.requirements[0].limit = us(1)  # type: ignore[misc]


def test_a_notebook_shows_names_as_text() -> None:
    system = vorrang.Builder()
    core = system.core("0", scheduler="fixed-priority")
    system.task("a", on=core, wcet=ms(1), period=ms(10), priority=1)
    page = vorrang.check(system.load())._repr_html_()
    assert "<td>task.a</td>" in page
    assert "<b>proven</b>" in page


def test_what_a_builder_makes_is_what_a_file_says() -> None:
    system = vorrang.Builder()
    core = system.core("0", scheduler="fixed-priority")
    system.task("watchdog", on=core, wcet=us(200), period=ms(5), priority=90)
    motor = system.vcpu(
        "motor",
        vm="motor",
        on=core,
        server="deferrable",
        budget=ms(4),
        period=timedelta(milliseconds=10),
        priority=20,
        scheduler="fixed-priority",
    )
    system.task("control", on=motor, wcet="1200us", period="20ms", deadline="15ms", priority=8)
    system.task("log", on=motor, wcet="3ms", period="100ms", priority=1)
    built = json.loads(vorrang.check(system.load()).json)
    read = json.loads(vorrang.check("examples/hello.toml").json)
    assert built.pop("input_sha256") != read.pop("input_sha256")
    assert built == read
