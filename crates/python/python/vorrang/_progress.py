"""How far a study is, as a line that a notebook shows and renews."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

MARK = {"vorrang": "progress"}
"""The metadata of the output, by which those who render a notebook can leave it out."""


class Progress:
    """A bar with rate and time left, called after each shard.

    `show` gets it at the beginning, and each time that it changed.
    """

    def __init__(self, systems: int, show: Callable[[Progress], object]) -> None:
        """`systems` are all of the study."""
        self._systems = systems
        self._show = show
        self._done = self._all = 0
        self._first: int | None = None
        self._begun = self._now = time.monotonic()

    def __call__(self, done: int, of: int) -> None:
        """`done` shards of all are complete; first of all, how many were before."""
        self._done, self._all, self._now = done, of, time.monotonic()
        if self._first is None:
            self._first, self._begun = done, self._now
        self._show(self)

    def __repr__(self) -> str:
        parts = [f"{self._done} of {self._all} shards"]
        fresh, seconds = self._done - (self._first or 0), self._now - self._begun
        if fresh and seconds > 0:
            parts.append(f"{fresh * self._systems / self._all / seconds:.3g} systems/s")
            left = (self._all - self._done) * seconds / fresh
            parts.append(f"{_rough(left)} left" if left else f"took {_rough(seconds)}")
        return ", ".join(parts)

    def _repr_html_(self) -> str:
        return f'<progress value="{self._done}" max="{self._all}"></progress> {self!r}'


def _rough(seconds: float) -> str:
    """Seconds, minutes or hours."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def in_notebook(systems: int) -> Progress | None:
    """A bar below the cell that runs, if one does."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if not hasattr(shell, "kernel"):
        return None
    import IPython.display

    # It has no types.
    display: Any = IPython.display.display
    handle: Any = None

    def show(bar: Progress) -> None:
        nonlocal handle
        if handle is None:
            handle = display(bar, display_id=True, metadata=MARK)
        else:
            handle.update(bar, metadata=MARK)

    return Progress(systems, show)
