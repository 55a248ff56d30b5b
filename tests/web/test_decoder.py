"""The browser's decoder is ours, from a GGUF file that is arriving, whatever was read before."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

from tests.web import in_node, tiny_decoder
from tests.web.tiny_decoder import CONFIG
from tools import node, web
from tools.web import decoder_graph

pytestmark = pytest.mark.check

AT_ONCE = 2
TEXT = [3, 28, 0, 11, 11, 7, 19]
ASKED: list[dict[str, Any]] = [
    {"ids": TEXT[:1]},
    {"ids": TEXT},  # the first token stays
    {"ids": TEXT[:4]},  # shorter: nothing is to be run
    {"ids": [*TEXT[:3], 5, 2]},  # another end
    {"ids": TEXT, "groups": 1},  # given up after the first of two groups
    {"ids": TEXT},  # what was begun is done again
    {"ids": [1] * 70},  # more rows than there was room for at first
    {"ids": [*[1] * 70, 4]},
]
RUN = [1, 6, 0, 2, 4, 4, 70, 1]  # tokens


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    assert node.install(web.RUNTIME) == 0
    folder = tmp_path_factory.mktemp("decoder")
    tiny_decoder.write(folder / "model.gguf", tiny_decoder.decoder())
    (folder / "layers.onnx").write_bytes(decoder_graph.layers(CONFIG, AT_ONCE))
    (folder / "head.onnx").write_bytes(decoder_graph.head(CONFIG))
    (folder / "back.onnx").write_bytes(decoder_graph.back(CONFIG))
    weights = {name: list(shape) for name, shape in decoder_graph.layer_weights(CONFIG).items()}
    shape = {
        "layers": CONFIG.n_decoder_layers,
        "layersAtOnce": AT_ONCE,
        "heads": CONFIG.n_heads,
        "kvHeads": CONFIG.parts.n_kv_heads,
        "size": CONFIG.d_model,
        "headSize": CONFIG.parts.d_head,
        "vocabulary": CONFIG.n_vocabulary,
        "normEps": CONFIG.norm_eps,
        "theta": CONFIG.parts.rotation.base,
        "weights": weights,
    }
    (folder / "shape.json").write_text(json.dumps(shape))
    (folder / "asked.json").write_text(json.dumps(ASKED))
    runtime = web.RUNTIME / "node_modules" / "onnxruntime-web" / "dist"
    files = (str(folder / name) for name in ("asked.json", "found.json"))
    in_node.run("decode.js", str(runtime), str(folder), *files)
    found = json.loads((folder / "found.json").read_text())
    assert found["whole"]
    answers: list[dict[str, Any]] = found["answers"]
    return answers


def test_only_what_is_new_is_run(answers: list[dict[str, Any]]) -> None:
    assert [one["rows"] for one in answers] == RUN
    kept = [one["kept"] for one in answers]
    assert kept == [len(one["ids"]) if "groups" not in one else 3 for one in ASKED]


def test_every_answer_is_our_decoders(answers: list[dict[str, Any]]) -> None:
    model: Any = tiny_decoder.decoder()
    for asked, found in zip(ASKED, answers, strict=True):
        if "groups" in asked:
            continue
        prediction = model(torch.tensor([asked["ids"]]))
        stack, n = prediction.stack, len(asked["ids"])
        close(found["logits"], prediction.logits_BLV[0, -1])
        close(
            found["hidden"], torch.cat([stack.embedded_BLD, *(one.output_BLD for one in stack.layers)])
        )
        attention = [
            (one.attention, model.stack.layers[i].attention) for i, one in enumerate(stack.layers)
        ]
        q, k = (
            torch.cat(parts)
            for parts in zip(
                *((a.query_BHLK, own.for_each_head(a.key_BHMK)) for a, own in attention), strict=True
            )
        )
        close(found["q"], q)
        close(found["k"], k)
        scores = (q.double() @ k.double().transpose(-1, -2)) * CONFIG.parts.d_head**-0.5
        scores = scores.masked_fill(torch.ones(n, n).triu(1).bool(), -torch.inf)
        close(found["logSums"], scores.logsumexp(-1))


def test_rows_in_llama_cpps_order_would_be_another_model(answers: list[dict[str, Any]]) -> None:
    """What happens if q and k are not put into our order: all shapes fit, and no number does."""
    model = tiny_decoder.decoder()
    for layer in model.stack.layers:
        attention: Any = layer.attention
        for own, heads in ((attention.query, CONFIG.n_heads), (attention.key, CONFIG.parts.n_kv_heads)):
            own.weight.copy_(torch.from_numpy(tiny_decoder.permuted(own.weight.numpy(), heads)))
    logits = model(torch.tensor([TEXT])).logits_BLV[0, -1].numpy()
    assert np.abs(logits - np.array(answers[1]["logits"])).max() > 0.05


def close(found: Any, wanted: torch.Tensor) -> None:
    own = np.array(found, np.float32).reshape(wanted.shape)
    np.testing.assert_allclose(own, wanted.numpy(), rtol=1e-5, atol=3e-5)
