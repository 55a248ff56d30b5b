"""Encoder–decoders against plain `transformers`, at every layer of both halves and across."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.pretrained.seq2seq import Seq2SeqModel
from tests.generated import written_ids
from tests.pretrained.small_models import (
    PAIRED,
    TEXT,
    Eager,
    close,
    eager,
    save,
    softmax_gives_the_weights,
)

TARGET = "a bank on the river, the bank"


@pytest.fixture(scope="module", params=PAIRED)
def folder(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> Path:
    return save(tmp_path_factory.mktemp("pair"), request.param, fill_randomly)


@pytest.fixture(scope="module")
def loaded(folder: Path) -> core.Model:
    return core.load(str(folder))


@pytest.fixture(scope="module")
def plain(folder: Path) -> Eager:
    return eager(folder)


def what_the_decoder_reads(plain: Eager, target: str, most: int = 64) -> torch.Tensor:
    """The target, shifted by the model itself as in training."""
    labels = plain.tokenizer(target, return_tensors="pt", truncation=True, max_length=most)["input_ids"]
    c = plain.model.config
    if c.model_type == "t5":
        c.decoder_start_token_id = 0  # as everyone sets it: the padding
        shifted: torch.Tensor = plain.model._shift_right(labels)
        return shifted
    from transformers.models.bart.modeling_bart import shift_tokens_right

    moved: torch.Tensor = shift_tokens_right(labels, c.pad_token_id, c.decoder_start_token_id)
    return moved


def layers(half: Any) -> Any:
    return half.block if hasattr(half, "block") else half.layers


def steps(plain: Eager, source: torch.Tensor, target: torch.Tensor) -> dict[str, Any]:
    """Every step of a pair, with the layers' outputs by hooks, which our own code does not use."""
    model = plain.model
    outputs: dict[str, list[torch.Tensor]] = {"encoder": [], "decoder": []}
    hooks = []
    for half, into in outputs.items():
        for layer in layers(getattr(model, half)):

            def keep(_: Any, __: Any, out: Any, into: list[torch.Tensor] = into) -> None:
                into.append(out[0][0] if isinstance(out, tuple) else out[0])

            hooks.append(layer.register_forward_hook(keep))
    with torch.inference_mode():
        out = model(source, decoder_input_ids=target, output_hidden_states=True, output_attentions=True)
    for hook in hooks:
        hook.remove()
    table = model.shared.weight.detach()
    return {
        "encoder": (
            table[source[0]],
            out.encoder_hidden_states[0][0],
            torch.stack(outputs["encoder"]),
            out.encoder_last_hidden_state[0],
            torch.stack(out.encoder_attentions)[:, 0],
        ),
        "decoder": (
            table[target[0]],
            out.decoder_hidden_states[0][0],
            torch.stack(outputs["decoder"]),
            out.last_hidden_state[0],
            torch.stack(out.decoder_attentions)[:, 0],
        ),
        "cross": torch.stack(out.cross_attentions)[:, 0],
    }


def assert_equals(trace: core.Seq2SeqTrace, plain: Eager, expected: dict[str, Any]) -> None:
    assert trace.cross is not None
    close(trace.cross.weights, expected["cross"])
    for half in ("encoder", "decoder"):
        part: core.Trace = getattr(trace, half)
        learned, embedded, hidden, last, weights = expected[half]
        assert part.attention is not None
        close(part.learned, learned)
        close(part.embedded, embedded)
        close(part.hidden, hidden)
        close(part.contextual, last)
        close(part.attention.weights, weights)
        assert (part.final is not None) == (plain.model.config.model_type == "t5")


PAIRS = [(TEXT, TARGET), ("bank", "the river bank on the bank"), ("", "bank"), ("bank", ""), ("", "")]


