"""Opens the files of a stranger's tokenizer, in a process that may come to grief.

`tokenizer_apart` starts this file as a script. It imports the standard library, `tokenizers` and
`sentencepiece` alone, and therefore starts in a fifth of a second. First it compares the files with the
limits below, in Python. Then it does with the libraries what the server will do: open, copy, split a
few texts, and let go. A file that crashes a library, or takes it forever, ends this process and not the
server.
"""

from __future__ import annotations

import base64
import copy
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

# Of one file; the largest published one has 62 MB.
MOST_BYTES = 100_000_000
# The largest published vocabulary has 901,629 pieces (XLM-V).
MOST_PIECES = 1_000_000
MOST_MERGES = 1_500_000
# All letters of all pieces. From those of a vocabulary without merges, transformers finds the merges.
MOST_ALL_LETTERS = 20_000_000
# In one piece. Published ones have up to some hundred, all of them spaces; a library that takes a piece
# letter by letter, each inside the last, runs out of stack at 100,000.
MOST_LETTERS = 1_000
# The most published tokens that were added to a vocabulary are 65,536, for sounds. transformers takes a
# tenth of a millisecond for each.
MOST_ADDED = 80_000
# Values in normalizer, pre-tokenizer, template and decoder together, and letters in one of them.
MOST_RULES = 10_000
MOST_RULE_LETTERS = 10_000
# Bytes of the table with which SentencePiece replaces characters, in base64; published: 0.4 MB.
MOST_TABLE = 10_000_000
# Bytes that may take the place of one character; in Unicode's own table, at most 33.
MOST_REPLACED = 200
# Lists and objects, and values, of a JSON file: each takes up to 100 bytes of memory.
MOST_LISTS = 2_000_000
MOST_VALUES = 6_000_000

# The longer one of these texts may take so many seconds of the processor, the shorter one a fourth. It
# is read where a tokenizer has patterns of its own, which may take time with the square of a text.
PROBE, LONG_PROBE = 4_000, 16_000
MOST_SECONDS = 0.4
PROBES = ("x", " ", "7", ".", "'", "河", "a\u0301", "🇩", "a bank ", "\n", "<")
MOST_OWN_PROBES = 24  # made of the letters in a tokenizer's patterns

_TABLE = "precompiled_charsmap"
LINES = ("vocab.txt", "dict.txt", "prophetnet.tokenizer", "merges.txt", "bpe.codes")
_OF_MERGES = ("merges.txt", "bpe.codes")
TABLES = (
    *("vocab.json", "vocab-src.json", "vocab-tgt.json", "target_vocab.json"),
    *("emoji.json", "entity_vocab.json", "byte_maps.json"),
)


class Unfit(Exception):
    """A file is beyond a limit, or a value in it is of the wrong kind; the message follows its name."""


def is_read_by_a_library(name: str) -> bool:
    """Whether this is the name of a file with a vocabulary, and not only of settings."""
    return (
        name in (*LINES, *TABLES)
        or re.fullmatch(r"(tokenizer(\..*)?|tekken.*)\.json", name) is not None
        or name.endswith((".model", ".spm"))
    )


def look(folder: Path, names: Iterable[str]) -> tuple[str, str] | None:
    """Open each file: the name of one that must not be opened, and why; None if there is none."""
    for name in names:
        try:
            _reader(name)(folder / name)
        except Unfit as unfit:
            return name, str(unfit)
        except MemoryError:
            return name, "takes more memory than a tokenizer needs"
    if {"vocab.json", "merges.txt"}.issubset(names):
        with suppress(_Failure):
            _try_out(lambda: _pairs(folder))
    return None


def _reader(name: str) -> Callable[[Path], None]:
    if name in LINES:
        return _lines
    if name in TABLES:
        return _table
    if name.startswith("tekken"):
        return _tekken
    return _sentencepiece if name.endswith((".model", ".spm")) else _whole


# What a file contains


def bytes_of(path: Path, most: int = MOST_BYTES) -> bytes:
    """The content of a file, which may be larger than all memory. Raises Unfit."""
    with path.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size <= most:
            data = stream.read(most + 1)
            size = max(size, len(data))
        if size > most:
            raise Unfit(
                f"has {size / 1e6:,.0f} MB, more than the {most / 1e6:,.0f} MB that Polysee reads"
            )
    return data


