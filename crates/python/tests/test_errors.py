"""What is wrong is said with its place, and nothing else breaks."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from pathlib import Path

import pytest
import vorrang
from vorrang import ms

ROOT = Path(__file__).parents[3]

WRONG = """version = 1
[core.0]
scheduler = "fixed-priority"
[task.a]
on = "core.0"
wcet = "1 parsec"
period = "10ms"
priorty = 1
"""


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(vorrang.DescriptionError) as raised:
        vorrang.load(WRONG)
    places = {(found.line, found.code[0]) for found in raised.value.diagnostics}
    assert {(6, "E"), (8, "E")} <= places
    assert raised.value.exit == 2
    assert 'did you mean "priority"?' in str(raised.value)
    assert isinstance(raised.value, ValueError)


def test_a_bare_number_is_no_time() -> None:
    system = vorrang.Builder()
    core = system.core("0", scheduler="fixed-priority")
    system.task("a", on=core, wcet=250, period=ms(10), priority=1)  # type: ignore[arg-type]
    with pytest.raises(vorrang.DescriptionError) as raised:
        system.load()
    assert "250" in str(raised.value)


def test_a_fraction_of_a_nanosecond_is_refused() -> None:
    assert vorrang.us(0.1).ns == 100
    with pytest.raises(ValueError, match="no whole number of nanoseconds"):
        vorrang.us(0.0001)


def test_a_name_is_given_once() -> None:
    system = vorrang.Builder()
    system.core("0", scheduler="edf")
    with pytest.raises(ValueError, match=r"core\.0 already"):
        system.core("0", scheduler="edf")


def test_a_file_that_is_not_there_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        vorrang.load("no-such-file.toml")


def test_a_pattern_that_is_not_there_is_said() -> None:
    with pytest.raises(vorrang.VorrangError, match="witness"):
        vorrang.simulate(ROOT / "examples" / "hello.toml", witness="no:such")


def test_what_is_probably_not_meant_is_a_warning() -> None:
    system = vorrang.Builder()
    core = system.core("0", scheduler="fixed-priority")
    system.task("a", on=core, wcet=ms(1), period=ms(10), priority=1)
    system.task("b", on=core, wcet=ms(1), period=ms(10), priority=1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        loaded = system.load()
    (warning,) = said
    assert isinstance(warning.message, vorrang.DescriptionWarning)
    assert warning.message.diagnostic.code == "W0001"
    assert warning.message.diagnostic in loaded.check().warnings


def test_ctrl_c_ends_a_long_call_and_the_next_one_works() -> None:
    # Who is started in the background of a shell ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    system = vorrang.load(ROOT / "examples" / "ref10.toml")
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        system.simulate(horizon="100000s")
    assert not system.simulate(horizon="1s").missed


def test_other_threads_run_meanwhile() -> None:
    system = vorrang.load(ROOT / "examples" / "ref10.toml")
    ended = threading.Event()
    counted = 0

    def work() -> None:
        system.simulate(horizon="200s")
        ended.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not ended.is_set():
        counted += 1
    worker.join()
    assert counted > 0


def test_threads_have_the_same_results() -> None:
    system = vorrang.load(ROOT / "examples" / "hello.toml")
    found: list[str] = []
    workers = [threading.Thread(target=lambda: found.append(system.check().json)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4
    assert len(set(found)) == 1
