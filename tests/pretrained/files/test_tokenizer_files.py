"""Tokenizers from folders: the same as `transformers` builds, and from no other file on the machine."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import pkgutil
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import core
from core.pretrained.files import checkpoint, tokenizer_files
from tests.pretrained.fake_hub import serve
from tests.pretrained.fakes import python, readable, refusal, write_bert
from tests.pretrained.tokenizer_kinds import (
    FAST,
    SLOW,
    TEXTS,
    numbered,
    sentence_model,
    word_pieces,
    written,
)
from tests.tiers import some

CONFIG = "tokenizer_config.json"

# Equal to the tokenizers that `transformers` builds.


def type_of(tokenizer: Any) -> str:
    """A type of model that this tokenizer belongs to."""
    from transformers import CONFIG_MAPPING
    from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES

    own = type(tokenizer).__name__
    kinds = (kind for kind, name in TOKENIZER_MAPPING_NAMES.items() if name == own)
    return next((kind for kind in kinds if kind in CONFIG_MAPPING), "bert")


def same(mine: Any, theirs: Any) -> None:
    """Check that two tokenizers are equal: class, pieces, rules, template, special tokens, settings."""
    assert type(mine) is type(theirs)
    if hasattr(theirs, "backend_tokenizer"):
        assert mine.backend_tokenizer.to_str() == theirs.backend_tokenizer.to_str()
    elif theirs.vocab_size < 10**6:
        assert mine.get_vocab() == theirs.get_vocab()
    for name in ("all_special_tokens", "all_special_ids", "special_tokens_map", "model_max_length"):
        assert getattr(mine, name) == getattr(theirs, name), name
    plain = (str, int, float, bool, list, tuple, type(None))
    for name, value in vars(theirs).items():
        said = str(value) if isinstance(value, plain) else ""
        if said and "/saved" not in said and "polysee-tokenizer" not in said:  # not where it lay
            assert str(vars(mine)[name]) == said, name
    for text in TEXTS:
        assert mine(text)["input_ids"] == theirs(text)["input_ids"]
        assert mine(text, "a bank")["input_ids"] == theirs(text, "a bank")["input_ids"]


@pytest.fixture
def save(tmp_path: Path) -> Callable[[str], tuple[Path, str]]:
    """A folder in which this kind of tokenizer has saved itself, with the type of its model."""

    def saved(kind: str) -> tuple[Path, str]:
        (tmp_path / "made").mkdir()
        made = FAST[kind]() if kind in FAST else SLOW[kind](tmp_path / "made")
        folder = tmp_path / "saved"
        made.save_pretrained(folder)
        model_type = type_of(made)
        written(folder, "config.json", {"model_type": model_type})
        return folder, model_type

    return saved


@pytest.mark.check
@pytest.mark.parametrize("kind", some([*SLOW, *FAST], 11))
def test_an_honest_folder_gives_the_tokenizer_of_transformers(
    kind: str, save: Callable[[str], tuple[Path, str]]
) -> None:
    from transformers import AutoTokenizer

    folder, model_type = save(kind)
    if kind == "BERT in Python":  # it has no type of its own
        said = json.loads((folder / CONFIG).read_text()) | {"tokenizer_class": "BertTokenizerLegacy"}
        written(folder, CONFIG, said)
    same(tokenizer_files.load(folder, model_type, "x"), AutoTokenizer.from_pretrained(folder))


# As older versions of transformers saved them, or as they are published.
OLD: dict[str, tuple[str, dict[str, Any]]] = {
    "a vocabulary alone": ("bert", {"vocab.txt": "\n".join(word_pieces())}),
    "cased": ("bert", {"vocab.txt": "\n".join(word_pieces("B")), CONFIG: {"do_lower_case": False}}),
    "added tokens": (
        "bert",
        {
            "vocab.txt": "\n".join(word_pieces()),
            "added_tokens.json": {"<new>": len(word_pieces()), "riverbank": len(word_pieces()) + 1},
            "special_tokens_map.json": {
                "mask_token": {
                    "content": "[MASK]",
                    "lstrip": True,
                    "rstrip": False,
                    "normalized": True,
                },
                "additional_special_tokens": ["<new>"],
            },
            CONFIG: {"model_max_length": 1e30, "strip_accents": None, "do_lower_case": True},
        },
    ),
    "added_tokens_decoder": (
        "bert",
        {
            "vocab.txt": "\n".join(word_pieces()),
            CONFIG: {
                "tokenizer_class": "BertTokenizerFast",
                "added_tokens_decoder": {
                    "4": {"content": "[MASK]", "lstrip": True, "special": True},
                    str(len(word_pieces())): {"content": "riverbank", "special": False},
                },
                "extra_special_tokens": {"image_token": "[PAD]"},
                "additional_special_tokens": [{"__type": "AddedToken", "content": "<new>"}],
                "never_split": None,
                "tokenize_chinese_chars": False,
            },
        },
    ),
    "a model of SentencePiece": (
        "albert",
        {"spiece.model": "model", CONFIG: {"do_lower_case": True, "keep_accents": False}},
    ),
    "T5": ("t5", {"spiece.model": "model", CONFIG: {"extra_ids": 7, "legacy": False}}),
    "XLM-R": ("xlm-roberta", {"sentencepiece.bpe.model": "model"}),
    "Llama": (
        "llama",
        {"tokenizer.model": "pairs", CONFIG: {"add_bos_token": True, "add_eos_token": True}},
    ),
    "mBART": ("mbart", {"sentencepiece.bpe.model": "model", CONFIG: {"src_lang": "ro_RO"}}),
    "an unknown class": (
        "bert",
        {"vocab.txt": "\n".join(word_pieces()), "tokenizer.json": "BERT"}
        | {CONFIG: {"tokenizer_class": "SomeoneElsesTokenizer"}},
    ),
    "a class in the configuration of the model": (
        "t5",
        {"config.json": {"model_type": "t5", "tokenizer_class": "BertTokenizer"}}
        | {"vocab.txt": "\n".join(word_pieces())},
    ),
    "for another version": (
        "bert",
        {"tokenizer.json": "XLM-R", "tokenizer.4.0.0.json": "BERT"}
        | {CONFIG: {"fast_tokenizer_files": ["tokenizer.4.0.0.json", "tokenizer.json"]}},
    ),
    "ByT5": ("t5", {CONFIG: {"tokenizer_class": "ByT5Tokenizer", "extra_ids": 3}}),
}


def write(folder: Path, model_type: str, files: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    written(folder, "config.json", {"model_type": model_type})
    for name, content in files.items():
        if content in ("model", "pairs"):
            options = {"model_type": "bpe"} if content == "pairs" else {}
            content = sentence_model(control_symbols="[CLS],[SEP],[MASK],<pad>", **options)
        if isinstance(content, str) and content in FAST:
            content = FAST[content]().backend_tokenizer.to_str()
        written(folder, name, content)
    return folder


@pytest.mark.few(5)
@pytest.mark.parametrize("case", OLD)
def test_an_older_folder_gives_the_tokenizer_of_transformers(case: str, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    model_type, files = OLD[case]
    folder = write(tmp_path / "saved", model_type, files)
    same(tokenizer_files.load(folder, model_type, "x"), AutoTokenizer.from_pretrained(folder))


def test_links_as_the_hub_has_them_are_followed(tmp_path: Path) -> None:
    folder = write(tmp_path / "saved", *OLD["cased"])
    links = tmp_path / "models--a--b" / "snapshots" / "0123"
    links.mkdir(parents=True)
    for path in folder.iterdir():
        (links / path.name).symlink_to(os.path.relpath(path, links))
    same(tokenizer_files.load(links, "bert", "x"), tokenizer_files.load(folder, "bert", "x"))


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    folder = write(tmp_path / "saved", *OLD["cased"])
    tokenizer_files.load(folder, "bert", "x")
    written(folder, "vocab.txt", b"\xff")
    with pytest.raises(core.ModelBroken) as caught:
        tokenizer_files.load(folder, "bert", "x")
    assert str(tmp_path / "temporary") not in str(caught.value)
    assert not list((tmp_path / "temporary").iterdir())


def test_no_room_for_the_copy_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    folder = write(tmp_path / "saved", *OLD["cased"])
    with pytest.raises(core.ModelBroken) as caught:
        tokenizer_files.load(folder, "bert", "x")
    readable(str(caught.value))
    assert "nowhere" in str(caught.value)


# All keys.


def classes() -> dict[str, Any]:
    """All the tokenizers in `transformers`."""
    import transformers.models
    from transformers import PreTrainedTokenizerBase

    found: dict[str, Any] = {}
    for package in pkgutil.iter_modules(transformers.models.__path__):
        place = Path(transformers.models.__path__[0]) / package.name
        for file in place.glob("tokenization_*.py"):
            name = f"transformers.models.{package.name}.{file.stem}"
            try:
                module = importlib.import_module(name)
            except (ImportError, NameError):  # for sound, and its library is not here
                assert package.name in ("pop2piano", "vits", "fastspeech2_conformer"), name
                continue
            for one in vars(module).values():
                if inspect.isclass(one) and issubclass(one, PreTrainedTokenizerBase):
                    found[one.__name__] = one
    return found


# Settings that no folder decides: Python objects, padding and truncation of batches, other modalities.
NOT_FOLLOWED = {
    *("self", "args", "kwargs", "vocab", "merges", "tags_dict", "entity_vocab", "tokenizer_object"),
    *("_spm_precompiled_charsmap", "sp_model_kwargs"),
    *("max_length", "predict_timestamps", "cls_token_box", "sep_token_box"),
    *("pad_token_box", "pad_token_label", "only_label_first_subword", "max_depth", "max_width"),
    *("pad_width", "cell_trim_length", "max_column_id", "max_row_id", "strip_column_names"),
    *("update_answer_coordinates", "min_question_length", "max_question_length", "add_blank"),
    *("is_uroman", "phonemize", "do_phonemize", "phonemizer_lang", "phonemizer_backend"),
    *("should_strip_spaces", "replace_word_delimiter_char", "lang_codes"),
}


def test_every_setting_of_every_tokenizer_is_followed_or_left_out_knowingly() -> None:
    settings, files = set(), set()
    for one in classes().values():
        settings |= set(inspect.signature(one.__init__).parameters)
        files |= set(one.vocab_files_names)
    assert {"vocab", "vocab_file", "source_spm", "monolingual_vocab_file", "do_lower_case"} <= settings
    unknown = {
        key
        for key in settings - files
        if key not in tokenizer_files.KEYS and not key.endswith("_token")
    }
    assert unknown <= NOT_FOLLOWED, unknown - NOT_FOLLOWED
    followed = set(tokenizer_files.KEYS)
    assert not followed & (files | NOT_FOLLOWED)
    assert not [key for key in followed if key.endswith("_file") or "path" in key]


def test_every_file_of_every_tokenizer_is_known() -> None:
    from fnmatch import fnmatch

    names = {file for one in classes().values() for file in one.vocab_files_names.values()}
    unknown = {name for name in names if not any(fnmatch(name, like) for like in tokenizer_files.FILES)}
    # For models that do not read plain text: glyphs, pronunciations, and speech.
    assert unknown == {"word_shape.json", "word_pronunciation.json", "normalizer.json"}


# No value is a path.

OPENED: list[str] = []
_WATCHING: list[bool] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _WATCHING:
        OPENED.append(str(arguments[0]))


sys.addaudithook(_watch)


@contextmanager
def watched() -> Iterator[list[str]]:
    """The files that Python opens meanwhile; those of the Rust library are not recorded."""
    OPENED.clear()
    _WATCHING.append(True)
    try:
        yield OPENED
    finally:
        _WATCHING.pop()


@pytest.fixture
def secret(tmp_path: Path) -> dict[str, str]:
    """Files that no model may read, each a vocabulary of another kind, by format."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    tokens = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "<unk>",
        "<s>",
        "</s>",
        "<pad>",
        "secretword",
    ]
    return {
        "lines": written(place, "lines", "\n".join(tokens)),
        "json": written(place, "words.json", numbered(tokens)),
        "pairs": written(place, "pairs", "#version: 0.2\nse cret\n"),
        "model": written(place, "spiece.model", sentence_model()),
        "whole": written(place, "tokenizer.json", FAST["BERT"]().backend_tokenizer.to_str()),
    }


