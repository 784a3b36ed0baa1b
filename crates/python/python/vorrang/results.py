"""Results of `check` and `simulate`: immutable objects that print as the command line does.

Their fields are the keys of the JSON formats `vorrang-check/1` and `vorrang-simulate/1`; times are
`vorrang.Time`. The documents themselves are in `json`, byte for byte those of the command line.
"""

from __future__ import annotations

import json as _json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from html import escape
from typing import Any, Generic, Protocol, TypeVar

from ._record import read
from .errors import Diagnostic
from .time import Time


class Verdict(str, Enum):
    """What is known about a requirement."""

    PROVEN = "proven"
    """It holds in every history."""
    UNDECIDED = "undecided"
    """Neither a proof nor a history against it was found; the reason is stated."""
    REFUTED = "refuted"
    """A history violates it: the witness."""

    def __str__(self) -> str:
        return self.value


class _Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


class Rows(tuple[N, ...], Generic[N]):
    """Rows in the order of declaration, also by name."""

    __slots__ = ()

    def named(self, name: str) -> N:
        """The row of this name, such as `task.control`.

        Raises:
            KeyError: there is none; the message lists the names that exist.
        """
        for row in self:
            if row.name == name:
                return row
        raise KeyError(f"{name}; there are {', '.join(row.name for row in self)}")


@dataclass(frozen=True)
class Witness:
    """A history that violates a requirement, and how to replay it."""

    core: str
    pattern: str
    """The history, as `vorrang simulate --witness` reads it."""
    seed: int
    arrival: Time
    """Of the job that misses its deadline."""
    deadline: Time
    replay: str
    """The command that replays it."""


@dataclass(frozen=True)
class Chance:
    """The deadline-miss probability of a job: decimal fractions in strings, exact or rounded up."""

    late_allowed: str
    """The largest that the requirement permits."""
    late_bound: str | None
    """An upper bound on it."""
    late_seen: str | None
    """The fraction of late jobs in a simulated history."""
    jobs_seen: int | None
    jobs_seen_late: int | None
    pattern: str | None


@dataclass(frozen=True)
class Requirement:
    """The verdict on one requirement."""

    name: str
    kind: str
    limit: Time
    bound: Time | None
    """An upper bound on the worst-case response time, over all histories."""
    observed: Time | None
    """The longest response that the simulator found."""
    probability: Chance | None
    verdict: Verdict
    by: str
    """The analysis, or what else decided."""
    assumptions: tuple[str, ...]
    code: str | None
    reason: str | None
    help: str | None
    witness: Witness | None


@dataclass(frozen=True)
class Budget:
    """Whether a server is guaranteed its budget in each period."""

    name: str
    verdict: Verdict
    late: Time | None
    """How long after the end of a period the budget may come at most, where that is known."""
    assumptions: tuple[str, ...]
    """What the guarantee takes for granted."""
    code: str | None
    reason: str | None
    help: str | None


@dataclass(frozen=True)
class Chain:
    """A reaction time or data age that is required of a chain."""

    name: str
    requires: str
    verdict: Verdict
    limit: Time
    bound: Time | None
    observed: Time | None
    by: str
    assumptions: tuple[str, ...]
    code: str | None
    reason: str | None


@dataclass(frozen=True)
class Utilisation:
    """Shares of a core in percent: `left` rounded down, all else up."""

    name: str
    on: str | None
    capacity_percent: str
    reserved_percent: str
    tasks_percent: str
    interrupts_percent: str
    storm_percent: str
    costs_percent: str | None
    left_percent: str | None
    used_inside_percent: str | None


@dataclass(frozen=True)
class _Searched:
    seed: int
    horizon: Time
    runs: int


@dataclass(frozen=True)
class Shown:
    """The result of a verb of the command line."""

    json: str = field(repr=False)
    """The document of the command line."""
    text: str = field(repr=False)
    """What the command line prints."""
    exit: int
    """The exit code of the command line."""

    def __str__(self) -> str:
        return self.text

    @property
    def document(self) -> Any:
        """The document, parsed: also the keys that have no field here."""
        return _json.loads(self.json)