@pytest.mark.few(6)
@pytest.mark.parametrize("pair", PAIRS)
def test_a_source_and_its_target(loaded: core.Model, plain: Eager, pair: tuple[str, str]) -> None:
    trace = loaded.trace(*pair)
    source = plain.tokenizer(pair[0], return_tensors="pt")["input_ids"]
    target = what_the_decoder_reads(plain, pair[1])
    if not pair[1]:
        target = target[:, :1]  # the start token alone, as before anything is written
    assert isinstance(trace, core.Seq2SeqTrace)
    assert loaded.kind == "encoder-decoder"
    assert list(trace.encoder.tokens) == plain.tokenizer.convert_ids_to_tokens(source[0])
    assert list(trace.decoder.tokens) == plain.tokenizer.convert_ids_to_tokens(target[0])
    assert trace.cross is not None
    assert trace.cross.queries == trace.decoder.tokens
    assert trace.cross.keys == trace.encoder.tokens
    assert_equals(trace, plain, steps(plain, source, target))
    assert (trace.encoder.causal, trace.decoder.causal) == (False, True)


def test_softmax_of_the_scores_gives_the_weights(loaded: core.Model, plain: Eager) -> None:
    trace = loaded.trace(TEXT, TARGET)
    blocks = [(trace.encoder, trace.encoder.attention), (trace.decoder, trace.decoder.attention)]
    for block, attention in [*blocks, (trace, trace.cross)]:
        count, heads = attention.weights.shape[:2]
        for layer in range(count):
            for head in range(heads):
                scores = block.scores(layer, head)
                assert softmax_gives_the_weights(scores, attention.weights[layer, head]) < 1e-5
                above = np.triu(np.ones(scores.values.shape, bool), 1)
                np.testing.assert_array_equal(scores.masked, above if block is trace.decoder else False)
    t5 = plain.model.config.model_type == "t5"
    assert (trace.encoder.bias is not None) == (trace.decoder.bias is not None) == t5
    if t5:  # it does not scale, and a bias by distance is what it knows of the order
        assert trace.encoder.scale == (1.0,) * trace.encoder.grid[0]
        assert np.abs(trace.encoder.bias).max() > 0.1
        table = plain.model.encoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight
        close(trace.encoder.bias[:, 0, 0], table[0].detach())


def test_values_are_those_that_are_mixed(loaded: core.Model, plain: Eager) -> None:
    """The keys and values of the cross-attention come from the encoder's final output."""
    trace = loaded.trace(TEXT, TARGET)
    last = torch.tensor(trace.encoder.contextual)
    for i, layer in enumerate(layers(plain.model.decoder)):
        t5 = plain.model.config.model_type == "t5"
        cross = layer.layer[1].EncDecAttention if t5 else layer.encoder_attn
        for array, projection in (
            (trace.key, cross.k if t5 else cross.k_proj),
            (trace.value, cross.v if t5 else cross.v_proj),
        ):
            made = projection(last).reshape(len(last), array.shape[1], -1).transpose(0, 1)
            close(array[i], made.detach())


@pytest.mark.parametrize("keep", ["all", "attention", "hidden"])
def test_keep_and_the_limit(monkeypatch: pytest.MonkeyPatch, loaded: core.Model, keep: Any) -> None:
    trace, full = loaded.trace(TEXT, TARGET, keep=keep), loaded.trace(TEXT, TARGET)
    assert (trace.cross is not None) == (keep != "hidden")
    assert (trace.query is not None) == (keep == "all")
    for half in ("encoder", "decoder"):
        part = getattr(trace, half)
        assert (part.hidden is not None) == (keep != "attention")
        if part.hidden is not None:
            most = float(np.abs(getattr(full, half).hidden).max())  # a fused attention rounds otherwise
            close(part.hidden, getattr(full, half).hidden, 1e-5 * max(1.0, most))
    if keep != "all":
        with pytest.raises(core.NotSupported, match="keep='all'"):
            trace.scores(0, 0)
    monkeypatch.setattr(loaded, "_trace_bytes", trace.nbytes)
    loaded.trace(TEXT, TARGET, keep=keep)
    monkeypatch.setattr(loaded, "_trace_bytes", trace.nbytes - 1)
    with pytest.raises(core.TooLarge):
        loaded.trace(TEXT, TARGET, keep=keep)


