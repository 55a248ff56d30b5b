"""Where the model lies in a folder, and under which names: read where it is clear, else said."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import core
from core.errors import without_paths
from core.pretrained.files import places
from tests.pretrained.fakes import readable, tensors, write_bert, write_shards
from tests.tiers import some

pytestmark = pytest.mark.filterwarnings("ignore::core.ModelNote")

TEXT = "On the river bank"
WEIGHTS = "model.safetensors"
Build = Callable[[Path], Path | None]  # changes a whole folder; returns the one to load, if another


def vectors(model: core.Model) -> np.ndarray:
    hidden = model.trace(TEXT).hidden
    assert hidden is not None
    return hidden


def within(folder: Path, *inner: str) -> Path:
    """Move the content of a folder into one inside a new one; returns the new one."""
    outer = folder.parent / f"{folder.name} outer"
    place = outer.joinpath(*inner)
    place.parent.mkdir(parents=True)
    shutil.move(folder, place)
    return outer


def modules(path: str) -> str:
    kinds = ("Transformer", "Pooling")
    each = zip((path, "1_Pooling"), kinds, strict=True)
    return json.dumps([{"path": p, "type": f"sentence_transformers.models.{kind}"} for p, kind in each])


def of_sentences(folder: Path) -> Path:
    outer = within(folder, "0_Transformer")
    (outer / "modules.json").write_text(modules("0_Transformer"), "utf-8")
    (outer / "config.json").write_text('{"__version__": "0.2.0"}', "utf-8")  # of its early versions
    return outer


def checkpoints(folder: Path) -> Path:
    """The newest has no weights yet; the oldest has others."""
    outer = within(folder, "checkpoint-500")
    write_bert(outer / "checkpoint-60", seed=1)
    (outer / "checkpoint-1000").mkdir()
    shutil.copy(outer / "checkpoint-500" / "config.json", outer / "checkpoint-1000")
    return outer


def cached(*, ref: str | None, more: int = 0) -> Build:
    def build(folder: Path) -> Path:
        outer = within(folder, "snapshots", "abc").rename(folder.parent / "models--own--name")
        for i in range(more):
            write_bert(outer / "snapshots" / f"z{i}", seed=1)
        if ref is not None:
            (outer / "refs").mkdir()
            (outer / "refs" / "main").write_text(ref, "utf-8")
        return outer

    return build


def named(*names: str) -> Build:
    """The weights under other names; each name has the same ones."""

    def build(folder: Path) -> None:
        for name in names:
            shutil.copy(folder / WEIGHTS, folder / name)
        (folder / WEIGHTS).unlink()

    return build


def half(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    held = {name: tensor.astype(np.float16) for name, tensor in tensors().items()}
    save_file(held, folder / "model.fp16.safetensors")


def parts_alone(folder: Path) -> None:
    write_shards(folder)
    (folder / f"{WEIGHTS}.index.json").unlink()


def before_names(prefix: str) -> Build:
    def build(folder: Path) -> None:
        save_file({prefix + name: tensor for name, tensor in tensors().items()}, folder / WEIGHTS)

    return build


def encoded(encoding: str, *files: str) -> Build:
    def build(folder: Path) -> None:
        for name in files:
            text = (folder / name).read_text("utf-8")
            (folder / name).write_bytes(text.encode(encoding))

    return build


CLEAR: dict[str, tuple[Build, str]] = {  # how a folder is changed; a part of the note, if there is one
    "sentence-transformers": (of_sentences, ""),
    "a training": (checkpoints, "checkpoint-500"),
    "the hub's cache": (cached(ref="abc", more=2), ""),
    "the hub's cache without a name": (cached(ref=None), ""),
    "one folder inside": (lambda folder: within(folder, "unpacked"), "unpacked"),
    "half precision": (half, "model.fp16.safetensors"),
    "two precisions": (named("model.fp32.safetensors", "model.bf16.safetensors"), "fp32"),
    "another name": (named("weights.safetensors"), "weights.safetensors"),
    "parts without an index": (parts_alone, "2 parts"),
    "beside an adapter's state": (named("pytorch.safetensors", "optimizer.safetensors"), "pytorch."),
    "UTF-8 with a mark": (
        encoded("utf-8-sig", "config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt"),
        "",
    ),
    "UTF-16": (encoded("utf-16", "config.json", "tokenizer.json", "tokenizer_config.json"), ""),
    **{
        f"before its names: {prefix}": (before_names(prefix), "")
        for prefix in (
            "_orig_mod.",
            "module.",
            "model.",
            "model.bert.",
            "model.model.",
            "module._orig_mod.bert.",
            "0.auto_model.",
            "bert._orig_mod.",
        )
    },
}


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return write_bert(tmp_path / "whole")


@pytest.mark.few(4)
@pytest.mark.check
@pytest.mark.parametrize("case", some(CLEAR, 9))
def test_what_is_clear_is_read(case: str, whole: Path) -> None:
    expected = vectors(core.load(whole))
    build, note = CLEAR[case]
    loaded = core.load(build(whole) or whole, name="x")
    assert np.abs(vectors(loaded) - expected).max() < (2e-3 if case == "half precision" else 1e-6)
    assert bool(loaded.notes) == bool(note)
    assert all(note in one for one in loaded.notes)


@pytest.mark.check
@pytest.mark.parametrize(
    "case", some([c for c in CLEAR if c.startswith(("before", "another", "parts", "two"))], 4)
)
def test_transformers_reads_it_too(case: str, whole: Path) -> None:
    expected = vectors(core.load(whole))
    CLEAR[case][0](whole)
    assert np.abs(vectors(core.load(whole, engine="huggingface")) - expected).max() < 1e-5


def without(*names: str) -> Build:
    def build(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return build


def with_file(name: str, *removed: str) -> Build:
    def build(folder: Path) -> None:
        for one in removed or (WEIGHTS,):
            (folder / one).unlink()
        (folder / name).write_bytes(b"x")

    return build


def two_models(folder: Path) -> Path:
    outer = within(folder, "first")
    write_bert(outer / "second")
    return outer


def part_missing(folder: Path) -> None:
    parts_alone(folder)
    (folder / "model-00001-of-00002.safetensors").unlink()


UNCLEAR: dict[str, tuple[Build, tuple[str, ...]]] = {
    "several snapshots": (cached(ref=None, more=1), ("2", "abc", "z0")),
    "a snapshot elsewhere": (cached(ref="../../../etc", more=1), ("abc", "z0")),
    "several models": (two_models, ("first", "second")),
    "several files": (named("a.safetensors", "b.safetensors"), ("a.safetensors", "b.safetensors")),
    "a part is missing": (part_missing, ("2 parts", "number 1")),
    **{
        name: (with_file(name), (name,))
        for name in (
            "pytorch_model.bin",
            "last.ckpt",
            "flax_model.msgpack",
            "tf_model.h5",
            "model.gguf",
            "model.onnx",
            "model.zip",
            "model.tar.gz",
        )
    },
    "no config, GGUF": (with_file("m.gguf", WEIGHTS, "config.json"), ("m.gguf", "config.json")),
    "no config, a pickle": (
        with_file("pytorch_model.bin", WEIGHTS, "config.json"),
        ("pytorch_model.bin", "config.json"),
    ),
    "weights alone": (without("config.json"), (WEIGHTS, "config.json")),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("case", UNCLEAR)
def test_what_is_not_clear_is_said_with_what_was_found(
    case: str, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build, words = UNCLEAR[case]
    folder = build(whole) or whole
    with pytest.raises(core.ModelBroken) as caught:
        core.load(folder, name="x")
    assert all(word in str(caught.value) for word in words), str(caught.value)
    readable(str(caught.value))
    # In the app, the operator's folder has a name, and no visitor learns where it is.
    monkeypatch.setenv("POLYSEE_MODELS", str(folder.parent))
    with pytest.raises(core.ModelBroken) as caught:
        core.load(folder.name, paths=False)
    assert str(folder.parent) not in str(caught.value)
    assert "/" not in str(caught.value).replace("model.save_pretrained", "")


def test_a_file_names_no_folder_outside(tmp_path: Path) -> None:
    """modules.json comes from a stranger: a path in it is no name."""
    write_bert(tmp_path / "secret")
    outer = tmp_path / "model"
    outer.mkdir()
    for path in ("../secret", str(tmp_path / "secret"), "..", ".", "a/../../secret", "\0", 7):
        (outer / "modules.json").write_text(modules(path), "utf-8")  # type: ignore[arg-type]
        with contextlib.suppress(
            core.ModelBroken
        ):  # it says what the file names, and looks nowhere else
            assert places.find(outer, "x").folder == outer


def test_the_app_lists_every_folder_with_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bert(tmp_path / "plain")
    write_bert(tmp_path / "run" / "checkpoint-5")
    write_bert(tmp_path / "models--own--name" / "snapshots" / "abc")
    (tmp_path / "nothing").mkdir()
    (tmp_path / "file").write_text("x", "utf-8")
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    own = [one for one in core.models() if "operator" in one.title]
    assert [one.name for one in own] == ["models--own--name", "plain", "run"]
    assert own[0].title.startswith("own/name")
    for one in own:
        assert core.load(one.name, paths=False).trace(TEXT)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("There is none in /srv/models/mine.", "There is none in mine."),
        ("Denied: '/srv/a/x/config.json'.", "Denied: 'config.json'."),
        (
            "Delete the folder /root/.cache/hub/models--a--b and try.",
            "Delete the folder models--a--b and try.",
        ),
        (r"It is in C:\models\mine\x.", "It is in x."),
        (
            "“owner/name” is at https://host.example/a/b.",
            "“owner/name” is at https://host.example/a/b.",
        ),
        ("6 / 12 heads, and/or", "6 / 12 heads, and/or"),
    ],
)
def test_paths_leave_a_message(message: str, shown: str) -> None:
    assert without_paths(message) == shown


@pytest.mark.few(2)
@pytest.mark.parametrize("prefix", ["encoder.", "net.", "transformer.", "base_model.model.", "a.b.c."])
def test_one_prefix_before_all_names_is_left_out(prefix: str, tmp_path: Path) -> None:
    plain = core.load(write_bert(tmp_path / "plain"), name="x").trace("On the bank").contextual
    folder = write_bert(tmp_path / "model")
    file = folder / "model.safetensors"
    held = load_file(file)
    save_file({prefix + key: tensor for key, tensor in held.items()}, file, {"format": "pt"})
    assert np.array_equal(core.load(folder, name="x").trace("On the bank").contextual, plain)


@pytest.mark.check
@pytest.mark.parametrize("prefix", ["encoder.", "foo.transformer."])
def test_the_same_for_a_model_of_transformers(prefix: str, tmp_path: Path) -> None:
    from tests.pretrained import small_models

    folder = small_models.save(tmp_path / "model", "gpt2", lambda model: None)
    plain = core.load(folder, name="x").trace("On the bank").contextual
    file = folder / "model.safetensors"
    save_file({prefix + key: t for key, t in load_file(file).items()}, file, {"format": "pt"})
    assert np.array_equal(core.load(folder, name="x").trace("On the bank").contextual, plain)


@pytest.mark.parametrize("path", ["../base", "/etc", "0_Transformer"])
def test_modules_that_name_a_folder_elsewhere_are_said(path: str, tmp_path: Path) -> None:
    write_bert(tmp_path / "base")
    (tmp_path / "model" / "1_Pooling").mkdir(parents=True)
    (tmp_path / "model" / "1_Pooling" / "config.json").write_text("{}", "utf-8")
    kinds = {"": "Transformer", "1_Pooling": "Pooling"}
    listed = [
        {"path": where or path, "type": f"sentence_transformers.models.{kind}"}
        for where, kind in kinds.items()
    ]
    (tmp_path / "model" / "modules.json").write_text(json.dumps(listed), "utf-8")
    with pytest.raises(core.ModelBroken) as caught:
        core.load(tmp_path / "model", name="x")
    assert path in str(caught.value)
    assert "Pooling" not in str(caught.value)
