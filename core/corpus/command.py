"""The command line: `python -m core.corpus build`, `delete` and `info`; or `polysee corpus …`."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..console import status_of
from ..errors import CorpusError, in_short
from ..reading import options as reading_options
from .building.progress import Progress, counted, duration

if TYPE_CHECKING:
    import pandas as pd

MOST_LISTED = 20  # of what was skipped; the manifest lists more
MOST_PARTS = 6  # values of a column that each have a column in a terminal


def add_to(subparsers: Any) -> None:
    """Add `corpus` to the subcommands of a parser; `options.run(options)` runs the chosen one.

    Args:
        subparsers: what `ArgumentParser.add_subparsers` returns.
    """
    corpus = subparsers.add_parser(
        "corpus",
        help="build and keep a corpus: every occurrence of every word, with its vector",
        description="Every occurrence of every word in many texts, with the vectors that a model gives "
        "it. `build TEXTS --out DIR --model NAME` builds one or adds texts to it; each command has its "
        "own --help.",
    )
    add_commands(corpus.add_subparsers(required=True, metavar="COMMAND"))


def add_commands(subparsers: Any) -> None:
    """Add `build`, `delete`, `info` and `query`."""
    one = subparsers.add_parser(
        "build",
        help="build a corpus from texts, or add texts to one",
        description="Build a corpus, or add texts to one. After an interruption, the same command goes "
        "on where it stopped.",
    )
    one.add_argument(
        "texts",
        nargs="+",
        type=Path,
        metavar="TEXTS",
        help="files and folders: texts, tables and documents of any kind, texts compressed too",
    )
    one.add_argument("--out", required=True, type=Path, metavar="DIR", help="the folder of the corpus")
    one.add_argument("--model", default="minilm", help="a name, a folder or a hub id (minilm)")
    one.add_argument("--layers", default="best,last", help="best, last, numbers from 1 (best,last)")
    reading_options.add_to(one, labels=False)
    one.add_argument(
        "--ray",
        action="store_true",
        help="embed on the Ray cluster that RAY_ADDRESS names, or on one that is started here",
    )
    one.add_argument(
        "--actors", type=int, metavar="N", help="with --ray: how many embed (one for each core)"
    )
    one.add_argument(
        "--gpus", type=float, default=0, metavar="N", help="with --ray: accelerators for each actor (0)"
    )
    one.set_defaults(run=_build)
    one = subparsers.add_parser("delete", help="delete texts from a corpus, old versions too")
    one.add_argument("corpus", type=Path, metavar="DIR")
    one.add_argument(
        "--where", required=True, metavar="FILTER", help="an SQL condition: \"source = 'a.txt'\""
    )
    one.set_defaults(run=_delete)
    one = subparsers.add_parser("info", help="say what a corpus holds")
    one.add_argument("corpus", type=Path, metavar="DIR")
    one.set_defaults(run=_info)
    one = subparsers.add_parser(
        "query",
        help="the lines of a word, a phrase or a query; its collocates, or how often it occurs",
        description="The lines of a word, a phrase or a query, the word in the middle. A query is "
        "“on the * of”, “[go]” (every form of a word), “bank|shore”, “wom?n”, or in CQL "
        '\'[lemma="bank"] []{0,2} "of"\'.',
    )
    one.add_argument("corpus", type=Path, metavar="DIR")
    one.add_argument("query", metavar="QUERY")
    one.add_argument("--where", metavar="FILTER", help='an SQL condition: "year >= 1990"')
    one.add_argument(
        "--only",
        type=_condition,
        action="append",
        default=[],
        metavar="COLUMN=VALUE",
        help="only texts with this value, or with numbers in a range: genre=letters, year=1990-1999; "
        "given several times, texts that have all of them",
    )
    shown = one.add_mutually_exclusive_group()
    shown.add_argument("--count", action="store_true", help="how often, and nothing else")
    shown.add_argument("--words", action="store_true", help="the different words that are found")
    shown.add_argument(
        "--collocates",
        type=_window,
        nargs="?",
        const=(5, 5),
        metavar="L,R",
        help="the words that stand beside it, so many words to the left and right (5,5)",
    )
    one.add_argument(
        "--against",
        metavar="QUERY",
        help="with --collocates: another word, and what stands rather beside the one or the other",
    )
    one.add_argument(
        "--by",
        metavar="COLUMN",
        help="how often for each value of a column; with --words, each word, and how evenly spread",
    )
    one.add_argument("--lemmas", action="store_true", help="with --collocates: lemmas, not forms")
    one.add_argument(
        "--least",
        type=_many,
        default=1,
        metavar="N",
        help="with --collocates or --against: words that stand there N times or more (1)",
    )
    one.add_argument("--most", type=_many, default=100, metavar="N", help="rows at most (100)")
    one.add_argument(
        "--sample", type=int, metavar="SEED", help="lines drawn at random by this seed, not the first"
    )
    written = one.add_mutually_exclusive_group()
    written.add_argument("--csv", action="store_true", help="as CSV, with all columns")
    written.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="to a file: .csv, .parquet, or lines as a .docx to print",
    )
    one.set_defaults(run=_query)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status, see `core.console`."""
    parser = argparse.ArgumentParser(prog="python -m core.corpus", description=__doc__)
    add_commands(parser.add_subparsers(required=True, metavar="COMMAND"))

    def run() -> None:
        options = parser.parse_args(arguments)
        options.run(options)

    return status_of(run, interrupted="\nPolysee: stopped; the same command goes on from here.")


