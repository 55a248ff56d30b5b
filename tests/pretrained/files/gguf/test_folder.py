"""A GGUF file gives the numbers of its unpacked weights, and is made a folder once."""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
import shutil
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.pretrained.files import mapped
from core.pretrained.files.gguf import folder, ready, tensors, unpacked
from core.pretrained.files.gguf.tensors import unpacked as real_unpacked
from tests.pretrained.fakes import readable
from tests.pretrained.files.gguf import written
from tests.pretrained.files.gguf.written import Kind

TEXT = "On the river bank 12  34"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def loaded(source: Path, **options: Any) -> core.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        return core.load(source, engine="huggingface", **options)


def names(cache: Path) -> set[str]:
    """What lies in the cache, but the lock."""
    return {one.name for one in (cache / "unpacked").iterdir() if one.name != ".lock"}


def numbers(trace: core.Trace) -> tuple[np.ndarray, np.ndarray]:
    """The vectors behind the last norm, and all weights of attention."""
    assert trace.final is not None
    assert trace.attention is not None
    return trace.final, trace.attention.weights


def ids_of(trace: core.Trace) -> list[int]:
    tokens, _ = written.vocabulary()
    return [tokens.index(token) for token in trace.tokens]


@pytest.mark.check
@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (Kind.Q4_1, {"tie_word_embeddings": True}),
        (Kind.Q8_0, {"num_key_value_heads": 6}),
        (Kind.F16, {"num_attention_heads": 2, "head_dim": 32}),
        (Kind.F32, {"num_attention_heads": 4, "num_key_value_heads": 1}),
    ],
)
def test_a_packed_model_gives_the_numbers_of_its_packed_weights(
    kind: Kind, changes: dict[str, Any], tmp_path: Path
) -> None:
    made = written.model(**changes)
    file = tmp_path / "small.gguf"
    made.load_state_dict(written.write(file, made, kind), strict=False)
    got = loaded(file, name="small")
    trace = got.trace(TEXT)
    with torch.no_grad():
        want = made(torch.tensor([ids_of(trace)]), output_hidden_states=True, output_attentions=True)
    final, attention = numbers(trace)
    np.testing.assert_allclose(final, want.hidden_states[-1][0], atol=1e-5)
    np.testing.assert_allclose(attention, torch.cat(want.attentions), atol=1e-6)
    logits = want.logits[0, -1]
    assert got.predict(TEXT)[0].ids[0] == int(logits.argmax())


def test_rows_of_queries_and_keys_are_put_back(tmp_path: Path) -> None:
    """Without it all shapes fit, nothing fails, and the model is another one."""
    made = written.model()
    written.write(tmp_path / "a.gguf", made, Kind.F32)
    written.write(tmp_path / "b.gguf", made, Kind.F32, permute=False)
    right = loaded(tmp_path / "a.gguf", name="a").trace(TEXT)
    want = made.model(torch.tensor([ids_of(right)])).last_hidden_state[0].detach()
    assert np.abs(numbers(right)[0] - want.numpy()).max() < 1e-5
    wrong = loaded(tmp_path / "b.gguf", name="b").trace(TEXT)
    assert np.abs(numbers(wrong)[0] - want.numpy()).max() > 0.01


