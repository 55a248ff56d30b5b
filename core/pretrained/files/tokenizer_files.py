"""A model's tokenizer, built only from files with known names.

Strangers write the settings beside a model, and `transformers` passes every key in them to the class
that it builds. Some of those keys are paths: `{"vocab": "/etc/passwd"}` would make a vocabulary of any
file on the machine. `transformers` therefore never sees such a folder. It sees a copy with only the
files of a tokenizer, and in the settings only the keys that decide how a text is split, each with a
value of the right type. None of them is a path.
"""

from __future__ import annotations

import json
import re
import tempfile
import warnings
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...errors import ModelBroken, in_short
from ..tokenizer.backends import ANY_GROWTH, fails, growth
from . import tokenizer_apart
from .tokenizer_probe import MOST_ADDED, MOST_LETTERS, MOST_PIECES, Unfit, bytes_of
from .weight_files import advice, parse_json, read_json

SETTINGS = "tokenizer_config.json"
SPECIAL_TOKENS = "special_tokens_map.json"
ADDED_TOKENS = "added_tokens.json"
WHOLE = "tokenizer.json"
BYTE_MAPS = "byte_maps.json"

# The files of all tokenizers in transformers, as patterns of `fnmatch`.
FILES = (
    SETTINGS,
    SPECIAL_TOKENS,
    ADDED_TOKENS,
    WHOLE,
    "tokenizer.*.json",  # for other versions of transformers
    "vocab.json",
    "vocab.txt",
    "vocab-src.json",
    "vocab-tgt.json",
    "target_vocab.json",
    "merges.txt",
    "bpe.codes",
    "dict.txt",
    "emoji.json",
    "entity_vocab.json",
    "prophetnet.tokenizer",
    BYTE_MAPS,
    "tekken*.json",
    "*.model",
    "*.spm",
)
_FILES = re.compile("|".join(re.escape(file).replace(r"\*", r"[\w.-]*") for file in FILES), re.ASCII)
# Any one of these groups is enough for a tokenizer; a name with a star stands for any matching file.
VOCABULARIES = (
    (WHOLE,),
    ("vocab.txt",),
    ("vocab.json", "merges.txt"),
    ("vocab-src.json", "vocab-tgt.json", "merges.txt"),
    ("vocab.json", "source.spm", "target.spm"),
    ("spiece.model",),
    ("sentencepiece.bpe.model",),
    ("sentencepiece.model",),
    ("spm.model",),
    ("tokenizer.model",),
    ("prophetnet.tokenizer",),
    (BYTE_MAPS,),
    ("tekken.json",),
)
# Types of models that read bytes or characters directly.
WITHOUT_VOCABULARY = frozenset({"byt5", "canine", "perceiver"})
# ByT5 has no type of its own: its models have the type of T5, and only the class of the tokenizer
# differs.
CLASSES_WITHOUT_VOCABULARY = ("ByT5Tokenizer", "CanineTokenizer", "PerceiverTokenizer")

_MARKS = (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)
# transformers searches such a list once for each of its tokens.
MOST_SPECIAL_TOKENS = 10_000
# transformers may fill all ids below that of an added token.
MOST_ID = MOST_PIECES + MOST_ADDED


def has_vocabulary(names: Iterable[str]) -> bool:
    """Whether these file names are enough for a tokenizer with a learned vocabulary."""
    there = set(names)
    return any(there.issuperset(group) for group in VOCABULARIES)


def needs_no_vocabulary(folder: Path, kind: object, name: str) -> bool:
    """Whether the tokenizer in this folder reads bytes or characters, and needs no vocabulary file.

    `kind` is the model's type. Raises ModelBroken if its settings are damaged.
    """
    path = folder / SETTINGS
    if kind in WITHOUT_VOCABULARY or not path.is_file():
        return kind in WITHOUT_VOCABULARY
    return read_json(path, name).get("tokenizer_class") in CLASSES_WITHOUT_VOCABULARY


