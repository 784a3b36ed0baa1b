"""Descriptions of systems: read from a file, a text or a mapping, or built here."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _vorrang
from .designs import Design, Margins
from .errors import BugError, DescriptionError, DescriptionWarning, VorrangError, diagnostics
from .observation import Observation
from .report import Report
from .results import Check, Simulation
from .time import Duration, Time, written

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import tables

__all__ = [
    "Builder",
    "System",
    "check",
    "design",
    "load",
    "margin",
    "observe",
    "report",
    "simulate",
]

_BUG = 70


class System:
    """A description that was read and has no errors."""

    def __init__(self, text: bytes, name: str) -> None:
        """Read it; `load` is the usual way to get one.

        Raises:
            DescriptionError: it has errors: all of them, each with code, place and help.
        """
        self._text = text
        self._name = name
        for found in diagnostics(self._run(["read"]).warnings):
            warnings.warn(DescriptionWarning(found), stacklevel=3)

    @property
    def text(self) -> str:
        """The text of the description, as it was read."""
        return self._text.decode()

    @property
    def name(self) -> str:
        """Its name in messages: the path that it was read from, if there is one."""
        return self._name

    def __repr__(self) -> str:
        return f"System({self._name!r})"

    def check(
        self,
        *,
        seed: int | None = None,
        horizon: Duration | None = None,
        runs: int | None = None,
        steps: int | None = None,
    ) -> Check:
        """Decide every requirement: proven, refuted or undecided.

        The options are those of `vorrang check`; the result is the same on every machine.

        Raises:
            BugError: a simulated response exceeded its bound: a bug, so no verdict is given.
        """
        options = {"seed": seed, "for": horizon, "runs": runs, "steps": steps}
        answer = self._run(["check", *_options(options)])
        return Check.of(answer.json or "", answer.text, answer.exit)

    def simulate(
        self,
        *,
        witness: str | None = None,
        core: str | None = None,
        horizon: Duration | None = None,
        seed: int | None = None,
    ) -> Simulation:
        """Simulate one history: response times, budgets, lost requests, packets.

        The options are those of `vorrang simulate`.

        Raises:
            VorrangError: there is no such core or pattern.
        """
        options = {"witness": witness, "core": core, "for": horizon, "seed": seed}
        answer = self._run(["simulate", *_options(options)])
        return Simulation.of(answer.json or "", answer.text, answer.exit)

    def margin(
        self,
        *,
        of: Sequence[str] = (),
        steps: int | None = None,
        searches: int | None = None,
    ) -> Margins:
        """Find how far each parameter may move until a requirement is not proven, or is refuted.

        The options are those of `vorrang margin`; `of` names requirements, all if it is empty.

        Raises:
            VorrangError: there is no such requirement.
        """
        names = ",".join(of) or None
        options = {"of": names, "steps": steps, "searches": searches}
        answer = self._run(["margin", *_options(options)])
        return Margins.of(answer.json or "", answer.text, answer.exit)

    def observe(
        self,
        *,
        trace: str | os.PathLike[str] | None = None,
        horizon: Duration | None = None,
    ) -> Observation:
        """Compare a trace of a kernel with the bounds: responses, budgets, execution times.

        Either the text of a `trace` is read, as the kernel, `trace-cmd report` or `perf script`
        print it, or this machine is traced for the time `horizon`, which needs privileges.

        Raises:
            VorrangError: the trace has errors, or this machine cannot be traced.
        """
        options = {"trace": None if trace is None else os.fspath(trace), "for": horizon}
        answer = self._run(["observe", *_options(options)])
        return Observation.of(answer.json or "", answer.text, answer.exit)

    def report(
        self,
        *,
        detail: int | None = None,
        margins: int | None = None,
        date: str | None = None,
    ) -> Report:
        """Show verdicts, derivations, curves and schedules on one page, with their figures.

        Verdicts are those of `check` with its defaults. The options are those of `vorrang report`:
        `detail` is the most requirements that are drawn, `margins` the most analyses that are made
        for margins, `date` what the page says about when it was made.

        Raises:
            BugError: a simulated response exceeded its bound: a bug, so no verdict is given.
        """
        options = {"detail": detail, "margins": margins, "date": date}
        answer = self._run(["report", "--out=-", *_options(options)])
        return Report.of(answer.text, answer.exit, answer.page or "", answer.figures or [])

    def _run(self, arguments: list[str]) -> _vorrang.Answer:
        return _answer(arguments, self._name, self._text)


def _answer(arguments: list[str], name: str, text: bytes) -> _vorrang.Answer:
    answer = _vorrang.run(arguments, name, text)
    if answer.failed is None:
        return answer
    if answer.refused is not None:
        raise DescriptionError(answer.failed, diagnostics(answer.refused))
    kind = BugError if answer.exit == _BUG else VorrangError
    raise kind(answer.failed, answer.exit)


def load(source: str | os.PathLike[str] | Mapping[str, Any]) -> System:
    """Read a description from a file, from text (TOML), or from a mapping of its tables.

    A `str` with a line feed in it is text, any other the path of a file; a path that ends in
    `.json` is read as JSON. In a mapping, times are `vorrang.Time`, `timedelta` or text with a
    unit.

    Raises:
        DescriptionError: it has errors: all of them, each with code, place and help.
        OSError: the file cannot be read.
    """
    return System(*_text(source))


def _text(source: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[bytes, str]:
    """A description, and its name in messages."""
    if isinstance(source, Mapping):
        text = json.dumps(_plain(source), indent=2, ensure_ascii=False)
        return text.encode(), "mapping.json"
    if isinstance(source, str) and "\n" in source:
        return source.encode(), "text.toml"
    return Path(source).read_bytes(), str(source)


Loadable = System | str | os.PathLike[str] | Mapping[str, Any]


def check(
    source: Loadable,
    *,
    seed: int | None = None,
    horizon: Duration | None = None,
    runs: int | None = None,
    steps: int | None = None,
) -> Check:
    """`load(source).check(…)`."""
    return _system(source).check(seed=seed, horizon=horizon, runs=runs, steps=steps)


def simulate(
    source: Loadable,
    *,
    witness: str | None = None,
    core: str | None = None,
    horizon: Duration | None = None,
    seed: int | None = None,
) -> Simulation:
    """`load(source).simulate(…)`."""
    return _system(source).simulate(witness=witness, core=core, horizon=horizon, seed=seed)


def margin(
    source: Loadable,
    *,
    of: Sequence[str] = (),
    steps: int | None = None,
    searches: int | None = None,
) -> Margins:
    """`load(source).margin(…)`."""
    return _system(source).margin(of=of, steps=steps, searches=searches)


def observe(
    source: Loadable,
    *,
    trace: str | os.PathLike[str] | None = None,
    horizon: Duration | None = None,
) -> Observation:
    """`load(source).observe(…)`."""
    return _system(source).observe(trace=trace, horizon=horizon)


def report(
    source: Loadable,
    *,
    detail: int | None = None,
    margins: int | None = None,
    date: str | None = None,
) -> Report:
    """`load(source).report(…)`."""
    return _system(source).report(detail=detail, margins=margins, date=date)


def design(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    best: str | None = None,
    steps: int | None = None,
) -> Design:
    """Choose the values that a description leaves open: proven, and with the least reserved.

    `source` is as for `load`, with `"?"` and the like where a value is to be chosen; the
    options are those of `vorrang design`. The completed description is `completed`.

    Raises:
        DescriptionError: it has errors, or leaves nothing open.
        VorrangError: there is no such core, or too much is open.
    """
    text, name = _text(source)
    answer = _answer(["design", *_options({"best": best, "steps": steps})], name, text)
    completed = None if answer.completed is None else System(answer.completed, name)
    return Design.of(answer.json or "", answer.text, answer.exit, completed)


def _system(source: Loadable) -> System:
    return source if isinstance(source, System) else load(source)


class Builder:
    """Builds a description: tables of supplies, tasks, interrupts and timers.

    Each method adds one and returns its full name, to be used as `on` of others. Keys are those of
    descriptions, with `_` for `-`; a key that is a keyword of Python has another `_` behind it.
    """

    def __init__(self, **tables: Mapping[str, Any]) -> None:
        """`tables` are given as a whole, such as `costs`."""
        self._tables: dict[str, Any] = {"version": 1, **_keys(tables)}

    def core(self, name: str, **keys: Unpack[tables.Core]) -> str:
        """A processor, which supplies all of its time."""
        return self._add("core", name, keys)

    def vcpu(self, name: str, **keys: Unpack[tables.Vcpu]) -> str:
        """A virtual processor: a server of a virtual machine."""
        return self._add("vcpu", name, keys)

    def server(self, name: str, **keys: Unpack[tables.Server]) -> str:
        """A reservation: a budget in each period."""
        return self._add("server", name, keys)

    def task(self, name: str, **keys: Unpack[tables.Task]) -> str:
        """Work that wants time from a supply."""
        return self._add("task", name, keys)

    def interrupt(self, name: str, **keys: Unpack[tables.Interrupt]) -> str:
        """An interrupt, of a core or of a guest."""
        return self._add("interrupt", name, keys)

    def timer(self, name: str, **keys: Unpack[tables.Timer]) -> str:
        """A timer, which releases jobs of tasks."""
        return self._add("timer", name, keys)

    def device(self, name: str, **keys: Unpack[tables.Device]) -> str:
        """A network card."""
        return self._add("device", name, keys)

    def require(self, name: str, **keys: Unpack[tables.Require]) -> str:
        """A limit on a response time."""
        return self._add("require", name, keys)

    def chain(self, name: str, **keys: Unpack[tables.Chain]) -> str:
        """A path along which tasks hand on values."""
        return self._add("chain", name, keys)

    def document(self) -> dict[str, Any]:
        """The tables in the form of JSON."""
        document: dict[str, Any] = _plain(self._tables)
        return document

    def design(self, *, best: str | None = None, steps: int | None = None) -> Design:
        """Choose the values that it leaves open: see `vorrang.design`."""
        return design(self._tables, best=best, steps=steps)

    def load(self) -> System:
        """The description, read.

        Raises:
            DescriptionError: it has errors.
        """
        return load(self._tables)

    def _add(self, table: str, name: str, keys: Mapping[str, Any]) -> str:
        rows = self._tables.setdefault(table, {})
        if name in rows:
            raise ValueError(f"there is a {table}.{name} already")
        rows[name] = _keys(keys)
        return f"{table}.{name}"


def _keys(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {key.rstrip("_").replace("_", "-"): value for key, value in keys.items()}


def _plain(value: Any) -> Any:
    """Times as text; everything else as it is."""
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return written(value) if isinstance(value, (Time, timedelta)) else value


def _options(options: Mapping[str, object]) -> list[str]:
    """As on the command line; a time is one with a unit."""
    given = ((name, value) for name, value in options.items() if value is not None)
    return [
        f"--{name}={written(value) if name == 'for' else value}"  # type: ignore[arg-type]
        for name, value in given
    ]