def _build(options: argparse.Namespace) -> None:
    from . import extra

    for name in extra.PACKAGES:
        extra.require(name)
    from .building.build import build

    cluster = None
    if options.ray:
        from .distributed.cluster import Cluster

        cluster = Cluster(actors=options.actors, gpus=options.gpus, announce=_announce)
    elif options.actors is not None or options.gpus:
        raise CorpusError("--actors and --gpus go with --ray.")
    said = reading_options.choices(options)
    begin, report = time.monotonic(), _Shown()
    manifest = build(
        options.texts,
        options.out,
        model=options.model,
        layers=_list(options.layers),
        text=said.text,
        names=said.names,
        encoding=said.encoding,
        delimiter=said.delimiter,
        header=said.header,
        running=said.running,
        language=said.language,
        cluster=cluster,
        on_progress=report,
    )
    report.end()
    for name, read in list(manifest.readings.items())[:MOST_LISTED]:
        print(f"{name}: {read}")
    if len(manifest.readings) > MOST_LISTED:
        print(f"{len(manifest.readings) - MOST_LISTED:,} more files, see manifest.json")
    for one in manifest.skipped[:MOST_LISTED]:
        print(f"left out: {one}")
    if manifest.skipped_count > MOST_LISTED:
        print(f"left out: {manifest.skipped_count - MOST_LISTED:,} more, see manifest.json")
    print(
        f"{options.out}: {counted(manifest.words, 'word')} in "
        f"{counted(manifest.sentences, 'sentence')} of {counted(len(manifest.sources), 'file')}, in "
        f"{duration(time.monotonic() - begin)}"
    )