@pytest.mark.check
@pytest.mark.parametrize(("cut", "digits"), [("smollm", True), ("gpt-2", False)])
def test_the_tokenizer_splits_as_it_was_trained(cut: str, digits: bool, tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokens, merges = written.vocabulary()
    written.write(tmp_path / "m.gguf", written.model(), cut=cut)
    got = loaded(tmp_path / "m.gguf", name="m")
    want = Tokenizer(
        models.BPE(
            vocab={one: i for i, one in enumerate(tokens)},
            merges=[(a, b) for a, b in (one.split() for one in merges)],
        )
    )
    level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    one_by_one = pre_tokenizers.Digits(individual_digits=True)
    want.pre_tokenizer = pre_tokenizers.Sequence([one_by_one, level] if digits else [level])
    for text in (TEXT, "a  1", "ﬁsh 🎣 ١٢", "bank\n\n the"):
        assert list(got.trace(text).tokens) == want.encode(text).tokens
    assert "<|end|>" in got.trace("the<|end|>the").tokens  # never cut into pieces


@pytest.mark.check
def test_a_file_that_wants_a_beginning_gets_it(tmp_path: Path) -> None:
    written.write(tmp_path / "m.gguf", written.model(), begins=True)
    assert loaded(tmp_path / "m.gguf", name="m").trace("the bank").tokens[0] == "<|start|>"
    written.write(tmp_path / "n.gguf", written.model())
    assert loaded(tmp_path / "n.gguf", name="n").trace("the bank").tokens[0] != "<|start|>"


def test_it_is_unpacked_once_and_again_when_it_changes(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.gguf"
    written.write(file, written.model())
    first = unpacked(file, "m")
    assert (first.packing, first.known) == ("Q4_1", False)
    with monkeypatch.context() as patch:
        patch.setattr(folder, "_make", lambda *_: pytest.fail("made again"))
        assert unpacked(file, "m") == first
    written.write(file, written.model(seed=1), Kind.F32)
    os.utime(file, ns=(1, 1))
    second = unpacked(file, "m")
    assert second.packing == "F32"
    assert second.folder != first.folder
    assert names(cache) == {first.folder.name, second.folder.name}


def test_of_many_the_oldest_leave_the_cache(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_KEPT", 2)
    made = []
    for i in range(4):
        written.write(tmp_path / f"{i}.gguf", written.model())
        made.append(unpacked(tmp_path / f"{i}.gguf", "m").folder)
        os.utime(made[-1], (i, i))
    assert names(cache) == {one.name for one in made[-2:]}


@pytest.mark.check
def test_a_folder_or_a_file_and_a_note_that_it_is_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "models" / "mine"
    own.mkdir(parents=True)
    written.write(own / "m.GGUF", written.model())
    (own / "README.md").write_text("x", "utf-8")
    with pytest.warns(core.ModelNote, match=r"packed \(Q4_1\)"):
        from_folder = core.load(own, name="mine", engine="huggingface")
    assert from_folder.notes
    from_file = loaded(own / "m.GGUF").trace(TEXT)
    assert np.array_equal(numbers(from_file)[0], numbers(from_folder.trace(TEXT))[0])
    monkeypatch.setenv("POLYSEE_MODELS", str(own.parent))
    assert "mine" in {one.name for one in core.models()}
    shown = core.load("mine", paths=False)
    assert "4_1" in " ".join(shown.notes)
    whole = tmp_path / "whole"
    whole.mkdir()
    written.write(whole / "m.gguf", written.model(), Kind.F32)
    assert not loaded(whole, name="whole").notes


@pytest.mark.parametrize(
    ("write", "words"),
    [
        ({"architecture": "mamba"}, ("mamba", "llama")),
        ({"cut": "chatglm-bpe"}, ("tokenizer", "chatglm-bpe")),
        ({"more": {"blk.0.attn_sinks.weight": np.zeros(6, np.float32)}}, ("attn_sinks",)),
        ({"more": {"rope_freqs.weight": np.full(8, 2, np.float32)}}, ("rotations", "Llama 3")),
        ({"leave_out": "model.layers.1.mlp.up_proj.weight"}, ("layers.1.mlp.up_proj",)),
        ({"tokens": ["a"] * 270}, ("two tokens",)),
    ],
)
def test_what_is_not_read_is_said(
    write: dict[str, Any], words: tuple[str, ...], tmp_path: Path, cache: Path
) -> None:
    file = tmp_path / "small.gguf"
    written.write(file, written.model(), **write)
    with pytest.raises((core.ModelBroken, core.NotSupported)) as caught:
        core.load(file, name="x")
    assert all(word in str(caught.value) for word in words), str(caught.value)
    readable(str(caught.value))
    assert not list(cache.glob("unpacked/begun-*"))


def test_several_files_and_a_wrong_checksum_are_said(tmp_path: Path) -> None:
    for name in "ab":
        written.write(tmp_path / f"{name}.gguf", written.model())
    with pytest.raises(core.ModelBroken, match=r"2 GGUF files \(a.gguf, b.gguf\)"):
        core.load(tmp_path, name="x")
    with pytest.raises(core.ModelBroken, match="SHA-256"):
        unpacked(tmp_path / "a.gguf", "x", "0" * 64)


def test_a_full_disk_is_said_before_anything_is_written(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written.write(tmp_path / "a.gguf", written.model())
    monkeypatch.setattr(folder, "_SPARE", 10**18)
    with pytest.raises(core.ModelBroken, match="MB left"):
        unpacked(tmp_path / "a.gguf", "x")
    assert not names(cache)


def test_our_own_transformer_runs_it_on_the_mapped_file(tmp_path: Path) -> None:
    """All processes share the pages of one file, and both engines give the same numbers."""
    written.write(tmp_path / "m.gguf", written.model())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        ours = core.load(tmp_path / "m.gguf", engine="scratch", name="m")
    assert str(unpacked(tmp_path / "m.gguf", "m").folder / "model.safetensors") in Path(
        "/proc/self/maps"
    ).read_text("utf-8")
    theirs = loaded(tmp_path / "m.gguf", name="m")
    for one, other in zip(numbers(ours.trace(TEXT)), numbers(theirs.trace(TEXT)), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    kept = [one.id for one in ours.generate(TEXT, 9, temperature=0)]
    assert kept == [one.id for one in theirs.generate(TEXT, 9, temperature=0)]
    assert ours.score(TEXT).total == pytest.approx(theirs.score(TEXT).total, rel=1e-5)


def test_both_engines_compute_on_the_same_memory(tmp_path: Path) -> None:
    written.write(tmp_path / "m.gguf", written.model(tie_word_embeddings=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        ours = core.load(tmp_path / "m.gguf", engine="scratch", name="m")
    theirs = loaded(tmp_path / "m.gguf", name="m")
    assert ours._runner.table.data_ptr() == theirs._runner.table.data_ptr()
    runners: tuple[Any, Any] = (ours._runner, theirs._runner)
    own = {one.data_ptr() for one in runners[0].decoder.parameters()}
    assert own == {one.data_ptr() for one in runners[1].model.parameters()}
    maps = Path("/proc/self/maps").read_text("utf-8").splitlines()
    weights = str(unpacked(tmp_path / "m.gguf", "m").folder / "model.safetensors")
    assert len([line for line in maps if weights in line]) == 1
    a, b = ours.predict(TEXT)[0], theirs.predict(TEXT)[0]
    assert a.ids == b.ids
    np.testing.assert_allclose(a.probabilities, b.probabilities, atol=1e-6)


@pytest.mark.parametrize("kind", [Kind.F16, Kind.BF16])
def test_half_precision_stays_so_in_the_mapped_file(kind: Kind, tmp_path: Path) -> None:
    """Matrices of queries and keys with their rows put back; both engines give the same numbers."""
    made = written.model(tie_word_embeddings=True)
    packed = written.write(tmp_path / "m.gguf", made, kind)
    ours = core.load(tmp_path / "m.gguf", engine="scratch", name="m")
    assert not ours.notes
    runner: Any = ours._runner
    half = {Kind.F16: torch.float16, Kind.BF16: torch.bfloat16}[kind]
    matrices = [one for one in runner.decoder.parameters() if one.ndim == 2]
    assert {one.dtype for one in matrices} == {half}
    assert all(mapped._file_of(one) is not None for one in matrices)
    folder = unpacked(tmp_path / "m.gguf", "m").folder
    assert (folder / "model.safetensors").stat().st_size < (tmp_path / "m.gguf").stat().st_size
    made.load_state_dict(packed, strict=False)
    theirs = core.load(tmp_path / "m.gguf", engine="huggingface", name="m")
    for one, other in zip(numbers(ours.trace(TEXT)), numbers(theirs.trace(TEXT)), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    a, b = ours.predict(TEXT)[0], theirs.predict(TEXT)[0]
    np.testing.assert_allclose(a.probabilities, b.probabilities, atol=1e-6)


def test_what_a_killed_process_left_is_taken_away_and_never_read(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written.write(tmp_path / "m.gguf", written.model())
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)  # as if the power failed
    with monkeypatch.context() as patch:
        patch.setattr(tensors, "unpacked", fails_in_the_middle)
        with pytest.raises(core.ModelBroken, match="No space left"):
            unpacked(tmp_path / "m.gguf", "m")
    monkeypatch.undo()
    monkeypatch.setenv("POLYSEE_CACHE", str(cache))
    left = names(cache)
    assert len(left) == 1  # begun, under a name that nobody reads
    whole = unpacked(tmp_path / "m.gguf", "m")
    assert names(cache) == {whole.folder.name} != left


def fails_in_the_middle(*given: Any) -> Iterator[tuple[str, Any]]:
    yield from itertools.islice(real_unpacked(*given), 3)
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_that_was_cut_short_is_made_again(tmp_path: Path, cache: Path) -> None:
    written.write(tmp_path / "m.gguf", written.model())
    first = unpacked(tmp_path / "m.gguf", "m").folder
    whole = (first / "model.safetensors").read_bytes()
    (first / "model.safetensors").write_bytes(whole[:-5])
    again = unpacked(tmp_path / "m.gguf", "m").folder
    assert again == first
    assert (again / "model.safetensors").read_bytes() == whole


def test_two_processes_unpack_one_after_the_other(tmp_path: Path, cache: Path) -> None:
    written.write(tmp_path / "m.gguf", written.model())
    made: list[int] = []
    real = folder._make

    def slow(*arguments: Any) -> None:
        made.append(len(list((cache / "unpacked").glob("begun-*"))))
        time.sleep(0.2)
        real(*arguments)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(4) as pool:
        patch.setattr(folder, "_make", slow)
        found = set(pool.map(lambda _: unpacked(tmp_path / "m.gguf", "m"), range(4)))
    assert made == [0]
    assert len(found) == 1


def test_a_known_file_need_not_be_there_any_more(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written.write(tmp_path / "m.gguf", written.model())
    digest = hashlib.sha256((tmp_path / "m.gguf").read_bytes()).hexdigest()
    assert ready(digest) is None
    made = unpacked(tmp_path / "m.gguf", "m", digest)
    (tmp_path / "m.gguf").unlink()
    assert ready(digest) == made
    assert made.known
    # Beside the packages, as in an image: found where the cache is empty.
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "other"))
    assert ready(digest) is None
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    shutil.copytree(made.folder.parent, tmp_path / "environment" / "share" / "polysee" / "unpacked")
    assert ready(digest) is not None


def test_numbers_that_are_none_are_refused_when_it_is_unpacked(tmp_path: Path, cache: Path) -> None:
    made = written.model()
    made.model.norm.weight.data[3] = float("nan")
    written.write(tmp_path / "m.gguf", made, Kind.F32)
    with pytest.raises(core.ModelBroken, match="not a number"):
        core.load(tmp_path / "m.gguf", name="x")
    assert not names(cache)
