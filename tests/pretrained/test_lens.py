"""What each layer would say: against plain `transformers`; the fitted lens; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from core.language.lens import FittedLens
from core.pretrained import cancellation
from core.pretrained.fit_lens import _divided, _pieces, main, texts_of
from core.settings import CATALOGUE
from tests.pretrained.test_smollm2 import MARY, smollm2
from tests.pretrained.word_models import plain

__all__ = ["smollm2"]
Made = Callable[..., Path]
TEXT = "On the river bank, the bank's riverbank"
WORDS = (
    "river",
    "bank",
    "water",
    "money",
    "fish",
    "tree",
    "stone",
    "house",
    "road",
    "light",
    "old",
    "new",
)


def prose(seed: int, count: int = 300) -> str:
    return " ".join(np.random.default_rng(seed).choice(WORDS, count))


def oracle(folder: Path, ids: tuple[int, ...]) -> np.ndarray:
    """(N + 1, L, V) probabilities: each state of `transformers` through its own norm and head."""
    model: Any = plain(folder).model
    with torch.no_grad():
        states: list[torch.Tensor] = []
        base = model.base_model
        blocks = (
            base.h
            if hasattr(base, "h")
            else base.encoder.layer
            if hasattr(base, "encoder")
            else base.layers
        )
        hooks = [
            blocks[0].register_forward_pre_hook(
                lambda _, a, kw: states.append(a[0] if a else kw["hidden_states"]), with_kwargs=True
            )
        ]
        hooks += [
            one.register_forward_hook(
                lambda _, __, out: states.append(out[0] if isinstance(out, tuple) else out)
            )
            for one in blocks
        ]
        model(torch.tensor([ids]))
        for hook in hooks:
            hook.remove()
        norm = getattr(base, "ln_f", None) or getattr(base, "norm", None) or torch.nn.Identity()
        head = model.cls if hasattr(model, "cls") else model.lm_head
        states = [one if one.ndim == 3 else one[None] for one in states]
        return np.stack([head(norm(one))[0].softmax(-1).numpy() for one in states])


@pytest.mark.parametrize("kind", ["llama", "gpt2", "bert"])
def test_each_state_reads_as_its_norm_and_head_say(kind: str, made: Made) -> None:
    folder = made(kind)
    model = core.load(str(folder))
    grid = model.lens(TEXT, word=5, top=7)
    expected = oracle(folder, grid.ids)
    order = np.argsort(-expected, axis=-1, kind="stable")[..., :7]
    np.testing.assert_array_equal(grid.likeliest, order)
    np.testing.assert_allclose(
        grid.probabilities, np.take_along_axis(expected, order, -1), rtol=2e-4, atol=1e-7
    )
    assert grid.word_probabilities is not None
    np.testing.assert_allclose(grid.word_probabilities, expected[..., 5], rtol=2e-4, atol=1e-8)
    np.testing.assert_array_equal(grid.word_ranks, (expected > expected[..., 5:6]).sum(-1))


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_the_last_row_is_the_prediction_of_the_model(kind: str, made: Made) -> None:
    model = core.load(str(made(kind)))
    more = (5, 9)
    grid, score = model.lens(TEXT, more=more, top=10), model.score(TEXT, more=more)
    (expected,) = model.predict(TEXT, more=more)
    np.testing.assert_array_equal(grid.likeliest[-1, -1], expected.ids)
    np.testing.assert_allclose(grid.probabilities[-1, -1], expected.probabilities, rtol=1e-5)
    np.testing.assert_allclose(grid.probabilities[-1, :-1], score.probabilities[1:], rtol=1e-5)
    assert (grid.tokens, grid.ids, grid.offsets) == (score.tokens, score.ids, score.offsets)


def test_a_masked_model_reads_each_position_and_the_mask_as_it_predicts_it(made: Made) -> None:
    model = core.load(str(made("bert")))
    text = "On the [MASK] bank"
    grid = model.lens(text, top=10)
    (expected,) = model.predict(text)
    np.testing.assert_array_equal(grid.likeliest[-1, expected.position], expected.ids)
    assert grid.predicts == "masked"


@pytest.mark.parametrize("kind", ["llama", "gpt2", "opt"])
def test_a_model_in_the_other_engine_gives_the_same_or_says_why_not(kind: str, made: Made) -> None:
    other = core.load(str(made(kind)), engine="huggingface")
    found = other.lens(TEXT)
    if kind != "opt":
        own = core.load(str(made(kind))).lens(TEXT)
        np.testing.assert_allclose(found.probabilities, own.probabilities, rtol=1e-3, atol=1e-6)
    (expected,) = other.predict(TEXT, top_k=5)
    np.testing.assert_array_equal(found.likeliest[-1, -1], expected.ids)


def test_positions_are_columns_of_the_whole(made: Made) -> None:
    model = core.load(str(made("llama")))
    whole, some = model.lens(TEXT), model.lens(TEXT, positions=[-1, 2])
    assert some.positions == (2, len(whole.tokens) - 1)
    np.testing.assert_array_equal(some.likeliest, whole.likeliest[:, some.positions])
    with pytest.raises(IndexError):
        model.lens(TEXT, positions=[99])


def test_a_word_is_its_first_token(made: Made) -> None:
    model = core.load(str(made("llama")))
    grid = model.lens(TEXT, word="river")
    assert grid.names[grid.word or 0].strip() == "river"
    assert model.lens(TEXT, word="riverbank").word == grid.word  # of two tokens, the first
    for wrong in ("", -1, 10**9, True):
        with pytest.raises(core.SettingError):
            model.lens(TEXT, word=wrong)


def test_what_has_no_lens_is_refused_in_a_sentence(made: Made) -> None:
    model = core.load(str(made("llama")))
    with pytest.raises(core.NotSupported, match="No fitted lens"):
        model.lens(TEXT, fitted=True)
    with pytest.raises(core.SettingError, match="True, or what fit_lens"):
        model.lens(TEXT, fitted="yes")  # type: ignore[arg-type]
    with pytest.raises(core.SettingError, match="from 1 to"):
        model.lens(TEXT, top=0)
    assert model.fitted_lens() is None
    with pytest.raises(core.NotSupported, match="predict"):
        core.load("minilm").lens(TEXT)
    with pytest.raises(core.NotSupported, match="encoder–decoder"):
        core.load(str(made("t5"))).lens(TEXT)


@pytest.fixture
def fitted(made: Made) -> FittedLens:
    model = core.load(str(made("llama")))
    told: list[tuple[int, int]] = []
    lens = model.fit_lens(
        [prose(i) for i in range(9)],
        fitted_on="words",
        tokens=800,
        rank=8,
        on_progress=lambda done, every: told.append((done, every)),
    )
    assert told[-1] == (900, 900)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    return lens


def test_a_fitted_lens_is_nearer_to_the_prediction_than_the_plain_one(
    fitted: FittedLens, made: Made
) -> None:
    model = core.load(str(made("llama")))
    losses = fitted.losses
    assert fitted.tokens == 800
    assert losses.tokens == 100
    assert (losses.fitted < losses.plain).all()
    grid = model.lens(TEXT, fitted=fitted)
    assert (grid.lens, grid.fitted_on) == ("fitted", "words")
    np.testing.assert_array_equal(grid.likeliest[-1], model.lens(TEXT).likeliest[-1])
    # the losses are those of the very map, computed here from its own numbers
    trace = model.trace(prose(20), keep="hidden")
    decoder, matrix = model.scratch_decoder, model.scratch_head()
    assert decoder is not None
    assert decoder.stack.norm is not None
    assert matrix is not None
    assert trace.hidden is not None
    state = decoder.stack.norm(torch.from_numpy(trace.hidden[0].copy())).detach().numpy()
    head = matrix.detach().numpy()
    read = fitted.read(1, state) @ head.T
    own = model.lens(prose(20), fitted=fitted, top=1)
    np.testing.assert_array_equal(own.likeliest[1, :, 0], read.argmax(-1))


def test_a_lens_fits_its_own_weights_alone(fitted: FittedLens, made: Made) -> None:
    other = core.load(str(made("gpt2")))
    assert other.fingerprint() != fitted.fingerprint == core.load(str(made("llama"))).fingerprint()
    with pytest.raises(core.SettingError, match="other weights"):
        other.lens(TEXT, fitted=fitted)


def test_a_masked_model_can_be_fitted_too(made: Made) -> None:
    model = core.load(str(made("bert")))
    lens = model.fit_lens([prose(1, 900)], fitted_on="words", tokens=400, rank=4)
    assert model.lens(TEXT, fitted=lens).lens == "fitted"


def test_too_few_tokens_are_said_with_the_number_that_it_takes(made: Made) -> None:
    model = core.load(str(made("llama")))
    need = 2 * model.shape.d_model
    with pytest.raises(core.NotSupported, match=f"at least {need:,} tokens"):
        model.fit_lens(["a few words"], fitted_on="nothing")
    with pytest.raises(core.NotSupported, match="at least"):
        model.fit_lens([], fitted_on="nothing")


def test_it_ends_when_nobody_waits_for_it(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    model = core.load(str(made("llama")))
    asked = 0

    def ask() -> None:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise InterruptedError

    monkeypatch.setattr(cancellation, "_asks", [ask])
    with pytest.raises(InterruptedError):
        model.fit_lens([prose(1, 5_000)], fitted_on="words")
    assert asked == 3


@pytest.mark.parametrize("text", ["", " ", "a" * 9_000, "ab " * 3_000, "שלום 😀\u200d\n" * 500])
def test_pieces_have_every_letter_and_are_short(text: str) -> None:
    pieces = _pieces(text)
    assert all(0 < len(one) <= 2_000 for one in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


@pytest.mark.parametrize("count", [1, 3, 20])
def test_what_is_measured_on_was_not_fitted_on(count: int) -> None:
    documents = [[f"{i}.{j}" for j in range(16)] for i in range(count)]
    train, tested = _divided(documents)
    assert not {*train} & {*tested}
    assert len(train) + len(tested) == 16 * count
    if count == 20:  # whole documents
        assert not {one.split(".")[0] for one in train} & {one.split(".")[0] for one in tested}


def test_a_table_of_sentences_becomes_documents(tmp_path: Path) -> None:
    table = tmp_path / "corpus.tsv"
    table.write_text(
        "spoken\tone\tWell , I do n't know .\nspoken\ttwo\tYes .\nspoken\tone\tRight ?\n", "utf-8"
    )
    assert texts_of(table) == ["Well, I don't know. Right?", "Yes."]
    text = tmp_path / "a.txt"
    text.write_text("One line.\nAnother one .\n", "utf-8")
    assert texts_of(text) == ["One line.\nAnother one ."]


def test_the_command_writes_a_lens_and_prints_its_losses(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts, out = tmp_path / "words.txt", tmp_path / "own.lens"
    texts.write_text(prose(3, 6_000), "utf-8")
    main([str(made("llama")), str(texts), str(out), "--tokens", "300", "--about", "twelve words"])
    lens = FittedLens.from_bytes(out.read_bytes())
    assert (lens.fitted_on, lens.tokens) == ("twelve words", 300)
    said = capsys.readouterr().out
    assert "Fitted on 300 tokens, measured on 37 others" in said
    assert f"{lens.losses.fitted[0]:5.2f} ({lens.losses.fitted_same[0]:.2f})" in said


@pytest.mark.check
def test_the_lens_that_ships_is_of_the_model_in_the_catalogue(smollm2: core.Model) -> None:
    """The phenomenon that the page opens with: the plain lens fails until the end."""
    assert "smollm2" in CATALOGUE
    assert smollm2.fitted_lens() is not None
    plain, fitted = (
        smollm2.lens(MARY, fitted=one, word="Mary", positions=[-1]) for one in (False, True)
    )
    assert plain.names[plain.word or 0] == " Mary"
    assert plain.since(0) == 30
    assert 22 <= fitted.since(0) <= 26
    assert plain.word_ranks is not None
    assert plain.word_ranks[24, 0] > 50
    np.testing.assert_array_equal(plain.likeliest[-1], fitted.likeliest[-1])
    (expected,) = smollm2.predict(MARY, top_k=5)
    np.testing.assert_array_equal(plain.likeliest[-1, 0], expected.ids)
    np.testing.assert_allclose(plain.probabilities[-1, 0], expected.probabilities, rtol=1e-4)
