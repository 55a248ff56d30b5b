"""Compute a word's vectors in many sentences, in a thread that its visitor can stop.

A click interrupts a page's own run, which therefore cannot do this. After every hundred sentences, the
thread checks whether to stop, or whether its visitor has left; what it has computed is kept.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal
from weakref import WeakSet

import numpy as np

from core import localization
from core.errors import PolyseeError, TooLarge, WordNotFound
from core.localization import N_, _, decimal, gettext
from core.measures.senses.occurrences import Occurrences
from core.records.finding import by_star, occurrence_spans
from core.records.trace import Array
from core.records.words import split
from ui.models import word_vectors
from ui.models.word_vectors import CachedOccurrences, OccurrenceQuery
from ui.models.work_queue import WorkQueue

if TYPE_CHECKING:
    from core.pretrained import TextModel

CHUNK = 128  # sentences between two checks: about a second
AT_ONCE = 2  # visitors at the same time; others wait in the queue
_AGAIN = 0.2  # seconds between two checks for free memory
_LAST = 10.0  # seconds that a thread is given at the end of the program
_BROKE = N_("An error in Polysee stopped the reading of the sentences. Please reload the page.")
State = Literal["waiting", "working", "done", "stopped", "failed"]

_queue = WorkQueue(AT_ONCE)
_jobs: WeakSet[Job] = WeakSet()


class _EndError(Exception):
    """The visitor has stopped the job, or has left."""


class Job:
    """One query in progress, whose result goes to `word_vectors`.

    Attributes:
        asked: the query.
        state: "waiting" in the queue, "working" on the model; in any other state, the job is over.
        place: the position in the queue, from 1; 0 if it does not wait.
        done: the number of sentences read.
        reached: once it is over, the part of the query that was completed.
        error: why it failed.
    """

    def __init__(self, query: OccurrenceQuery, model: TextModel, present: Callable[[], bool]) -> None:
        """`present` returns whether the visitor is still there; the thread calls it."""
        self.query = query
        self.state: State = "waiting"
        self.queue_position = 0
        self.done = 0
        self.reached = query._replace(texts=())
        self.error: PolyseeError | None = None
        self._model, self._present = model, present
        self._language = localization.current()
        self._ended = False
        self._new = self._read = 0  # sentences that the model must read, and has read
        self._seconds = 0.0
        self._thread = threading.Thread(target=self._run, name="polysee senses", daemon=True)
        _jobs.add(self)
        self._thread.start()

    @property
    def active(self) -> bool:
        """Whether it continues without further action."""
        return self.state in ("waiting", "working")

    @property
    def seconds_left(self) -> float | None:
        """The remaining time at the speed so far; None if that is not yet known."""
        if not self._read:
            return None
        return self._seconds / self._read * (self._new - self._read)

    def stop(self) -> None:
        """End the job soon; the vectors computed so far stay cached."""
        self._ended = True

    def join(self, seconds: float) -> None:
        """Wait until it is over, but no longer than this."""
        self._thread.join(seconds)

    def _run(self) -> None:
        with localization.spoken(self._language):
            self._run_in_language()

    def _run_in_language(self) -> None:
        state: State = "failed"
        try:
            with _queue.turn(self._tell):
                self.queue_position, self.state = 0, "working"
                state = self._work()
        except _EndError:
            state = "stopped"
        except PolyseeError as error:
            self.error = error
        except BaseException:
            self.error = PolyseeError(gettext(_BROKE))
            raise
        finally:
            self.state = state

    def _tell(self, queue_position: int) -> None:
        self.queue_position = queue_position
        self._look()

    def _look(self) -> None:
        if self._ended or not self._present():
            raise _EndError

    def _work(self) -> State:
        model, word, texts = self.query
        spelling, shape = self._model.spelling, self._model.shape
        most = sum(len(occurrence_spans(text, word, spelling=spelling)) for text in texts)
        if not most:
            here = {one.text for text in texts for one in split(text)}
            offer = by_star(word, sorted(here), spelling)
            raise WordNotFound(
                _("No sentence contains the word “{word}” on its own. ").format(word=word[:40])
                + (offer or _("Type it exactly as it appears there."))
            )
        each = 4 * (shape.d_embedding + shape.n_layers * shape.d_model)
        if most * each > (room := word_vectors.most_bytes()):
            raise TooLarge(
                _(
                    "In this model the vectors of {count} occurrences take {size} MB, and this server "
                    "has room for {room} MB (POLYSEE_CACHE_MB). Use {fewer} or fewer."
                ).format(
                    count=_n(most),
                    size=f"{most * each / 1e6:.0f}",
                    room=f"{room / 1e6:.0f}",
                    fewer=_n(room // each),
                )
            )
        before = word_vectors.others(model, word)
        while not word_vectors.reserve(most * each):  # other queries occupy all the memory
            self.state = "waiting"
            self._look()
            time.sleep(_AGAIN)
        self.state = "working"
        try:
            learned = np.empty((most, shape.d_embedding), np.float32)
            hidden = np.empty((most, shape.n_layers, shape.d_model), np.float32)
            state, rows, of = self._fill(learned, hidden, before)
        finally:
            word_vectors.release(most * each)
        if not of and state == "done":  # the model truncates each text before the word
            raise WordNotFound(
                _(
                    "The word “{word}” comes only after the first {count} pieces of a sentence, where "
                    "the model stops reading: each of these sentences was cut there."
                ).format(word=word[:40], count=_n(self._model.max_tokens))
            )
        self.reached = self.query._replace(texts=texts[: self.done])
        if of:
            learned.resize((len(of), *learned.shape[1:]), refcheck=False)  # without a copy
            hidden.resize((len(of), *hidden.shape[1:]), refcheck=False)
            found = CachedOccurrences(self.reached, Occurrences(learned, hidden, tuple(of)), rows)
            try:
                word_vectors.put(found)
            except ValueError as error:
                raise TooLarge(
                    _(
                        "These {count} sentences and their vectors take more memory than this server "
                        "has for all results (POLYSEE_CACHE_MB). Use fewer, or shorter ones."
                    ).format(count=_n(len(texts)))
                ) from error
        return state

    def _fill(
        self, learned: Array, hidden: Array, before: Sequence[CachedOccurrences]
    ) -> tuple[State, dict[str, slice], list[int]]:
        """Fill in the vectors, sentence by sentence: from the cache, or from the model."""
        texts = self.query.texts
        rows: dict[str, slice] = {}
        of: list[int] = []
        unknown = [one for one in dict.fromkeys(texts) if not any(one in b.rows for b in before)]
        self._new, new = len(unknown), set(unknown)
        for start in range(0, len(texts), CHUNK):
            try:
                self._look()
            except _EndError:
                return "stopped", rows, of
            chunk = texts[start : start + CHUNK]
            ask = [one for one in dict.fromkeys(chunk) if one in new and one not in rows]
            made = self._ask(ask)
            for i, text in enumerate(chunk, start):
                first = len(of)
                for lower, upper in self._vectors(text, made, rows, before, learned, hidden):
                    learned[len(of)], hidden[len(of)] = lower, upper
                    of.append(i)
                rows.setdefault(text, slice(first, len(of)))
            self.done = min(start + CHUNK, len(texts))
        return "done", rows, of

    def _ask(self, texts: Sequence[str]) -> dict[str, list[tuple[Array, Array]]]:
        """The model's results for these sentences."""
        made: dict[str, list[tuple[Array, Array]]] = {text: [] for text in texts}
        begin = time.perf_counter()
        for one in self._model.vectors(texts, self.query.word):
            made[texts[one.text]].append((one.learned, one.hidden))
        self._seconds += time.perf_counter() - begin
        self._read += len(texts)
        return made

    @staticmethod
    def _vectors(
        text: str,
        made: dict[str, list[tuple[Array, Array]]],
        rows: dict[str, slice],
        before: Sequence[CachedOccurrences],
        learned: Array,
        hidden: Array,
    ) -> Sequence[tuple[Array, Array]]:
        """The (learned, hidden) vectors of each occurrence in a sentence, from any of the sources."""
        if text in made:
            return made[text]
        if text in rows:  # a repeated sentence
            return [(learned[i], hidden[i]) for i in range(rows[text].start, rows[text].stop)]
        source = next(one for one in before if text in one.rows)
        at = source.rows[text]
        return list(zip(source.occurrences.learned[at], source.occurrences.hidden[at], strict=True))


def _n(count: int) -> str:
    """A whole number."""
    return decimal(f"{count:,}")


def _close() -> None:
    """Torch crashes if its thread is killed in the middle of a step."""
    jobs = list(_jobs)
    for job in jobs:
        job.stop()
    for job in jobs:
        job.join(_LAST)


atexit.register(_close)