def refuse_many_values(data: bytes, share: float = 1) -> None:
    """Raise Unfit if the values of a JSON text would fill the memory, without reading them.

    `share` is the part of our limits that holds for this text.
    """
    lists, values = data.count(b"[") + data.count(b"{"), data.count(b",")
    if lists > share * MOST_LISTS or values > share * MOST_VALUES:
        raise Unfit(f"holds {lists + values:,} values or so, more than Polysee reads")


def _json(path: Path) -> Any:
    """The value in a JSON file; None if it is none, which the server will say in its own words."""
    data = bytes_of(path)
    refuse_many_values(data)
    try:
        return json.loads(data.decode(json.detect_encoding(data)))
    except (ValueError, RecursionError):
        return None


def _check_pieces(pieces: Iterable[Any], count: int, what: str, most: int = MOST_PIECES) -> None:
    """Raise Unfit if there are too many, or too long ones; what is no text is not looked at."""
    if count > most:
        raise Unfit(f"has {count:,} {what}; Polysee opens at most {most:,}")
    lengths = [len(one) for one in pieces if isinstance(one, str | bytes)]
    if max(lengths, default=0) > MOST_LETTERS:
        raise Unfit(
            f"has one of its {what} with {max(lengths):,} letters; at most {MOST_LETTERS:,} are read"
        )
    if sum(lengths) > MOST_ALL_LETTERS:
        raise Unfit(
            f"has {what} of {sum(lengths):,} letters; Polysee opens at most {MOST_ALL_LETTERS:,}"
        )


def _lines(path: Path) -> None:
    data = bytes_of(path)
    merges = path.name in _OF_MERGES
    most = MOST_MERGES if merges else MOST_PIECES
    if data.count(b"\n") > most + 1:
        raise Unfit(f"has {data.count(10):,} lines; Polysee opens at most {most:,}")
    pieces = data.split(b"\n")
    # a letter has up to four bytes, a merge two pieces
    longest = max(map(len, pieces))
    if longest > 4 * MOST_LETTERS * (2 if merges else 1):
        raise Unfit(f"has a line of {longest:,} bytes; at most {MOST_LETTERS:,} letters are read")
    if merges:
        return
    try:
        words = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return
    _check_pieces(words, len(words), "words")
    if path.name == "vocab.txt":
        with suppress(_Failure):
            _try_out(lambda: _words({word: i for i, word in enumerate(dict.fromkeys(words))}))


def _table(path: Path) -> None:
    value = _json(path)
    every = list(_values(value))
    _check_pieces(every, len(every) if isinstance(value, dict | list) else 0, "entries", MOST_VALUES)
    if path.name.startswith(("vocab", "target_vocab")) and isinstance(value, dict):
        _check_pieces(value, len(value), "words")


def _tekken(path: Path) -> None:
    value = _json(path)
    if not isinstance(value, dict):
        return
    for key in ("vocab", "special_tokens"):
        listed = value.pop(key, None)
        if isinstance(listed, list):
            _check_pieces(_values(listed), len(listed), "tokens")
    _check_rules(value)


def _whole(path: Path) -> None:
    """A tokenizer.json, with all its parts."""
    value = _json(path)
    if not isinstance(value, dict):
        return
    model = value.get("model")
    rules = {key: part for key, part in value.items() if key != "added_tokens"}
    if isinstance(model, dict):
        rules["model"] = {key: part for key, part in model.items() if key not in ("vocab", "merges")}
        vocabulary, merges = model.get("vocab"), model.get("merges")
        if isinstance(vocabulary, dict | list):
            _check_pieces(_values(vocabulary, 1), len(vocabulary), "pieces")
        if isinstance(merges, list):
            if len(merges) > MOST_MERGES:
                raise Unfit(f"has {len(merges):,} merges; Polysee opens at most {MOST_MERGES:,}")
            longest = max((len(one) for one in _values(merges, 1) if isinstance(one, str)), default=0)
            if longest > 2 * MOST_LETTERS + 1:
                raise Unfit(f"has a merge of {longest:,} letters; at most {MOST_LETTERS:,} are read")
    added = value.get("added_tokens")
    if isinstance(added, list):
        contents = (one.get("content") for one in added if isinstance(one, dict))
        _check_pieces(contents, len(added), "added tokens", MOST_ADDED)
    patterns = _check_rules(rules)
    data = path.read_bytes()
    text = data.decode(json.detect_encoding(data))
    with suppress(_Failure):
        _try_out(lambda: _from_text(text), patterns)


