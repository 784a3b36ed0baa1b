"""The result of `vorrang.observe`: the trace of a kernel compared with the bounds."""

from __future__ import annotations

import json as _json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from html import escape
from typing import Any

from ._record import read
from .results import Rows, Shown, table
from .time import Time

__all__ = ["Comparison", "Latency", "Observation", "Observed", "Outcome", "Seen", "Sight"]


class Outcome(str, Enum):
    """Observations compared with bounds."""

    BELOW = "below"
    """Everything was observed, and nothing exceeded its bound."""
    AT_THE_BOUND = "at-the-bound"
    """Nothing exceeded its bound by more than the resolution of the trace's clock."""
    OPEN = "open"
    """Nothing exceeded its bound, but something was not observed, deviates or has no bound."""
    ABOVE = "above"
    """Something exceeded its bound."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Sight:
    """One observation, and when it was made: instants are those of the trace."""

    time: Time
    bound: Time | None
    resolution: Time
    """The resolution of the trace's clock."""
    begin: Time
    end: Time
    cpu: int


@dataclass(frozen=True)
class Comparison:
    """An observed quantity compared with its bound."""

    what: str
    """`response`, `execution`, `budget`; of a chain `reaction` or `age`."""
    verdict: Outcome
    reason: str | None
    above: int
    """How many observations exceeded the bound."""
    worst: Sight | None
    """Of those with the worst verdict the one furthest above its bound, or nearest below."""


@dataclass(frozen=True)
class Latency:
    """Reaction times or data ages of a chain in the trace."""

    values: int
    """How many were complete."""
    longest: Time | None
    mean: Time | None
    limit: Time | None
    """What the description requires."""


@dataclass(frozen=True)
class Seen:
    """The jobs of a thread in the trace, or the values along a chain."""

    thread: int | None
    who: str
    """The name of the thread, the numbers of an interrupt, the tasks along a chain."""
    jobs: int
    longest: Time | None
    mean: Time | None
    executed: Time | None
    """The longest execution time of a job."""
    preempted: int
    """How often it was preempted."""
    notes: tuple[str, ...]
    """What is not as described."""
    remarks: tuple[str, ...]
    """What is as described, and good to know."""
    reaction: Latency | None = None
    """Of a chain."""
    age: Latency | None = None
    """Of a chain."""


@dataclass(frozen=True)
class Observed:
    """A server, task, interrupt or chain of the description in the trace."""

    name: str
    kind: str
    not_seen: str | None
    """Why it was not observed, if it was not."""
    seen: Seen | None
    comparisons: tuple[Comparison, ...]

    @property
    def verdict(self) -> Outcome:
        """The worst of its comparisons; open if it was not observed."""
        verdicts = [comparison.verdict for comparison in self.comparisons]
        order = (Outcome.ABOVE, Outcome.OPEN, Outcome.AT_THE_BOUND, Outcome.BELOW)
        return next((one for one in order if one in verdicts), Outcome.OPEN)


@dataclass(frozen=True)
class Observation(Shown):
    """The result of `vorrang.observe`."""

    tool: str
    input_sha256: str
    outcome: Outcome
    rows: Rows[Observed]

    @staticmethod
    def of(json: str, text: str, exit: int) -> Observation:  # noqa: A002
        """From the answer of the verb."""
        data = _json.loads(json)
        return Observation(
            json=json,
            text=text,
            exit=exit,
            tool=data["tool"],
            input_sha256=data["input_sha256"],
            outcome=Outcome(data["outcome"]),
            rows=Rows(_observed(row) for row in data["rows"]),
        )

    def _repr_html_(self) -> str:
        rows = [_cells(row) for row in self.rows]
        head = ("of", "thread", "jobs", "mean", "longest", "executed", "verdict")
        return table(head, rows) + f"<p>Outcome: <b>{escape(str(self.outcome))}</b></p>"


def _cells(row: Observed) -> tuple[object, ...]:
    seen = row.seen
    if seen is None:
        return (row.name, row.not_seen, None, None, None, None, row.verdict)
    times = (seen.mean, seen.longest, seen.executed)
    who = seen.who if seen.thread is None else f"{seen.who} ({seen.thread})"
    return (row.name, who, seen.jobs, *times, row.verdict)


def _observed(data: Mapping[str, Any]) -> Observed:
    seen = data["seen"]
    return Observed(
        name=data["name"],
        kind=data["kind"],
        not_seen=data["not_seen"],
        seen=None if seen is None else _seen(seen),
        comparisons=tuple(read(Comparison, one) for one in data["comparisons"]),
    )


def _seen(data: Mapping[str, Any]) -> Seen:
    response, executed = data["response"] or {}, data["executed"] or {}
    return Seen(
        thread=data["thread"],
        who=data["who"],
        jobs=data["jobs"],
        longest=_time(response.get("longest_ns")),
        mean=_time(response.get("mean_ns")),
        executed=_time(executed.get("longest_ns")),
        preempted=data["preempted"],
        notes=tuple(data["notes"]),
        remarks=tuple(data["remarks"]),
        reaction=_latency(data["handed"], "reaction"),
        age=_latency(data["handed"], "age"),
    )


def _latency(handed: Mapping[str, Any] | None, of: str) -> Latency | None:
    if handed is None:
        return None
    data = handed[of]
    times = data["times"] or {}
    return Latency(
        values=data["values"],
        longest=_time(times.get("longest_ns")),
        mean=_time(times.get("mean_ns")),
        limit=_time(data["limit_ns"]),
    )


def _time(ns: int | None) -> Time | None:
    return None if ns is None else Time(ns)
