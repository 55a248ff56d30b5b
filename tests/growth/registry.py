"""Every function that reads a text which we did not write, and the patterns that it runs.

A new pattern has its place here: with the function that runs it (`READERS`), or among those that read
our own text alone, with the reason (`OURS`); `test_patterns.py` looks for all patterns of the code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from tokenizers import Tokenizer

from core import errors, reading, spreadsheet, untrusted
from core import markdown as own_markdown
from core.classroom import mentioned
from core.classroom import plain as plain_question
from core.comparison import ends
from core.corpus.querying import composing, concordance, matching
from core.corpus.querying import corpus as corpora
from core.corpus.querying import query as queries
from core.corpus.storage import columns, filters
from core.errors import NotSupported
from core.examples import known_ends
from core.figures import labels
from core.lessons import expressions, slides
from core.lessons import parsing as lessons
from core.lessons.operations import arithmetic
from core.measures import analogy, foreign
from core.measures.attention import token_names
from core.pretrained import head_tensor_names
from core.pretrained.engines import published
from core.pretrained.files import (
    adapters,
    configs,
    hub,
    places,
    tensor_names,
    tokenizer_files,
    tokenizer_probe,
    weight_files,
)
from core.pretrained.files.gguf import folder as packed_folder
from core.pretrained.files.gguf import tensors as packed_tensors
from core.pretrained.tokenizer import alignment, reader
from core.reading import columns as cells
from core.reading import encodings, sentences, units
from core.reading.documents import markdown, pdf, report
from core.reading.tables import delimited
from core.records import finding, inflections, particles, words
from core.records.spelling import CASED, UNCASED, Spelling
from core.settings import CATALOGUE
from core.tasks.languages import vocabulary
from core.untrusted import numbers
from core.walkthroughs import subwords
from pages.embeddings import state as embeddings
from pages.encoder_decoder import vocabulary as offered
from tests.fuzz.test_parsers import FIELDS
from ui import compressed_state, formats, permalink, text
from ui.classroom import address
from ui.page import terms
from ui.serving.classroom import rooms

Read = Callable[[str], object]


class Reader(NamedTuple):
    """A function of a text.

    Attributes:
        read: the function; nothing that an earlier text has left may make it faster.
        runs: the patterns that it runs, as `patterns.py` names them.
        window: where it reads a text in parts of so many characters, and a part may take longer.
    """

    read: Read
    runs: tuple[str, ...] = ()
    window: int = 0


def _fresh(read: Read) -> Read:
    def with_nothing_kept(typed: str) -> object:
        words.split.cache_clear()
        return read(typed)

    return with_nothing_kept


def _token(name: str) -> Any:
    """A trace of one token, the whole text."""
    from types import SimpleNamespace

    return SimpleNamespace(
        tokens=(f"▁{name}", name),
        offsets=((0, len(name)), (0, len(name))),
        texts=(name,),
        segments=(0, 0),
        special=(False, False),
        word_ids=(0, 1),
    )


def _composed(typed: str) -> object:
    """The query that a form makes of a word, or nothing."""
    try:
        return composing.composed([composing.Wanted(typed)])
    except errors.CorpusError:
        return None


def _parsed(typed: str) -> object:
    with suppress(errors.CorpusError):
        return queries.parse(typed)
    return None


@cache
def _minilm() -> Any:
    from core.pretrained.load_model import _packaged

    folder = _packaged(CATALOGUE["minilm"].package)
    assert folder is not None
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


@cache
def _spelling() -> Spelling:
    """That of MiniLM: an uncased model with rules of its own."""
    normalizer = _minilm().normalizer
    return Spelling(False, normalizer.normalize_str)


def _of_words(typed: str) -> list[str]:
    return [word.text for word in words.split(typed)]


def _stars(typed: str, least: int = 1) -> str:
    """A phrase of stars and the characters of a text."""
    return "*" * least + ("*" * least).join(typed) + "*"


def _in(phrase: Callable[[str], str], spelling: Callable[[], Spelling] = lambda: UNCASED) -> Read:
    """A phrase that is sought in its text."""
    return _fresh(lambda t: finding.spans_in((t, t), phrase(t), spelling=spelling()))


def _told(phrase: Callable[[str], str]) -> Read:
    """What is said about a phrase that a text does not have."""
    return _fresh(
        lambda t: finding.why_not_found(
            phrase(t), _of_words(t), occurrence=0, count=0, spelling=UNCASED
        )
    )


def _file(ending: str, before: str = "", after: str = "") -> Read:
    """A visitor's file, with a text between what makes it a file of its kind."""

    def read(typed: str) -> object:
        content = f"{before}{typed}{after}".encode("utf-8", "replace")
        return reading.collect(reading.File(f"a{ending}", content=content))

    return read