def _announce(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _delete(options: argparse.Namespace) -> None:
    from .building.deleting import delete

    report = _Shown()
    deleted = delete(options.corpus, options.where, on_progress=report)
    report.end()
    texts, words = counted(deleted.sentences, "sentence"), counted(deleted.words, "word")
    files = f"; nothing is left of {counted(deleted.files, 'file')}" if deleted.files else ""
    print(f"Deleted {texts} with {words}{files}.")


def _info(options: argparse.Namespace) -> None:
    from .storage.manifest import read

    of = read(options.corpus)
    layers = ", ".join(
        f"{one.layer + 1} ({', '.join(one.names)}"
        + (f"; accuracy {one.accuracy:.3f})" if one.accuracy is not None else ")")
        for one in of.layers
    )
    columns = ", ".join(f"{name} ({kind})" for name, kind in of.columns.items()) or "none"
    versions = ", ".join(f"{name} {number}" for name, number in of.versions.items())
    print(
        f"words      {of.words:,}\nsentences  {of.sentences:,}\nfiles      {len(of.sources):,}\n"
        f"model      {of.model} (SHA-256 {of.checksum[:12]}…)\nlayers     {layers}\n"
        f"columns    {columns}\nsorted     {of.runs} run{'s' * (of.runs > 1)}\n"
        f"left out   {of.skipped_count:,}\nwritten by {versions}"
    )


def _query(options: argparse.Namespace) -> None:
    from ..records.data_frames import frame
    from ..spreadsheet import csv
    from .querying import results
    from .querying.corpus import open as open_corpus
    from .querying.matching import matching

    corpus, query = open_corpus(options.corpus), options.query
    conditions = matching(corpus.manifest, options.only)
    where = " AND ".join(f"({one})" for one in (options.where, conditions) if one) or None
    if options.by is not None and (options.count or options.collocates or options.against):
        raise CorpusError("--by goes with --words, or alone.")
    if options.count and options.save is not None:
        raise CorpusError("--count prints a number; --save keeps tables.")
    if options.count:
        print(corpus.count(query, where=where))
        return
    words: tuple[str, ...] = ("word",)
    if options.collocates is not None or options.against is not None:
        left, right = options.collocates or (5, 5)
        by: Literal["word", "lemma"] = "lemma" if options.lemmas else "word"
        window: dict[str, Any] = {"left": left, "right": right, "by": by, "where": where}
        if options.against is None:
            table = corpus.collocates(query, **window).to_frame()
            table = table[table["together"] >= options.least].head(options.most)
        else:  # the strongest of either word, not the middle of a long table
            table = corpus.collocate_difference(query, options.against, **window).to_frame()
            often = table[["together_1", "together_2"]].max(axis=1)
            table = _ends(table[often >= options.least], options.most)
    elif options.words and options.by is not None:
        found = corpus.word_frequencies(query, options.by, where=where)
        few = len(found.values) <= MOST_PARTS or options.csv
        table = found.to_frame(None if few else ()).head(options.most)
    elif options.by is not None:
        table = corpus.frequency(query, options.by, where=where).to_frame()
        words = (options.by,)
    elif options.words:
        counts = corpus.words(query, where=where)
        table = frame({"word": [*counts], "count": [*counts.values()]}).head(options.most)
    else:
        table = results.lines(corpus, query, where=where, most=options.most, seed=options.sample)
        words = (results.WORD, results.RIGHT, *table.columns[3:])
    if not len(table):
        chosen = ", ".join(f"{column} = {value}" for column, value in options.only)
        where_said = " and ".join(one for one in (chosen, options.where) if one)
        said = f" in texts with {where_said}" if where_said else ""
        print(f"“{query}” does not occur{said or ' in this corpus'}.", file=sys.stderr)
    if options.save is not None:
        _save(table, options.save, f"“{query}” in {options.corpus.resolve().name}")
        more = "; there may be more: --most" if len(table) == options.most else ""
        print(f"{options.save}: {counted(len(table), 'row')}{more}")
        return
    print(csv(table, index=False) if options.csv else results.aligned(table, words), end="")


def _save(table: pd.DataFrame, file: Path, title: str) -> None:
    """Write a table in the form that the end of the file's name says.

    Raises:
        CorpusError: its end says none, the table has no lines for a document, or it cannot be written.
    """
    from ..spreadsheet import csv
    from . import documents
    from .querying.results import LEFT

    end = file.suffix.lower()
    if end == ".docx" and LEFT not in table:
        raise CorpusError("A .docx holds lines; save this table as .csv or .parquet.")
    if end == ".csv":
        whole = csv(table, index=False).encode("utf-8")
    elif end == ".parquet":
        sink = io.BytesIO()
        table.to_parquet(sink, index=False)
        whole = sink.getvalue()
    elif end == ".docx":
        whole = documents.lines(table, title)
    else:
        raise CorpusError(f"“{file.name}” ends in none of .csv, .parquet and .docx.")
    try:
        file.write_bytes(whole)
    except OSError as error:
        raise CorpusError(f"{file} could not be written: {in_short(error)}") from error


def _ends(table: pd.DataFrame, most: int) -> pd.DataFrame:
    """The first and the last rows of a table, so many together."""
    first = -(-most // 2)
    if len(table) <= most:
        return table
    return table.iloc[[*range(first), *range(len(table) - (most - first), len(table))]]


def _condition(text: str) -> tuple[str, str]:
    """A column and its value, such as "genre=letters"."""
    column, sign, value = text.partition("=")
    if not (sign and column.strip() and value.strip()):
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is no COLUMN=VALUE, such as genre=letters.")
    return column.strip(), value.strip()


def _window(text: str) -> tuple[int, int]:
    """The words of a window on its two sides, such as "5,5"."""
    left, _, right = text.partition(",")
    if not (left.strip().isdecimal() and right.strip().isdecimal()):
        raise argparse.ArgumentTypeError(f"“{text[:20]}” is not two numbers, such as 5,5.")
    return int(left), int(right)


def _many(text: str) -> int:
    """A number of rows."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"“{text[:20]}” is not a number, 1 or more.")
    return int(text)


def _list(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


class _Shown:
    """Progress on one line of a terminal, or now and then on a line of its own."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = 0.0
        self._step = ""

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        last = progress.total and progress.done == progress.total
        if now < self._next and progress.step == self._step and not last:
            return
        line = f"\r\033[K{progress}" if self._terminal else f"{progress}\n"
        # Hours of work do not end because nobody reads how far they are.
        with contextlib.suppress(BrokenPipeError):
            print(line, end="", file=sys.stderr, flush=True)
        self._step, self._next = progress.step, now + (0.2 if self._terminal else 10.0)

    def end(self) -> None:
        if self._terminal and self._step:
            print(file=sys.stderr)
