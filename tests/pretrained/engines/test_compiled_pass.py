"""A pass in one call gives the numbers of the pass that is read step by step."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
import torch

import core
from core.pretrained.engines import compiled_pass, packed, packed_loops
from core.pretrained.engines.scratch import Past, ScratchDecoder
from core.transformer import past_of
from tests.pretrained.files.gguf import written
from tests.pretrained.files.gguf.written import Kind

IDS = torch.tensor([[*range(5, 45)]])


def decoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any = Kind.Q4_1) -> ScratchDecoder:
    """A small one with matrices of both packings, of which each is proved."""
    if not packed_loops.loops():
        pytest.skip("this processor, or its llvmlite, cannot")
    monkeypatch.setenv("POLYSEE_CACHE", str(tmp_path / "cache"))
    written.write(tmp_path / "m.gguf", written.model(head_dim=32), kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", core.ModelNote)
        runner = core.load(tmp_path / "m.gguf", engine="scratch", name="m")._runner
    assert isinstance(runner, ScratchDecoder)
    runner._reads.read(IDS[:, :1], need_weights=False)
    return runner


def passes_of(runner: ScratchDecoder) -> compiled_pass.CompiledPass:
    assert compiled_pass.fits(runner._reads)
    made = compiled_pass.proved(runner._reads)
    assert made is not None
    return made


def near(one: tuple[torch.Tensor, Past], other: tuple[torch.Tensor, Past]) -> None:
    """The same vectors, keys and values, within rounding."""
    torch.testing.assert_close(one[0], other[0], atol=2e-5, rtol=1e-5)
    for mine, theirs in zip(one[1].layers, other[1].layers, strict=True):
        for name in ("key_BHMK", "value_BHMK"):
            a, b = getattr(mine.attention, name), getattr(theirs.attention, name)
            torch.testing.assert_close(a, b, atol=2e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", [Kind.Q4_1, Kind.Q8_0])
def test_its_numbers_are_those_of_the_transformer(
    kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each loop, alone and behind a past that either of them wrote, or a part of one."""
    runner = decoder(tmp_path, monkeypatch, kind)
    made, reads = passes_of(runner), runner.decoder  # the oracle multiplies with float32
    with torch.inference_mode():
        whole = reads.read(IDS, need_weights=False)
        for tokens in (1, 2, 3, 4, 5, 16, 17, 32):
            out = reads.read(IDS[:, :tokens], need_weights=False)
            alone = made.read(IDS[:, :tokens], None)
            if alone is None:  # an older processor multiplies one token at a time
                assert tokens > 1
                assert not packed_loops.loops()["Q4_1"].many
                continue
            near(alone, (out.final_BLD, past_of(out)))
            past = past_of(whole, 40 - tokens)
            behind = made.read(IDS[:, -tokens:], past)
            assert behind is not None
            near(behind, (whole.final_BLD[:, -tokens:], past_of(whole)))
            again = made.read(IDS[:, -tokens:], past_of(behind[1], 40 - tokens))
            assert again is not None
            near(again, behind)


def test_a_pass_is_one_call_that_leaves_pythons_lock_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What typing takes goes this way: the text as a whole, then what is behind its beginning."""
    runner = decoder(tmp_path, monkeypatch)
    calls: list[int] = []
    steps = packed_loops.steps()
    assert steps is not None

    def run(at: int, count: int) -> None:
        calls.append(count)
        steps.run(at, count)

    monkeypatch.setattr(packed_loops, "steps", lambda: steps._replace(run=run))
    with torch.inference_mode():
        _, past = runner.read(IDS[:, :1])
        runner.read_on(IDS[:, 1:2], past)
    assert calls == [3 * 17 + 1, 3 * 19 + 1]


def test_texts_of_a_batch_and_very_long_ones_are_read_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = passes_of(decoder(tmp_path, monkeypatch))
    assert made.read(IDS.repeat(2, 1), None) is None
    assert made.read(IDS.repeat(1, packed._MOST), None) is None
    assert made.read(IDS[:, :0], None) is None


def test_a_decoder_whose_matrices_are_not_proved_or_that_has_other_parts_is_read_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = decoder(tmp_path, monkeypatch)
    assert not compiled_pass.fits(runner.decoder)  # of float32 alone
    layer: Any = runner._reads.stack.layers[1]
    layer.attention.key.matrix.is_proved = False
    assert compiled_pass.proved(runner._reads) is None
    for part, name, other in (
        (layer.attention, "score_cap", 3.0),
        (layer.attention, "rotation", None),
        (layer.attention, "d_head", 48),
        (layer.attention_norm, "norm_first", False),
        (layer.feed_forward, "activation", torch.tanh),
    ):
        assert compiled_pass.fits(runner._reads)
        with monkeypatch.context() as changed:
            changed.setattr(part, name, other)
            assert not compiled_pass.fits(runner._reads)
