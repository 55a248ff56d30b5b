"""Build a corpus from texts, or add texts to one.

1. Read all texts once: find their columns, count their sentences.
2. Embed them, part by part (`parts`). This takes nearly all of the time.
3. Publish all parts as one version, sorted (`publishing`).

A build that was killed is started again with the same arguments, and goes on where it stopped: the
texts are read again, which is quick, and parts that are complete are not embedded again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ... import untrusted
from ...errors import CorpusError, NotSupported
from ...pretrained import load
from ...pretrained.every_word import TextWords
from ...pretrained.load_model import weights_checksum
from ...pretrained.text_model import TextModel
from ...reading import describe
from ...reading.folders import Source, sources
from ...reading.read import passages, understand
from ...reading.sentences import sentences_of, too_long
from ...reading.understood import VERSION, Choices, Passage, Refused, Skipped
from ...records.spelling import Spelling
from ...untrusted import record
from ..spelling import normalizer_of, spelling_of
from ..storage import manifest as manifests
from ..storage.columns import Kind, Value, as_kind, column_names, kind_of, value_of, wider
from ..storage.filters import quoted
from ..storage.layers import Layer, chosen
from ..storage.manifest import Manifest
from ..storage.store import SENTENCES as SENTENCE_TABLE
from ..storage.store import Generation, roll_back
from ..whole_file import write_whole
from .alone import alone
from .embed import Sentence, part_of, read_by
from .parts import SENTENCES, Parts
from .progress import Progress, Report
from .publishing import publish

if TYPE_CHECKING:
    from ..distributed.cluster import Cluster

STAGING = "staging"
PLAN = "plan.json"
_EVERY = 1_000  # sentences between two reports while reading
_OTHERWISE = (
    "What was published before is unchanged, and what was embedded is kept: make room, and start the "
    "same build again."
)


@dataclass(frozen=True)
class Plan:
    """What a build is going to do, settled before anything is embedded.

    Attributes:
        key: a hash of all that decides what the parts hold: another key makes them useless.
        columns: the columns of the corpus, those of its earlier texts included.
        layers: the layers to keep.
        sentences: how many sentences there are to embed.
        skipped: what was left out while reading, as many as a manifest lists.
        skipped_count: how much was left out.
        readings: how each file was read, in words.
    """

    key: str
    columns: Mapping[str, Kind]
    layers: tuple[Layer, ...]
    sentences: int
    skipped: tuple[Skipped, ...]
    skipped_count: int
    readings: Mapping[str, str]


def build(
    texts: Sequence[Path | str],
    out: Path | str,
    *,
    model: str | TextModel = "minilm",
    layers: Sequence[str] = ("best", "last"),
    text: str | None = None,
    names: Sequence[str] = (),
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    running: bool | None = None,
    language: str = "en",
    cluster: Cluster | None = None,
    on_progress: Report = lambda progress: None,
) -> Manifest:
    """Build a corpus, or add texts to the one that is there.

    Args:
        texts: files and folders; see `core.reading` for their formats.
        out: the folder of the corpus.
        model: the name of a model, as in `core.load`, or a model. A corpus keeps to its first one.
        layers: `best`, `last`, and numbers from 1; a corpus keeps to its first ones.
        text: the column of texts in tables, by its name or its number from 1; guessed if not given.
        names: the names of the columns of tables without a header.
        encoding: of all texts; guessed if it is not given, as are the next three.
        delimiter: the sign between the columns of tables.
        header: whether the first row of tables names the columns.
        running: whether texts are split into sentences, or each line or row is one.
        language: the language by whose rules sentences are split.
        cluster: a Ray cluster that embeds (see `distributed`); None embeds here.
        on_progress: called now and then.

    Returns:
        The manifest of what is now published. Files that the corpus has already are left out.

    Raises:
        CorpusError: the texts cannot be read, the corpus belongs to another model, or the disk is full.
        PolyseeError: the model cannot be loaded; see `core.load`.
    """
    folder = Path(out)
    if cluster is not None:
        cluster.check()
    with alone(folder, _OTHERWISE):
        now = manifests.read(folder) if manifests.exists(folder) else None
        roll_back(folder, now)
        try:
            found, skipped = sources(texts)
        except NotSupported as error:
            raise CorpusError(str(error)) from error
        found, changed = _new(folder, found, now)
        skipped += changed
        reader = _Model(model)
        if now is not None:
            _require_same(now, reader, language)
        if not found:
            return _nothing_new(folder, now, {}, skipped, len(skipped))
        choices = Choices(
            encoding, delimiter, header, text, "", tuple(names), running=running, language=language
        )
        key = _key(found, choices, reader, layers, now)
        plan = _stored_plan(folder, key) or _make_plan(
            folder, key, found, choices, reader, layers, now, skipped, on_progress
        )
        digests = {one.name: one.digest for one in found}
        # Under its key: a machine of a cluster that finishes an older build late writes elsewhere.
        parts = Parts(folder / STAGING / f"parts-{plan.key[:16]}")
        first = now.next_sentence if now else 0
        every = _sentences(found, choices, plan.columns, first)
        if cluster is None:
            count = _embed(parts, every, plan, reader, on_progress)
        else:
            from ..distributed.driver import embed_on

            count = embed_on(
                cluster,
                parts,
                every,
                SENTENCES,
                model=reader.name,
                checksum=reader.checksum,
                layers=plan.layers,
                columns=plan.columns,
                total=plan.sentences,
                on_progress=on_progress,
            )
        left_out = (*plan.skipped, *(lost := tuple(parts.skipped(count))))
        left_out_count = plan.skipped_count + len(lost)
        if not parts.rows(count):
            return _nothing_new(folder, now, digests, left_out, left_out_count)
        published = publish(
            folder,
            _without(now, digests) if now else None,
            plan.columns,
            plan.layers,
            parts,
            count,
            on_progress,
            model=reader.name,
            checksum=reader.checksum,
            cased=reader.model.cased,
            normalizer=normalizer_of(reader.model),
            width=reader.model.shape.d_model,
            language=language,
            sources=digests,
            readings=plan.readings,
            next_sentence=first + plan.sentences,
            skipped=left_out,
            skipped_count=left_out_count,
        )
        shutil.rmtree(folder / STAGING)
        return published


class _Model:
    """A model that is loaded when it is first needed."""

    def __init__(self, given: str | TextModel) -> None:
        self._given = given
        self.name = given if isinstance(given, str) else given.name

    @cached_property
    def model(self) -> TextModel:
        given = self._given
        return load(given) if isinstance(given, str) else given

    @cached_property
    def checksum(self) -> str:
        return weights_checksum(self.name)


def _require_same(now: Manifest, reader: _Model, language: str) -> None:
    if now.model != reader.name or now.checksum != reader.checksum:
        other = "other weights" if now.model == reader.name else f"“{now.model}”, not “{reader.name}”"
        raise CorpusError(
            f"This corpus was made with {other}. Vectors of two models cannot be compared: name its "
            "model, or build a corpus of its own."
        )
    if now.language != language:
        raise CorpusError(f"This corpus is in the language “{now.language}”, not “{language}”.")


def _new(folder: Path, found: list[Source], now: Manifest | None) -> tuple[list[Source], list[Skipped]]:
    """The files that the corpus does not have yet; and a word about each of the others that changed."""
    there = dict(now.sources) if now else {}
    digests = set(there.values())
    new: list[Source] = []
    skipped: list[Skipped] = []
    for one in found:
        if one.digest in digests:
            continue
        # A file that was empty or broken has nothing in the corpus, and is mended by now.
        if now is not None and one.name in there and _has_sentences(folder, now, one.name):
            why = "it has changed since it was added; delete its former text first, by its source"
            skipped.append(Skipped(one.name, "", why))
            continue
        digests.add(one.digest)
        new.append(one)
    return new, skipped


def _has_sentences(folder: Path, now: Manifest, source: str) -> bool:
    table = Generation(folder, now.generation).table(SENTENCE_TABLE, now.sentences_version)
    return bool(table.count_rows(f"source = {quoted(source)}"))


def _nothing_new(
    folder: Path,
    now: Manifest | None,
    sources: Mapping[str, str],
    skipped: Sequence[Skipped],
    skipped_count: int,
) -> Manifest:
    """The corpus as it is, after texts in which there is nothing to embed; they are not read again.

    Raises:
        CorpusError: there is no corpus yet.
    """
    if now is None:
        shutil.rmtree(folder / STAGING, ignore_errors=True)
        raise CorpusError("These texts hold no word. " + " ".join(f"{one}." for one in skipped[:5]))
    own = _without(now, sources)
    fresh = [one for one in skipped if one not in own.skipped]
    known = len(skipped) - len(fresh)
    after = replace(
        own,
        sources={**own.sources, **sources},
        skipped=(*own.skipped, *fresh)[: manifests.MOST_SKIPPED],
        skipped_count=own.skipped_count + skipped_count - known,
    )
    if after != now:
        after.write(folder)
    shutil.rmtree(folder / STAGING, ignore_errors=True)
    return after


def _without(now: Manifest, again: Mapping[str, str]) -> Manifest:
    """A manifest without what was left out of files that are read again."""
    kept = now.of_sources({one.source for one in now.skipped} - again.keys())
    return replace(now, skipped=kept.skipped, skipped_count=kept.skipped_count)


def _key(
    found: Sequence[Source],
    choices: Choices,
    reader: _Model,
    layers: Sequence[str],
    now: Manifest | None,
) -> str:
    decides = [
        manifests.FORMAT,
        [(one.name, one.digest) for one in found],
        VERSION,
        asdict(choices),
        reader.name,
        reader.checksum,
        list(layers),
        [now.generation, now.words_version] if now else None,
    ]
    return hashlib.sha256(json.dumps(decides).encode()).hexdigest()


def _stored_plan(folder: Path, key: str) -> Plan | None:
    """The plan of the build that was interrupted, if it was this one."""
    try:
        plan = record(Plan, untrusted.read(folder / STAGING / PLAN))
    except (OSError, ValueError):
        return None
    return plan if plan.key == key else None


def _make_plan(
    folder: Path,
    key: str,
    found: Sequence[Source],
    choices: Choices,
    reader: _Model,
    layers: Sequence[str],
    now: Manifest | None,
    skipped: Sequence[Skipped],
    on_progress: Report,
) -> Plan:
    """Read all texts once, and store what was found; parts of another build are dropped."""
    shutil.rmtree(folder / STAGING, ignore_errors=True)
    kinds: dict[str, Kind | None] = dict(now.columns) if now else {}
    left_out, skipped_count = list(skipped), len(skipped)
    begin, count = time.monotonic(), 0
    readings: dict[str, str] = {}
    for one in _passages(found, choices, readings):
        if isinstance(one, Skipped):
            skipped_count += 1
            if len(left_out) < manifests.MOST_SKIPPED:
                left_out.append(one)
            continue
        _, passage, sentences = one
        if now is None:
            for name, value in _columns(passage).items():
                kinds[name] = wider(kinds.get(name), kind_of(value))
        for _ in sentences:
            count += 1
            if count % _EVERY == 0:
                on_progress(Progress("read", count, 0, seconds=time.monotonic() - begin))
    columns: dict[str, Kind] = {name: kind or "text" for name, kind in kinds.items()}
    own = now.layers if now else chosen(reader.model, layers)
    plan = Plan(key, columns, own, count, tuple(left_out), skipped_count, readings)
    (folder / STAGING).mkdir(parents=True)
    write_whole(folder / STAGING / PLAN, json.dumps(asdict(plan)))
    return plan


def _passages(
    found: Sequence[Source], choices: Choices, readings: dict[str, str]
) -> Iterator[tuple[Source, Passage, list[str]] | Skipped]:
    """Each passage of all files with its sentences, and what is left out; `readings` gets how."""
    for source in found:
        file = source.file
        try:
            understood = understand(file, choices)
        except Refused as error:
            yield Skipped(source.name, "", str(error))
            continue
        if len(readings) < manifests.MOST_SKIPPED:
            readings[source.name] = describe.summary(understood)
        number = 0
        for passage in passages(file, understood, choices):
            if isinstance(passage, Skipped):
                yield passage
                continue
            sentences = []
            for sentence in sentences_of(passage.text, choices.language, running=understood.running):
                number += 1
                if why := too_long(sentence):
                    yield Skipped(source.name, f"sentence {number}", why)
                else:
                    sentences.append(sentence)
            yield source, passage, sentences


def _columns(passage: Passage) -> dict[str, Value]:
    """The columns of a passage, under names that filters can use."""
    names = _names(tuple(passage.columns))
    return {name: value_of(cell) for name, cell in zip(names, passage.columns.values(), strict=True)}


@lru_cache(maxsize=16)  # the rows of a file have the same
def _names(given: tuple[str, ...]) -> tuple[str, ...]:
    return column_names(map(str, given))


def _sentences(
    found: Sequence[Source], choices: Choices, columns: Mapping[str, Kind], first: int
) -> Iterator[Sentence]:
    """All sentences, numbered from `first`."""
    number = first
    for one in _passages(found, choices, {}):
        if isinstance(one, Skipped):
            continue
        source, passage, texts = one
        given = _columns(passage)
        values: dict[str, Value] = {}
        for name, kind in columns.items():
            # Only texts that were added later can have a value of another kind.
            with contextlib.suppress(ValueError):
                values[name] = as_kind(given.get(name), kind)
        for text in texts:
            yield Sentence(number, text, source.name, values)
            number += 1


def _embed(
    parts: Parts, sentences: Iterator[Sentence], plan: Plan, reader: _Model, on_progress: Report
) -> int:
    """Embed what is not embedded yet; returns the number of parts.

    While the model reads a part, another thread writes the one before.
    """
    begin = time.monotonic()
    spelling = spelling_of(reader.model.cased, normalizer_of(reader.model))
    progress = Progress("embed", 0, plan.sentences)
    number = 0
    with ThreadPoolExecutor(1) as writer:
        written: Future[int] | None = None  # the words of the part that is being written, of `pending`
        pending = 0

        def report() -> None:
            nonlocal progress, written
            if written is not None:
                progress = replace(
                    progress,
                    done=progress.done + pending,
                    words=progress.words + written.result(),
                    seconds=time.monotonic() - begin,
                )
                written = None
                on_progress(progress)

        while some := list(islice(sentences, SENTENCES)):
            if parts.has(number):
                progress = replace(
                    progress, done=progress.done + len(some), resumed=progress.resumed + len(some)
                )
                begin = time.monotonic()
                on_progress(progress)
            else:
                read = read_by(reader.model, some, plan.layers)
                report()
                written = writer.submit(_write, parts, number, some, read, plan, spelling)
                pending = len(some)
            number += 1
        report()
    return number


def _write(
    parts: Parts,
    number: int,
    sentences: Sequence[Sentence],
    read: Sequence[TextWords],
    plan: Plan,
    spelling: Spelling,
) -> int:
    """Stage a part; returns its words."""
    part = part_of(sentences, read, plan.layers, plan.columns, spelling=spelling)
    parts.write(number, part)
    return int(part.words.num_rows)