def other_keys() -> set[str]:
    """All keys of all tokenizers, and of their loaders, that could be a path."""
    files = {key for one in classes().values() for key in one.vocab_files_names}
    return files | {
        *("vocab", "merges", "tokenizer_file", "vocab_file", "merges_file", "spm_file", "source_spm"),
        *(
            "target_spm",
            "sp_model",
            "sp_model_file",
            "monolingual_vocab_file",
            "dict_file",
            "gguf_file",
        ),
        *(
            "name_or_path",
            "tokenizer_object",
            "fast_tokenizer_files",
            "chat_template_file",
            "entity_vocab",
        ),
        *("added_tokens_file", "special_tokens_map_file", "tokenizer_config_file", "normalizer_file"),
        *("init_inputs", "sp_model_kwargs", "auto_tokenizer"),
        *(
            "_name_or_path",
            "cache_dir",
            "subfolder",
            "config",
            "tokenizer_type",
            "model_file",
            "files_loaded",
        ),
        *("target_vocab_file", "byte_maps", "vocab_path", "dictionary", "trie", "corpus", "path"),
    }


def test_the_keys_that_are_tried_are_all_that_there_are() -> None:
    assert len(other_keys()) > 40
    assert not other_keys() & set(tokenizer_files.KEYS) - {"fast_tokenizer_files"}