def test_long_texts_are_cut_where_the_model_ends(loaded: core.Model, plain: Eager) -> None:
    text = "the river bank " * 40
    trace = loaded.trace(text, text)
    most = loaded.max_tokens
    inputs = plain.tokenizer(text, truncation=True, max_length=most, return_tensors="pt")
    target = what_the_decoder_reads(plain, text, most)
    assert_equals(trace, plain, steps(plain, inputs["input_ids"], target))
    assert len(trace.encoder.tokens) == len(trace.decoder.tokens) == most == 64
    for part in (trace.encoder, trace.decoder):
        assert part.left_out[1] == len(text)


def test_words_are_found_on_both_sides(loaded: core.Model) -> None:
    trace = loaded.trace(TEXT, TARGET)
    assert trace.encoder.words() == ("On", "the", "river", "bank", ",", "'s", "riverbank")
    assert trace.decoder.words() == ("a", "bank", "on", "the", "river", ",")
    assert trace.decoder.special[0]
    for part in (trace.encoder, trace.decoder):
        assert len(part.find_all("bank")) == 2
        joined = "".join(part.tokens[i] for i in part.find("bank"))
        assert joined.lstrip("Ġ▁") == "bank"


def test_a_source_alone_and_many_are_refused(loaded: core.Model) -> None:
    with pytest.raises(core.NotSupported, match=r"Give the source and its target.*trace\(source, "):
        loaded.trace(TEXT)
    for ask in (
        lambda: loaded.trace_many([TEXT]),
        lambda: loaded.vectors([TEXT], "bank"),
        lambda: loaded.every_word([TEXT], [0]),
    ):
        with pytest.raises(core.NotSupported, match="pair by pair"):
            ask()
    with pytest.raises(core.SettingError, match="must be a string"):
        loaded.trace(TEXT, 7)  # type: ignore[call-overload]


@pytest.mark.few(2)
def test_threads_do_not_mix(folder: Path, loaded: core.Model) -> None:
    """A fresh model, so that its first runs are simultaneous."""
    texts = [("the river " * k + "bank", "a bank on " * (9 - k) + "river") for k in range(1, 9)]
    alone = [loaded.trace(source, target).decoder.hidden for source, target in texts]
    fresh = core.load(str(folder))

    def hidden(pair: tuple[str, str]) -> Any:
        return fresh.trace(pair[0], pair[1]).decoder.hidden

    with ThreadPoolExecutor(8) as pool:
        rounds = [[*pool.map(hidden, texts)] for _ in range(3)]
    own = [hidden(pair) for pair in texts]
    for mine, theirs in zip(own, alone, strict=True):
        close(mine, theirs)
    for found in rounds:
        for together, mine in zip(found, own, strict=True):
            np.testing.assert_array_equal(together, mine)


@pytest.mark.check
def test_a_target_is_written_step_by_step(tmp_path: Path, fill_randomly: Callable[..., None]) -> None:
    """As `generate` writes it, with the logits of `expects` and the trace of one pass."""
    model = core.load(str(save(tmp_path, "marian", fill_randomly, "MTModel")))
    assert isinstance(model, Seq2SeqModel)
    made = model.decode(TEXT, max_tokens=9)
    assert made.ids == written_ids(model, TEXT, second="", n=9, temperature=0.0)
    assert made.own == tuple(zip(made.ids, made.tokens, strict=True))
    for step in (0, 3, len(made.ids) - 1):
        (expected,) = model.expects(TEXT, "", more=made.ids[:step])
        close(made.expectations[step].logits, expected.logits)
    trace = model.trace(TEXT, "", more=made.ids[:-1])
    assert made.trace.decoder.tokens == trace.decoder.tokens
    assert made.trace.cross is not None
    assert trace.cross is not None
    close(made.trace.cross.weights, trace.cross.weights)
    end = model._rules.ends
    forced = model.decode(TEXT, {1: 17, 3: next(iter(end)), 99: 5}, max_tokens=9)
    assert forced.ids[0] == made.ids[0]
    assert forced.ids[1] == 17
    assert (forced.ended, len(forced.ids)) == (True, 4)
    (then,) = written_ids(model, TEXT, second="", more=forced.ids[:2], temperature=0.0)
    assert forced.own[2][0] == then
    for wrong, of in (({0: -1}, 9), ({0: 10**6}, 9), ({}, 0)):
        with pytest.raises(core.SettingError):
            model.decode(TEXT, wrong, max_tokens=of)