def load(folder: Path, kind: str, name: str, *, known: bool = False) -> Any:
    """The tokenizer of a model, as `transformers` builds it from the files in its folder.

    Args:
        folder: the folder of the model.
        kind: the model's type, according to its config.json.
        name: the name of the model in messages.
        known: whether Polysee has written the folder out of a published file with its checksum: nothing
            in it is a stranger's, and the class of `transformers` that takes the file as it is reads
            it.

    Raises:
        ModelBroken: if a file is damaged, is not of the kind that its name says, or requests something
            other than a tokenizer of `transformers`.
    """
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    if known:
        return _built(PreTrainedTokenizerFast, folder, folder, name)
    try:
        with tempfile.TemporaryDirectory(prefix="polysee-tokenizer-") as temporary:
            # A class may inspect the path of its model to decide between two variants.
            copy = Path(temporary) / re.sub(r"[^\w.-]+", "-", str(folder), flags=re.ASCII)[-100:]
            copy.mkdir()
            _copy(folder, copy, kind, name)
            tokenizer_apart.check(copy, name)  # at once, unless a file has changed meanwhile
            # Marian's own class reads only source.spm, even if there is a tokenizer.json.
            whole = kind == "marian" and (copy / WHOLE).exists()
            reader = PreTrainedTokenizerFast if whole else AutoTokenizer
            return _built(reader, copy, folder, name)
    except OSError as error:
        raise ModelBroken(
            "The tokenizer of “{name}” cannot be read: {in_short} Check the permissions of "
            "{folder}, its disk, and the room for temporary files ({tempdir}).",
            name=name,
            in_short=in_short(error),
            folder=folder,
            tempdir=tempfile.tempdir,
        ) from error


def _built(reader: Any, copy: Path, folder: Path, name: str) -> Any:
    """Build a tokenizer with this `transformers` class from the copy of a folder."""
    try:
        with warnings.catch_warnings():
            # Marian's class names a library that it does not need to split a text.
            warnings.filterwarnings("ignore", "Recommended: pip install sacremoses")
            return reader.from_pretrained(copy, local_files_only=True, trust_remote_code=False)
    except BaseException as error:
        if not fails(error):
            raise
        raise ModelBroken(
            "The tokenizer of “{name}” cannot be read: {in_short} {advice}",
            name=name,
            in_short=in_short(error, str(copy), str(folder)),
            advice=advice(folder),
        ) from error


def _copy(folder: Path, copy: Path, kind: str, name: str) -> None:
    """Put the files of a tokenizer into `copy`, with checked settings."""
    for path in sorted(folder.iterdir()):
        if not _FILES.fullmatch(path.name) or not path.is_file():
            continue
        (copy / path.name).write_bytes(_content(path, name))
    # The keys that decide which class reads the files; nothing else of the model's configuration.
    (copy / "config.json").write_text(json.dumps(_config(folder, kind, name)), "utf-8")


def _content(path: Path, name: str) -> bytes:
    """The bytes of a file, safe for `transformers`. ModelBroken: if they are of the wrong kind."""
    clean = _CLEAN.get(path.name)
    try:
        if clean is not None:
            return json.dumps(clean(read_json(path, name))).encode()
        data = _in_utf8(bytes_of(path), path)
    except Unfit as unfit:
        raise ModelBroken(
            "The {file} of “{name}” {unfit}. {advice}",
            file=path.name,
            name=name,
            unfit=unfit,
            advice=advice(path.parent),
        ) from unfit
    if path.name == BYTE_MAPS or re.fullmatch(r"tokenizer(\..*)?\.json", path.name):
        value = parse_json(data, path, name)
        # Where a table is expected, some classes take a string as the name of a file with the table.
        tables = [*value.values()] if path.name == BYTE_MAPS else _tables(value.get("model"))
        if any(not isinstance(table, dict | list) for table in tables):
            raise ModelBroken(
                "The {file} of “{name}” only names a vocabulary; it must contain one. {advice}",
                file=path.name,
                name=name,
                advice=advice(path.parent),
            )
        if growth(value.get("normalizer")) > ANY_GROWTH:
            raise ModelBroken(
                "The {file} of “{name}” has rules that make a text many thousand times longer, "
                "too long for the memory. {advice}",
                file=path.name,
                name=name,
                advice=advice(path.parent),
            )
    return data


def _in_utf8(data: bytes, path: Path) -> bytes:
    """A text file as the libraries read it: in UTF-8, without the mark that Windows puts in front."""
    if path.suffix not in (".json", ".txt"):
        return data
    try:
        if path.suffix == ".json":  # its first characters show how it is encoded, without a mark too
            return data.decode(json.detect_encoding(data)).encode()
        if not data.startswith(_MARKS):
            return data
        return data.decode("utf-8-sig" if data.startswith(BOM_UTF8) else "utf-16").encode()
    except UnicodeError:  # then it is no text; whoever reads it says so
        return data


def _tables(model: Any) -> list[Any]:
    if not isinstance(model, dict):
        return []
    return [model[key] for key in ("vocab", "merges") if model.get(key) is not None]