def shapes(path: str) -> list[Any]:
    """A path as the value of a key, in all the forms that a settings file has."""
    token = {"__type": "AddedToken", "content": path}
    return [path, [path], {"file": path}, {"model_file": path}, token, [[path, 0.0]], {path: 0}]


def knows(tokenizer: Any, word: str) -> bool:
    return any(word in token for token in tokenizer.get_vocab())


OWN: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    # its class, a type of model, the kind of file that it would take, and the files that it has
    "BERT, by lines": ("BertTokenizer", "bert", "lines", {"vocab.txt": "\n".join(word_pieces())}),
    "BERT, fast": ("BertTokenizerFast", "bert", "lines", {"vocab.txt": "\n".join(word_pieces())}),
    "BERT, whole": ("BertTokenizerFast", "bert", "whole", {"tokenizer.json": "BERT"}),
    "RoBERTa": (
        *("RobertaTokenizer", "roberta", "json"),
        {"vocab.json": numbered("ab"), "merges.txt": "#version: 0.2\n"},
    ),
    "GPT-2": ("GPT2Tokenizer", "gpt2", "pairs", {"tokenizer.json": "GPT-2"}),
    "T5": ("T5Tokenizer", "t5", "model", {"spiece.model": "model"}),
    "Llama": ("LlamaTokenizer", "llama", "model", {"tokenizer.model": "pairs"}),
    "M2M100": (
        *("M2M100Tokenizer", "m2m_100", "json"),
        {"vocab.json": numbered(["<unk>", "</s>"]), "sentencepiece.bpe.model": "model"},
    ),
    "BERT in Python": ("BertTokenizerLegacy", "bert", "lines", {"vocab.txt": "\n".join(word_pieces())}),
    "CTRL": (
        *("CTRLTokenizer", "ctrl", "json"),
        {"vocab.json": numbered(["<unk>", "a"]), "merges.txt": "#v\na b\n"},
    ),
}


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize("file", [CONFIG, "special_tokens_map.json"])
@pytest.mark.parametrize("case", some(OWN, 5))
def test_no_key_opens_a_file_elsewhere(
    case: str, file: str, secret: dict[str, str], tmp_path: Path
) -> None:
    name, model_type, format_, files = OWN[case]
    folder = write(tmp_path / "model", model_type, files)
    place = str(tmp_path / "elsewhere")
    for value in shapes(secret[format_]):
        # All keys at once, and all the files that it needs are there: it is made of them.
        said = dict.fromkeys(other_keys() - {"fast_tokenizer_files"}, value)
        written(folder, CONFIG, {"tokenizer_class": name})
        written(folder, file, said | ({"tokenizer_class": name} if file == CONFIG else {}))
        with watched() as opened:
            tokenizer = tokenizer_files.load(folder, model_type, "x")
        assert opened
        assert not [one for one in opened if one.startswith(place)], value
        assert not knows(tokenizer, "secretword")


