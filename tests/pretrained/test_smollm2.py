"""The language model of the catalogue, with its real file: what it says, and what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import core
from core import settings
from core.pretrained import load_model, unpack
from core.pretrained.files import gguf, in_package
from core.records import generated
from core.settings import Packed

ROOT = Path(__file__).resolve().parents[2]


def _packed() -> Packed:
    found = settings.CATALOGUE["smollm2"].packed
    assert found is not None
    return found


PACKED = _packed()
FRANCE = "The capital of France is"
MARY = "When Mary and John went to the store, John gave a drink to"


@pytest.fixture(scope="session")
def smollm2(one_thread: None) -> core.Model:
    if not (in_package.here(PACKED) or gguf.ready(PACKED.sha256)):
        pytest.skip("SmolLM2 is not here: the set-up brings it")
    with pytest.warns(core.ModelNote, match="packed"):
        return core.load("smollm2")


@pytest.mark.check
def test_it_is_a_llama_in_our_own_transformer_and_says_what_it_is(smollm2: core.Model) -> None:
    shape = smollm2.shape
    assert (smollm2.engine, smollm2.kind, smollm2.predicts) == ("scratch", "decoder", "next")
    assert (shape.n_layers, shape.n_heads, shape.d_head, shape.d_model) == (30, 9, 64, 576)
    assert (smollm2.n_vocabulary, smollm2.window) == (49_152, 8_192)
    (note,) = smollm2.notes
    assert "Q4_1" in note
    assert "not the same" in note


@pytest.mark.check
def test_it_says_what_the_model_says(smollm2: core.Model) -> None:
    """With rows of queries and keys in the file's own order, none of these comes first."""
    for text, word, least in ((FRANCE, " Paris", 0.7), (MARY, " Mary", 0.9)):
        best = smollm2.predict(text)[0]
        assert best.texts[0] == word
        assert best.probabilities[0] > least
    written = list(smollm2.generate(MARY, 4, temperature=0))
    assert isinstance(written[0], generated.Generated)
    assert written[0].text == " Mary"
    assert smollm2.special_in("a <|im_end|>, and <|endoftext|>") == ("<|im_end|>", "<|endoftext|>")


@pytest.mark.check
def test_both_engines_agree_on_one_memory(smollm2: core.Model) -> None:
    theirs = core.load("smollm2", engine="huggingface")
    assert theirs._runner.table.data_ptr() == smollm2._runner.table.data_ptr()
    a, b = smollm2.trace(MARY), theirs.trace(MARY)
    assert a.attention is not None
    assert b.attention is not None
    assert a.hidden is not None
    assert b.hidden is not None
    np.testing.assert_allclose(a.attention.weights, b.attention.weights, atol=1e-5)
    for ours, their in zip(a.hidden, b.hidden, strict=True):
        assert np.abs(ours - their).max() <= 1e-5 * np.abs(their).max()
    x, y = smollm2.expects(MARY)[0], theirs.expects(MARY)[0]
    np.testing.assert_allclose(x.logits, y.logits, atol=1e-3)
    ids = [one.id for one in smollm2.generate(FRANCE, 12, temperature=0)]
    assert ids == [one.id for one in theirs.generate(FRANCE, 12, temperature=0)]


MEASURED = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import core
from core.pretrained import limit_threads

def proportional():
    lines = (line.split() for line in open("/proc/self/smaps_rollup"))
    return next(int(line[1]) for line in lines if line[0] == "Pss:")

limit_threads(1)
for engine in ("scratch", "huggingface"):  # as a server has them
    core.load("minilm", engine=engine).trace("a river bank")
before, began = proportional(), time.process_time()
model = core.load("smollm2", paths=False)
model.trace("The capital of France is")
seconds = time.process_time() - began
model.predict("The capital of France is")
list(model.generate("The capital of France is", 3))
core.load("smollm2", engine="huggingface", paths=False).trace("The capital of France is")
print(json.dumps([(proportional() - before) / 1000, seconds]))
"""


@pytest.mark.fuzz
@pytest.mark.check
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much of a page is ours")
def test_a_server_takes_450_mb_for_both_engines_and_answers_within_two_seconds(
    smollm2: core.Model,
) -> None:
    """Of two servers that share the file; one alone has all of its pages.

    Seconds of the processor: the clock also counts what else this machine does.
    """
    smollm2.trace("The capital of France is")  # this process is the other server
    smollm2.predict("The capital of France is")
    done = subprocess.run(
        [sys.executable, "-c", MEASURED], cwd=ROOT, capture_output=True, text=True, timeout=250
    )
    assert done.returncode == 0, done.stderr
    megabytes, seconds = json.loads(done.stdout.splitlines()[-1])
    assert megabytes < 450
    assert seconds < 2


def test_where_memory_is_short_it_is_not_offered_and_the_sentence_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(load_model, "free_memory", lambda: 200_000_000)
    monkeypatch.setattr(gguf.Unpacked, "mapped", False)
    assert "smollm2" not in {one.name for one in core.models()}
    why = load_model.short_of_memory("smollm2")
    assert "635 MB" in why
    assert "200 MB" in why
    with pytest.raises(core.NotSupported, match="635 MB of memory"):
        core.load("smollm2")
    monkeypatch.setattr(load_model, "free_memory", lambda: None)  # a system that does not say
    assert "smollm2" in {one.name for one in core.models()}
    assert load_model.short_of_memory("minilm") == load_model.short_of_memory("nobody") == ""


def test_a_model_that_is_here_says_no_size_and_another_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path))
    monkeypatch.setattr(in_package, "here", lambda packed: None)
    monkeypatch.setattr(gguf, "ready", lambda sha256: None)
    titles = {one.name: one.title for one in core.models()}
    assert titles["smollm2"] == "SmolLM2 135M (4-bit copy) (93 MB, on first use)"
    monkeypatch.setattr(in_package, "here", lambda packed: tmp_path)
    titles = {one.name: one.title for one in core.models()}
    assert titles["smollm2"] == "SmolLM2 135M (4-bit copy)"
    assert settings.CATALOGUE["smollm2"].short == "SmolLM2 135M (4-bit copy)"


def test_a_wrong_file_in_the_package_is_a_sentence_and_nothing_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / PACKED.package).mkdir()
    (tmp_path / PACKED.package / PACKED.file).write_bytes(b"GGUF" + bytes(10_000))
    monkeypatch.setattr(in_package, "installed", lambda packed: tmp_path / packed.package / packed.file)
    for attempt in (lambda: core.load("smollm2"), unpack.unpack):
        with pytest.raises(core.ModelBroken, match="SHA-256"):
            attempt()
    assert not list(tmp_path.glob("cache/unpacked/*"))
    assert load_model.weights_checksum("smollm2") == PACKED.sha256
    assert os.listdir(tmp_path / PACKED.package) == [PACKED.file]


@pytest.mark.check
def test_a_long_text_is_that_of_a_trace_where_both_can_be(smollm2: core.Model) -> None:
    text = MARY + ". " + FRANCE + " Paris. " + MARY
    found, trace = smollm2.long_attention(text * 4), smollm2.trace(text)
    n = len(trace.tokens) - 2  # it reads the beginning of a longer text alike
    assert found.tokens[:n] == trace.tokens[:n]
    assert trace.attention is not None
    for layer, head in ((0, 0), (18, 6), (29, 8)):
        tile = found.tile(layer, head, slice(0, n), slice(0, n))
        np.testing.assert_allclose(tile, trace.attention.weights[layer, head, :n, :n], atol=1e-5)