def _check_rules(rules: Any) -> list[str]:
    """Raise Unfit for rules that are too many or too long; returns the patterns among them."""
    texts: list[str] = []
    patterns: list[str] = []
    count, rest = 0, [("", rules)]
    while rest:
        name, value = rest.pop()
        count += 1
        if count > MOST_RULES:
            raise Unfit(f"has more than {MOST_RULES:,} values in its rules and its template")
        if isinstance(value, dict):
            rest += value.items()
            texts += value
        elif isinstance(value, list):
            # bytes are listed one by one where they are not written as base64
            rest += () if name == _TABLE else ((name, inner) for inner in value)
        elif isinstance(value, str):
            if name == _TABLE:
                _check_table(value)
                continue
            texts.append(value)
            if name == "Regex":
                patterns.append(value)
    longest = max(map(len, texts), default=0)
    if longest > MOST_RULE_LETTERS:
        raise Unfit(f"has a rule of {longest:,} letters; at most {MOST_RULE_LETTERS:,} are read")
    return patterns


def _check_table(given: str) -> None:
    """A table of replacements as base64."""
    if len(given) > MOST_TABLE:
        raise Unfit(f"has a table of {len(given) / 1e6:.0f} MB that replaces characters")
    with suppress(ValueError):
        check_replacements(base64.b64decode(given))


def check_replacements(table: bytes) -> None:
    """Raise Unfit if one character would become a text: a few of them would fill the memory."""
    # It begins with the size of a tree of the characters. The texts that replace them follow, each with
    # a zero at its end.
    texts = table[4 + int.from_bytes(table[:4], "little") :]
    longest = max(map(len, texts.split(b"\0")))
    if longest > MOST_REPLACED:
        raise Unfit(f"replaces one character by {longest:,} bytes; at most {MOST_REPLACED} are read")


def _values(value: Any, depth: int = 16) -> Iterator[Any]:
    """What is in a list or an object, and in those within it: names and values."""
    rest = [(value, depth)]
    while rest:
        one, left = rest.pop()
        if not isinstance(one, dict | list):
            continue
        for inner in one.values() if isinstance(one, dict) else one:
            yield inner
            if left > 0 and isinstance(inner, dict | list):
                rest.append((inner, left - 1))
        if isinstance(one, dict):
            yield from one


# What the libraries make of it


class _Failure(Exception):
    """A library refuses a file, as it will refuse it in the server, which says so in its own words."""


def _guarded(act: Callable[[], Any]) -> Any:
    """The result of a library; all its own errors are _Failure."""
    try:
        return act()
    except (Unfit, MemoryError):
        raise
    except BaseException as error:  # a panic in Rust raises no `Exception`
        raise _Failure from error


def _try_out(made: Callable[[], Any], patterns: Sequence[str] = ()) -> None:
    """Open a tokenizer of the Rust library, copy it and split texts with the copy. Raises Unfit."""
    tokenizer = _guarded(made)
    tokenizer = _guarded(lambda: copy.deepcopy(tokenizer))

    def prepare() -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        if (getattr(tokenizer.model, "max_input_chars_per_word", None) or 0) > MOST_LETTERS:
            tokenizer.model.max_input_chars_per_word = MOST_LETTERS  # as the server does

    _guarded(prepare)
    for unit in (*PROBES, *_units(patterns)):
        _time(tokenizer.encode, unit, PROBE)
        if patterns:
            _time(tokenizer.encode, unit, LONG_PROBE)


