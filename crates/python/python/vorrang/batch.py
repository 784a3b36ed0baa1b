"""Batches: very many task sets as columns, verdicts and bounds as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from . import _vorrang
from .errors import VorrangError
from .results import table

__all__ = ["Batch", "Columns", "batch"]

_SHOWN = 10
"""Rows of columns that a notebook shows."""


class Columns:
    """Columns for all readers of Arrow: `pyarrow.table(…)`, `polars.DataFrame(…)`, pandas.

    pandas reads them with `pandas.DataFrame.from_arrow`. Nothing is copied on the way.
    """

    def __init__(self, columns: _vorrang.Columns) -> None:
        """Wrap columns of the extension module."""
        self._columns = columns

    @property
    def column_names(self) -> list[str]:
        """Their names."""
        return self._columns.column_names

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"Columns({', '.join(self.column_names)}: {len(self)} rows)"

    def _repr_html_(self) -> str:
        rows = [tuple(row) for row in self._columns.first(_SHOWN)]
        more = len(self) - len(rows)
        shown = table(tuple(self.column_names), rows)
        return shown + (f"<p>and {more} rows more</p>" if more else "")

    def __arrow_c_schema__(self) -> object:
        """Names and types, by the C data interface of Arrow."""
        return self._columns.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """All rows, by the C data interface of Arrow."""
        return self._columns.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """All rows as a stream of one batch."""
        return self._columns.__arrow_c_stream__(requested_schema)


@dataclass(frozen=True)
class Batch:
    """The result of `vorrang.batch`."""

    sets: Columns
    """A row for each set: `set`, and `proven`: whether all its tasks meet their deadlines."""
    tasks: Columns | None
    """A row for each row that was given, in their order: `bound_ns`, an upper bound on the
    worst-case response time, null where there is none within the deadline."""

    @property
    def proven(self) -> int:
        """How many sets are proven."""
        return self.sets._columns.count("proven") or 0

    def __len__(self) -> int:
        return len(self.sets)

    def __repr__(self) -> str:
        return f"Batch({self.proven} of {len(self)} sets proven)"

    def _repr_html_(self) -> str:
        parts = [self.sets] if self.tasks is None else [self.sets, self.tasks]
        cells = "".join(
            f'<td style="vertical-align: top">{part._repr_html_()}</td>' for part in parts
        )
        summary = f"<p><b>{self.proven}</b> of {len(self)} sets are proven.</p>"
        return f"<table><tr>{cells}</tr></table>{summary}"


def batch(
    table: Any,
    *,
    scheduler: Literal[
        "fixed-priority", "deadline-monotonic", "rate-monotonic", "edf"
    ] = "fixed-priority",
    bounds: bool = True,
    threads: int = 0,
) -> Batch:
    """Decide very many task sets, each alone on a core, on all processors.

    `table` is anything with the PyCapsule interface of Arrow, with a row for each task. Columns
    are `set` (integers that ascend; equal ones are a set), `wcet`, `period`, `deadline` (the period
    if left out) and, for `fixed-priority`, `priority` (larger is more urgent). Times are
    durations, or integers under a name with their unit, such as `wcet_us`. Columns of 64 bits are
    read where they are. Without `bounds` only verdicts come back, sooner.

    Verdicts and bounds are those of `vorrang.check` for the same tasks on a core without costs.

    Raises:
        VorrangError: something is wrong with the columns; the text says in which row.
    """
    found, failed = _vorrang.batch(table, scheduler, bounds, threads)
    if found is None:
        raise VorrangError(*(failed or ("", 70)))
    sets, tasks = found
    return Batch(Columns(sets), None if tasks is None else Columns(tasks))
