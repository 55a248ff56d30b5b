"""Every family of our own transformer, each intervention: beside hooks on the same in `transformers`.

The table family × intervention. What a cut does is found by a softmax that skips one pair of tokens;
heads and states are exchanged, or set to 0, where `transformers` passes them on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

import core
from tests.pretrained.families.test_own_engine import FAMILIES, saved

A, B = "a kid saw the bank", "a kip sow the bank"  # two letters differ
# What joins the heads of a layer, by the end of its name.
JOINS = (
    *("attn.c_proj", "attn.out_proj", "attention.out_proj", "self_attention.dense", "attention.dense"),
    *("self_attn.dense", "self_attn.o_proj", "self_attn.out_proj", "attention.output.dense"),
    *("attn.Wo", "attention.attn.o", "attention.out_lin"),
)
NORMS = (
    "norm",
    "ln_f",
    "final_layer_norm",
    "final_layernorm",
    "final_norm",
    "decoder.final_layer_norm",
)


class Both(NamedTuple):
    """A model of ours, and the same in `transformers`."""

    ours: core.Model
    theirs: Any

    @property
    def base(self) -> Any:
        return self.theirs.base_model

    @property
    def joins(self) -> list[Any]:
        return [one for name, one in self.base.named_modules() if name.endswith(JOINS)]

    @property
    def layers(self) -> list[Any]:
        count = self.ours.shape.n_layers
        return next(
            list(one)
            for one in self.base.modules()
            if isinstance(one, torch.nn.ModuleList) and len(one) == count
        )

    @property
    def norm(self) -> Any:
        names = dict(self.base.named_modules())
        found = [names[one] for one in NORMS if one in names]
        return found[0] if found else None

    def run(self, text: str) -> Any:
        ids = torch.tensor([self.ours.read(text).ids])
        with torch.inference_mode():
            return self.theirs(ids, output_hidden_states=True)


# `make check` runs these, which no other test takes apart; `make fuzz` all.
CHECKED = ("olmo", "granite", "cohere", "mpnet", "gemma")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(one, marks=pytest.mark.check if one in CHECKED else pytest.mark.fuzz)
        for one in FAMILIES
    ],
)
def both(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    fill_randomly: Callable[..., None],
) -> Both:
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

    folder = saved(tmp_path_factory.mktemp("family"), request.param, fill_randomly)
    ours = core.load(str(folder))
    assert ours.engine == "scratch"
    kind = AutoModelForCausalLM if ours.predicts == "next" else AutoModelForMaskedLM
    return Both(ours, kind.from_pretrained(folder, attn_implementation="eager").float().eval())


@contextmanager
def given(modules: list[Any], change: Callable[[int, Tensor], Tensor | None]) -> Iterator[None]:
    """What these modules are given, changed; `change` knows the number of the call."""
    calls = [0]

    def hook(_: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        calls[0] += 1
        old = args[0] if args else named["hidden_states"]
        new = change(calls[0] - 1, old)
        if new is None:
            return None
        return ((new, *args[1:]), named) if args else (args, named | {"hidden_states": new})

    with ExitStack() as stack:
        for module in modules:
            handle = module.register_forward_pre_hook(hook, with_kwargs=True)
            stack.callback(handle.remove)
        yield


def close(mine: Any, its: Any) -> None:
    most = max(1e-3, float(np.abs(its).max()))
    np.testing.assert_allclose(mine, its, rtol=0, atol=1e-5 * most)


def last_of(both: Both, text: str) -> np.ndarray:
    """The last vectors, as `transformers` passes them to its head."""
    ids = torch.tensor([both.ours.read(text).ids])
    with torch.inference_mode():
        found: np.ndarray = both.base(ids).last_hidden_state[0].numpy()
    return found


def test_a_head_that_is_ablated(both: Both) -> None:
    width = both.ours.shape.d_head

    def ablated(call: int, x: Tensor) -> Tensor | None:
        if call != 1:  # the second layer, also where layers share their weights
            return None
        x = x.clone()
        x[..., width : 2 * width] = 0
        return x

    plain = last_of(both, A)
    with given(both.joins, ablated):
        expected = last_of(both, A)
    assert np.abs(expected - plain).max() > 1e-3
    close(both.ours.intervene(A, core.Ablate(1, 1)).after.contextual, expected)


def test_an_edge_that_is_cut(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    n = len(both.ours.read(A).ids)
    softmax = F.softmax
    met = []

    def without(scores: Tensor, *args: Any, **more: Any) -> Tensor:
        if scores.shape[-2:] == (n, n):
            scores = scores.clone()
            scores[..., n - 1, n - 2] = torch.finfo(scores.dtype).min
            met.append(1)
        return softmax(scores, *args, **more)

    plain = last_of(both, A)
    with monkeypatch.context() as patch:
        patch.setattr(F, "softmax", without)
        expected = last_of(both, A)
    assert len(met) == both.ours.shape.n_layers
    assert np.abs(expected - plain).max() > 1e-3
    close(both.ours.intervene(A, core.Cut(n - 1, n - 2)).after.contextual, expected)


def test_contributions_add_up_to_what_transformers_computes(both: Both) -> None:
    ours, out = both.ours, both.run(A)
    along = np.random.default_rng(0).normal(size=ours.shape.d_model).astype(np.float32)
    for layer in range(ours.shape.n_layers - 1):
        found = ours.contributions(A, "bank", along, layer=layer)
        whole = float(out.hidden_states[layer + 1][0, list(found.word)].mean(0).numpy() @ along)
        most = max(1.0, float(np.abs(found.by_depth).max()))
        assert abs(found.whole - whole) <= 1e-5 * most
        assert found.error <= 1e-5 * most
    if ours.predicts == "next":
        for token in (7, 11):
            found = ours.logit_contributions(A, token)
            most = max(1.0, float(np.abs(found.by_depth).max()))
            assert abs(found.whole - float(out.logits[0, -1, token])) <= 1e-5 * most
            assert found.error <= 1e-5 * most


def test_the_lens(both: Both) -> None:
    """The head of `transformers`, given each state behind the final norm in the place of the last."""
    grid, out = both.ours.lens(A, word=7), both.run(A)
    *states, _ = out.hidden_states
    assert grid.word_probabilities is not None
    for depth, state in enumerate(states):
        with torch.inference_mode():
            read = state if both.norm is None else both.norm(state)

        def put(_: Any, __: Any, given: Any, read: Tensor = read) -> Any:
            given.last_hidden_state = read
            return given

        body = both.base.decoder if hasattr(both.base, "decoder") else both.base  # OPT's
        handle = body.register_forward_hook(put)
        shares = both.run(A).logits[0].softmax(-1).numpy()
        handle.remove()
        np.testing.assert_allclose(grid.word_probabilities[depth], shares[:, 7], rtol=0, atol=1e-5)
        best = np.take_along_axis(shares, grid.likeliest[depth], -1)
        np.testing.assert_allclose(grid.probabilities[depth], best, rtol=0, atol=1e-5)
    last = both.run(A).logits[0].softmax(-1).numpy()
    np.testing.assert_allclose(grid.word_probabilities[-1], last[:, 7], rtol=0, atol=1e-5)


def test_states_and_heads_of_another_prompt(both: Both) -> None:
    if both.ours.predicts != "next":
        with pytest.raises(core.NotSupported, match="does not predict the next token"):
            both.ours.patch(A, B)
        return
    moved = (both.run(A).logits - both.run(B).logits)[0, -1]
    answers = int(moved.argmax()), int(moved.argmin())
    found = both.ours.patch(A, B, answers=answers)
    n, width = len(found.tokens[0]), both.ours.shape.d_head
    most = float(both.run(B).logits[0, -1].abs().max())

    def kept(modules: list[Any]) -> list[Tensor]:
        states: list[Tensor] = []
        with given(modules, lambda _, x: states.append(x.clone())):
            both.run(A)
        return states

    def difference() -> float:
        logits = both.run(B).logits[0, -1]
        return float(logits[answers[0]] - logits[answers[1]])

    modules = [*both.layers, both.norm]
    for depth, state in enumerate(kept(modules)):
        for i in (0, found.differ[0], n - 1):

            def put(_: int, x: Tensor, i: int = i, state: Tensor = state) -> Tensor:
                x = x.clone()
                x[:, i] = state[:, i]
                return x

            with given([modules[depth]], put):
                assert abs(found.differences[depth, i] - difference()) <= 1e-5 * max(1, most)
    heads = both.ours.patch(A, B, answers=answers, by="head").differences
    for layer, state in enumerate(kept(both.joins)):
        part = slice(width, 2 * width)

        def put_head(_: int, x: Tensor, state: Tensor = state, part: slice = part) -> Tensor:
            x = x.clone()
            x[..., -1, part] = state[..., -1, part]
            return x

        with given([both.joins[layer]], put_head):
            assert abs(heads[layer, 1] - difference()) <= 1e-5 * max(1, most)