def _config(folder: Path, kind: str, name: str) -> dict[str, Any]:
    """The keys of config.json that determine the class of the tokenizer."""
    path = folder / "config.json"
    config = read_json(path, name) if path.is_file() else {}
    clean: dict[str, Any] = {"model_type": kind}
    version = config.get("transformers_version")
    if isinstance(version, str) and re.fullmatch(r"[\w.+-]{1,40}", version, re.ASCII):
        clean["transformers_version"] = version
    for half in ("encoder", "decoder"):
        inner = config.get(half)
        if isinstance(inner, dict) and isinstance(inner.get("model_type"), str):
            clean[half] = {"model_type": inner["model_type"]}
    if config.get("tokenizer_class") is not None:
        try:
            clean["tokenizer_class"] = _class(config["tokenizer_class"])
        except Unfit as unfit:
            raise ModelBroken(
                "The config.json of “{name}” {at}. {advice}",
                name=name,
                at=_at("tokenizer_class", unfit),
                advice=advice(folder),
            ) from unfit
    return clean


Check = Callable[[Any], Any]  # returns the cleaned value; raises Unfit


def _flag(value: Any) -> bool:
    if value not in (True, False):
        raise Unfit("true or false")
    return bool(value)


def _number(most: float) -> Check:
    def check(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
            raise Unfit(f"a number from 0 to {most:g}")
        return value

    return check


def _word(value: Any) -> str:
    """The name of a language or of an option; no path has this form."""
    if not isinstance(value, str) or not re.fullmatch(r"[\w+-]{0,1000}", value, re.ASCII):
        raise Unfit("a name of letters and digits")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MOST_LETTERS:
        raise Unfit(f"a text of at most {MOST_LETTERS} characters")
    return value


def _token(value: Any) -> Any:
    """A token: its text, or an object with further properties."""
    if not isinstance(value, dict):
        return _text(value)
    token: dict[str, Any] = {"content": _text(value.get("content"))}
    if value.get("__type") == "AddedToken":
        token["__type"] = "AddedToken"
    for key in ("lstrip", "rstrip", "single_word", "normalized", "special"):
        if value.get(key) is not None:
            token[key] = _flag(value[key])
    return token


def _list(check: Check, most: int) -> Check:
    def checked(value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise Unfit(f"a list of at most {most}")
        return [check(one) for one in value]

    return checked


def _table(key: Check, check: Check, most: int) -> Check:
    def checked(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or len(value) > most:
            raise Unfit(f"an object of at most {most}")
        return {key(one): check(other) for one, other in value.items()}

    return checked


def _only(**checks: Check) -> Check:
    """A check for objects that keeps only these keys."""

    def checked(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Unfit("an object")
        return {key: check(value[key]) for key, check in checks.items() if value.get(key) is not None}

    return checked


def _attribute(value: Any) -> str:
    """The name under which a tokenizer stores an additional special token."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z]\w{0,63}", value, re.ASCII):
        raise Unfit("an object whose names are of letters and digits")
    return value


def _number_name(value: Any) -> str:
    if (
        not isinstance(value, str)
        or not re.fullmatch(r"\d{1,9}", value, re.ASCII)
        or int(value) >= MOST_ID
    ):
        raise Unfit(f"an object whose names are numbers below {MOST_ID:,}")
    return value


def _class(value: Any) -> str:
    """The name of a tokenizer class in `transformers`, or of one that it replaces with its own."""
    from transformers import PreTrainedTokenizerBase
    from transformers.models.auto.tokenization_auto import tokenizer_class_from_name

    named: Any = object
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z]\w{0,99}", value, re.ASCII):
        named = tokenizer_class_from_name(value)
    # None makes AutoTokenizer read tokenizer.json directly.
    if named is not None and not (
        isinstance(named, type)
        # If the library of a class is not installed, a placeholder class stands in its place, whose
        # only use is to say so.
        and (issubclass(named, PreTrainedTokenizerBase) or hasattr(named, "_backends"))
        and named.__module__.startswith("transformers.")
    ):
        raise Unfit("the name of a tokenizer of transformers")
    return str(value)


_WORDS = _list(_text, MOST_SPECIAL_TOKENS)
_SPECIAL = _list(_token, MOST_SPECIAL_TOKENS)
_NAMED = _table(_attribute, _token, MOST_SPECIAL_TOKENS)


def _special(value: Any) -> Any:
    return _NAMED(value) if isinstance(value, dict) else _SPECIAL(value)


# Every key that is passed on, with the check of its value. A test compares the list with the parameters
# of all tokenizers in transformers.
KEYS: Mapping[str, Check] = MappingProxyType(
    {
        "tokenizer_class": _class,
        "added_tokens_decoder": _table(_number_name, _token, MOST_ADDED),
        "additional_special_tokens": _special,
        "extra_special_tokens": _special,
        "model_specific_special_tokens": _NAMED,
        "fast_tokenizer_files": lambda value: [
            file
            for file in _list(_text, 100)(value)
            if re.fullmatch(r"tokenizer\.[\w.-]+\.json", file, re.ASCII)
        ],
        # The first may also name files, for the libraries that segment Japanese.
        "mecab_kwargs": _only(
            mecab_dic=_word, do_lower_case=_flag, normalize_text=_flag, never_split=_WORDS
        ),
        "sudachi_kwargs": _only(
            sudachi_split_mode=_word, sudachi_dict_type=_word, sudachi_projection=_word
        ),
        "jumanpp_kwargs": _only(trim_whitespace=_flag),
        "mask_token_sent": _token,
        "entity_token_1": _token,
        "entity_token_2": _token,
        "wordpieces_prefix": _text,
        "never_split": _WORDS,
        "langs": _list(_word, 100),
        "model_input_names": _list(_word, 100),
        "lang2id": _table(_word, _number(1e6), 10_000),
        "id2lang": _table(_number_name, _word, 10_000),
        **dict.fromkeys(
            (
                "add_bos_token",
                "add_eos_token",
                "add_prefix_space",
                "clean_text",
                "clean_up_tokenization_spaces",
                "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output",
                "do_basic_tokenize",
                "do_clean_text",
                "do_lower_case",
                "do_lowercase",
                "do_lowercase_and_remove_accent",
                "do_subword_tokenize",
                "do_upper_case",
                "do_word_tokenize",
                "fix_mistral_regex",
                "keep_accents",
                "legacy",
                "legacy_behaviour",
                "normalization",
                "normalize",
                "remove_space",
                "return_token_type_ids",
                "separate_vocabs",
                "spaces_between_special_tokens",
                "split_by_punct",
                "split_special_tokens",
                "strip_accents",
                "token_type_ids_include_special_tokens",
                "tokenize_chinese_chars",
                "trim_offsets",
                "use_default_system_prompt",
            ),
            _flag,
        ),
        **dict.fromkeys(
            ("extra_ids", "num_madeup_words", "offset", "unk_id"), _number(MOST_SPECIAL_TOKENS)
        ),
        **dict.fromkeys(("max_entity_length", "max_mention_length"), _number(1e6)),
        # “No limit” is written as 10³⁰.
        **dict.fromkeys(("max_len", "model_max_length"), _number(1e40)),
        **dict.fromkeys(
            (
                "errors",
                "language",
                "language_codes",
                "padding_side",
                "source_lang",
                "special_tokens_pattern",
                "src_lang",
                "subword_tokenizer_type",
                "target_lang",
                "task",
                "tgt_lang",
                "token_type_ids_pattern",
                "truncation_side",
                "word_tokenizer_type",
            ),
            _word,
        ),
    }
)
# Tokenizers may name additional special tokens.
_TOKEN_KEY = re.compile(r"[a-z][a-z0-9_]{0,60}_token", re.ASCII)


def _clean_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    clean: dict[str, Any] = {}
    for key, value in settings.items():
        check = KEYS.get(key)
        if check is None and _TOKEN_KEY.fullmatch(key) and isinstance(value, str | dict):
            check = _token
        if check is None:
            continue
        try:
            clean[key] = None if value is None else check(value)
        except Unfit as unfit:
            raise Unfit(_at(key, unfit)) from unfit
    return clean


def _clean_special(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The tokens in special_tokens_map.json. `transformers` would read all else in it as settings."""
    tokens = {
        key: value
        for key, value in settings.items()
        if _TOKEN_KEY.fullmatch(key) or key in ("additional_special_tokens", "extra_special_tokens")
    }
    clean = _clean_settings(tokens)
    for token in clean.values():
        if isinstance(token, dict):  # here the key is implied, and transformers accepts no other value
            token.pop("__type", None)
    return clean


def _clean_added(added: Mapping[str, Any]) -> dict[str, Any]:
    try:
        checked: dict[str, Any] = _table(_text, _index, MOST_ADDED)(added)
    except Unfit as unfit:
        raise Unfit(f"must be {unfit}") from unfit
    return checked


def _index(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_ID:
        raise Unfit("an object whose values are ids of tokens")
    return value


def _at(key: str, unfit: Unfit) -> str:
    return f"has a “{key}” that does not fit: {unfit} is expected"


_CLEAN: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = MappingProxyType(
    {SETTINGS: _clean_settings, SPECIAL_TOKENS: _clean_special, ADDED_TOKENS: _clean_added}
)
