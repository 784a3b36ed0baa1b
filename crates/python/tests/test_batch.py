from __future__ import annotations

import os
import random
import signal
import threading
from typing import Any

import pytest
import vorrang
from vorrang import Time, VorrangError, us

pyarrow = pytest.importorskip("pyarrow")


def drawn(sets: int, seed: int, most: int = 6) -> dict[str, list[int]]:
    """Columns in microseconds; some with equal priorities or deadlines beyond periods."""
    numbers = random.Random(seed)
    columns: dict[str, list[int]] = {
        name: [] for name in ("set", "wcet_us", "period_us", "deadline_us", "priority")
    }
    for number in range(sets):
        tasks, utilisation = numbers.randint(2, most), numbers.uniform(0.3, 1.0)
        for _ in range(tasks):
            period = numbers.randint(1_000, 50_000)
            wcet = max(1, int(period * utilisation / tasks))
            longest = period * 2 if number % 5 == 0 else period
            row = (number, wcet, period, numbers.randint(wcet, longest))
            priority = numbers.randint(0, 3) if number % 7 == 0 else numbers.randint(0, 10**6)
            for column, value in zip(columns.values(), (*row, priority), strict=True):
                column.append(value)
    return columns


def checked(columns: dict[str, list[int]], number: int, scheduler: Any) -> list[int | None]:
    """The bounds of `check` within the deadline."""
    system = vorrang.Builder()
    core = system.core("0", scheduler=scheduler)
    rows = [row for row, set_ in enumerate(columns["set"]) if set_ == number]
    for row in rows:
        keys: dict[str, Any] = {
            key: us(columns[f"{key}_us"][row]) for key in ("wcet", "period", "deadline")
        }
        if scheduler == "fixed-priority":
            keys["priority"] = columns["priority"][row]
        system.task(str(row), on=core, **keys)
    found = system.load().check(steps=1).requirements
    bounds: list[int | None] = []
    for row in rows:
        one = found.named(f"task.{row}")
        within = one.bound is not None and one.bound <= one.limit
        assert within == (one.verdict == "proven")
        bounds.append(one.bound.ns if one.bound is not None and within else None)
    return bounds


@pytest.mark.filterwarnings("ignore::vorrang.DescriptionWarning")
@pytest.mark.parametrize(
    "scheduler", ["fixed-priority", "deadline-monotonic", "rate-monotonic", "edf"]
)
def test_a_batch_says_what_checks_say(scheduler: Any) -> None:
    columns = drawn(35, 1)
    found = vorrang.batch(pyarrow.table(columns), scheduler=scheduler)
    proven = pyarrow.table(found.sets).to_pydict()
    bounds = pyarrow.table(found.tasks).column("bound_ns").to_pylist()
    assert proven["set"] == list(range(35))
    assert 0 < sum(proven["proven"]) == found.proven < 35
    for number in range(35):
        check = checked(columns, number, scheduler)
        rows = [row for row, set_ in enumerate(columns["set"]) if set_ == number]
        assert [bounds[row] for row in rows] == check
        assert proven["proven"][number] == (None not in check)


def test_a_notebook_shows_a_batch_as_tables() -> None:
    columns = {"set": [5, 5, 6], "wcet_us": [1, 2, 5], "period_us": [4, 9, 4]}
    columns["priority"] = [2, 1, 1]
    found = vorrang.batch(pyarrow.table(columns))
    shown = found._repr_html_()
    for row in (("5", "true"), ("6", "false"), ("1000",), ("3000",), ("-",)):
        assert "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" in shown
    assert "<b>1</b> of 2 sets are proven" in shown
    assert "more" not in shown
    only = vorrang.batch(pyarrow.table(columns), bounds=False)._repr_html_()
    assert "bound_ns" not in only
    many = vorrang.batch(pyarrow.table(drawn(35, 1)))
    assert "and 25 rows more" in many.sets._repr_html_()


def test_memory_that_is_used_again_keeps_what_others_read() -> None:
    table, other = pyarrow.table(drawn(35, 1)), pyarrow.table(drawn(35, 2))
    kept = pyarrow.table(vorrang.batch(table).tasks)
    before = kept.to_pydict()
    for _ in range(4):
        fresh = pyarrow.table(vorrang.batch(other).tasks).to_pydict()
        assert fresh == pyarrow.table(vorrang.batch(other).tasks).to_pydict() != before
    assert kept.to_pydict() == before == pyarrow.table(vorrang.batch(table).tasks).to_pydict()


