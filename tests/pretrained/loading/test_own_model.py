"""`core.load(model, tokenizer)`: the caller's model is read, and stays unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import core
from tests.tiers import some

pytestmark = pytest.mark.check

TEXT = "Write a poem about a man fishing on a river bank."
ENGINES = ("scratch", "huggingface")
KINDS = ("bert", "distilbert")


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Any:
    return request.param


def tokenizer_of(folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def model_of(folder: Path, cls: str = "AutoModel", **options: Any) -> Any:
    import transformers

    return getattr(transformers, cls).from_pretrained(folder, local_files_only=True, **options)


def picture(model: Any) -> dict[str, Any]:
    """Everything about a model that loading might change."""
    return {
        "implementation": [
            m.config._attn_implementation for m in model.modules() if hasattr(m, "config")
        ],
        "training": [m.training for m in model.modules()],
        "hooks": [len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules()],
        "config": model.config.to_dict(),
        "where": [
            (n, p.device, p.dtype, p.requires_grad, p.data_ptr()) for n, p in model.named_parameters()
        ],
        "keys": [sorted(k for k in m.__dict__) for m in model.modules()],
    }


def same_hidden(a: core.Trace, b: core.Trace, bound: float = 1e-5) -> None:
    assert a.tokens == b.tokens
    np.testing.assert_allclose(a.hidden, b.hidden, rtol=0, atol=bound)  # type: ignore[arg-type]


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("implementation", some(["sdpa", "eager"], 1))
def test_the_model_stays_as_it_is(
    make_folder: Any, engine: Any, kind: str, training: bool, implementation: str
) -> None:
    folder = make_folder(kind)
    own = model_of(folder, attn_implementation=implementation).train(training)
    before, weights = picture(own), {k: v.clone() for k, v in own.state_dict().items()}
    loaded = core.load(own, tokenizer_of(folder), engine=engine)
    trace = loaded.trace(TEXT)
    loaded.trace(TEXT, "bank", keep="hidden")
    assert loaded.engine == engine
    assert picture(own) == before
    assert own.config._attn_implementation == implementation
    assert all(torch.equal(v, weights[k]) for k, v in own.state_dict().items())
    # In training mode, its dropout would change every number, but not ours.
    same_hidden(trace, core.load(str(folder), engine=engine).trace(TEXT))
    same_hidden(trace, loaded.trace(TEXT), 0)


@pytest.mark.parametrize("kind", KINDS)
def test_its_owner_may_go_on_training(make_folder: Any, engine: Any, kind: str) -> None:
    """A backward pass through the caller's model works before, between and after."""
    folder = make_folder(kind)
    own = model_of(folder).train()
    loaded = core.load(own, tokenizer_of(folder), engine=engine)
    loaded.trace(TEXT)
    own(torch.tensor([[5, 7, 11]])).last_hidden_state.sum().backward()
    gradients = [p.grad for n, p in own.named_parameters() if "pooler" not in n]
    assert all(g is not None for g in gradients)
    assert not any(torch.is_inference(p) for p in own.parameters())


@pytest.mark.few(3)
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_precisions_are_computed_in_float32(make_folder: Any, engine: Any, dtype: Any) -> None:
    folder = make_folder("bert")
    own = model_of(folder, dtype=dtype)
    before = picture(own)
    trace = core.load(own, tokenizer_of(folder), engine=engine).trace(TEXT)
    assert picture(own) == before
    assert trace.hidden is not None
    assert trace.hidden.dtype == np.float32
    same_hidden(trace, core.load(own.float(), tokenizer_of(folder), engine=engine).trace(TEXT))


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("kind", "head"),
    [
        ("bert", "BertForMaskedLM"),
        ("bert", "BertForSequenceClassification"),
        ("distilbert", "DistilBertForMaskedLM"),
        ("distilbert", "DistilBertForQuestionAnswering"),
    ],
)
def test_a_model_with_a_head(make_folder: Any, engine: Any, kind: str, head: str) -> None:
    folder = make_folder(kind, head=head)
    own = model_of(folder, head)
    before = picture(own)
    trace = core.load(own, tokenizer_of(folder), engine=engine).trace(TEXT)
    same_hidden(trace, core.load(str(folder), engine=engine).trace(TEXT))
    assert picture(own) == before


