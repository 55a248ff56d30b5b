"""Every function that reads a text which we did not write, and the patterns that it runs.

A new pattern has its place here: with the function that runs it (`READERS`), or among those that read
our own text alone, with the reason (`OURS`); `test_patterns.py` looks for all patterns of the code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from core.corpus.reading import columns
from core.corpus.reading import sentences as corpus_sentences
from tokenizers import Tokenizer

from core.classroom import plain as plain_question
from core.corpus.querying import concordance
from core.corpus.storage import filters
from core.examples import known_ends
from core.figures import labels
from core.lessons import expressions, operations, slides
from core.lessons import parsing as lessons
from core.measures import analogy, foreign
from core.measures.attention import token_names
from core.pretrained import lm_heads
from core.pretrained.engines import published
from core.pretrained.files import (
    configs,
    hub,
    tensor_names,
    tokenizer_files,
    tokenizer_probe,
    weight_files,
)
from core.pretrained.tokenizer import alignment, reader
from core.records import inflections, words
from core.settings import CATALOGUE
from core.tasks.languages import vocabulary
from core.walkthroughs import subwords
from pages.compare import saved_comparison
from pages.embeddings import state as embeddings
from pages.encoder_decoder import vocabulary as offered
from tests.fuzz.test_parsers import FIELDS
from ui import packed, permalink, sense_ends, text
from ui.classroom import address
from ui.models import sentence_files
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


@cache
def _minilm() -> Any:
    from core.pretrained.load_model import _packaged

    folder = _packaged(CATALOGUE["minilm"].package)
    assert folder is not None
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


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
        published._OWN_TABLES,
    ):
        pattern.fullmatch(typed)
    tensor_names.modern(typed)
    for names, _ in lm_heads._INSTEAD:
        lm_heads._any(names, [typed])


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


_OF_LESSONS = ("_HEAD", "_LET", "_STATE", "_LABEL", "_PART_NAME")
_CONFIGS = "core/pretrained/files/configs.py:"
_SETTINGS = "core/pretrained/files/tokenizer_files.py:"

READERS: Mapping[str, Reader] = {
    # what a visitor types
    "words": Reader(words.split.__wrapped__, ("core/records/words.py:_WORD",)),
    "the key of a word": Reader(
        lambda typed: words.key_of(typed, False), ("core/records/words.py:_UNSEEN",)
    ),
    "the name of a word": Reader(lambda typed: words.name_of(typed, False)),
    "a word in a text": Reader(_fresh(lambda t: words.occurrence_spans(t, "bank", cased=False))),
    "a text in itself": Reader(_fresh(lambda t: words.occurrence_spans(t, t, cased=False))),
    "half of a text in it": Reader(
        _fresh(lambda t: words.occurrence_spans(t, f"{t[: len(t) // 2]} b", cased=False))
    ),
    "a form of a word": Reader(_fresh(lambda t: inflections.form_of(t, "bank"))),
    "a long word in a text": Reader(_fresh(lambda t: inflections.form_of(t, t))),
    "equal words": Reader(lambda t: inflections.matches(t.split(), t.split()[::-1])),
    "another language": Reader(
        _fresh(foreign.looks_foreign),
        tuple(f"core/measures/foreign.py:{name}" for name in ("_RUN", "_OF_AN_ADDRESS", "_parts")),
    ),
    "a sum": Reader(analogy.terms, ("core/measures/analogy.py:_TERM",)),
    "an end": Reader(_fresh(lambda t: sense_ends.end_of(t, "bank"))),
    "an end of its own word": Reader(_fresh(lambda t: sense_ends.end_of(t, t))),
    "an end, typed": Reader(_fresh(lambda t: sense_ends.typed_end("a", t.splitlines() or [t], "bank"))),
    "known ends": Reader(lambda t: known_ends(t[:20], (t,))),
    "all fields of a link": Reader(_fresh(_all_fields), ("pages/training/state.py:_run",)),
    "a packed link": Reader(packed.unpack),
    "a state to pack": Reader(lambda t: packed.pack({"a": t})),
    "words of a path": Reader(embeddings._first_word, ("pages/embeddings/state.py:_first_word",)),
    "a list of words": Reader(text.words_of),
    "anchor words": Reader(text.group_of),
    "a sentence file": Reader(
        lambda t: sentence_files.read_file("a.txt", t.encode("utf-8", "replace")),
        tuple(f"ui/models/sentence_files.py:{name}" for name in ("_CONTROL", "_table")),
    ),
    "a table": Reader(lambda t: sentence_files.read_file("a.csv", t.encode("utf-8", "replace"))),
    "a lesson of one's own": Reader(slides.read),
    "a step of one's own": Reader(
        lambda t: slides.read(f"# a\n\n## b\n{t}\n[c](/compare)"),
        tuple(f"core/lessons/slides.py:{name}" for name in ("_LINK", "_OF_QUESTIONS", "_UNSEEN")),
    ),
    "a link of one's own": Reader(
        lambda t: slides._address(1, t), ("core/lessons/slides.py:_ADDRESS",)
    ),
    "a lesson": Reader(
        lambda t: lessons._Reader("a.md", 1, "a").lesson(
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
    "a number in an expression": Reader(operations._number, ("core/lessons/operations.py:_number",)),
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
    "a cookie": Reader(
        lambda t: [address.seat_of({address.SEAT: t}), rooms._TOKEN.fullmatch(t)],
        ("ui/classroom/address.py:seat_of", "ui/serving/classroom/rooms.py:_TOKEN"),
    ),
    # what it becomes on the screen
    "plain text": Reader(text.plain, ("ui/text.py:_STILL_ALIVE",)),
    "the end of a text": Reader(text.end_of),
    "a label": Reader(labels.label),
    "the direction of labels": Reader(lambda t: labels.runs_left([t])),
    "a question to a class": Reader(
        plain_question,
        tuple(
            f"core/classroom/words.py:{name}" for name in ("_LINK", "_MARK", "_ESCAPED", "_INVISIBLE")
        ),
    ),
    "terms in a caption": Reader(
        lambda t: [terms._linked(one, frozenset()) for one in terms._QUOTED.split(t)],
        tuple(f"ui/page/terms.py:{name}" for name in ("_APART", "_MARKED", "_QUOTED", "_forms")),
    ),
    "terms that a text introduces": Reader(
        terms.named_in, tuple(f"ui/page/terms.py:{name}" for name in ("_EMPHASISED", "_ANCHOR"))
    ),
    "colours in a saved file": Reader(
        lambda t: saved_comparison._COLOUR.sub("", t), ("pages/compare/saved_comparison.py:_COLOUR",)
    ),
    "names of tokens": Reader(
        lambda t: token_names.names(_token(t)), ("core/measures/attention/token_names.py:_NAME",)
    ),
    # what a corpus contains
    "sentences of a corpus": Reader(corpus_sentences.split, window=corpus_sentences._WINDOW),
    "a column": Reader(
        lambda t: [columns.column_name(t), columns.value_of(t), columns.kind_of(t)],
        tuple(
            f"core/corpus/reading/columns.py:{name}"
            for name in ("column_name", "_VECTOR", "_INTEGER", "kind_of")
        ),
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
            "core/pretrained/files/weight_files.py:NO_WEIGHTS",
            *(
                f"core/pretrained/files/tensor_names.py:{n}"
                for n in ("NOT_NEEDED", "COMPUTED", "modern")
            ),
            "core/pretrained/lm_heads.py:_any",
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
                "_class",
                "KEYS",
            )
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
            f"core/corpus/reading/python_docs.py:{name}"
            for name in ("_BULLET", "_DRAWN", "_EMPHASISED", "passages")
        ),
        "they read the documentation inside Python",
    ),
    **dict.fromkeys(
        ("core/glossary/__init__.py:Term.anchor", "core/glossary/__init__.py:terms"),
        "they read our glossary",
    ),
    "core/lessons/parsing.py:_FILE": "it reads the names of our lessons’ files",
    "core/lessons/parsing.py:_Reader._prediction": "it reads a number in our lessons",
    "core/pretrained/engines/anatomy.py:_OTHER_INPUTS": "it reads names of parameters in transformers",
    "core/pretrained/tokenizer/reader.py:TextReader._broken": "`in_short` has cut it to 200 characters",
    f"{_SETTINGS}_class": "it reads a name of at most 100 characters",
    f"{_SETTINGS}_config": "it reads a version of at most 40 characters",
    f"{_SETTINGS}_content": "it reads the name of a file, which `_FILES` has matched",
    f"{_SETTINGS}load": "it reads the path of a folder",
    "core/settings.py:_ORIGIN": "it reads a setting of the operator",
    "ui/page/prose.py:read": "it reads our pages’ words",
    "ui/page/prose.py:_examples": "it reads our pages’ words",
    "ui/serving/headers.py:inline_scripts": "it reads Streamlit’s own page",
}
