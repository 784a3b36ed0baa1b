"""Studies: very many random systems, the same questions for each, on one machine or on many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from . import _progress, _vorrang
from .errors import VorrangError

__all__ = ["Study"]


class Study:
    """How systems are drawn, at which points, and what is asked of each (docs/sweep.md).

    A shard of a study is a Parquet file, and has the same bytes wherever it is computed: `run` on
    this machine, `run_dask` and `run_ray` on a cluster, and `vorrang sweep` may share one folder.
    """

    def __init__(self, study: str | os.PathLike[str]) -> None:
        """Read a study from a path, or a text with more than one line.

        Raises:
            VorrangError: it has errors; the text lists all of them with their places.
        """
        if isinstance(study, str) and "\n" in study:
            self._name, self._text = "study", study.encode()
        else:
            self._name, self._text = str(study), Path(study).read_bytes()
        self._study = _read(self._name, self._text)

    @property
    def identity(self) -> str:
        """Identifies the study and this version of vorrang: only shards with the same one mix."""
        return self._study.identity

    @property
    def points(self) -> int:
        """How many combinations of the values of the axes there are."""
        return self._study.size[0]

    @property
    def samples(self) -> int:
        """How many systems there are at each point."""
        return self._study.size[1]

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return self._study.size[2]

    @property
    def axes(self) -> tuple[str, ...]:
        """The columns that differ from point to point."""
        return tuple(self._study.columns[0])

    @property
    def questions(self) -> tuple[str, ...]:
        """The columns of the answers."""
        return tuple(self._study.columns[1])

    def __repr__(self) -> str:
        return f"Study({self._name!r}: {self.points} points of {self.samples} systems)"

    def description(self, point: int, index: int, question: str = "") -> str:
        """One system as the text of a description, for `vorrang.load`."""
        return self._study.description(point, index, question)

    def shard(self, number: int, *, threads: int = 0) -> bytes:
        """The file of one shard; on all processors, or so many threads."""
        return self._study.shard(number, threads)

    def missing(self, folder: str | os.PathLike[str]) -> list[int]:
        """The shards that are not in a folder yet; it is created if there is none.

        Raises:
            VorrangError: the folder holds another study, or shards of another version.
        """
        missing, failed = self._study.missing(os.fspath(folder))
        _check(failed)
        return missing

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        threads: int = 0,
        progress: Callable[[int, int], object] | None = None,
    ) -> list[Path]:
        """Compute the missing shards on this machine; returns the files of all shards.

        Stopped at any instant, it resumes when it is called again. After each shard `progress` is
        called with the number of complete shards and the number of all; where it is left out, a
        notebook shows a bar with the rate and the time left.
        """
        numbers = self.missing(folder)
        done = ((number, self.shard(number, threads=threads)) for number in numbers)
        return self._publish(folder, done, len(numbers), progress)

    def run_dask(
        self,
        folder: str | os.PathLike[str],
        client: Any,
        *,
        progress: Callable[[int, int], object] | None = None,
    ) -> list[Path]:
        """The same on the workers of a `dask.distributed.Client`, one thread for each shard.

        Workers need no shared folder: shards come back to this process, which writes them. The
        shards of a lost worker are computed again by another.
        """
        from distributed import as_completed

        numbers = self.missing(folder)

        def done() -> Iterator[tuple[int, bytes]]:
            waiting = iter(numbers)
            window = 4 * max(1, sum(client.nthreads().values()))
            key = f"vorrang-{self.identity[:12]}-{os.urandom(4).hex()}"

            def submit(number: int) -> Any:
                return client.submit(
                    shard_of, self._text, number, pure=False, key=f"{key}-{number}"
                )

            futures = as_completed([submit(number) for number in islice(waiting, window)])
            for future in futures:
                number, file = future.result()
                future.release()
                for more in islice(waiting, 1):
                    futures.add(submit(more))
                yield number, file

        return self._publish(folder, done(), len(numbers), progress)

    def run_ray(
        self,
        folder: str | os.PathLike[str],
        *,
        progress: Callable[[int, int], object] | None = None,
    ) -> list[Path]:
        """The same on the cluster to which `ray.init` connected, one processor for each shard."""
        import ray

        numbers = self.missing(folder)
        remote = ray.remote(num_cpus=1, max_retries=-1)(shard_of)
        text = ray.put(self._text)

        def done() -> Iterator[tuple[int, bytes]]:
            waiting = iter(numbers)
            window = 4 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            running = [remote.remote(text, number) for number in islice(waiting, window)]
            while running:
                ready, running = ray.wait(running)
                running += [remote.remote(text, number) for number in islice(waiting, len(ready))]
                yield from ray.get(ready)

        return self._publish(folder, done(), len(numbers), progress)

    def files(self, folder: str | os.PathLike[str]) -> list[Path]:
        """The paths of all shards in a folder, whether they exist yet or not."""
        return [Path(folder) / f"shard-{number:06}.parquet" for number in range(self.shards)]

    def _publish(
        self,
        folder: str | os.PathLike[str],
        done: Iterable[tuple[int, bytes]],
        missing: int,
        progress: Callable[[int, int], object] | None,
    ) -> list[Path]:
        there = self.shards - missing
        if (
            progress is None
            and missing
            and (bar := _progress.in_notebook(self.points * self.samples))
        ):
            bar(there, self.shards)
            progress = bar
        for number, file in done:
            _check(self._study.publish(os.fspath(folder), number, file))
            there += 1
            if progress is not None:
                progress(there, self.shards)
        if there != self.shards:
            raise RuntimeError(f"{self.shards - there} shards did not come back; call it again")
        return self.files(folder)


def _check(failed: tuple[str, int] | None) -> None:
    if failed is not None:
        raise VorrangError(*failed)


def _read(name: str, text: bytes) -> _vorrang.Study:
    study, failed = _vorrang.Study.read(name, text)
    _check(failed)
    assert study is not None
    return study


@lru_cache(maxsize=8)
def _known(text: bytes) -> _vorrang.Study:
    return _read("study", text)


def shard_of(text: bytes, number: int) -> tuple[int, bytes]:
    """One shard, on one thread: what every engine calls."""
    return number, _known(text).shard(number, 1)