def test_the_tokenizer_stays_as_it_is(make_folder: Any, engine: Any) -> None:
    folder = make_folder("bert")
    tokenizer = tokenizer_of(folder)
    tokenizer(["a", "b c"], padding="max_length", truncation=True, max_length=7)
    state = tokenizer.backend_tokenizer.to_str()
    loaded = core.load(model_of(folder), tokenizer, engine=engine)
    assert len(loaded.trace(TEXT, keep="hidden").tokens) == 14
    assert tokenizer.backend_tokenizer.truncation["max_length"] == 7
    assert tokenizer.backend_tokenizer.padding["length"] == 7
    assert tokenizer.backend_tokenizer.to_str() == state


def test_the_engine_is_ours_where_it_can(make_folder: Any) -> None:
    folder = make_folder("distilbert")
    own, tokenizer = model_of(folder), tokenizer_of(folder)
    assert core.load(own, tokenizer).engine == "scratch"
    assert core.load(own, tokenizer, name="mine").name == "mine"
    assert repr(core.load(own, tokenizer, name="mine")) == (
        "<core.Model 'mine': 5 layers × 3 heads, d_model 15, scratch engine on cpu>"
    )


def test_an_activation_that_is_not_ours_goes_to_transformers(make_folder: Any) -> None:
    folder = make_folder("bert", hidden_act="silu", num_hidden_layers=2)
    loaded = core.load(model_of(folder), tokenizer_of(folder))
    assert loaded.engine == "huggingface"
    assert core.load(str(folder)).engine == "huggingface"
    for source in ((str(folder),), (model_of(folder), tokenizer_of(folder))):
        with pytest.raises(core.NotSupported, match="engine='huggingface'"):
            core.load(*source, engine="scratch")


def test_a_model_without_attention_is_refused(engine: Any, minilm_folder: Path) -> None:
    from transformers import MambaConfig, MambaModel

    own = MambaModel(MambaConfig(num_hidden_layers=1, hidden_size=4, state_size=2, vocab_size=30522))
    with pytest.raises(
        core.NotSupported, match="cannot run" if engine == "scratch" else "no attention"
    ):
        core.load(own, tokenizer_of(minilm_folder), engine=engine)


def test_what_is_no_model_is_refused(make_folder: Any, engine: Any) -> None:
    folder = make_folder("bert")
    with pytest.raises(core.SettingError, match="pass its tokenizer too"):
        core.load(model_of(folder), engine=engine)
    with pytest.raises(core.SettingError, match="not int"):
        core.load(7, tokenizer_of(folder), engine=engine)
    with pytest.raises(core.SettingError, match="tokenizer only with a model object"):
        core.load("minilm", tokenizer_of(folder), engine=engine)
    with pytest.raises(core.SettingError, match="engine is “own”"):
        core.load("minilm", engine="own")  # type: ignore[arg-type]


def test_weights_that_are_no_numbers_are_refused(make_folder: Any, engine: Any) -> None:
    """A model that diverged in training: its pictures would be meaningless."""
    folder = make_folder("bert")
    own = model_of(folder)
    with torch.no_grad():
        own.encoder.layer[2].output.dense.weight[1, 2] = float("nan")
    with pytest.raises(core.ModelBroken, match="infinite or not a number"):
        core.load(own, tokenizer_of(folder), engine=engine)


@pytest.mark.check
def test_random_buckets_are_the_same_in_each_run() -> None:
    """Reformer's: its attention sorts tokens by random directions."""
    from transformers import ReformerConfig, ReformerModel

    from tools.every_model import walk

    words = walk.tokenizer()
    sizes = {"hidden_size": 32, "num_attention_heads": 2, "attention_head_size": 16}
    chunks = {"lsh_attn_chunk_length": 8, "local_attn_chunk_length": 8, "num_buckets": 4}
    config = ReformerConfig(
        vocab_size=len(words), attn_layers=["lsh", "local"], axial_pos_embds=False, **sizes, **chunks
    )
    loaded = core.load(ReformerModel(config).eval(), words)
    first, second = (loaded.trace("On the river bank").contextual for _ in range(2))
    assert np.array_equal(first, second)
