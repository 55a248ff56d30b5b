"""Connect to a Ray cluster, or start one on this machine."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ...errors import CorpusError, in_short

HOW = 'pip install "polysee[corpus,ray]", or, in a checkout, pip install ray -c requirements-dev.txt'
ADDRESS = "RAY_ADDRESS"
# Ray's store in a cluster of our own: parts go through the folder of the corpus, and here go numbers.
STORE_BYTES = 128_000_000
# Read when Ray is imported: nothing about a corpus is reported to anybody, no log of its C++ parts
# stands between our lines, and what is still running when a build is stopped does not join again.
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_ENABLE_AUTO_CONNECT": "0",
}
_QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
_PATIENCE = 5.0  # seconds for the head to accept a connection; Ray itself would try for minutes
_STARTS = 3  # a busy machine may need longer than the half minute after which Ray gives up


@dataclass(frozen=True)
class Cluster:
    """Where to embed, and with how much.

    Attributes:
        address: of the cluster's head, `HOST:PORT`; `auto` for the cluster that runs on this machine;
            `local` to start one of this machine's own. None takes what `RAY_ADDRESS` says, and
            `local` without it.
        actors: how many hold the model and embed; None for as many as the cluster has cores for.
        cpus: cores for each actor, which are also its threads. One is best unless memory is short.
        gpus: accelerators for each actor, such as 1 or 0.5.
        announce: is told in a sentence which cluster it is.
    """

    address: str | None = None
    actors: int | None = None
    cpus: int = 1
    gpus: float = 0
    announce: Callable[[str], None] = lambda sentence: None

    def __post_init__(self) -> None:
        if self.actors is not None and self.actors < 1:
            raise CorpusError("The number of actors must be 1 or more.")
        if self.cpus < 1:
            raise CorpusError("The number of cores for each actor must be 1 or more.")
        if not 0 <= self.gpus < 1_000:
            raise CorpusError("The number of accelerators for each actor must be 0 or more.")

    @property
    def head(self) -> str:
        """`HOST:PORT`, `auto` or `local`.

        Raises:
            CorpusError: the address is for something else than programs on the cluster's machines.
        """
        given = os.environ.get(ADDRESS, "") if self.address is None else self.address
        given = given.strip() or "local"
        if "://" in given or not (given in ("auto", "local") or given.rpartition(":")[0]):
            raise CorpusError(
                f"“{given[:80]}” is no address for a build: it needs HOST:PORT of the cluster's head, "
                "and runs on one of its machines. From elsewhere, send the command as a job: "
                "ray job submit."
            )
        return given

    def check(self) -> None:
        """Find out early, before any text is read, what would fail later.

        Raises:
            CorpusError: Ray is not installed, or no cluster answers at the address.
        """
        if find_spec("ray") is None:
            raise CorpusError(f"A build on a cluster needs ray[data]. Get it with: {HOW}")
        if self.head in ("auto", "local"):
            return
        host, _, port = self.head.rpartition(":")
        if host in ("localhost", "127.0.0.1", "::1", "[::1]"):
            # As Ray does: its nodes know each other by addresses that others can reach as well.
            host = _ray().util.get_node_ip_address()
        if error := unanswered(f"{host}:{port}"):
            raise CorpusError(f"No Ray cluster answers at “{self.head[:80]}”: {in_short(error)}")


def unanswered(address: str) -> Exception | None:
    """Why nobody accepts a connection at `HOST:PORT`; None if somebody does."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        return error
    return None


class ClusterLost(CorpusError):
    """The head of the cluster does not answer any more."""


@contextlib.contextmanager
def connected(cluster: Cluster) -> Iterator[Any]:
    """The module `ray`, connected to a cluster; what this program has joined already stays joined.

    Raises:
        CorpusError: Ray is not installed, no cluster answers, or none can be started.
    """
    ray = _ray()
    if ray.is_initialized():
        cluster.announce(_described(ray, "The Ray cluster of this program"))
        yield ray
        return
    if cluster.head == "local":
        _start(ray)
        unset = "" if os.environ.get(ADDRESS, "").strip() else f", since {ADDRESS} is not set"
        what = f"A Ray cluster of this machine's own{unset}"
    else:
        _join(ray, cluster.head)
        what = f"The Ray cluster at {cluster.head}"
    try:
        cluster.announce(_described(ray, what))
        yield ray
    except ClusterLost:
        raise  # to leave it in order would wait for its head
    except BaseException:
        ray.shutdown()
        raise
    ray.shutdown()


def _ray() -> Any:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import_module("ray.data")
        return import_module("ray")
    except ImportError as error:
        raise CorpusError(
            f"A build on a cluster needs ray[data], which cannot be imported: {in_short(error)} "
            f"Get it with: {HOW}"
        ) from error


def _start(ray: Any) -> None:
    for attempt in range(_STARTS):
        try:
            with warnings.catch_warnings():
                # LanceDB fears for its threads in a copy of this process. Ray's copies start other
                # programs at once.
                warnings.filterwarnings("ignore", message="lancedb fork", category=RuntimeWarning)
                ray.init(
                    address="local", include_dashboard=False, object_store_memory=STORE_BYTES, **_QUIET
                )
            return
        except Exception as error:  # Ray raises bare exceptions here
            ray.shutdown()
            if attempt + 1 == _STARTS:
                raise CorpusError(
                    f"Ray could not be started on this machine: {in_short(error)}"
                ) from error


def _join(ray: Any, address: str) -> None:
    try:
        ray.init(address=address, **_QUIET)
    except Exception as error:
        ray.shutdown()
        raise CorpusError(f"Ray cannot join the cluster at “{address}”: {in_short(error)}") from error


def _described(ray: Any, what: str) -> str:
    alive = [node for node in ray.nodes() if node["Alive"]]
    cores = int(ray.cluster_resources().get("CPU", 0))
    return f"{what}: {len(alive)} node{'s' * (len(alive) != 1)}, {cores} core{'s' * (cores != 1)}."