def test_all_that_has_the_interface_is_read_and_reads() -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    columns = drawn(200, 2)
    arrow = pyarrow.table(columns)
    expected = pyarrow.table(vorrang.batch(arrow).sets)
    pieces = pyarrow.Table.from_batches(arrow.to_batches(max_chunksize=7))
    for table in (pieces, arrow.combine_chunks().to_batches()[0], polars.DataFrame(columns)):
        assert pyarrow.table(vorrang.batch(table).sets) == expected
    frame = pandas.DataFrame(columns)
    found = vorrang.batch(frame)
    assert polars.DataFrame(found.sets)["proven"].sum() == found.proven
    back = pandas.DataFrame.from_arrow(found.tasks)
    assert back["bound_ns"].count() == pyarrow.table(found.tasks)["bound_ns"].drop_null().length()
    assert len(found) == 200
    assert repr(found) == f"Batch({found.proven} of 200 sets proven)"
    assert repr(found.tasks) == f"Columns(bound_ns: {len(columns['set'])} rows)"


def test_durations_and_narrow_numbers_are_read() -> None:
    columns = drawn(50, 3)
    expected = pyarrow.table(vorrang.batch(pyarrow.table(columns)).sets)
    kinds = {"wcet": "ns", "period": "us", "deadline": "us"}
    table = {
        "set": pyarrow.array(columns["set"], "int32"),
        "priority": pyarrow.array(columns["priority"], "uint64"),
    }
    for name, unit in kinds.items():
        factor = 1_000 if unit == "ns" else 1
        numbers = [factor * number for number in columns[f"{name}_us"]]
        table[name] = pyarrow.array(numbers, pyarrow.duration(unit))
    assert pyarrow.table(vorrang.batch(pyarrow.table(table)).sets) == expected


def test_what_is_written_stays_when_the_input_goes() -> None:
    found = vorrang.batch(pyarrow.table(drawn(100, 4)))
    table = pyarrow.table(found.tasks)
    first = table.to_pydict()
    del found
    assert table.to_pydict() == first


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"jitter_us": 0}, "column `jitter_us` means nothing here"),
        ({"wcet": 5}, "column `wcet` has numbers without a unit"),
        ({"wcet_ns": 5}, "there are two columns for `wcet`"),
        ({"wcet_us": 0}, "column `wcet`, row 0: is 0 us: a time is from 1 ns to"),
        ({"set": None}, "there is no column `set`"),
        ({"period_us": None}, "there is no column `period`, or with its unit"),
        ({"priority": None}, "column `priority`, row 0: is not there"),
        ({"wcet_us": 0.5}, "column `wcet_us` is Float64"),
    ],
)
def test_what_is_wrong_is_said(change: dict[str, Any], said: str) -> None:
    columns: dict[str, list[Any]] = {**drawn(3, 5)}
    rows = len(columns["set"])
    for name, value in change.items():
        columns[name] = [value] * rows
        if value is None:
            del columns[name]
    with pytest.raises(VorrangError) as raised:
        vorrang.batch(pyarrow.table(columns))
    assert said in str(raised.value)
    assert raised.value.exit == 2


def test_nulls_and_rows_out_of_order_are_refused() -> None:
    columns: dict[str, list[Any]] = {**drawn(3, 6)}
    columns["wcet_us"][2] = None
    with pytest.raises(VorrangError, match="column `wcet_us` has 1 nulls"):
        vorrang.batch(pyarrow.table(columns))
    columns = {**drawn(3, 6)}
    columns["set"].reverse()
    with pytest.raises(VorrangError, match="sort the rows by it"):
        vorrang.batch(pyarrow.table(columns))


def test_ctrl_c_ends_a_batch() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    table = pyarrow.table(drawn(200, 7, 40))
    # Deadlines beyond periods and many tasks take long.
    table = pyarrow.concat_tables(
        [
            table.set_column(
                0,
                "set",
                pyarrow.array([number + 1_000 * copy for number in table["set"].to_pylist()]),
            )
            for copy in range(300)
        ]
    )
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        vorrang.batch(table, scheduler="edf")
    # The next one begins when that has ended, which must not take it along.
    assert len(vorrang.batch(pyarrow.table(drawn(3, 8)))) == 3


def test_a_bound_is_a_time() -> None:
    table = pyarrow.table({"set": [1], "wcet_ms": [2], "period_ms": [5], "priority": [1]})
    (bound,) = pyarrow.table(vorrang.batch(table).tasks)["bound_ns"].to_pylist()
    assert Time(bound) == us(2_000)


def test_a_table_without_rows_has_no_answers() -> None:
    empty = pyarrow.table({name: pyarrow.array([], pyarrow.int64()) for name in drawn(0, 1)})
    found = vorrang.batch(empty)
    assert len(found) == 0
    assert found.tasks is not None
    assert pyarrow.table(found.tasks)["bound_ns"].to_pylist() == []