@pytest.mark.few(7)
@pytest.mark.parametrize("key", ["vocab", "vocab_file", "merges", "tokenizer_file", "init_inputs"])
@pytest.mark.parametrize("name", ["BertTokenizer", "BertTokenizerFast", None])
def test_a_folder_cannot_name_its_vocabulary(
    name: str | None, key: str, secret: dict[str, str], tmp_path: Path
) -> None:
    """As a user would load it: through `core.load`, with and without its own vocabulary."""
    folder = write_bert(tmp_path / "model", vocab_size=len(word_pieces()))
    for file in ("tokenizer.json", "vocab.txt", CONFIG):
        (folder / file).unlink()
    path: Any = secret["lines"]
    said = {key: [path] if key == "init_inputs" else path} | ({"tokenizer_class": name} if name else {})
    written(folder, CONFIG, said)
    with watched() as opened:
        assert "tokenizer" in str(refusal(str(folder)))
    assert path not in opened
    written(folder, "vocab.txt", "\n".join(word_pieces()))
    with watched() as opened:
        trace = core.load(str(folder)).trace("secretword bank")
    assert path not in opened
    assert "secretword" not in trace.tokens
    assert trace.tokens[-2] == "bank"


@pytest.mark.fuzz
@pytest.mark.check
def test_a_model_of_the_hub_cannot_name_its_vocabulary(secret: dict[str, str], tmp_path: Path) -> None:
    repo = write_bert(tmp_path / "repo", vocab_size=len(word_pieces()))
    (repo / "tokenizer.json").unlink()
    written(repo, "vocab.txt", "\n".join(word_pieces()))
    written(repo, CONFIG, {"tokenizer_class": "BertTokenizer", "vocab": secret["lines"]})
    with serve() as hub:
        hub.repos["someone/evil"] = repo
        done = python(
            "import core, sys\n"
            "opened = []\n"
            "sys.addaudithook(lambda e, a: opened.append(str(a[0])) if e == 'open' else None)\n"
            "trace = core.load('someone/evil').trace('secretword bank')\n"
            f"print('secretword' in trace.tokens, {secret['lines']!r} in opened, trace.tokens[-2])",
            HF_ENDPOINT=hub.url,
            HF_HOME=str(tmp_path / "cache"),
        )
    assert done.stdout.split() == ["False", "False", "bank"], done.stderr


