from __future__ import annotations

import math
import os
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest
import vorrang
from vorrang import Study, VorrangError, _progress

STUDY = """
version = 1
samples = 400
shard = 100
[tasks]
count = 5
utilisation = ["70%", "90%"]
periods = "automotive"
[ask.exact]
question = "accepted"
[ask.seen]
question = "tightness"
steps = 5000
"""


def test_a_study_leaves_the_bytes_of_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(STUDY)
    command = [os.environ["VORRANG"], "sweep", str(file), "--out", str(tmp_path / "command")]
    subprocess.run(command, check=True, capture_output=True)
    told: list[tuple[int, int]] = []
    study = Study(STUDY)
    files = study.run(tmp_path / "python", progress=lambda done, of: told.append((done, of)))
    assert told == [(number + 1, 8) for number in range(8)]
    assert [file.name for file in files] == [f"shard-{number:06}.parquet" for number in range(8)]
    for file in files:
        assert file.read_bytes() == (tmp_path / "command" / file.name).read_bytes()


def test_a_bar_has_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now, lines = [100.0], []
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bar = _progress.Progress(800, lambda bar: lines.append(repr(bar)))
    # Two of eight shards were there before.
    for done, at in ((2, 100.0), (3, 150.0), (5, 400.0), (8, 400.0 + 7200)):
        now[0] = at
        bar(done, 8)
    assert lines == [
        "2 of 8 shards",
        "3 of 8 shards, 2 systems/s, 4 min left",
        "5 of 8 shards, 1 systems/s, 5 min left",
        "8 of 8 shards, 0.08 systems/s, took 2 h",
    ]
    assert bar._repr_html_().startswith('<progress value="8" max="8"></progress> 8 of 8')
    assert _progress.in_notebook(1) is None


def test_it_goes_on_and_does_not_mix(tmp_path: Path) -> None:
    study = Study(STUDY)
    files = study.run(tmp_path)
    kept = files[3].read_bytes()
    files[3].unlink()
    assert study.missing(tmp_path) == [3]
    study.run(tmp_path)
    assert files[3].read_bytes() == kept
    with pytest.raises(VorrangError, match="another study"):
        Study(STUDY.replace("400", "401")).run(tmp_path)


def test_what_is_wrong_is_said_all_at_once() -> None:
    with pytest.raises(VorrangError) as raised:
        Study(STUDY.replace("automotive", "automotiv").replace('"accepted"', '"acepted"'))
    assert raised.value.exit == 2
    for hint in ('did you mean "automotive"?', 'did you mean "accepted"?', "2 errors"):
        assert hint in str(raised.value)


def test_a_system_of_a_study_is_a_description() -> None:
    study = Study(STUDY)
    assert (study.points, study.samples, study.shards) == (2, 400, 8)
    assert study.axes == ("tasks_utilisation_ppm",)
    assert study.questions == ("exact", "seen_ppm")
    system = vorrang.load(study.description(1, 17, "exact"))
    assert len(system.check().requirements) == 5


def test_a_lost_worker_of_dask_changes_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    slow = STUDY.replace("steps = 5000", "steps = 100000").replace("shard = 100", "shard = 20")
    study = Study(slow)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        workers = client.run(os.getpid)
        killed: list[int] = []

        def kill(done: int, _of: int) -> None:
            if done == 5:
                killed.append(next(iter(workers.values())))
                os.kill(killed[0], 9)

        files = study.run_dask(tmp_path / "dask", client, progress=kill)
    assert len(killed) == 1
    for here, there in zip(study.run(tmp_path / "here"), files, strict=True):
        assert here.read_bytes() == there.read_bytes()


