"""What a corpus of 10⁶ to 10¹⁰ tokens costs, from what was measured: the tables of docs/scale.md.

`python -m tools.scale` prints them, `--write docs/scale.md` puts them in their places there. Each
formula is a property of `Scale`; `--words-a-second` and the like put your own numbers in.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

TOKENS = tuple(10**n for n in range(6, 11))
CORES = {10**6: 2, 10**7: 8, 10**8: 64, 10**9: 256, 10**10: 1_024}


@dataclass(frozen=True)
class Measured:
    """What was measured, on two cores of one machine, and two prices.

    Attributes:
        pieces_a_word: tokens (word pieces) for each word occurrence that has a row.
        words_a_sentence: of MASC.
        text_bytes: of UTF-8 for each word.
        words_a_second: that one core embeds: MiniLM, one thread, sentences of MASC.
        read_words: a second, that the driver reads and splits; it does so twice.
        plain_bytes: of a row without its vectors.
        vector_bytes: of a vector; two for each of MiniLM's 384 numbers.
        index_bytes: of each vector in the index across all words.
        publish_bytes: a second, that the driver sorts and LanceDB takes.
        slice_seconds: to cut one shard's rows out of one part, and to sort them.
        index_line: seconds of one core for the index of one layer, for each million words n ...
        index_square: ... and for each n², while clusters grow; fitted to 0.2, 0.4 and 1 million.
        dispatch: tasks a second that Ray Data hands out and takes back.
        actor_bytes: of memory for each actor.
        frequent: the share of the most frequent word, “the”.
        line_bytes: in memory for each occurrence that is asked for, without its vector.
        core_hour: dollars for one core for an hour.
        gigabyte_month: dollars for 10⁹ bytes for a month.
        thousand_writes: dollars for as many requests to an object store that write or list.
        thousand_reads: dollars for as many that read.
        request_seconds: until an object store answers.
    """

    pieces_a_word: float = 1.19
    words_a_sentence: float = 16.3
    text_bytes: float = 5.2
    words_a_second: float = 2_000
    read_words: float = 1_300_000
    plain_bytes: float = 46
    vector_bytes: float = 768
    index_bytes: float = 24
    publish_bytes: float = 128e6
    slice_seconds: float = 16e-6
    index_line: float = 12
    index_square: float = 97
    dispatch: float = 100
    actor_bytes: float = 650e6
    frequent: float = 0.045
    line_bytes: float = 66
    core_hour: float = 0.04
    gigabyte_month: float = 0.025
    thousand_writes: float = 0.005
    thousand_reads: float = 0.0004
    request_seconds: float = 0.03


@dataclass(frozen=True)
class Scale:
    """A corpus of some tokens.

    Attributes:
        tokens: word pieces of all texts.
        cores: that embed.
        layers: that are kept.
        part: the sentences of a part.
        shard_bytes: of rows that are sorted at once when publishing.
        most_tasks: more parts than that share tasks.
        clustered: the rows up to which the index has more clusters; then it has 128.
        publishing_cores: of the machine with the driver; only the index uses more than one.
        at: what was measured.
    """

    tokens: float
    cores: int
    layers: int = 1
    part: int = 512
    shard_bytes: float = 128e6
    most_tasks: int = 10_000
    clustered: int = 128 * 8_192
    publishing_cores: int = 16
    at: Measured = Measured()

    @property
    def words(self) -> float:
        """Rows of the table of words."""
        return self.tokens / self.at.pieces_a_word

    @property
    def parts(self) -> float:
        """Staged parts."""
        return self.words / self.at.words_a_sentence / self.part

    @property
    def row_bytes(self) -> float:
        """Of a staged row of words."""
        return self.at.plain_bytes + self.layers * self.at.vector_bytes

    @property
    def staged_bytes(self) -> float:
        """Of all staged parts, with their texts; gone after publishing."""
        return self.words * (self.row_bytes + self.at.text_bytes)

    @property
    def bytes(self) -> float:
        """Of the published corpus, with its indices."""
        return self.words * (self.row_bytes + self.at.text_bytes + self.layers * self.at.index_bytes)

    @property
    def read_seconds(self) -> float:
        """Of the driver, reading all texts twice."""
        return 2 * self.words / self.at.read_words

    @property
    def core_seconds(self) -> float:
        """Of all cores that embed."""
        return self.words / self.at.words_a_second

    @property
    def embed_seconds(self) -> float:
        """Until all parts are embedded; Ray hands out no more than so many tasks a second."""
        tasks = min(self.parts, self.most_tasks)
        return max(self.core_seconds / self.cores, tasks / self.at.dispatch)

    @property
    def shards(self) -> float:
        """Ranges of hashes that are sorted one after the other."""
        return max(1.0, self.words * self.row_bytes / self.shard_bytes)

    @property
    def slice_seconds(self) -> float:
        """To cut each shard out of each part: grows with the square of the words."""
        return self.shards * self.parts * self.at.slice_seconds

    @property
    def publish_seconds(self) -> float:
        """To sort all rows and write them as one version, without the index across all words."""
        return self.words * self.row_bytes / self.at.publish_bytes + self.slice_seconds

    @property
    def helpers(self) -> int:
        """Cores that index: a small cluster is one machine, which has no more than it."""
        return min(self.cores, self.publishing_cores)

    @property
    def index_seconds(self) -> float:
        """To train and fill the index across all words, by comparing rows with centres of clusters."""
        n, centres = self.words / 1e6, min(self.words, self.clustered) / 1e6
        return self.layers * n * (self.at.index_line + self.at.index_square * centres) / self.helpers

    @property
    def seconds(self) -> float:
        """From the first text to the published version."""
        return self.read_seconds + self.embed_seconds + self.publish_seconds + self.index_seconds

    @property
    def dollars(self) -> float:
        """For the cores while they are rented: those that embed, then the driver's."""
        alone = self.read_seconds + self.publish_seconds + self.index_seconds
        hours = (self.core_seconds + self.helpers * (alone + self.embed_seconds)) / 3600
        return hours * self.at.core_hour

    @property
    def frequent_rows(self) -> float:
        """Occurrences of the most frequent word."""
        return self.words * self.at.frequent

    @property
    def lines_bytes(self) -> float:
        """In memory, while the occurrences of the most frequent word are asked for."""
        return self.frequent_rows * self.at.line_bytes

    @property
    def vectors_bytes(self) -> float:
        """The same with the vectors of one layer, as stored and as numbers of 32 bits."""
        return self.lines_bytes + self.frequent_rows * 3 * self.at.vector_bytes

    @property
    def ids_bytes(self) -> float:
        """The numbers of all sentences, which an opened corpus keeps in memory."""
        return 8 * self.words / self.at.words_a_sentence

    @property
    def writes(self) -> float:
        """Objects that staging writes: texts, sentences and words of each part."""
        return 3 * self.parts

    @property
    def reads(self) -> float:
        """Ranges of staged parts that sorting reads, where nothing can be mapped into memory."""
        return self.shards * self.parts

    @property
    def requests_dollars(self) -> float:
        """For both."""
        at = self.at
        return (self.writes * at.thousand_writes + self.reads * at.thousand_reads) / 1e3

    @property
    def dollars_a_month(self) -> float:
        """For keeping the corpus."""
        return self.bytes / 1e9 * self.at.gigabyte_month