@pytest.mark.parametrize("key", ["vocab", "merges"])
def test_a_tokenizer_json_cannot_name_its_vocabulary(
    key: str, secret: dict[str, str], tmp_path: Path
) -> None:
    kind, model_type = ("GPT-2", "gpt2") if key == "merges" else ("BERT", "bert")
    folder = write(tmp_path / "model", model_type, {"tokenizer.json": kind})
    held = json.loads((folder / "tokenizer.json").read_text())
    held["model"][key] = secret["lines"]
    written(folder, "tokenizer.json", held)
    name = "GPT2Tokenizer" if key == "merges" else "BertTokenizer"
    written(folder, CONFIG, {"tokenizer_class": name})
    with watched() as opened, pytest.raises(core.ModelBroken) as caught:
        tokenizer_files.load(folder, model_type, "x")
    readable(str(caught.value))
    assert secret["lines"] not in opened


def test_rules_of_bytes_cannot_name_a_file(secret: dict[str, str], tmp_path: Path) -> None:
    maps = {"decompose_map": secret["json"], "merge_map": secret["json"]}
    folder = write(tmp_path / "model", "t5", {"byte_maps.json": maps})
    written(folder, CONFIG, {"tokenizer_class": "MyT5Tokenizer"})
    with watched() as opened, pytest.raises(core.ModelBroken) as caught:
        tokenizer_files.load(folder, "t5", "x")
    readable(str(caught.value))
    assert secret["json"] not in opened


