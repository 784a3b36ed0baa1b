"""Results of `design` and `margin`: immutable objects that print as the command line does.

Their fields are the keys of the JSON formats `vorrang-design/1` and `vorrang-margin/1`.
"""

from __future__ import annotations

import json as _json
from dataclasses import dataclass, field
from enum import Enum
from html import escape
from typing import TYPE_CHECKING

from ._record import read
from .results import Budget, Rows, Shown, Verdict, table
from .time import Time

if TYPE_CHECKING:
    from .system import System


class Reach(str, Enum):
    """What is known about a design."""

    OPTIMAL = "optimal"
    """No other choice that is proven reserves less."""
    WITHIN = "within"
    """Another may reserve less, by `within_percent` of the optimum at most."""
    IMPOSSIBLE = "impossible"
    """No choice is proven."""
    NONE_FOUND = "none-found"
    """None was found, and it is not shown that there is none."""
    NOTHING_REQUIRED = "nothing-required"
    """No requirement is stated, so that every choice is accepted."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Value:
    """The choice for a value that was left open."""

    of: str
    key: str
    chosen: str


@dataclass(frozen=True)
class Server:
    """A server of the design."""

    name: str
    on: str
    server: str
    budget: Time
    period: Time


@dataclass(frozen=True)
class Price:
    """What a design takes of a core, in percent: `left` rounded down, all else up."""

    core: str
    reserved_percent: str
    fair_server_percent: str | None
    """The kernel's deadline server of `SCHED_OTHER`."""
    beside_percent: str
    switching_percent: str
    left_percent: str | None
    used_percent: str

    @property
    def name(self) -> str:
        """The core."""
        return self.core


@dataclass(frozen=True)
class Relaxation:
    """A requirement of a conflict, relaxed to a limit for which a design was found."""

    name: str
    limit: Time


@dataclass(frozen=True)
class Conflict:
    """Requirements that no design meets together."""

    requirements: tuple[str, ...]
    irreducible: bool
    """Whether there is a design as soon as any one of them is dropped."""
    helps: tuple[Relaxation, ...]
    steps: int


@dataclass(frozen=True)
class Design(Shown):
    """The result of `vorrang.design`."""

    tool: str
    result: Reach
    steps: int | None
    """How many analyses were made."""
    best: str | None
    takes_percent: str | None
    """The share of a core that servers reserve, with the time for switching to them."""
    least_percent: str | None
    """A lower bound on that of every design."""
    within_percent: str | None
    values: tuple[Value, ...]
    servers: Rows[Server]
    price: Rows[Price]
    verdict: Verdict | None
    budgets: Rows[Budget]
    conflict: Conflict | None
    completed: System | None = field(repr=False)
    """The description with the values chosen, if there is a design."""

    @staticmethod
    def of(json: str, text: str, exit: int, completed: System | None) -> Design:  # noqa: A002
        """From the answer of the verb."""
        data = _json.loads(json)
        conflict = data["conflict"]
        return Design(
            json=json,
            text=text,
            exit=exit,
            tool=data["tool"],
            result=Reach(data["result"]),
            steps=data["steps"],
            best=data["best"],
            takes_percent=data["takes_percent"],
            least_percent=data["least_percent"],
            within_percent=data["within_percent"],
            values=tuple(read(Value, row) for row in data["values"]),
            servers=Rows(read(Server, row) for row in data["servers"]),
            price=Rows(read(Price, row) for row in data["price"]),
            verdict=None if data["verdict"] is None else Verdict(data["verdict"]),
            budgets=Rows(read(Budget, row) for row in data["budgets"]),
            conflict=None if conflict is None else read(Conflict, conflict),
            completed=completed,
        )

    def _repr_html_(self) -> str:
        rows = [(row.name, row.on, row.server, row.budget, row.period) for row in self.servers]
        shown = table(("server", "on", "kind", "budget", "period"), rows)
        takes = "" if self.takes_percent is None else f", {escape(self.takes_percent)} % of a core"
        return shown + f"<p>Design: <b>{escape(str(self.result))}</b>{takes}</p>"


@dataclass(frozen=True)
class Amount:
    """A time in nanoseconds, or a factor of all execution times in decimals."""

    ns: int | None
    factor: str | None

    def __str__(self) -> str:
        return f"x {self.factor}" if self.ns is None else str(Time(self.ns))


@dataclass(frozen=True)
class Margin:
    """How far one parameter may move."""

    parameter: str
    what: str
    now: Amount
    proven: Amount
    """The last value for which the requirement was found to be proven."""
    not_proven: Amount | None
    """The next value, for which it is not."""
    refused: str | None
    """Why the next value cannot be stated in a description."""
    refuted: Amount | None
    """The first value for which it was found to be refuted."""
    not_refuted_up_to: Amount | None


@dataclass(frozen=True)
class RequirementMargins:
    """The margins of one requirement; none if it is not proven, or `steps` were exhausted."""

    name: str
    proven: bool
    margins: tuple[Margin, ...] | None


@dataclass(frozen=True)
class Margins(Shown):
    """The result of `vorrang.margin`."""

    tool: str
    steps: int
    """How many analyses were made."""
    interrupted: bool
    """Whether it was interrupted before all margins were known."""
    requirements: Rows[RequirementMargins]

    @staticmethod
    def of(json: str, text: str, exit: int) -> Margins:  # noqa: A002
        """From the answer of the verb."""
        data = _json.loads(json)
        return Margins(
            json=json,
            text=text,
            exit=exit,
            tool=data["tool"],
            steps=data["steps"],
            interrupted=data["interrupted"],
            requirements=Rows(read(RequirementMargins, row) for row in data["requirements"]),
        )

    def _repr_html_(self) -> str:
        rows = [
            (row.name, one.what, one.now, one.proven, one.not_proven, one.refuted)
            for row in self.requirements
            for one in row.margins or ()
        ]
        head = ("requirement", "what moves", "now", "proven with", "not proven with", "refuted")
        return table(head, rows)
