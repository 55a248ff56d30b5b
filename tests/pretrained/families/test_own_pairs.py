"""Encoder–decoders in our own transformer equal eager `transformers`: odd shapes, padded, cached."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor

import core
from core.pretrained.engines import scratch, scratch_pair
from core.pretrained.engines.engine import Batch
from core.pretrained.engines.scratch_pair import ScratchPair
from core.pretrained.seq2seq import Seq2SeqModel
from tests.pretrained.families.test_own_decoders import Fill, apart, relative
from tests.pretrained.small_models import TEXT, eager, save

T5: dict[str, Any] = {"vocab_size": 101, "num_layers": 3, "num_decoder_layers": 2, "num_heads": 5}
T5 |= {"d_model": 21, "d_kv": 7, "d_ff": 17, "relative_attention_num_buckets": 6}
T5 |= {"relative_attention_max_distance": 11, "decoder_start_token_id": 0}
BUCKETS = {"relative_attention_num_buckets": 32, "relative_attention_max_distance": 40}
BART: dict[str, Any] = {"vocab_size": 101, "encoder_layers": 3, "decoder_layers": 2, "d_model": 42}
BART |= {"encoder_attention_heads": 7, "decoder_attention_heads": 7, "max_position_embeddings": 33}
BART |= {"encoder_ffn_dim": 17, "decoder_ffn_dim": 17, "decoder_start_token_id": 2, "pad_token_id": 1}
SHAPES: list[tuple[str, dict[str, Any]]] = [
    ("T5", T5),
    ("T5", T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "num_heads": 3}),
    ("T5", T5 | BUCKETS | {"d_kv": 11, "layer_norm_epsilon": 1e-2}),
    ("MT5", T5 | {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    ("UMT5", T5 | BUCKETS | {"vocab_size": 101}),
    ("Bart", BART),
    ("Bart", BART | {"encoder_attention_heads": 3, "encoder_ffn_dim": 11}),
    ("MBart", BART | {"decoder_attention_heads": 2, "decoder_ffn_dim": 25, "encoder_layers": 2}),
    ("Bart", BART | {"scale_embedding": True, "activation_function": "relu", "decoder_layers": 1}),
    ("MBart", BART | {"scale_embedding": True}),
    ("PLBart", BART | {"activation_function": "gelu_new"}),
    ("Marian", BART | {"scale_embedding": True, "activation_function": "swish"}),
    ("Marian", BART | {"d_model": 35, "encoder_layers": 1}),
    ("Pegasus", BART | {"scale_embedding": True, "activation_function": "relu"}),
]
NAMES = [f"{family} {number}" for number, (family, _) in enumerate(SHAPES)]


class Pair(NamedTuple):
    """A model of `transformers`, and our engine with its weights."""

    theirs: Any
    ours: ScratchPair


def made(family: str, settings: dict[str, Any], fill: Fill, *, computed: bool = False) -> Pair:
    """`computed`: whether sinusoidal positions stay as they are, and are not among the tensors."""
    import transformers

    config = getattr(transformers, f"{family}Config")(**settings, attn_implementation="eager")
    head = "MTModel" if family == "Marian" else "ForConditionalGeneration"
    theirs = getattr(transformers, f"{family}{head}")(config).eval()
    kept = {k: v.clone() for k, v in theirs.state_dict().items() if "embed_positions" in k}
    fill(theirs)
    weights = theirs.state_dict()
    if computed:
        theirs.load_state_dict(kept, strict=False)
        weights = {k: v for k, v in weights.items() if k not in kept}
    plan = scratch.plan_of(config, weights)
    assert plan is not None
    net = scratch.from_state_dict(plan, weights, family)
    return Pair(theirs, scratch_pair.engine(net, config, "cpu", family))  # type: ignore[arg-type]


def differences(pair: Pair) -> dict[str, float]:
    """The largest differences of a padded batch: attention, and hidden states relative to theirs."""
    draw = torch.Generator().manual_seed(5)
    source, target = (torch.randint(3, 101, (2, n), generator=draw) for n in (19, 13))
    mask = torch.arange(19) < torch.tensor([[19], [11]])
    given: dict[str, Any] = {"attention_mask": mask.long(), "decoder_input_ids": target}
    with torch.no_grad():
        out = pair.theirs(source, **given, output_hidden_states=True, output_attentions=True)
        zeros = torch.zeros_like
        run = pair.ours.run_pair(
            Batch(source, zeros(source), mask), Batch(target, zeros(target), None), "all"
        )
        seen = {"encoder": mask, "decoder": torch.ones_like(target, dtype=torch.bool), "cross": None}
        blocks: list[tuple[Any, Any, Tensor | None]] = [
            (run.encoder, out.encoder_attentions, seen["encoder"]),
            (run.decoder, out.decoder_attentions, None),
            (run.cross, out.cross_attentions, None),
        ]
        attention = 0.0
        for mine, its, there in blocks:
            for a, b in zip(mine.weights_BHLM, its, strict=True):
                rows = a.transpose(1, 2), b.transpose(1, 2)
                attention = max(
                    attention, apart(*(one if there is None else one[there] for one in rows))
                )
        hidden = 0.0
        for half in ("encoder", "decoder"):
            mine = getattr(run, half)
            states = [mine.embedded_BLD, *mine.hidden_BLD]
            if mine.final_BLD is not None:
                states[-1] = mine.final_BLD
            its = getattr(out, f"{half}_hidden_states")
            there = seen[half]
            assert len(states) == len(its)
            hidden = max(
                hidden, *(relative(a[there], b[there]) for a, b in zip(states, its, strict=True))
            )
    return {"attention": attention, "hidden": hidden}


@pytest.mark.few(6)
@pytest.mark.parametrize("number", range(len(SHAPES)), ids=NAMES)
def test_odd_shapes(number: int, fill_randomly: Fill) -> None:
    pair = made(*SHAPES[number], fill_randomly)
    found = differences(pair)
    assert found["attention"] <= 1e-5, found
    assert found["hidden"] <= 1e-5, found


@pytest.mark.parametrize("family", ["Marian", "Pegasus"])
def test_positions_that_a_file_lacks_are_computed(family: str, fill_randomly: Fill) -> None:
    pair = made(family, BART | {"d_model": 35}, fill_randomly, computed=True)
    assert pair.ours.net.config.positions == "sinusoidal halves"
    assert max(differences(pair).values()) <= 1e-5


@pytest.mark.parametrize("number", [0, 4, 5, 6, 9, 12])
def test_cached_decoding_equals_all_at_once(number: int, fill_randomly: Fill) -> None:
    pair = made(*SHAPES[number], fill_randomly)
    source, target = torch.arange(3, 14)[None], torch.arange(20, 32)[None]
    batch = Batch(source, torch.zeros_like(source), None)
    with torch.no_grad():
        read = pair.ours.reading(batch)
        whole = pair.ours.reading(batch)(Batch(target, torch.zeros_like(target), None))
        for end in (1, 2, 5, 6, 12):  # of several lengths, each behind the one before
            part = target[:, :end]
            found = read(Batch(part, torch.zeros_like(part), None))
            assert relative(found, whole[:, :end]) <= 1e-5
        other = target.flip(1)  # another target is read anew
        again = read(Batch(other, torch.zeros_like(other), None))
        fresh = pair.ours.reading(batch)(Batch(other, torch.zeros_like(other), None))
        assert relative(again, fresh) <= 1e-6


def test_shapes_and_halves_that_ours_has_not_stay_with_transformers(fill_randomly: Fill) -> None:
    import transformers

    config = transformers.BartConfig(**BART | {"decoder_attention_heads": 5})  # of 42 dimensions
    assert scratch.plan_of(config) is None
    t5 = transformers.T5Config(**T5)
    assert scratch.plan_of(t5) is not None
    alone = transformers.T5EncoderModel(t5).state_dict()
    assert scratch.plan_of(t5, alone) is None


@pytest.fixture(scope="module", params=["t5", "t5, gated", "bart", "umt5"])
def folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, fill_randomly: Fill
) -> Path:
    folder = tmp_path_factory.mktemp("pair")
    return save(folder, request.param, fill_randomly, "ForConditionalGeneration")


@pytest.mark.few(2)
def test_folders_objects_and_logits(folder: Path) -> None:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    ours, theirs = core.load(str(folder)), core.load(str(folder), engine="huggingface")
    assert (ours.engine, theirs.engine) == ("scratch", "huggingface")
    assert isinstance(ours, Seq2SeqModel)
    assert isinstance(theirs, Seq2SeqModel)
    whole = AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager")
    given = core.load(whole, AutoTokenizer.from_pretrained(folder), name="given")
    assert given.engine == "scratch"
    read = ours.decode(TEXT, max_tokens=5)
    assert read.ids == theirs.decode(TEXT, max_tokens=5).ids
    source = eager(folder).tokenizer(TEXT, return_tensors="pt")["input_ids"]
    start = torch.tensor([[ours._pair_runner.start_id, *read.ids[:3]]])
    with torch.no_grad():
        expected = whole(source, decoder_input_ids=start).logits[0]
    batch = [Batch(ids, torch.zeros_like(ids), None) for ids in (source, start)]
    with torch.no_grad():
        logits = ours._words.head.logits(ours._pair_runner.reading(batch[0])(batch[1])[0])
    assert apart(logits, expected) <= 1e-4
    pair = ours.trace(TEXT, "a bank"), theirs.trace(TEXT, "a bank")
    for half in ("encoder", "decoder"):
        a, b = (getattr(one, half) for one in pair)
        assert (a.final is None, a.bias is None, a.scale) == (b.final is None, b.bias is None, b.scale)
        for name in ("learned", "embedded", "hidden", "query", "key", "value", "bias"):
            if getattr(a, name) is not None:
                bound = 1e-5 * max(1, np.abs(getattr(b, name)).max())
                np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=0, atol=bound)
    np.testing.assert_allclose(pair[0].scores(1, 1).values, pair[1].scores(1, 1).values, atol=2e-4)