def _time(split: Callable[[str], Any], unit: str, length: int = PROBE) -> None:
    """Raise Unfit if a text of this unit, again and again, takes too long, or too many steps."""
    # A pattern that ends in "$" is slow where the end is another sign.
    text = unit * (length // len(unit)) + ("?" if unit == "!" else "!")
    began = time.thread_time()
    try:
        _guarded(lambda: split(text))
    except _Failure as failure:
        if not isinstance(failure.__cause__, Exception):  # Rust gives up, after very many steps
            raise Unfit(
                f"fails to split a text of {length:,} characters ({unit!r}, again and again)"
            ) from failure
    took = time.thread_time() - began
    if took > MOST_SECONDS * length / LONG_PROBE:
        raise Unfit(
            f"needs {took:.1f} s to split a text of {length:,} characters ({unit!r}, again and again), "
            "more than Polysee allows"
        )


def _units(patterns: Sequence[str]) -> list[str]:
    """What the patterns of a tokenizer name, as units of texts: words, then signs."""
    found = [one for pattern in patterns for one in re.findall(r"[^\W\d_]{2,20}", pattern)]
    found += [one for pattern in patterns for one in pattern if not one.isspace()]
    return [*dict.fromkeys(found)][:MOST_OWN_PROBES]


def _from_text(data: str) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_str(data)


def _words(vocabulary: Mapping[str, int]) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece

    return Tokenizer(WordPiece(dict(vocabulary), unk_token="[UNK]"))


def _pairs(folder: Path) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import BPE

    return Tokenizer(BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt")))


def _sentencepiece(path: Path) -> None:
    data = bytes_of(path)
    # a file of tiktoken, whose lines transformers reads, may have this ending
    if data.count(b"\n") > 4 * MOST_PIECES:
        raise Unfit(f"has more than {4 * MOST_PIECES:,} lines")
    with suppress(_Failure):
        _check_sentences(data)


def _check_sentences(data: bytes) -> None:
    from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

    made: Any = sentencepiece_model_pb2  # which has no types
    model = made.ModelProto()
    _guarded(lambda: model.ParseFromString(data))
    _check_pieces((one.piece for one in model.pieces), len(model.pieces), "pieces")
    own = sum(one.type in (3, 4) for one in model.pieces)  # control symbols, and symbols of a user
    if own > MOST_ADDED:
        raise Unfit(f"has {own:,} symbols of its own; Polysee opens at most {MOST_ADDED:,}")
    rules = (model.normalizer_spec, model.denormalizer_spec)
    for rule in rules:
        if len(rule.precompiled_charsmap) > MOST_TABLE:
            raise Unfit(
                f"has a table of {len(rule.precompiled_charsmap) / 1e6:.0f} MB that replaces characters"
            )
        if rule.precompiled_charsmap:
            check_replacements(rule.precompiled_charsmap)
    processor = _guarded(lambda: SentencePieceProcessor(model_proto=data))
    for unit in PROBES:
        _time(lambda text: processor.encode(text, out_type=str), unit)
    with suppress(_Failure):
        _try_out(lambda: _unigram(model))


def _unigram(model: Any) -> Any:
    """The same pieces in the Rust library, to which transformers takes them."""
    from tokenizers import Tokenizer, models, normalizers

    pieces = [(one.piece, one.score) for one in model.pieces]
    made = Tokenizer(models.Unigram(pieces, unk_id=max(0, model.trainer_spec.unk_id)))
    table = model.normalizer_spec.precompiled_charsmap
    if table:
        made.normalizer = normalizers.Precompiled(bytes(table))
    return made


# The process


def limit(memory: int, seconds: int) -> None:
    """Limit this process: bytes of memory, and seconds of a processor.

    Where there are no such limits, the process that started this one ends it when its time is over.
    """
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # if the memory ends, this process ends
    try:
        import resource
    except ImportError:  # on Windows
        return
    for kind, most in MappingProxyType(
        {"RLIMIT_AS": memory, "RLIMIT_CPU": seconds, "RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0}
    ).items():
        with suppress(OSError, ValueError, AttributeError):
            which = getattr(resource, kind)
            _, hard = resource.getrlimit(which)
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (allowed, allowed))


def main() -> None:
    """Read what to do from the standard input, and write what was found to the standard output."""
    asked = json.loads(sys.stdin.readline())
    sys.path += asked["path"]
    limit(asked["memory"], asked["seconds"])
    found = look(Path(asked["folder"]), asked["names"])
    print(json.dumps({"unfit": found}), flush=True)


if __name__ == "__main__":
    main()