def _json(ending: str) -> Read:
    """JSON with a text as the name and the value of a cell."""

    def read(typed: str) -> object:
        typed = typed.encode("utf-8", "replace").decode()
        row = json.dumps({"text": typed, typed: [typed]}, ensure_ascii=False)
        content = f"{row}\n{row}" if ending == ".jsonl" else f"[{row}, {row}]"
        return reading.collect(reading.File(f"a{ending}", content=content.encode()))

    return read


def _encoded(typed: str) -> None:
    for encoding in ("utf-8", "utf-16-le", "cp1252", "gb18030"):
        encodings.guess(typed.encode(encoding, "replace"))


@cache
def _translator() -> Any:
    from core.tasks import shipped

    return shipped()


def _aligned(typed: str) -> object:
    """The tokens of a text as a tokenizer in Python returns them: letters, and words between spaces."""
    with suppress(alignment.Unaligned):
        alignment.align(typed, [*typed])
    return alignment.align(typed, [f"{word}</w>" for word in typed.split()])


def _as_bytes(typed: str) -> object:
    return alignment.align_bytes(typed, [chr(byte) for byte in typed.encode("utf-8", "replace")])


def _all_fields(typed: str) -> None:
    for field in FIELDS:
        permalink._read(field, {field.url: typed})


def _of_a_model(typed: str) -> None:
    """All that reads the name of a setting or of a tensor."""
    for pattern in (
        *(configs._LAYERS, configs._PARTS, configs._SIZES, configs._POSITIONS, configs._ACTIVATIONS),
        *(configs._LISTED, configs._OF_OTHER_THINGS, configs._EPS),
        *(weight_files.NO_WEIGHTS, tensor_names.NOT_NEEDED, tensor_names.COMPUTED),
        *(
            packed_folder._PART,
            weight_files._PART,
            weight_files._VARIANT,
            weight_files._NO_MODEL,
            adapters._OF_LORA,
        ),
        *(places._CACHED, places._CHECKPOINT, packed_tensors._NAME),
        published._OWN_TABLES,
    ):
        pattern.fullmatch(typed)
    tensor_names.modern(typed)
    for names, _ in head_tensor_names._INSTEAD:
        head_tensor_names._any(names, [typed])


def _of_a_tokenizer(typed: str) -> None:
    """All that reads a key or a value in a tokenizer's settings."""
    tokenizer_files._FILES.fullmatch(typed)
    tokenizer_files._TOKEN_KEY.fullmatch(typed)
    for check in (
        *(tokenizer_files._word, tokenizer_files._attribute, tokenizer_files._number_name),
        lambda t: tokenizer_files.KEYS["fast_tokenizer_files"]([t]),
    ):
        try:
            check(typed)
        except tokenizer_probe.Unfit:
            continue


_WINDOW = sentences._WINDOW
_CELLS = "core/reading/columns.py:"
_TABLES = "core/reading/tables/delimited.py:"
_ENCODINGS = "core/reading/encodings.py:"
_SUBTITLES = "core/reading/documents/subtitles.py:"
_MARKUP = "core/reading/documents/markup.py:"
_SPELLING = "core/records/spelling.py:"
_UNSPACED = "core/records/unspaced.py:"
_OF_LESSONS = ("_HEAD", "_LET", "_STATE", "_LABEL", "_MARK", "_PART_NAME")
_CONFIGS = "core/pretrained/files/configs.py:"
_SETTINGS = "core/pretrained/files/tokenizer_files.py:"