@dataclass(frozen=True)
class Check(Shown):
    """The result of `vorrang.check`."""

    tool: str
    input_sha256: str
    verdict: Verdict | None
    """On the whole, budgets included; `None`: nothing is required."""
    requirements: Rows[Requirement]
    budgets: Rows[Budget]
    chains: Rows[Chain]
    utilisation: Rows[Utilisation]
    warnings: tuple[Diagnostic, ...]
    seed: int
    horizon: Time
    runs: int

    @staticmethod
    def of(json: str, text: str, exit: int) -> Check:  # noqa: A002
        """From the answer of the verb."""
        data = _json.loads(json)
        searched = read(_Searched, data["simulation"])
        return Check(
            json=json,
            text=text,
            exit=exit,
            tool=data["tool"],
            input_sha256=data["input_sha256"],
            verdict=None if data["verdict"] is None else Verdict(data["verdict"]),
            requirements=Rows(read(Requirement, row) for row in data["requirements"]),
            budgets=Rows(read(Budget, row) for row in data["budgets"]),
            chains=Rows(read(Chain, row) for row in data["chains"]),
            utilisation=Rows(read(Utilisation, row) for row in data["utilisation"]),
            warnings=tuple(read(Diagnostic, row) for row in data["warnings"]),
            seed=searched.seed,
            horizon=searched.horizon,
            runs=searched.runs,
        )

    def _repr_html_(self) -> str:
        rows = [
            (row.name, row.limit, row.bound, row.observed, row.verdict, row.reason or row.by)
            for row in self.requirements
        ]
        head = ("requirement", "limit", "bound", "observed", "verdict", "by, or why not")
        return table(head, rows) + f"<p>Verdict: <b>{escape(str(self.verdict))}</b></p>"


@dataclass(frozen=True)
class Miss:
    """A job that missed its limit."""

    arrival: Time
    deadline: Time
    response: Time
    completed: bool
    """Whether it was complete when the history ended; if not, the response is at least so long."""


@dataclass(frozen=True)
class Responses:
    """The response times of one task or interrupt in a history."""

    name: str
    of: str
    jobs: int
    completed: int
    shortest: Time | None
    mean: Time | None
    percentiles: Mapping[str, int | None]
    """In nanoseconds, by the keys of the document: `50_ns` to `99.999_ns`."""
    longest: Time | None
    limit: Time | None
    misses: int
    first_miss: Miss | None


@dataclass(frozen=True)
class BudgetUse:
    """What was reserved for a server in a history, and what it used."""

    name: str
    reserved: Time | None
    used: Time
    background: Time | None
    """Time of what is in it beyond its budget, without charge; None where its kind has none."""
    exhausted: int
    """How often its budget was exhausted."""


@dataclass(frozen=True)
class Delay:
    """How long a member of a supply that is scheduled by turns waited for its next turn."""

    name: str
    waits: int
    longest: Time
    quantum: Time


@dataclass(frozen=True)
class Core:
    """The part of a history on one core."""

    name: str
    not_simulated: str | None
    """Why, if the simulator does not cover it; then the rest is empty."""
    responses: Rows[Responses]
    budgets: Rows[BudgetUse]
    delays: Rows[Delay]
    scheduler_calls: int | None
    context_switches: int | None


@dataclass(frozen=True)
class Simulation(Shown):
    """The result of `vorrang.simulate`."""

    tool: str
    input_sha256: str
    history: str
    horizon: Time
    missed: bool
    cores: Rows[Core]

    @staticmethod
    def of(json: str, text: str, exit: int) -> Simulation:  # noqa: A002
        """From the answer of the verb."""
        data = _json.loads(json)
        return Simulation(
            json=json,
            text=text,
            exit=exit,
            tool=data["tool"],
            input_sha256=data["input_sha256"],
            history=data["history"],
            horizon=Time(data["horizon_ns"]),
            missed=data["missed"],
            cores=Rows(_core(row) for row in data["cores"]),
        )

    def responses(self) -> Iterator[Responses]:
        """The response times on all cores."""
        for core in self.cores:
            yield from core.responses

    def _repr_html_(self) -> str:
        rows = [
            (row.name, row.jobs, row.shortest, row.mean, row.longest, row.limit, row.misses)
            for row in self.responses()
        ]
        head = ("response of", "jobs", "shortest", "mean", "longest", "limit", "misses")
        return table(head, rows)


def _core(data: Mapping[str, Any]) -> Core:
    return Core(
        name=data["name"],
        not_simulated=data["not_simulated"],
        responses=Rows(read(Responses, row) for row in data.get("responses") or ()),
        budgets=Rows(read(BudgetUse, row) for row in data.get("budgets") or ()),
        delays=Rows(read(Delay, row) for row in data.get("delays") or ()),
        scheduler_calls=data.get("scheduler_calls"),
        context_switches=data.get("context_switches"),
    )


def table(head: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    """A table in HTML."""

    def cells(tag: str, of: tuple[object, ...]) -> str:
        texts = ("-" if cell is None else escape(str(cell)) for cell in of)
        return "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in texts) + "</tr>"

    body = "".join(cells("td", row) for row in rows)
    return f"<table><thead>{cells('th', head)}</thead><tbody>{body}</tbody></table>"