def test_a_lost_worker_of_ray_changes_nothing(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    slow = STUDY.replace("steps = 5000", "steps = 100000").replace("shard = 100", "shard = 20")
    study = Study(slow)
    killed: list[int] = []

    def kill(done: int, _of: int) -> None:
        if done >= 5 and not killed:
            killed.extend(at_work()[:1])
            for worker in killed:
                os.kill(worker, 9)

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        files = study.run_ray(tmp_path / "ray", progress=kill)
    finally:
        ray.shutdown()
    assert len(killed) == 1
    for here, there in zip(study.run(tmp_path / "here"), files, strict=True):
        assert here.read_bytes() == there.read_bytes()


def at_work() -> list[int]:
    """The workers of Ray that compute a shard: it gives such processes a name."""
    names = {
        file.parent: file.read_bytes()
        for file in Path("/proc").glob("[0-9]*/cmdline")
        if os.access(file, os.R_OK)
    }
    return [int(process.name) for process, name in names.items() if b"ray::shard_of" in name]


def farthest(one: list[int], other: list[int]) -> float:
    """Kolmogorov and Smirnov's distance."""
    values = sorted(
        [(value, 1 / len(one)) for value in one] + [(v, -1 / len(other)) for v in other]
    )
    most = total = 0.0
    for index, (value, step) in enumerate(values):
        total += step
        if index + 1 == len(values) or values[index + 1][0] != value:
            most = max(most, abs(total))
    return most


def drawn(
    utilisation: float, least: list[float], most: list[float], systems: int
) -> list[list[int]]:
    """Utilisations of a study, in billionths."""
    text = f"""
version = 1
samples = {systems}
[tasks]
count = {len(least)}
utilisation = "{utilisation * 100:g}%"
division = "drs"
least = "{", ".join(f"{part * 100:g}%" for part in least)}"
most = "{", ".join(f"{part * 100:g}%" for part in most)}"
periods = "harmonic"
shortest = "1s"
longest = "1s"
[ask.any]
question = "accepted"
"""
    study = Study(text)
    # Of a second, in nanoseconds.
    return [wcets(study.description(0, index)) for index in range(systems)]


def limit(comparisons: int, systems: int) -> float:
    """Of the distance of equally distributed samples: a false alarm in one of a million runs."""
    return math.sqrt(-math.log(1e-6 / comparisons / 2) / 2) * math.sqrt(2 / systems)


def test_divisions_without_bounds_are_as_likely_as_those_of_the_reference() -> None:
    drs = pytest.importorskip("drs")
    import random

    import numpy as np

    systems, count = 3000, 4
    study = Study(DEFAULT.format(systems=systems, count=count, shortest="1s", longest="1s"))
    ours = [wcets(study.description(0, index)) for index in range(systems)]
    random.seed(1)
    np.random.seed(1)
    theirs = [[round(share * 1e9) for share in drs.drs(count, 0.9)] for _ in range(systems)]
    for of in (lambda shares: shares[0], lambda shares: shares[-1], min, max):
        found = farthest([of(shares) for shares in ours], [of(shares) for shares in theirs])
        assert found < limit(4, systems)


def test_log_uniform_periods_are_as_likely_as_those_of_the_published_generator() -> None:
    """Emberson, Stafford and Davis 2010, in numpy; the shares do not depend on the periods."""
    np = pytest.importorskip("numpy")
    systems, count = 1500, 4
    study = Study(DEFAULT.format(systems=systems, count=count, shortest="1ms", longest="1s"))
    ours, parts = [], []
    for index in range(systems):
        text = study.description(0, index)
        periods = times(text, "period")
        assert periods == sorted(periods)
        ours.extend(periods)
        parts.append([wcet / period for wcet, period in zip(wcets(text), periods, strict=True)])
    grain, low, high = 1e3, 1e6, 1e9
    drawn = np.random.default_rng(1).uniform(np.log(low), np.log(high + grain), systems * count)
    theirs = (np.floor(np.exp(drawn) / grain) * grain).astype(int).tolist()
    assert farthest(ours, theirs) < limit(2, systems * count)
    # The shortest period has no other share than the longest.
    first, last = ([round(row[place] * 1e9) for row in parts] for place in (0, -1))
    assert farthest(first, last) < limit(2, systems)


DEFAULT = """
version = 1
samples = {systems}
[tasks]
count = {count}
utilisation = "90%"
periods = "log-uniform"
shortest = "{shortest}"
longest = "{longest}"
[ask.any]
question = "accepted"
"""


@pytest.mark.parametrize(
    ("count", "utilisation", "least", "most"),
    [(3, 0.9, 0.05, 0.5), (5, 0.8, 0.0, 0.3), (8, 0.9, 0.02, 0.25)],
)
def test_divisions_are_as_likely_as_those_of_the_reference(
    count: int, utilisation: float, least: float, most: float
) -> None:
    drs = pytest.importorskip("drs")
    import random

    import numpy as np

    systems = 3000
    ours = drawn(utilisation, [least] * count, [most] * count, systems)
    random.seed(1)
    np.random.seed(1)
    bounds = {"upper_bounds": [most] * count, "lower_bounds": [least] * count}
    theirs = [
        [round(share * 1e9) for share in drs.drs(count, utilisation, **bounds)]
        for _ in range(systems)
    ]
    for of in (lambda shares: shares[0], max):
        found = farthest([of(shares) for shares in ours], [of(shares) for shares in theirs])
        assert found < limit(6, systems)


@pytest.mark.parametrize(
    ("utilisation", "least", "most"),
    [
        (0.9, [0.0, 0.0, 0.0], [0.8, 0.3, 0.2]),
        (0.8, [0.1, 0.0, 0.05, 0.0], [0.5, 0.6, 0.1, 0.3]),
        (0.95, [0.0, 0.02, 0.04, 0.06, 0.08, 0.1], [0.5, 0.4, 0.3, 0.25, 0.2, 0.15]),
    ],
)
def test_divisions_with_bounds_of_their_own_are_as_likely_as_those_of_the_reference(
    utilisation: float, least: list[float], most: list[float]
) -> None:
    """Beside what the authors of `drs` made when they found it not to be uniform here.

    Its `cfsa` is not within the lower bounds of the last case (2.0.1); `cfsn` is.
    """
    reference = pytest.importorskip("convolutionalfixedsum")
    # It takes milliseconds for each.
    systems = 600
    ours = drawn(utilisation, least, most, systems)
    bounds = {"lower_constraints": least, "upper_constraints": most}
    theirs = [
        [round(share * 1e9) for share in reference.cfsn(len(least), utilisation, **bounds)]
        for _ in range(systems)
    ]
    for task in range(len(least)):
        one, other = ([shares[task] for shares in all_shares] for all_shares in (ours, theirs))
        assert farthest(one, other) < limit(13, systems)


def wcets(description: str) -> list[int]:
    return times(description, "wcet")


def times(description: str, key: str) -> list[int]:
    """All times under this key, in nanoseconds."""
    found = []
    for line in description.splitlines():
        if line.startswith(key):
            text = line.split('"')[1]
            for unit, factor in (("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 10**9)):
                if text.endswith(unit):
                    found.append(int(Decimal(text.removesuffix(unit)) * factor))
                    break
    return found
