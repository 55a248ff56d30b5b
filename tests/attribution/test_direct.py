"""What each head and each network adds straight to a logit, against hooks in `transformers`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from tests import left_to_right
from tests.pretrained.small_models import TEXT

Made = Callable[..., Path]
MARY = "When Mary and John went to the store, John gave a drink to"


@pytest.fixture(params=["llama", "gpt2"])
def model(made: Made, request: pytest.FixtureRequest) -> core.Model:
    loaded: core.Model = core.load(str(made(request.param)))
    assert loaded.engine == "scratch"
    return loaded


def theirs(model: core.Model) -> Any:
    """The same folder in plain `transformers`, with its head."""
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(model.name, attn_implementation="eager").float().eval()


def wrote(own: Any, ids: list[int], heads: int) -> tuple[list[Any], list[Any], Any, Any, Any]:
    """At the last token: what each head and each network wrote, the first and last state, the norm."""
    base = getattr(own, "transformer", None) or own.model
    mixed, networks, ends = [], [], []
    hooks = []
    for layer in getattr(base, "h", None) or base.layers:
        out = layer.attn.c_proj if hasattr(layer, "attn") else layer.self_attn.o_proj
        weight = out.weight if hasattr(layer, "attn") else out.weight.T  # (H · K, D)

        def before(_: Any, args: Any, weight: Any = weight) -> None:
            rows = args[0][0, -1].view(heads, -1)
            each = weight.view(heads, -1, weight.shape[-1])
            mixed.append(torch.einsum("hk,hkd->hd", rows, each))

        hooks.append(out.register_forward_pre_hook(before))
        hooks.append(layer.mlp.register_forward_hook(lambda *found: networks.append(found[2][0, -1])))
    norm = base.ln_f if hasattr(base, "ln_f") else base.norm
    hooks.append(norm.register_forward_pre_hook(lambda _, args: ends.append(args[0][0, -1])))
    with torch.no_grad():
        found = base(torch.tensor([ids]), output_hidden_states=True)
    for hook in hooks:
        hook.remove()
    return mixed, networks, found.hidden_states[0][0, -1], ends[0], norm


def test_each_part_is_what_it_wrote(model: core.Model) -> None:
    (expected,) = model.expects(TEXT)
    first, second = expected.ids[:2]
    parts = model.why(TEXT, first, second)
    own = theirs(model)
    heads = model.shape.n_heads
    mixed, networks, start, end, norm = wrote(own, [*model.read(TEXT).ids], heads)
    row = own.get_output_embeddings().weight
    along = (row[first] - row[second]).detach() * norm.weight.detach()
    if isinstance(norm, torch.nn.LayerNorm):
        by = (end.var(correction=0) + norm.eps).sqrt()
        along = along - along.mean()  # the norm subtracts the mean from what comes in
    else:
        by = (end.square().mean() + norm.variance_epsilon).sqrt()
    along = (along / by).detach()
    most = max(1.0, float(np.abs(parts.by_head).max()))
    for layer in range(model.shape.n_layers):
        bias = parts.biases[layer]
        with torch.no_grad():
            np.testing.assert_allclose(
                parts.by_head[layer].sum() + bias,
                float((mixed[layer] @ along).sum()) + _bias(own, layer, along),
                atol=1e-5 * most,
            )
            if not hasattr(own, "transformer"):  # no biases
                np.testing.assert_allclose(
                    parts.by_head[layer], (mixed[layer] @ along).numpy(), atol=1e-5 * most
                )
            np.testing.assert_allclose(
                parts.feed_forward[layer], float(networks[layer] @ along), atol=1e-5 * most
            )
    assert parts.embedding == pytest.approx(float((start @ along).detach()), abs=1e-5 * most)
    gap = float(expected.logits[first] - expected.logits[second])
    assert parts.whole == pytest.approx(gap, rel=1e-4, abs=1e-5)
    assert parts.logits == pytest.approx((expected.logits[first], expected.logits[second]), abs=1e-4)
    assert parts.error <= 1e-5 * max(most, float(np.abs(parts.sources.by_depth).max()))


def _bias(own: Any, layer: int, along: Any) -> float:
    """The output bias of an attention, where there is one."""
    base = getattr(own, "transformer", None)
    return 0.0 if base is None else float(base.h[layer].attn.c_proj.bias.detach() @ along)


def test_one_token_alone_at_any_place_and_behind_what_was_written(model: core.Model) -> None:
    (expected,) = model.expects(TEXT)
    number = expected.ids[0]
    alone = model.why(TEXT, number)
    assert alone.other is None
    assert alone.whole == pytest.approx(float(expected.logits[number]), abs=1e-4)
    later = model.why(TEXT, number, more=[number])
    assert later.whole == pytest.approx(
        float(model.expects(TEXT, more=[number])[0].logits[number]), abs=1e-4
    )
    earlier = model.why(TEXT, number, at=2)
    assert not earlier.heads[..., 3:].any()
    assert earlier.error <= 1e-5 * max(1.0, float(np.abs(earlier.heads).max()))


def test_what_has_no_answer_says_so(model: core.Model, minilm: core.Model) -> None:
    with pytest.raises(core.SettingError, match="do not differ"):
        model.why(TEXT, 3, 3)
    with pytest.raises(core.NotSupported, match="next token"):
        minilm.why(TEXT, 3)
    with pytest.raises(core.NotSupported, match="predicts words"):
        minilm.expects_changed(TEXT)


def test_changes_change_what_comes_next(model: core.Model) -> None:
    before = model.expects_changed(TEXT)
    np.testing.assert_allclose(before.logits, model.expects(TEXT)[0].logits, atol=1e-5)
    ablated = model.expects_changed(TEXT, core.Ablate(1, 2))
    own, width = theirs(model), model.shape.d_head
    columns = slice(2 * width, 3 * width)
    with torch.no_grad():
        if hasattr(own, "transformer"):
            own.transformer.h[1].attn.c_proj.weight[columns] = 0
        else:
            own.model.layers[1].self_attn.o_proj.weight[:, columns] = 0
        logits = own(torch.tensor([[*model.read(TEXT).ids]])).logits[0, -1].numpy()
    np.testing.assert_allclose(ablated.logits, logits, atol=1e-4)
    text = "On the old bank"
    replaced = model.expects_changed(text, core.Replace("bank", "river"), more=[3])
    (fresh,) = model.expects("On the old river", more=[3])
    np.testing.assert_allclose(replaced.logits, fresh.logits, atol=1e-5)


def test_the_token_of_a_word(model: core.Model) -> None:
    assert model.first_token("bank") == model.first_token(" bank") == (model._id(" bank"), True)
    number, whole = model.first_token("bankbankbank")
    assert not whole
    assert number == model.read("a bankbankbank").ids[len(model.read("a").ids)]
    with pytest.raises(core.SettingError, match="Type a word"):
        model.first_token("")


@pytest.mark.fuzz
@pytest.mark.check
def test_who_gets_the_drink() -> None:
    """What the page says of its opening, on the real model."""
    model = left_to_right.real()
    mary, john = (model.first_token(name)[0] for name in ("Mary", "John"))
    parts = model.why(MARY, mary, john)
    of = parts.sources.by_token
    assert round(parts.whole, 2) == 6.12
    assert of[3] < -1 < 2 < of[9]  # the first John for John, the second against him
    assert round(float(parts.by_head[23, 3]), 2) == 2.86
    assert int(np.abs(parts.heads[23, 3]).argmax()) in (3, 9)  # it reads a John
    assert parts.error < 1e-4

    def lead(*changes: core.Ablate | core.Cut | core.Replace) -> float:
        now = model.expects_changed(MARY, *changes)
        return round(float(now.logits[mary] - now.logits[john]), 2)

    assert lead(core.Ablate(23, 3)) == 3.08
    assert lead(core.Cut(13, 1)) == 0.46
    assert lead(core.Replace("John", "Mary", 1)) == -5.49