def largest(limit: float, of: str, at: Measured = Measured()) -> float:
    """The tokens at which a property of `Scale` reaches a limit, by halving.

    Args:
        limit: in the unit of the property.
        of: its name; it must grow with the tokens.
        at: what was measured; there are 16 cores.
    """
    low, high = 1.0, 1e15
    while high / low > 1.001:
        middle = (low * high) ** 0.5
        enough = getattr(Scale(middle, 16, at=at), of) > limit
        low, high = (low, middle) if enough else (middle, high)
    return low


def duration(seconds: float) -> str:
    """As people say it, two digits."""
    for unit, size in (("years", 86_400 * 365), ("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{_two(seconds / size)} {unit}"
    return f"{_two(seconds)} s"


def size(count: float) -> str:
    """Of bytes."""
    for unit, of in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= of:
            return f"{_two(count / of)} {unit}"
    return f"{count:.0f} B"


def dollars(count: float) -> str:
    """Of money, to two digits; cents below a dollar."""
    return f"${_two(count)}" if count >= 1 else f"${count:.2f}"


def _two(number: float) -> str:
    """Two digits, or all those before the point."""
    return f"{float(f'{number:.2g}'):,.0f}" if number >= 10 else f"{number:.1f}".removesuffix(".0")


def power(tokens: int) -> str:
    """A power of ten as it is written."""
    return "10" + str(len(str(tokens)) - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def times(at: Measured = Measured(), layers: int = 1) -> str:
    """The table of times."""
    scales = [(n, Scale(n, CORES[n], layers, at=at)) for n in TOKENS]
    head = ("tokens", "cores", "read", "embed", "sort and write", "index", "in all")
    return _table(
        head,
        [
            (
                power(n),
                f"{of.cores:,}",
                duration(of.read_seconds),
                duration(of.embed_seconds),
                duration(of.publish_seconds),
                duration(of.index_seconds),
                duration(of.seconds),
            )
            for n, of in scales
        ],
    )


def costs(at: Measured = Measured(), layers: int = 1) -> str:
    """The table of bytes and dollars."""
    scales = [(n, Scale(n, CORES[n], layers, at=at)) for n in TOKENS]
    head = ("tokens", "words", "parts", "corpus", "staged", "core hours", "to build", "a month")
    return _table(
        head,
        [
            (
                power(n),
                f"{float(f'{of.words:.2g}'):,.0f}",
                f"{float(f'{of.parts:.2g}'):,.0f}",
                size(of.bytes),
                size(of.staged_bytes),
                _two(of.core_seconds / 3600),
                dollars(of.dollars),
                dollars(of.dollars_a_month),
            )
            for n, of in scales
        ],
    )


def memory(at: Measured = Measured(), layers: int = 1) -> str:
    """The table of what answers take in memory."""
    head = ("tokens", "occurrences of “the”", "its lines", "its vectors", "numbers of sentences")
    return _table(
        head,
        [
            (
                power(n),
                f"{float(f'{of.frequent_rows:.2g}'):,.0f}",
                size(of.lines_bytes),
                size(of.vectors_bytes),
                size(of.ids_bytes),
            )
            for n, of in ((n, Scale(n, CORES[n], layers, at=at)) for n in TOKENS)
        ],
    )


def requests(at: Measured = Measured(), layers: int = 1) -> str:
    """The table of requests to an object store."""
    head = ("tokens", "objects written", "ranges read", "dollars", "64 reads at once take")
    return _table(
        head,
        [
            (
                power(n),
                f"{float(f'{of.writes:.2g}'):,.0f}",
                f"{float(f'{of.reads:.2g}'):,.0f}",
                dollars(of.requests_dollars),
                duration(of.reads * at.request_seconds / 64),
            )
            for n, of in ((n, Scale(n, CORES[n], layers, at=at)) for n in TOKENS)
        ],
    )


def measured(at: Measured = Measured()) -> str:
    """The table of what all others are computed from."""
    said = re.findall(
        r"^        (\w+): (.*?)(?=\n        \w+: |\n    )", Measured.__doc__ or "", re.M | re.S
    )
    words = {name: " ".join(text.split()).rstrip(".") for name, text in said}
    return _table(
        ("name", "value", "what it is"),
        [(f"`{one.name}`", f"{getattr(at, one.name):,.12g}", words[one.name]) for one in fields(at)],
    )


TABLES = {
    "measured": measured,
    "times": times,
    "costs": costs,
    "memory": memory,
    "requests": requests,
}


def filled(text: str) -> str:
    """A document with its tables put in their places, between comments with their names."""
    for name, make in TABLES.items():
        before, begin, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        text = f"{before}{begin}{make()}\n{end}{after}"
    return text


def main() -> None:
    """Print the tables, or write them into a document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="the document whose tables are renewed")
    parser.add_argument("--layers", type=int, default=1)
    for one in fields(Measured):
        parser.add_argument(f"--{one.name.replace('_', '-')}", type=float, default=one.default)
    given = parser.parse_args()
    if given.write:
        given.write.write_text(filled(given.write.read_text("utf-8")), "utf-8")
        return
    at = Measured(**{one.name: getattr(given, one.name) for one in fields(Measured)})
    chosen = (times, costs, memory, requests)
    print(measured(at), *(make(at, given.layers) for make in chosen), sep="\n\n")


if __name__ == "__main__":
    main()
