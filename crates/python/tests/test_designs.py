"""Designs and margins are those of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
import vorrang
from test_results import command_line
from vorrang import DescriptionError, Reach, Verdict, ms, us

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_a_design_is_that_of_the_command_line() -> None:
    found = vorrang.design("designs/hello.toml")
    assert found.json == command_line("design", "designs/hello.toml", "--json")
    assert str(found) == command_line("design", "designs/hello.toml")
    assert found.result is Reach.OPTIMAL
    motor = found.servers.named("vcpu.motor")
    assert (motor.budget, motor.period) == (us(1286), ms(14))
    assert "<td>vcpu.motor</td>" in found._repr_html_()


def test_a_completed_description_is_proven() -> None:
    completed = vorrang.design("designs/hello.toml").completed
    assert completed is not None
    assert completed.check().verdict is Verdict.PROVEN
    assert 'budget = "1286us"' in completed.text


def open_system(wcet: vorrang.Time) -> vorrang.Builder:
    """A task of 10 ms in a server whose budget is open."""
    system = vorrang.Builder()
    core = system.core("0", scheduler="fixed-priority")
    guest = system.vcpu(
        "g",
        vm="g",
        on=core,
        server="deferrable",
        budget="?",
        period=ms(10),
        priority=1,
        scheduler="fixed-priority",
    )
    system.task("urgent", on=core, wcet=ms(2), period=ms(5), priority=2)
    system.task("t", on=guest, wcet=wcet, period=ms(10), priority=1)
    return system


def test_what_a_builder_leaves_open_is_chosen() -> None:
    found = open_system(ms(1)).design()
    assert found.completed is not None
    assert found.conflict is None
    assert found.values[0].key == "budget"


def test_where_there_is_no_design_requirements_are_named() -> None:
    found = open_system(ms(7)).design()
    assert found.result is Reach.IMPOSSIBLE
    assert found.completed is None
    assert found.conflict is not None
    assert found.conflict.requirements == ("task.t",)


def test_a_design_of_what_is_complete_is_refused() -> None:
    with pytest.raises(DescriptionError, match="nothing is left open") as raised:
        vorrang.design("examples/hello.toml")
    assert raised.value.diagnostics[0].code == "E0110"


def test_margins_are_those_of_the_command_line() -> None:
    found = vorrang.margin("examples/hello.toml", of=["control"])
    options = ("examples/hello.toml", "--of", "control")
    assert found.json == command_line("margin", *options, "--json")
    assert str(found) == command_line("margin", *options)
    control = found.requirements.named("task.control")
    assert control.margins is not None
    wcet = control.margins[0]
    assert wcet.parameter == "wcet"
    assert str(wcet.now) == "1200us"
    assert "<td>wcet of task.control</td>" in found._repr_html_()