READERS: Mapping[str, Reader] = {
    # what a visitor types
    "words": Reader(
        lambda t: [*words._split(t)],
        (
            *(f"core/records/words.py:{name}" for name in ("_WORD", "_ASCII_WORD")),
            *(f"{_UNSPACED}{name}" for name in ("_HIDES", "_INVISIBLE", "_WITH_SIGNS")),
        ),
    ),
    "the beginning and the end of a text": Reader(
        lambda t: [text.clipped(t, 20), text.clipped(t, 20, keep="end")], ("ui/text.py:_SIGN",)
    ),
    "what an error quotes": Reader(
        lambda t: text.of_error(NotSupported(f"“{t}” and “{t}")), ("ui/text.py:_QUOTE",)
    ),
    "words of a text": Reader(_fresh(lambda t: [words.name_of(one, False) for one in _of_words(t)])),
    "the key of a word": Reader(
        lambda t: UNCASED._key(t), tuple(f"{_SPELLING}{name}" for name in ("_INVISIBLE",))
    ),
    "the key of a word by a model's rules": Reader(
        lambda t: [_spelling()._key(t), _spelling()._key(t[:1_000])], (f"{_SPELLING}_AROUND",)
    ),
    "the loose form of a word": Reader(
        lambda t: [CASED.loose(t), UNCASED.loose(t)],
        tuple(f"{_SPELLING}{name}" for name in ("_SHAPED", "_POINTS")),
    ),
    "the name of a word": Reader(lambda typed: words.name_of(typed, False)),
    "particles of a word": Reader(lambda t: [particles.with_particles(t), particles.stems(t)]),
    "a word in a text": Reader(_in(lambda _: "bank"), (f"{_UNSPACED}_LETTER",)),
    "a word in a text, for a model": Reader(_in(lambda _: "bank", _spelling)),
    "a Korean word in a text": Reader(_in(lambda _: "은행")),
    "an elided word in a text": Reader(_in(lambda _: "l'")),
    "a beginning in a text": Reader(_in(lambda _: "b*"), ("core/records/finding.py:_LETTER",)),
    "stars in a text": Reader(_in(lambda _: "*a*b*")),
    "words with stars in a text": Reader(_in(lambda _: "b* *n* a* *e " * 8)),
    "a text in itself": Reader(_in(lambda t: t)),
    "a text in itself, for a model": Reader(_in(lambda t: t, _spelling)),
    "half of a text in it": Reader(_in(lambda t: f"{t[: len(t) // 2]} b")),
    "the second half of a text in it": Reader(_in(lambda t: t[len(t) // 2 :])),
    "half of a text without spaces in it": Reader(_in(lambda t: f"{t[: len(t) // 2]}b")),
    "a text between stars in itself": Reader(_in(_stars)),
    "a text between two stars in itself": Reader(_in(lambda t: _stars(t, 2))),
    "a text with a star in itself": Reader(_in(lambda t: f"{t}*")),
    "half of a text with stars in it": Reader(_in(lambda t: f"*{t[: len(t) // 2]}*b")),
    "stars as long as a text": Reader(_in(lambda t: "*" * len(t) + "b")),
    "a phrase of many kinds": Reader(
        _fresh(lambda t: [finding.has_star(t), finding.is_phrase(t), finding.has_star(f"{t}*")])
    ),
    "tests of a word": Reader(
        _fresh(
            lambda t: [
                fits(other)
                for fits in (finding.fits_of(word, UNCASED) for word in (t, f"{t}*", _stars(t)))
                for other in (t, f"{t}b")
            ]
        )
    ),
    "words counted": Reader(
        _fresh(lambda t: finding.counted(_of_words(t), t, spelling=UNCASED)),
    ),
    "why a word is not found": Reader(_told(lambda _: "ban")),
    "why a text is not found": Reader(_told(lambda t: f"{t}b")),
    "why a text with stars is not found": Reader(_told(_stars)),
    "a form of a word": Reader(_fresh(lambda t: inflections.form_of(t, "bank"))),
    "a long word in a text": Reader(_fresh(lambda t: inflections.form_of(t, t))),
    "equal words": Reader(lambda t: inflections.matches(t.split(), t.split()[::-1])),
    "another language": Reader(
        _fresh(foreign.looks_foreign),
        tuple(f"core/measures/foreign.py:{name}" for name in ("_RUN", "_OF_AN_ADDRESS", "_parts")),
    ),
    "a sum": Reader(analogy.terms, ("core/measures/analogy.py:_TERM",)),
    "an end": Reader(_fresh(lambda t: ends.end_of(t, "bank"))),
    "an end of its own word": Reader(_fresh(lambda t: ends.end_of(t, t))),
    "an end, typed": Reader(_fresh(lambda t: ends.typed_end("a", t.splitlines() or [t], "bank"))),
    "an end without its words": Reader(_fresh(lambda t: ends.sentences_alone(t, "bank"))),
    "our Markdown as HTML": Reader(
        lambda t: own_markdown.to_html(own_markdown.plain(t)), ("core/markdown.py:_COLOUR",)
    ),
    "known ends": Reader(lambda t: known_ends(t[:20], (t,))),
    "all fields of a link": Reader(_fresh(_all_fields), ("pages/training/state.py:_run",)),
    "a packed link": Reader(compressed_state.unpack, ("ui/compressed_state.py:_WORD",)),
    "a whole number in a link": Reader(formats.Whole(0, 9), ("ui/formats.py:_WHOLE",)),
    "a number in a link": Reader(formats.Real(0.0, 9.0), ("ui/formats.py:_REAL",)),
    "a state to pack": Reader(lambda t: compressed_state.pack({"a": t})),
    "words of a path": Reader(embeddings._first_word, ("pages/embeddings/state.py:_first_word",)),
    "a list of words": Reader(text.words_of),
    "anchor words": Reader(text.group_of),
    "pasted sentences": Reader(reading.pasted, window=_WINDOW),
    "a pasted table": Reader(lambda t: reading.pasted(f"text\tlabel\n{t}\ta\n{t}\tb")),
    "a text file": Reader(
        _file(".txt"),
        (
            *(f"core/reading/formats.py:{n}" for n in ("_CONTROL", "_TIMES", "_TOKEN_LINE", "_HTML")),
            *("core/reading/formats.py:_json", "core/reading/units.py:_LOWER"),
            *(f"core/reading/sentences.py:{n}" for n in ("_DENSE", "_END", "_ITEM", "_NUMBER")),
            f"{_TABLES}_SEPARATOR_LINE",
            *(f"{_CELLS}{n}" for n in ("_NUMBER", "_DATE", "_LINK", "plain_name", "_IDENTIFIER")),
        ),
        window=_WINDOW,
    ),
    "wrapped lines": Reader(_file(".txt", "A long line of a wrapped text, that goes on\n\n" * 3)),
    "a book": Reader(
        _file(".txt", "*** START OF THE PROJECT GUTENBERG EBOOK A ***\n", "\n*** END OF THIS"),
        ("core/reading/units.py:_GUTENBERG",),
    ),
    "a table": Reader(_file(".csv")),
    "a table with a header": Reader(
        _file(".csv", "text,label\n", ",b\na bank<br />of it,c\n"), ("core/reading/read.py:_BREAK",)
    ),
    "a quoted cell": Reader(
        _file(".csv", 'text,label\n"', '",b\n"a bank",c\n'),
        tuple(f"{_TABLES}{n}" for n in ("_is_quoted", "_outer")),
    ),
    "a quotation that never ends": Reader(_file(".csv", 'text,label\na,b\n"')),
    "cells": Reader(lambda t: _file(".csv")(f"{','.join(t)}\n" * 3)),
    "a table with tabs": Reader(_file(".tsv", "text\tlabel\n", "\tb\na bank\tc\n")),
    "a table with bars": Reader(_file(".csv", "text|label\n", "|b\na bank|c\n")),
    "JSON": Reader(_file(".json")),
    "JSON texts": Reader(_json(".json"), ("core/untrusted/parsing.py:_HALF",)),
    "JSON lines": Reader(_file(".ndjson", '{"text": "A bank."}\n')),
    "JSON texts, one a line": Reader(_json(".jsonl")),
    "JSON of lists": Reader(
        lambda t: reading.collect(
            reading.File("a.json", content=json.dumps([["A bank", *t], ["Two banks.", *t]]).encode())
        )
    ),
    "SubRip": Reader(
        _file(".srt", "1\n00:00:01,000 --> 00:00:02,000\n"),
        tuple(f"{_SUBTITLES}{n}" for n in ("_TIME", "_VOICE", "_TAG", "_SOUND", "_SPEAKER", "_DASH")),
    ),
    "WebVTT": Reader(_file(".vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n", "\n\n00:03.000 -->")),
    "cues": Reader(
        lambda t: _file(".vtt", "WEBVTT\n\n")(f"00:01.000 --> 00:02.000\n{t[:9]}\n" * (len(t) // 9))
    ),
    "HTML": Reader(_file(".html", "<!doctype html><p>A bank.")),
    "a tag": Reader(_file(".html", "<!doctype html><p ", ">A bank.")),
    "nested HTML": Reader(
        lambda t: _file(".html", "<!doctype html>")("<b>" * (len(t) // 8) + "</a>" * (len(t) // 8) + t)
    ),
    "a footnote in HTML": Reader(
        _file(".html", "<!doctype html><p>A bank.<sup>", "</sup>"),
        tuple(f"{_MARKUP}{n}" for n in ("declared", "_Html.end")),
    ),
    "XML": Reader(
        _file(".xml", '<?xml version="1.0"?><TEI><p>A bank.', "</p></TEI>"),
        ("core/reading/formats.py:_ROOT",),
    ),
    "an element of XML": Reader(_file(".xml", '<?xml version="1.0"?><TEI><', "><p>A bank.</p></TEI>")),
    "parts of XML": Reader(
        lambda t: _file(".xml", '<?xml version="1.0"?><TEI><p>', "</p></TEI>")(
            "a-<lb break='no'/><choice><sic>" * (len(t) // 40) + "</sic></choice>" * (len(t) // 40)
        )
    ),
    "a treebank": Reader(_file(".conllu", "# text = A bank.\n1\tA\ta\tDET\t_\t_\t0\troot\t_\t_\n")),
    "tokens of a treebank": Reader(
        lambda t: _file(".conllu")(
            "\n".join(f"{i + 1}\t{one}\ta\tDET\t_\t_\t0\troot\t_\t_" for i, one in enumerate(t[:500]))
        )
    ),
    "Markdown": Reader(
        lambda t: [
            *markdown.paragraphs(f"---\n{t}", report.Report()),
            *markdown.paragraphs(t, report.Report()),
        ],
        tuple(f"core/reading/documents/markdown.py:{n}" for n in ("_FRONT", "_NOTE", "_NOTE_NUMBER")),
    ),
    "lines of a PDF": Reader(
        lambda t: [
            pdf._key(t),
            pdf._NUMBER.fullmatch(t[:39]),
            pdf._running_heads([t.split("\n")] * 3),
            units.dehyphenated([f"a{one}-" for one in t.split()], frozenset()),
            units.dehyphenated([*"a-" * (len(t) // 2)], frozenset()),
        ],
        (
            *(f"core/reading/documents/pdf.py:{n}" for n in ("_key", "_NUMBER")),
            "core/reading/units.py:dehyphenated",
        ),
    ),
    "an encoding": Reader(
        _encoded,
        tuple(
            f"{_ENCODINGS}{n}"
            for n in ("_ISO_2022", "_MIXED", "_STRAY", "_TWO_ALPHABETS", "_EAST_BESIDE")
        ),
    ),
    "a cell": Reader(lambda t: [cells.kind_of(t), cells.kind_of(t[:290]), cells.plain_name(t)]),
    "a header": Reader(lambda t: cells.has_header([[t[:79], "id"], [t, "7"], [t, "8"]])),
    "names of columns": Reader(lambda t: delimited.names_of([*t], len(t), header=True)),
    "a column of texts": Reader(
        lambda t: [
            cells.text_column([t, "b"], [{t: t, "b": t}]),
            cells.label_column([t, *t], [{t: t, "b": t}], "text"),
            cells.named(t, [*t]),
        ]
    ),
    "JSON of anybody": Reader(
        lambda t: [
            untrusted.parse(
                f"{{{','.join(f'{json.dumps(one)}:1' for one in [*t.split(), 'a', 'a'])}}}", unique=True
            )
        ]
    ),
    "an entry of a folder": Reader(
        untrusted.entry, tuple(f"core/untrusted/names.py:{n}" for n in ("_ENTRY", "_RESERVED"))
    ),
    "normal forms": Reader(
        lambda t: [untrusted.normalized(form, t) for form in ("NFC", "NFD", "NFKC", "NFKD")],
        ("core/untrusted/marks.py:_MARKS",),
    ),
    "an error for the screen": Reader(
        errors.without_paths, ("core/errors.py:_PATH", "core/errors.py:without_paths.last")
    ),
    "a cell as it was typed": Reader(spreadsheet.as_typed, ("core/spreadsheet.py:_MADE_INERT",)),
    "a cell for a spreadsheet": Reader(
        spreadsheet.inert,
        tuple(f"core/spreadsheet.py:{n}" for n in ("_FORMULA", "_BLANK", "_NUMBER")),
    ),
    "a lesson of one's own": Reader(slides.read),
    "a step of one's own": Reader(
        lambda t: slides.read(f"# a\n\n## b\n{t}\n[c](/compare)"),
        tuple(f"core/lessons/slides.py:{name}" for name in ("_LINK", "_OF_QUESTIONS", "_UNSEEN")),
    ),
    "a link of one's own": Reader(
        lambda t: slides._address(1, t), ("core/lessons/slides.py:_ADDRESS",)
    ),
    "a lesson": Reader(
        lambda t: lessons._Reader("a.md", 1, "a", lessons.FOLDER).lesson(
            f"# {t}\naim: a\nx: {t}\n\n## b\nask: {t}\n{t}"
        )
    ),
    "a line of a lesson": Reader(
        lambda t: [getattr(lessons, name).fullmatch(t) for name in _OF_LESSONS],
        tuple(f"core/lessons/parsing.py:{name}" for name in _OF_LESSONS),
    ),
    "an expression": Reader(expressions.parse),
    "a template": Reader(expressions.used_in, ("core/lessons/expressions.py:_BRACES",)),
    "a name in an expression": Reader(
        lambda t: expressions.NAME.fullmatch(t), ("core/lessons/expressions.py:NAME",)
    ),
    "a number in an expression": Reader(
        arithmetic._number, ("core/lessons/operations/arithmetic.py:_number",)
    ),
    "words of toy languages": Reader(
        lambda t: [pattern.findall(t) for pattern in vocabulary._TOKEN.values()],
        ("core/tasks/languages/vocabulary.py:_TOKEN",),
    ),
    "words that a translator knows": Reader(lambda t: offered.offers(_translator(), t)),
    "unknown words of a translator": Reader(lambda t: offered.offers(_translator(), f"{t} xyz")),
    "words of the walk-through": Reader(subwords.words_of),
    "a filter of a corpus": Reader(
        lambda t: filters._is_closed(t), ("core/corpus/storage/filters.py:_PIECE",)
    ),
    "a word in the form of a query": Reader(_composed, ("core/corpus/querying/composing.py:_SIGNS",)),
    "a range of numbers of a column": Reader(
        lambda t: matching._RANGE.fullmatch(t[: matching.MOST_VALUE]),
        ("core/corpus/querying/matching.py:_RANGE",),
    ),
    "a query of a corpus": Reader(
        lambda t: (queries.is_query(t), _parsed(t)),
        tuple(
            f"core/corpus/querying/query.py:{name}"
            for name in ("_SIGNS", "_VALUES", "_QUOTED", "_TIMES", "_FLAG", "_NAME", "_WITHIN")
        ),
    ),
    "a number that is typed": Reader(
        lambda t: [untrusted.number(t), numbers._TYPED.fullmatch(t[: untrusted.MOST_TYPED])],
        ("core/untrusted/numbers.py:_TYPED",),
    ),
    "a cookie": Reader(
        lambda t: [address.seat_of({address.SEAT: t}), rooms._TOKEN.fullmatch(t)],
        ("ui/classroom/address.py:seat_of", "ui/serving/classroom/rooms.py:_TOKEN"),
    ),
    # what it becomes on the screen
    "plain text": Reader(text.plain, ("core/markdown.py:_STILL_ALIVE",)),
    "the end of a text": Reader(text.end_of),
    "a label": Reader(labels.label),
    "a piece of a running text": Reader(labels.spelled),
    "the direction of labels": Reader(
        lambda t: labels.runs_left([t]), ("core/figures/labels.py:_LETTER",)
    ),
    "a name beside others": Reader(own_markdown.isolated, ("core/markdown.py:RIGHT_TO_LEFT",)),
    "a question to a class": Reader(
        plain_question,
        tuple(
            f"core/classroom/plain_text.py:{name}"
            for name in ("_LINK", "_MARK", "_ESCAPED", "_INVISIBLE")
        ),
    ),
    "words that a question mentions": Reader(mentioned, ("core/classroom/plain_text.py:_EMPHASISED",)),
    "terms in a caption": Reader(
        lambda t: [terms._linked(one, frozenset()) for one in terms._QUOTED.split(t)],
        tuple(f"ui/page/terms.py:{name}" for name in ("_APART", "_MARKED", "_QUOTED", "_forms")),
    ),
    "terms that a text introduces": Reader(
        terms.named_in, tuple(f"ui/page/terms.py:{name}" for name in ("_EMPHASISED", "_ANCHOR"))
    ),
    "colours in a saved file": Reader(
        lambda t: own_markdown._COLOUR.sub("", t), ("core/markdown.py:_COLOUR",)
    ),
    "names of tokens": Reader(
        lambda t: token_names.names(_token(t)),
        ("core/measures/attention/token_names.py:_NAME",),
    ),
    "how a vocabulary writes bytes": Reader(
        lambda t: token_names._is_written(f"x{t}", t),
        ("core/measures/attention/token_names.py:_BYTES",),
    ),
    # what a corpus contains
    "sentences of a corpus": Reader(sentences.split, window=_WINDOW),
    "a column": Reader(
        lambda t: [columns.column_name(t), columns.value_of(t), columns.kind_of(t)],
        tuple(f"core/corpus/storage/columns.py:{name}" for name in ("_VECTOR", "_INTEGER", "kind_of")),
    ),
    "a part of a word in a corpus": Reader(
        corpora._literal, ("core/corpus/querying/corpus.py:_SPECIAL",)
    ),
    "columns of the same name": Reader(lambda t: columns.column_names([*t])),
    "words around a word": Reader(
        lambda t: concordance._LETTERS.findall(t), ("core/corpus/querying/concordance.py:_LETTERS",)
    ),
    # what a model consists of
    "a setting of a model": Reader(
        _of_a_model,
        (
            *(
                f"{_CONFIGS}{name}"
                for name in (
                    *("_LAYERS", "_PARTS", "_SIZES", "_POSITIONS", "_ACTIVATIONS", "_LISTED"),
                    *("_OF_OTHER_THINGS", "_EPS"),
                )
            ),
            *(
                f"core/pretrained/files/weight_files.py:{n}"
                for n in ("NO_WEIGHTS", "_PART", "_VARIANT", "_NO_MODEL")
            ),
            "core/pretrained/files/adapters.py:_OF_LORA",
            "core/pretrained/files/gguf/folder.py:_PART",
            "core/pretrained/files/gguf/tensors.py:_NAME",
            *(f"core/pretrained/files/places.py:{n}" for n in ("_CACHED", "_CHECKPOINT")),
            *(
                f"core/pretrained/files/tensor_names.py:{n}"
                for n in ("NOT_NEEDED", "COMPUTED", "modern")
            ),
            "core/pretrained/head_tensor_names.py:_any",
            "core/pretrained/engines/published.py:_OWN_TABLES",
        ),
    ),
    "a setting of a tokenizer": Reader(
        _of_a_tokenizer,
        tuple(
            f"{_SETTINGS}{name}"
            for name in (
                "_FILES",
                "_TOKEN_KEY",
                "_word",
                "_attribute",
                "_number_name",
                "KEYS",
            )
        ),
    ),
    "settings of an adapter": Reader(
        lambda t: adapters._setting({"alpha_pattern": {t: 1}}, "alpha_pattern", "lora_alpha", t, "a")
    ),
    "patterns of a tokenizer": Reader(
        lambda t: [tokenizer_probe._units([t]), tokenizer_probe.is_read_by_a_library(t)],
        tuple(
            f"core/pretrained/files/tokenizer_probe.py:{n}" for n in ("_units", "is_read_by_a_library")
        ),
    ),
    "an id of the hub": Reader(hub.is_id, ("core/pretrained/files/hub.py:_ID",)),
    "MiniLM's tokenizer": Reader(
        lambda t: _minilm().encode(reader._LONE_SURROGATE.sub("?", t)),
        ("core/pretrained/tokenizer/reader.py:_LONE_SURROGATE",),
    ),
    "aligned tokens": Reader(_aligned, ("core/pretrained/tokenizer/alignment.py:_BYTE",)),
    "aligned bytes": Reader(_as_bytes),
}

# Patterns that meet no text of anybody else, or only so much of one, and why.
OURS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            f"core/corpus/python_docs.py:{name}"
            for name in ("_BULLET", "_DRAWN", "_EMPHASISED", "passages")
        ),
        "they read the documentation inside Python",
    ),
    **dict.fromkeys(
        (f"core/glossary/__init__.py:{name}" for name in ("_anchor", "_read", "_LINK")),
        "they read our glossary",
    ),
    "core/lessons/parsing.py:_FILE": "it reads the names of our lessons’ files",
    "core/lessons/parsing.py:_EXAMPLE": "it reads a rubric in our lessons",
    "core/lessons/misconceptions.py:_NAME": "it reads a name in our list",
    **dict.fromkeys(
        (f"core/lessons/courses.py:{name}" for name in ("_FILE", "_LABEL", "_LINK")),
        "they read our courses, and those of the operator",
    ),
    "core/lessons/parsing.py:_Reader._prediction": "it reads a number in our lessons",
    "core/pretrained/engines/anatomy/plain_run.py:_OTHER_INPUTS": "it reads names of parameters",
    "core/pretrained/tokenizer/reader.py:TextReader._broken": "`in_short` has cut it to 200 characters",
    f"{_SETTINGS}_class": "it reads a name of at most 100 characters",
    f"{_SETTINGS}_config": "it reads a version of at most 40 characters",
    f"{_SETTINGS}_content": "it reads the name of a file, which `_FILES` has matched",
    f"{_SETTINGS}load": "it reads the path of a folder",
    "core/corpus/building/alone.py:_SYSTEM": "it reads the system's own error",
    "core/corpus/storage/manifest.py:_GENERATION": "it reads a name of at most 255 bytes",
    "core/reading/documents/epub.py:_is_encrypted": "it reads one part, with bounded repetitions",
    "core/reading/documents/pdf.py:passages": "it reads lines in a process with limits",
    "core/reading/formats.py:_STREAM": "it reads sixteen bytes",
    "core/reading/formats.py:_zipped": "it reads the names in a zip file: digits between fixed signs",
    "pages/embeddings/state.py:EmbeddingsState.enter": "it looks at one character at a time",
    "core/settings.py:_ORIGIN": "it reads a setting of the operator",
    "ui/page/prose.py:in_english": "it reads our pages’ words",
    "ui/page/prose.py:_examples": "it reads our pages’ words",
    "ui/serving/headers.py:inline_scripts": "it reads Streamlit’s own page",
}