def test_options_of_a_library_cannot_name_a_file(secret: dict[str, str], tmp_path: Path) -> None:
    path = secret["lines"]
    said = {
        "mecab_kwargs": {"mecab_dic": "ipadic", "mecab_option": f"-r {path}", "do_lower_case": True},
        "sudachi_kwargs": {"sudachi_config_path": path, "sudachi_resource_dir": path},
        "word_tokenizer_type": "basic",
        "tokenizer_class": "BertJapaneseTokenizer",
    }
    folder = write(tmp_path / "model", "bert", {"vocab.txt": "\n".join(word_pieces()), CONFIG: said})
    tokenizer = tokenizer_files.load(folder, "bert", "x")
    assert tokenizer.mecab_kwargs == {"mecab_dic": "ipadic", "do_lower_case": True}
    assert tokenizer.sudachi_kwargs == {}
    written(folder, CONFIG, said | {"mecab_kwargs": {"mecab_dic": path}})
    with pytest.raises(core.ModelBroken):
        tokenizer_files.load(folder, "bert", "x")


def test_a_class_may_look_at_where_its_model_lies(tmp_path: Path) -> None:
    """GPT-SW3's class does: the larger model has another padding token."""
    for place, token in (("gpt-sw3-7b", "<unk>"), ("gpt-sw3-126m", "<pad>")):
        (tmp_path / f"models--AI-Sweden-Models--{place}").mkdir()
        folder = tmp_path / f"models--AI-Sweden-Models--{place}" / "0123"
        write(folder, "gpt2", {"spiece.model": "model", CONFIG: {"tokenizer_class": "GPTSw3Tokenizer"}})
        assert tokenizer_files.load(folder, "gpt2", "x").pad_token == token


@pytest.mark.parametrize("file", ["../elsewhere/tokenizer.4.0.json", "{}/tokenizer.4.0.json", "..json"])
def test_a_file_for_a_version_lies_in_the_folder(
    file: str, secret: dict[str, str], tmp_path: Path
) -> None:
    place = tmp_path / "elsewhere"
    shutil.copy(secret["whole"], place / "tokenizer.4.0.json")
    folder = write(tmp_path / "model", "bert", {"tokenizer.json": "XLM-R"})
    written(folder, CONFIG, {"fast_tokenizer_files": [file.format(place)]})
    with watched() as opened:
        tokenizer = tokenizer_files.load(folder, "bert", "x")
    assert not [one for one in opened if one.endswith("tokenizer.4.0.json")]
    assert not knows(tokenizer, "##bank")


@pytest.mark.parametrize(
    "name",
    [
        "AutoModel",
        "AutoTokenizer",
        "pipeline",
        "BertModel",
        "os.path",
        "../x",
        "",
        7,
        ["BertTokenizer"],
    ],
)
@pytest.mark.parametrize("file", [CONFIG, "config.json"])
def test_a_class_is_one_of_tokenizers(name: Any, file: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "model", *OLD["cased"])
    written(folder, file, {"model_type": "bert", "tokenizer_class": name})
    with pytest.raises(core.ModelBroken) as caught:
        tokenizer_files.load(folder, "bert", "x")
    readable(str(caught.value))
    assert "tokenizer_class" in str(caught.value)


WRONG: dict[str, list[Any]] = {
    "do_lower_case": ["/etc/passwd", {"a": 1}, 7],
    "strip_accents": ["no", [True]],
    "extra_ids": [-1, 1e9, "100", True],
    "src_lang": ["../en", "a/b", "en.txt", 7, ["en"]],
    "errors": ["/etc/passwd"],
    "never_split": ["word", [7]],
    "mask_token": [{"content": 7}, {"lstrip": True}, "x" * 2000],
    "additional_special_tokens": ["<a>", [7], [{"content": "a", "lstrip": "yes"}], ["a"] * 10_001],
    "extra_special_tokens": [{"__class__": "a"}, {"a b": "c"}, {"image_token": 7}],
    "added_tokens_decoder": [{"x": {"content": "a"}}, {"-1": {"content": "a"}}, {"1": "a"}, ["a"]],
    "padding_side": [7],
}


