"""Two results compared, and the layout of descriptions."""

from __future__ import annotations

import json as _json
from dataclasses import dataclass
from enum import Enum

from . import _vorrang
from ._record import read
from .results import Check, Rows, Shown, Verdict, table
from .system import Loadable, check
from .time import Time


class Change(str, Enum):
    """What became of a requirement or a budget."""

    WORSE = "worse"
    BETTER = "better"
    MOVED = "moved"
    """Its bound or its limit is another one, its verdict is not."""
    NEW = "new"
    GONE = "gone"
    SAME = "same"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Side:
    """What one of the results says of it."""

    verdict: Verdict
    limit: Time | None
    bound: Time | None
    """Of a budget: how late it may come."""


@dataclass(frozen=True)
class Changed:
    """A requirement or the budget of a server in both results."""

    name: str
    change: Change
    was: Side | None
    is_: Side | None


@dataclass(frozen=True)
class Difference(Shown):
    """The result of `vorrang.diff`."""

    worse: bool
    """Whether some verdict is a worse one."""
    rows: Rows[Changed]
    """What turned worse first, then what is better, moved, new, gone and the same."""

    @staticmethod
    def of(json: str, text: str, exit: int) -> Difference:  # noqa: A002
        """From the answer of the verb."""
        data = _json.loads(json)
        rows = Rows(read(Changed, {**row, "is_": row["is"]}) for row in data["rows"])
        return Difference(json=json, text=text, exit=exit, worse=data["worse"], rows=rows)

    def _repr_html_(self) -> str:
        def cells(row: Changed) -> tuple[object, ...]:
            sides = [
                (side.verdict, side.bound) if side else (None, None) for side in (row.was, row.is_)
            ]
            (was, bound_was), (is_, bound_is) = sides
            return (row.name, row.change, was, is_, bound_was, bound_is)

        head = ("requirement", "change", "was", "is", "bound was", "bound is")
        return table(head, [cells(row) for row in self.rows if row.change is not Change.SAME])


def diff(was: Loadable | Check, is_: Loadable | Check, *, moved: int = 5) -> Difference:
    """Compare two descriptions or results: what turned, moved, is new or gone.

    A bound that changed by `moved` percent or less counts as the same.
    """
    return Difference.of(*_vorrang.diff(_document(was), _document(is_), moved))


def _document(source: Loadable | Check) -> str:
    return source.json if isinstance(source, Check) else check(source).json


def fmt(text: str) -> str:
    """Write a description (TOML) in one layout, with its comments.

    Raises:
        ValueError: it is no TOML.
    """
    return _vorrang.fmt(text)
