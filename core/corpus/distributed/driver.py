"""The program that has a cluster embed what is missing, and counts what comes back."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from ...errors import CorpusError, PolyseeError, in_short
from ..building.embed import Sentence
from ..building.parts import Parts
from ..building.progress import Progress, Report
from ..storage.columns import Kind
from ..storage.layers import Layer
from .cluster import Cluster, ClusterLost, connected, unanswered
from .texts import stage
from .worker import Embedder, Job, versions

MOST_TASKS = 10_000  # of one build; more parts than that share tasks
_SIGHT = 90.0  # seconds until a shared folder shows what another machine wrote: NFS keeps names for 60
_LOOK, _LOST = 3.0, 20.0  # seconds: between two looks at the head, and until it counts as lost
_TALKATIVE = ("ray", "ray.data")


def embed_on(
    cluster: Cluster,
    parts: Parts,
    sentences: Iterator[Sentence],
    size: int,
    *,
    model: str,
    checksum: str,
    layers: tuple[Layer, ...],
    columns: Mapping[str, Kind],
    total: int,
    on_progress: Report,
) -> int:
    """Have a cluster embed what is not embedded yet; returns the number of parts.

    Args:
        cluster: where.
        parts: the parts, in a folder that all nodes see.
        sentences: all sentences of the build, in order.
        size: the sentences of each part but the last.
        model: the name of the model.
        checksum: SHA-256 of its weights.
        layers: the layers to keep.
        columns: the columns of the corpus.
        total: the number of sentences.
        on_progress: called after each part.

    Raises:
        CorpusError: there is no such cluster, or it could not embed everything. What was finished is
            kept.
    """
    parts = Parts(parts.folder.resolve())
    count, missing = 0, {}
    while some := list(islice(sentences, size)):
        if not parts.has(count):
            missing[count] = len(some)
            stage(parts, count, some, columns)
        count += 1
    if missing:
        job = Job(parts.folder, model, checksum, versions(), layers, columns)
        done = total - sum(missing.values())
        progress = Progress("embed", done, total, resumed=done)
        with connected(cluster) as ray:
            on_progress(progress)
            begin, dead = time.monotonic(), _dead(ray)
            for row in _results(ray, cluster, job, list(missing)):
                progress = replace(
                    progress,
                    # A task that is repeated, because its node died, says its rows once more.
                    done=progress.done + missing.pop(row["part"], 0),
                    words=progress.words + row["words"],
                    seconds=time.monotonic() - begin,
                )
                on_progress(progress)
            if lost := _dead(ray) - dead:
                nodes = f"{lost} node{'s' * (lost != 1)} of the cluster"
                cluster.announce(f"{nodes} died meanwhile; others took over.")
    _require_all(parts, count)
    return count


def _results(
    ray: Any, cluster: Cluster, job: Job, numbers: Sequence[int]
) -> Iterator[Mapping[str, Any]]:
    """A row for each part, in any order, as soon as it is embedded.

    Raises:
        CorpusError: a part could not be embedded, or the cluster was lost.
    """
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    # Rows are a few numbers. Ray reserves room for blocks of this size, and would not run all actors.
    context.target_max_block_size = 1_000_000
    tasks = min(len(numbers), MOST_TASKS)
    actors = cluster.actors or _room(ray, cluster)
    try:
        rows = ray.data.from_items(
            [{"part": number} for number in numbers], override_num_blocks=tasks
        ).map_batches(
            Embedder,
            batch_size=1,
            fn_constructor_args=(job,),
            compute=ray.data.ActorPoolStrategy(min_size=1, initial_size=actors, max_size=actors),
            num_cpus=cluster.cpus,
            num_gpus=cluster.gpus or None,
        )
        for row in _watched(rows.iter_rows(), ray.get_runtime_context().gcs_address):
            if row["failure"]:
                raise CorpusError(f"{row['failure']} What was finished before is kept.")
            yield row
    except PolyseeError:
        raise
    except Exception as error:  # of Ray's many, few have a base in common
        raise CorpusError(
            f"The cluster could not embed everything: {in_short(_cause(error))} What was finished is "
            "kept: the same command goes on from here."
        ) from error


def _watched(rows: Iterator[Any], head: str) -> Iterator[Any]:
    """Rows as they come, from a thread of their own, as long as the head of the cluster answers.

    Ray would wait for its head for a minute, and then end this program without a word.

    Raises:
        ClusterLost: it does not answer any more.
    """
    end, stopped = object(), threading.Event()
    queue: SimpleQueue[Any] = SimpleQueue()

    def fetch(rows: Iterator[Any]) -> None:
        try:
            for row in rows:
                queue.put(row)
                if stopped.is_set():
                    break
            queue.put(end)
        except BaseException as error:
            queue.put(error)

    thread = threading.Thread(target=fetch, args=(rows,), daemon=True)
    del rows  # the last one that holds them ends what they come from
    thread.start()
    last = time.monotonic()
    try:
        while True:
            try:
                row = queue.get(timeout=_LOOK)
            except Empty:
                if unanswered(head) is None:
                    last = time.monotonic()
                elif time.monotonic() - last > _LOST:
                    raise ClusterLost(
                        f"The head of the cluster, {head}, does not answer any more. What was finished "
                        "is kept: the same command goes on from here, when there is a cluster again."
                    ) from None
                continue
            last = time.monotonic()
            if row is end:
                return
            if isinstance(row, BaseException):
                raise row
            yield row
    finally:
        stopped.set()
        if unanswered(head) is None:
            thread.join(_LOST)


def _room(ray: Any, cluster: Cluster) -> int:
    """How many actors the cluster has room for now."""
    resources = ray.cluster_resources()
    room = [int(resources.get("CPU", 0) // cluster.cpus)]
    if cluster.gpus:
        room.append(int(resources.get("GPU", 0) / cluster.gpus))
    return max(1, min(room))


def _dead(ray: Any) -> int:
    return sum(not node["Alive"] for node in ray.nodes())


def _cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _require_all(parts: Parts, count: int) -> None:
    """Wait until all parts are seen from here.

    Raises:
        CorpusError: some are not, though the nodes said that they wrote them.
    """
    end = time.monotonic() + _SIGHT
    for number in range(count):
        while not parts.has(number):
            if time.monotonic() > end:
                raise CorpusError(
                    f"Part {number + 1} was embedded, but is not in {parts.folder} here. All nodes of "
                    "the cluster must see the folder of the corpus under this path."
                )
            time.sleep(0.5)
