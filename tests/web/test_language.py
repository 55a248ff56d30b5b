"""What the browser reads out of a text is `core.Model`'s: all layers, and why a token comes next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import core
from core.language.lens import FittedLens, Losses
from core.records.interventions import Ablate, Change, Cut
from core.walkthroughs import part_names, swapped_parts
from core.walkthroughs.part_names import BUT_FIRST
from pages.next_word.why import computed
from pages.next_word.why.computed import Query
from pages.step_by_step import computed as steps_of
from pages.step_by_step import sentence
from tests.pretrained.files.gguf import written
from tests.web import in_node
from tests.web.steps import same_steps
from tools import node, web
from tools.web import decoder_graph
from ui.models import answers, model_cache

pytestmark = pytest.mark.check

TEXT = "the bank of the river"
CHANGED: list[dict[str, Any]] = [
    {"changes": None, "scored": True},
    {"changes": {}, "scored": False},
    {"changes": {"cuts": [[4, 0], [4, 2], [3, 3]]}, "scored": True},
    {"changes": {"ablated": [[0, 1], [1, 0], [0, 3]], "cuts": [[2, 1]]}, "scored": True},
    *({"changes": {"part": one}, "scored": False} for one in (*part_names.PARTS[1:], BUT_FIRST)),
]
OTHERS = ("the bank of river the", "bank bank of the river")
ASKED: list[dict[str, Any]] = [
    {"kind": "lens", "text": TEXT, "lens": "plain", "word": None, "column": None},
    {"kind": "lens", "text": f"{TEXT} bank", "lens": "plain", "word": None, "column": None},
    {"kind": "lens", "text": TEXT, "lens": "plain", "word": "bank", "column": None},
    {"kind": "lens", "text": TEXT, "lens": "fitted", "word": 7, "column": 2},
    {"kind": "lens", "text": TEXT, "more": [260, 140], "lens": "fitted", "word": "␣", "column": None},
    {"kind": "lens", "text": TEXT, "lens": "plain", "word": 99_999, "column": None},
    {"kind": "why", "text": TEXT, "word": "", "other": "", "at": 0},
    {"kind": "why", "text": TEXT, "word": "river", "other": "bank", "at": 0},
    {"kind": "why", "text": TEXT, "more": [260, 140], "word": " the", "other": "-", "at": 0},
    {"kind": "why", "text": TEXT, "more": [260, 140], "word": "", "other": "", "at": 3},
    {"kind": "why", "text": "don't é🎣", "more": [260, 140], "word": "zq", "other": "", "at": 7},
    {"kind": "why", "text": TEXT, "word": "river", "other": "river", "at": 0},
    {"kind": "steps", "text": TEXT, "layer": 2, "head": 4, "block": 1},
    {"kind": "steps", "text": "don't é🎣", "layer": 99, "head": 99, "block": 99},
    {"kind": "steps", "text": " ".join([TEXT] * 4), "layer": 1, "head": 1, "block": 0},
    {"kind": "sources", "text": TEXT, "word": "river", "rows": 2048},
    {"kind": "sources", "text": f"{TEXT} bank", "word": "river", "rows": 9},  # a few gradients at once
    {"kind": "patched", "text": TEXT, "other": f"{TEXT} {TEXT}", "words": ["river", "the"]},
    {"kind": "sources", "text": f"{TEXT} bank", "word": "the", "rows": 1},  # the first token
    *({"kind": "changed", "text": TEXT, "words": ["river", "bank"], **one} for one in CHANGED),
    {"kind": "sink", "text": TEXT},
    *({"kind": "patched", "text": TEXT, "other": one, "words": ["river", "the"]} for one in OTHERS),
    # the logits of a text are known, and the decoder has read another one since
    {"kind": "why", "text": TEXT, "word": "river", "other": "bank", "at": 0},
    {"kind": "sink", "text": OTHERS[1]},
    {"kind": "why", "text": TEXT, "word": "river", "other": "bank", "at": 0},
]


def directions(model: core.Model) -> Any:
    """A direction for each layer."""
    shape = model.shape
    return np.random.default_rng(3).normal(0, 1, (shape.n_layers, shape.d_model)).astype("f4")


def lens_of(model: core.Model, rank: int = 3) -> FittedLens:
    """A lens of random maps."""
    draw, shape = np.random.default_rng(1), (model.shape.n_layers, model.shape.d_model)
    some = [draw.normal(0, 1, shape).astype("f4") for _ in range(3)]
    thin = [draw.integers(-127, 128, (*shape, rank)).astype("i1") for _ in range(2)]
    losses = Losses(7, *[draw.random(shape[0]).astype("f4") for _ in range(6)])
    strength = draw.normal(0, 1e-4, (shape[0], rank)).astype("f4")
    scale, mean, offset = some
    down, up = thin
    return FittedLens(model.fingerprint(), scale, mean, offset, down, up, strength, "noise", 5, losses)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[core.Model, FittedLens, dict[str, Any]]:
    assert node.install(web.RUNTIME) == 0
    folder: Path = tmp_path_factory.mktemp("language")
    written.write(folder / "bare.gguf", written.model(tie_word_embeddings=True))
    model = core.load(folder / "bare.gguf")
    fitted = lens_of(model)
    (folder / "lens").write_bytes(web.lens(fitted))
    own = model.scratch_decoder
    assert own is not None
    for name, graph in (
        ("layers", decoder_graph.layers(own.config, 3)),
        ("head", decoder_graph.head(own.config)),
        ("back", decoder_graph.back(own.config)),
        ("changed", decoder_graph.changed(own.config)),
    ):
        (folder / f"{name}.onnx").write_bytes(graph)
    manifest = {
        "model": model.name,
        "cased": True,
        "most": model.max_tokens,
        "weights": "bare.gguf",
        "lens": "lens",
        "files": {"bare.gguf": {"bytes": (folder / "bare.gguf").stat().st_size}},
        "shape": web.decoder_shape(model, 3),
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    asked = [{"more": [], **one} for one in ASKED]
    for one in asked:
        if one["kind"] == "sources":
            one["tokens"] = model.trace(one["text"]).find(one["word"], 0).tolist()
            one["directions"] = directions(model).ravel().tolist()
    (folder / "asked.json").write_text(json.dumps(asked))
    runtime = web.RUNTIME / "node_modules" / "onnxruntime-web" / "dist"
    files = (str(folder / name) for name in ("asked.json", "found.json"))
    in_node.run("read.js", str(runtime), str(folder), *files)
    return model, fitted, json.loads((folder / "found.json").read_text())


def test_every_state_reads_as_in_python(made: tuple[core.Model, FittedLens, dict[str, Any]]) -> None:
    model, fitted, found = made
    for asked, one in zip(ASKED, found["answers"], strict=True):
        if asked["kind"] != "lens" or "name" in one:
            continue
        column = asked["column"]
        grid = model.lens(
            asked["text"],
            fitted=fitted if asked["lens"] == "fitted" else False,
            word=asked["word"],
            more=asked.get("more", ()),
            positions=None if column is None else [column],
        )
        assert one["positions"] == list(grid.positions)
        assert one["likeliest"] == grid.likeliest.tolist()
        np.testing.assert_allclose(one["probabilities"], grid.probabilities, rtol=1e-4, atol=1e-7)
        assert one["word"] == grid.word
        assert {int(key): name for key, name in one["names"].items()} == dict(grid.names)
        if grid.word is not None:
            assert one["wordRanks"] == np.array(grid.word_ranks).tolist()
            own = np.array(grid.word_probabilities)
            np.testing.assert_allclose(one["wordProbabilities"], own, rtol=1e-4, atol=1e-7)
        if asked["lens"] == "fitted":
            about = one["about"]
            assert (about["fittedOn"], about["tokens"], about["testedOn"]) == ("noise", 5, 7)
            assert about["plainSame"] == pytest.approx(fitted.losses.plain_same.tolist())


def test_what_was_read_is_not_read_again(made: tuple[core.Model, FittedLens, dict[str, Any]]) -> None:
    model, _, found = made
    depths, answers = model.shape.n_layers + 1, found["answers"]
    n = len(model.read(TEXT))
    added = len(model.read(ASKED[1]["text"])) - n
    assert [one["rows"] for one in answers[:3]] == [n * depths, added * depths, 1 + n * depths]
    assert found["fetched"] == 1


def test_both_sums_behind_a_logit_are_pythons(
    made: tuple[core.Model, FittedLens, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, _, found = made
    monkeypatch.setattr(model_cache, "model", lambda name: model)
    for asked, one in zip(ASKED, found["answers"], strict=True):
        if asked["kind"] != "why" or "name" in one:
            continue
        text, more, at = asked["text"], tuple(asked.get("more", ())), asked["at"]
        typed = len(model.read(text))
        if at > typed:
            more = more[: at - typed]
        elif at:
            text, more = text[: model.read(text).offsets[at - 1][1]], ()
        expected = model.expects_changed(text, more=more)
        tokens = [one["parted"]["token"], one["parted"]["other"]]
        ids = one["parted"]["ids"]
        assert computed.asked(Query("", text, more, asked["word"], asked["other"]), expected).ids == (
            *ids,
        )
        wanted, parts = model.why(text, *ids, more=more), one["parted"]["parts"]
        assert (wanted.token, wanted.other) == tuple(tokens)
        assert parts["whole"] == pytest.approx(wanted.whole, abs=1e-4)
        assert sum(parts["sources"]) == pytest.approx(wanted.whole, abs=1e-4)
        direct = parts["embedding"] + sum(map(sum, parts["heads"])) + sum(parts["networks"])
        assert direct == pytest.approx(wanted.whole, abs=1e-4)
        for ours, theirs in (
            (parts["sources"], wanted.sources.by_token),
            (parts["heads"], wanted.by_head),
            (parts["networks"], wanted.feed_forward),
        ):
            np.testing.assert_allclose(ours, theirs, atol=1e-4)
        assert one["share"] == pytest.approx(computed.share(expected, ids[0]), rel=1e-4)
        assert one["offered"] == list(expected.texts[: len(one["offered"])])
        assert one["count"] == typed + len(asked.get("more", ()))


def test_what_each_token_adds_to_a_word_is_pythons(
    made: tuple[core.Model, FittedLens, dict[str, Any]],
) -> None:
    model, _, found = made
    seen = 0
    for asked, one in zip(ASKED, found["answers"], strict=True):
        if asked["kind"] != "sources":
            continue
        wanted = model.contributions_by_layer(asked["text"], asked["word"], directions(model))
        by_token = np.stack([layer.by_token for layer in wanted])
        own = np.reshape(one["sums"], by_token.shape)
        np.testing.assert_allclose(own, by_token, atol=1e-4)
        whole = [layer.whole for layer in wanted]
        np.testing.assert_allclose(own.sum(axis=1), whole, atol=1e-4)  # there is no bias
        seen += 1
    assert seen == 3


def test_every_step_through_a_layer_is_pythons(
    made: tuple[core.Model, FittedLens, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, _, found = made
    monkeypatch.setattr(model_cache, "model", lambda name: model)
    monkeypatch.setattr(answers, "trace", lambda name, text: model.trace(text))
    shape, cut = model.shape, []
    for asked, one in zip(ASKED, found["answers"], strict=True):
        if asked["kind"] != "steps":
            continue
        read = sentence.sentence("", asked["text"])
        at = min(asked["layer"], shape.n_layers) - 1, min(asked["head"], shape.n_heads) - 1
        wanted = steps_of.of_decoder_alone("", read, *at, asked["block"])
        assert (one["tokens"], one["encoded"]["text"], one["cut"]) == (
            [*read.tokens],
            read.text,
            read.cut,
        )
        assert one["encoded"]["ids"] == [*read.ids]
        assert (one["layers"], one["heads"]) == (shape.n_layers, shape.n_heads)
        assert wanted.apart < 1e-4 > one["apart"]
        same_steps(one["steps"], wanted.steps)
        cut.append(read.cut)
    assert cut == [False, False, True]


def test_a_run_that_is_changed_is_pythons(
    made: tuple[core.Model, FittedLens, dict[str, Any]],
) -> None:
    """As it is, with edges cut and heads ablated, and with each part as the paper had it."""
    model, _, found = made
    decoder, head = model.scratch_decoder, model.scratch_head()
    assert decoder is not None
    assert head is not None
    ids, seen = model.read(TEXT).ids, 0
    for asked, one in zip(ASKED, found["answers"], strict=True):
        if asked["kind"] != "changed":
            continue
        how = asked["changes"] or {}
        changes: list[Change] = [Cut(*edge) for edge in how.get("cuts", ())]
        changes += [Ablate(*place) for place in how.get("ablated", ())]
        assert one["ids"] == [model.first_token(word)[0] for word in asked["words"]]
        if changes:
            wanted = model.expects_changed(TEXT, *changes).logits
        else:
            part = part_names.named(how.get("part", "as it is"))
            wanted = swapped_parts.expected(decoder, head, ids, part)
            lengths = swapped_parts.lengths(decoder, ids, part)
            np.testing.assert_allclose(one["lengths"], lengths, rtol=1e-4)
        np.testing.assert_allclose(one["logits"], wanted, atol=1e-4)
        if asked["scored"]:
            bits = model.score_changed(TEXT, *changes).bits
            np.testing.assert_allclose(one["bits"][1:], bits[1:], atol=1e-4)
        else:
            assert one["bits"] is None
        seen += 1
    assert seen == len(CHANGED)


def test_what_a_state_of_another_text_brings_back_is_pythons(
    made: tuple[core.Model, FittedLens, dict[str, Any]],
) -> None:
    model, _, found = made
    words = [model.first_token(word)[0] for word in ("river", "the")]
    for other in OTHERS:
        index = next(i for i, one in enumerate(ASKED) if one.get("other") == other and "words" in one)
        one = found["answers"][index]
        wanted = model.patch(TEXT, other, answers=(words[0], words[1]))
        a, b, first = wanted.a, wanted.b, one["first"]
        assert (one["a"], one["b"]) == (pytest.approx(a, abs=1e-4), pytest.approx(b, abs=1e-4))
        np.testing.assert_allclose(one["leads"], wanted.differences[:, first:], atol=1e-4)
        tokens = zip(*wanted.tokens, strict=True)
        assert first == next(i for i, (x, y) in enumerate(tokens) if x != y)


def test_the_first_token_as_a_sink_is_pythons(
    made: tuple[core.Model, FittedLens, dict[str, Any]],
) -> None:
    model, _, found = made
    one = found["answers"][[asked["kind"] for asked in ASKED].index("sink")]
    wanted = core.measures.sink(model.trace(TEXT), model.output_gram())
    for name, own in (
        ("norm", wanted.norm),
        ("others", wanted.others),
        ("attention", wanted.attention),
        ("written", wanted.written),
        ("otherWritten", wanted.other_written),
    ):
        np.testing.assert_allclose(one[name], own, rtol=1e-4)


def test_what_cannot_be_asked_is_said(made: tuple[core.Model, FittedLens, dict[str, Any]]) -> None:
    *_, found = made
    said = [one["message"] for one in found["answers"] if "name" in one]
    assert len(said) == 3
    assert "There is no token 99999" in said[0]
    assert said[1].startswith("Both words begin with the same token")
    assert said[2].startswith("Two texts that differ in a word")
