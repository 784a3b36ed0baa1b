"""Pictures of studies, as matplotlib objects that can be changed further.

Every function takes the folder of a study (or a `pyarrow.Table` of its columns) and draws into
`axes`, or a new figure; it returns the axes. The style is readable in print without colour: lines
differ by dashes and markers. `pip install vorrang[plot]`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

__all__ = ["acceptance", "distribution", "heat", "read", "weighted", "wilson"]

_MARKERS = "os^Dv<>ph*"
_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 3)))
# Okabe and Ito: told apart by people who see colours differently, and by their greys.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")


def read(folder: str | os.PathLike[str]) -> Any:
    """The rows of all shards as one `pyarrow.Table`."""
    import pyarrow.parquet as parquet
    from pyarrow import concat_tables

    files = sorted(Path(folder).glob("shard-*.parquet"))
    return concat_tables(parquet.read_table(file) for file in files)


def wilson(yes: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval of a probability of which `yes` in `of` were seen; `z` is 1.96 for 95 %."""
    if of == 0:
        return 0.0, 1.0
    seen, square = yes / of, z * z
    middle = (seen + square / (2 * of)) / (1 + square / of)
    half = z / (1 + square / of) * math.sqrt(seen * (1 - seen) / of + square / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def acceptance(
    results: Any,
    questions: Sequence[str],
    *,
    over: str = "tasks_utilisation_ppm",
    axes: Any = None,
) -> Any:
    """The fraction of systems with the answer yes over an axis, with Wilson's 95 % intervals."""
    axes = _axes(axes)
    columns = _columns(results, [over, *questions])
    for number, question in enumerate(questions):
        groups = _groups(columns[over], columns[question])
        known = [(value, [a for a in answers if a is not None]) for value, answers in groups]
        counts = [(value, sum(answers), len(answers)) for value, answers in known if answers]
        shares = [yes / of for _, yes, of in counts]
        bounds = [wilson(yes, of) for _, yes, of in counts]
        below = [max(0.0, share - low) for share, (low, _) in zip(shares, bounds, strict=True)]
        above = [max(0.0, high - share) for share, (_, high) in zip(shares, bounds, strict=True)]
        places = [_scaled(over, value) for value, _, _ in counts]
        axes.errorbar(
            places, shares, (below, above), label=_label(question), capsize=2, **_look(number)
        )
    axes.set_xlabel(_label(over))
    axes.set_ylabel("fraction of systems")
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False)
    return axes


def weighted(
    results: Any,
    questions: Sequence[str],
    *,
    over: str,
    weight: str = "tasks_utilisation_ppm",
    axes: Any = None,
) -> Any:
    """Weighted schedulability (Bastoni, Brandenburg, Anderson 2010) over one axis.

    At each value of `over` the fraction accepted at a utilisation is weighted by that utilisation.
    """
    axes = _axes(axes)
    columns = _columns(results, [over, weight, *questions])
    for number, question in enumerate(questions):
        rows = zip(columns[weight], columns[question], strict=True)
        points = []
        for value, pairs in _groups(columns[over], rows):
            whole = sum(weight for weight, _ in pairs)
            points.append((_scaled(over, value), sum(w for w, yes in pairs if yes) / whole))
        axes.plot(*zip(*points, strict=True), label=_label(question), **_look(number))
    axes.set_xlabel(_label(over))
    axes.set_ylabel("weighted schedulability")
    axes.set_ylim(-0.02, 1.02)
    axes.legend(frameon=False)
    return axes


def heat(results: Any, question: str, *, x: str, y: str, axes: Any = None) -> Any:
    """The fraction of systems with the answer yes, or the mean of a number, over two axes."""
    axes = _axes(axes)
    columns = _columns(results, [x, y, question])
    across, up = sorted(set(columns[x])), sorted(set(columns[y]))
    cells = {
        place: [_scaled(question, answer) for answer in answers if answer is not None]
        for place, answers in _groups(zip(columns[x], columns[y], strict=True), columns[question])
    }
    means = [
        [sum(cell) / len(cell) if (cell := cells.get((a, b), [])) else math.nan for a in across]
        for b in up
    ]
    axes.patch.set(hatch="////", edgecolor="0.8")
    image = axes.pcolormesh(range(len(across) + 1), range(len(up) + 1), means, cmap="Greys")
    for row, line in enumerate(means):
        for column, mean in enumerate(line):
            if math.isnan(mean):
                # No answer there: the hatched axes show, for white is the least number.
                text, colour = "none", "black"
            else:
                dark = mean > (image.norm.vmin + image.norm.vmax) / 2
                text, colour = f"{mean:.2f}", "white" if dark else "black"
            axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=colour)
    axes.set_xticks([place + 0.5 for place in range(len(across))], [_shown(x, a) for a in across])
    axes.set_yticks([place + 0.5 for place in range(len(up))], [_shown(y, b) for b in up])
    axes.set_xlabel(_label(x))
    axes.set_ylabel(_label(y))
    axes.set_title(_label(question))
    return axes


def distribution(results: Any, question: str, *, by: str | None = None, axes: Any = None) -> Any:
    """The fraction of systems with at most a number, such as bound over observed, by an axis."""
    axes = _axes(axes)
    columns = _columns(results, [question, *([by] if by else [])])
    keys = columns[by] if by else [""] * len(columns[question])
    for number, (value, answers) in enumerate(_groups(keys, columns[question])):
        known = sorted(_scaled(question, answer) for answer in answers if answer is not None)
        parts = [(rank + 1) / len(answers) for rank in range(len(known))]
        look = _look(number)
        look["marker"] = ""
        axes.step(known, parts, where="post", label=_shown(by, value) if by else None, **look)
    axes.set_xlabel(_label(question))
    axes.set_ylabel("fraction of systems with at most this")
    axes.set_ylim(0, 1.02)
    if by:
        axes.legend(frameon=False, title=_label(by))
    return axes


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    from matplotlib import pyplot

    made = pyplot.subplots(figsize=(5.5, 3.6), layout="constrained")[1]
    made.spines[["top", "right"]].set_visible(False)
    return made


def _look(number: int) -> dict[str, Any]:
    return {
        "color": _COLOURS[number % len(_COLOURS)],
        "linestyle": _DASHES[number % len(_DASHES)],
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": 4,
        "linewidth": 1.2,
    }


def _columns(results: Any, names: Sequence[str]) -> dict[str, list[Any]]:
    table = results if hasattr(results, "column") else read(results)
    return {name: table.column(name).to_pylist() for name in names}


def _groups(keys: Iterable[Any], values: Iterable[Any]) -> list[tuple[Any, list[Any]]]:
    """Values by key, keys ascending."""
    groups: dict[Any, list[Any]] = {}
    for key, value in zip(keys, values, strict=True):
        groups.setdefault(key, []).append(value)
    return sorted(groups.items())


def _scaled(column: str, value: Any) -> Any:
    for suffix, factor in (("_ppm", 1e-6), ("_ns", 1e-6)):
        if column.endswith(suffix):
            return value * factor
    return value


def _shown(column: str, value: Any) -> str:
    scaled = _scaled(column, value)
    return f"{scaled:g}" if isinstance(scaled, float) else str(scaled)


def _label(column: str) -> str:
    for suffix, unit in (("_ppm", ""), ("_ns", " [ms]")):
        if column.endswith(suffix):
            return column.removesuffix(suffix).replace("_", " ") + unit
    return column.replace("_", " ")