@pytest.mark.parametrize("key", WRONG)
def test_a_value_of_another_kind_is_refused(key: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "model", *OLD["cased"])
    for value in WRONG[key]:
        if (key, value) == ("added_tokens_decoder", {"1": "a"}):
            continue  # a token may be its text
        written(folder, CONFIG, {key: value})
        with pytest.raises(core.ModelBroken) as caught:
            tokenizer_files.load(folder, "bert", "x")
        readable(str(caught.value))
        assert key in str(caught.value)


@pytest.mark.parametrize("added", [{"<a>": "1"}, {"<a>": -1}, {"<a>": 10**12}, {"<a>": True}])
def test_an_added_token_has_a_number(added: Any, tmp_path: Path) -> None:
    folder = write(tmp_path / "model", *OLD["cased"])
    written(folder, "added_tokens.json", added)
    with pytest.raises(core.ModelBroken) as caught:
        tokenizer_files.load(folder, "bert", "x")
    readable(str(caught.value))


def test_rules_that_blow_up_a_text_are_refused_before_they_are_used(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", "bert", {"tokenizer.json": "BERT"})
    held = json.loads((folder / "tokenizer.json").read_text())
    rule = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1000}
    held["normalizer"] = {"type": "Sequence", "normalizers": [rule] * 3}
    written(folder, "tokenizer.json", held)
    with pytest.raises(core.ModelBroken) as caught:
        tokenizer_files.load(folder, "bert", "x")
    readable(str(caught.value))


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "model", *OLD["cased"])
    os.mkfifo(folder / "merges.txt")  # nobody writes: to open it would take for ever
    (folder / "spiece.model").mkdir()
    assert knows(tokenizer_files.load(folder, "bert", "x"), "##bank")


def test_which_files_make_a_tokenizer() -> None:
    enough = [
        ["tokenizer.json"],
        ["vocab.txt"],
        ["vocab.json", "merges.txt"],
        ["source.spm", "target.spm", "vocab.json"],
        ["tokenizer.model", "config.json"],
    ]
    too_few = [[], ["vocab.json"], ["merges.txt"], ["source.spm", "vocab.json"], [CONFIG]]
    assert all(tokenizer_files.has_vocabulary(names) for names in enough)
    assert not any(tokenizer_files.has_vocabulary(names) for names in too_few)


def test_a_model_that_reads_bytes_needs_no_vocabulary(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "model")
    for file in ("tokenizer.json", "vocab.txt"):
        (folder / file).unlink()
    written(folder, CONFIG, {"tokenizer_class": "BertTokenizer"})
    assert not checkpoint.is_complete(folder)
    written(folder, CONFIG, {"tokenizer_class": "ByT5Tokenizer"})
    assert checkpoint.is_complete(folder)
    assert core.load(str(folder)).trace("é").tokens == ("Ã", "©", "</s>")


@pytest.mark.check
def test_bytes_come_from_the_hub_too(tmp_path: Path) -> None:
    repo = write_bert(tmp_path / "repo")
    for file in ("tokenizer.json", "vocab.txt"):
        (repo / file).unlink()
    config = json.loads((repo / "config.json").read_text()) | {"model_type": "t5"}
    written(repo, CONFIG, {"tokenizer_class": "ByT5Tokenizer"})
    written(repo, "config.json", config)
    with serve() as hub:
        hub.repos["someone/bytes"] = repo
        done = python(
            "from core.pretrained.files import hub\n"
            "print([path.name for path in hub.fetch('someone/bytes').iterdir()])",
            HF_ENDPOINT=hub.url,
            HF_HOME=str(tmp_path / "cache"),
        )
        assert CONFIG in done.stdout, done.stderr
        assert "model.safetensors" in done.stdout
        written(repo, CONFIG, {"tokenizer_class": "T5Tokenizer"})
        done = python(
            "from core.pretrained.files import hub\nhub.fetch('someone/bytes')",
            HF_ENDPOINT=hub.url,
            HF_HOME=str(tmp_path / "other"),
        )
        assert "no tokenizer" in done.stderr
