"""A tokenizer.json decides how a text is split, whatever class `transformers` makes of it.

From such a file, most classes of `transformers` take the vocabulary, and make the rest by their own
rules: without a tokenizer_config.json, the tokenizer of a cased BERT becomes an uncased one. The
library `tokenizers`, which wrote the file, reads all of it. Where the two split a text differently,
the file counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import ModelBroken, in_short
from ..files.weight_files import advice
from .backends import fails

PARTS = ("normalizer", "pre_tokenizer", "post_processor")
# Letters in both cases, accents (also as two characters), other scripts, numbers, signs, spaces.
_TEXTS = (
    "The Bank of ENGLAND, on the river bank",
    "Café naïve Ångström ÉCOLE cafe\u0301 ſtraße İstanbul",
    "银行在河岸 東京タワー 한국어 банк БАНК तट بنك τράπεζα",
    "In 1999, 12,345.67 € (50 %): it's a “test” — e-mail@example.org…",
    "🏦🎣 👩‍👩‍👧 ❤️",
    "  two  spaces,\ta tab\nand a line \u00a0 ",
    "",
)
_TOKEN = ("content", "single_word", "lstrip", "rstrip", "normalized", "special")
# Tokens that a message shows, and of these before the first that differs.
_SHOWN, _BEFORE = 8, 2
_WORDS = 40  # of the file's own vocabulary, in three spellings


class Followed(NamedTuple):
    """A tokenizer that splits as its file says.

    Attributes:
        tokenizer: the tokenizer of `transformers`, with the file's rules where it had others.
        note: how it had read a text, in a sentence; "" if it agreed with the file.
    """

    tokenizer: Any
    note: str = ""


def followed(tokenizer: Any, file: Path, name: str) -> Followed:
    """Compare a tokenizer with the tokenizer.json from which it was made, and let the file decide.

    Args:
        tokenizer: what `transformers` made of the files in the folder.
        file: the tokenizer.json, which `transformers` could read; it need not exist.
        name: the name of the model in messages.

    Raises:
        ModelBroken: the file is no tokenizer.
    """
    own = getattr(tokenizer, "backend_tokenizer", None)
    if own is None or not file.is_file():
        return Followed(tokenizer)
    data = file.read_bytes()
    text = data.decode(json.detect_encoding(data))
    settings = json.loads(text)
    if _equal(own, settings):
        return Followed(tokenizer)
    from tokenizers import Tokenizer

    try:
        whole = Tokenizer.from_str(text)
    except BaseException as error:  # transformers reads a part of the file only, and this all of it
        if not fails(error):
            raise
        raise ModelBroken(
            "The {file} of “{name}” cannot be read: {in_short} {advice}",
            file=file.name,
            name=name,
            in_short=in_short(error),
            advice=advice(file.parent),
        ) from error
    whole.no_truncation()
    whole.no_padding()
    speaks = hasattr(tokenizer, "src_lang")  # the class writes the template, by the languages
    different = _different(own, whole, settings, template=not speaks)
    if different is None:
        return Followed(tokenizer)
    _keep_added(own, whole)
    if speaks:
        whole.post_processor = own.post_processor
    tokenizer._tokenizer = whole
    example, theirs, its = different
    first = next((i for i, (one, two) in enumerate(zip(theirs, its, strict=False)) if one != two), 0)
    return Followed(
        tokenizer,
        f"The tokenizer.json of “{name}” decides how a text is split. AutoTokenizer of transformers "
        f"reads this folder by other rules: of “{example.strip()}” it makes {_few(theirs, first)}, the "
        f"file {_few(its, first)}.",
    )


def _equal(own: Any, settings: Mapping[str, Any]) -> bool:
    """Whether the two have the same parts, without building the file's: a tenth of the time."""
    for part in PARTS:
        made = getattr(own, part)
        if (None if made is None else json.loads(made.__getstate__())) != settings.get(part):
            return False
    added = [{"id": i} | {key: getattr(token, key) for key in _TOKEN} for i, token in _added(own)]
    given = settings.get("added_tokens", [])
    if not isinstance(given, list):
        return False
    listed = sorted(given, key=lambda one: int(one["id"]))
    return added == listed and json.loads(own.model.__getstate__()) == settings["model"]


def _added(tokenizer: Any) -> Iterator[tuple[int, Any]]:
    yield from sorted(tokenizer.get_added_tokens_decoder().items())


def _different(
    own: Any, whole: Any, settings: Mapping[str, Any], *, template: bool
) -> tuple[str, list[str], list[str]] | None:
    """The first text that two tokenizers read differently, and the tokens of each; None if none is."""
    for text in _probes(whole, settings):
        pairs = [(text,)] if text else [(text,), ("a", "b")]  # the template alone, for one text and two
        for pair in pairs:
            read = [_read(one, pair, template) for one in (own, whole)]
            if read[0] != read[1]:
                return " ".join(pair), read[0][1], read[1][1]
    return None


def _probes(whole: Any, settings: Mapping[str, Any]) -> Iterator[str]:
    yield from _TEXTS
    stripped = (word.lstrip("▁Ġ#") for word in whole.get_vocab(with_added_tokens=False))
    words = sorted({word for word in stripped if word.isalpha() and len(word) > 2})
    for word in words[:: max(1, len(words) // _WORDS)]:
        yield f"a {word} {word.title()} {word.upper()}"
        yield f"{word[0]}\u0301{word[1:]},{word}"
    for token in (settings.get("added_tokens") or [])[:_WORDS]:
        yield f"a {token['content']} b{token['content']}c {token['content'].lower()}"


def _read(tokenizer: Any, texts: tuple[str, ...], template: bool) -> tuple[Any, list[str]]:
    """What a tokenizer makes of a text, in comparable form, and its tokens."""
    try:
        made = tokenizer.encode(*texts, add_special_tokens=template)
    except BaseException as error:  # it has no token for unknown pieces, or panics
        if not fails(error):
            raise
        return type(error).__name__, []
    n = sum(made.attention_mask)  # without padding, on either side
    places = [i for i, seen in enumerate(made.attention_mask) if seen] if n else []
    return (
        [(made.ids[i], made.type_ids[i]) for i in places],
        [made.tokens[i] for i in places],
    )


def _keep_added(own: Any, whole: Any) -> None:
    """Give the file's tokenizer the tokens that other files add, under the same ids."""
    for number, token in _added(own):
        if whole.token_to_id(token.content) is None and number == whole.get_vocab_size():
            whole.add_tokens([token])


def _few(tokens: list[str], first: int) -> str:
    """Some of the tokens, among them the first that differs from those of another."""
    start = max(0, first - _BEFORE)
    listed = " ".join(tokens[start : start + _SHOWN])
    before, behind = "… " if start else "", " …" if len(tokens) > start + _SHOWN else ""
    return f"“{before}{listed}{behind}”"
