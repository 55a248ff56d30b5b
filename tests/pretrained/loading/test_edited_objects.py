"""An object is run as it is: whatever was changed on it is in the numbers, and in a note.

Each edit is an ordinary way to change a model. The oracle is the object itself: what it returns when it
is called.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import MethodType
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils import parametrizations, prune

import core
from tests.pretrained.loading.test_own_model import TEXT, model_of, picture, tokenizer_of
from tests.tiers import some

pytestmark = [pytest.mark.check, pytest.mark.filterwarnings("ignore::core.ModelNote")]

Edit = Callable[[Any], Any]  # changes a BertModel, and returns what is to be loaded


class LowRank(nn.Module):
    """LoRA written by hand, around a matrix."""

    def __init__(self, matrix: nn.Linear) -> None:
        super().__init__()
        numbers = torch.Generator().manual_seed(1)
        self.matrix = matrix
        self.a = nn.Parameter(torch.randn(2, matrix.in_features, generator=numbers))
        self.b = nn.Parameter(torch.randn(matrix.out_features, 2, generator=numbers))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.matrix(x) + x @ self.a.T @ self.b.T
        return out


class Shrunk(nn.Module):
    """A parametrization."""

    def forward(self, x: Tensor) -> Tensor:
        return x * 0.5


def hooked(path: str, **of_hook: Any) -> Edit:
    """A hook that adds to the output of a module."""

    def hook(module: Any, given: Any, out: Any) -> Any:
        return (out[0] + 0.5, *out[1:]) if isinstance(out, tuple) else out + 0.5

    def edit(model: Any) -> Any:
        model.get_submodule(path).register_forward_hook(hook, **of_hook)
        return model

    return edit


def before(model: Any) -> Any:
    model.encoder.layer[2].register_forward_pre_hook(lambda module, given: (given[0] * 1.5, *given[1:]))
    return model


def before_with_names(model: Any) -> Any:
    """Whoever changes the ids of every text changes them on the model itself."""

    def hook(module: Any, given: Any, named: dict[str, Any]) -> Any:
        return given, named | {"input_ids": named["input_ids"].flip(1)}

    model.register_forward_pre_hook(hook, with_kwargs=True)
    return model


def called_instead(model: Any) -> Any:
    layer = model.encoder.layer[1]
    usual = layer.forward
    layer.forward = lambda *given, **named: usual(*given, **named) * 1.5
    return model


def bound_instead(model: Any) -> Any:
    norm = model.encoder.layer[1].output.LayerNorm
    norm.forward = MethodType(lambda self, x: x * 0.1, norm)
    return model


def whole_forward(model: Any) -> Any:
    usual = model.forward

    def forward(input_ids: Any, attention_mask: Any = None, **named: Any) -> Any:
        return usual(input_ids.flip(1), attention_mask, **named)

    model.forward = forward
    return model


def narrow_forward(model: Any) -> Any:
    """Without an argument that asks for the vectors of all layers."""
    usual = model.forward

    def forward(input_ids: Any, attention_mask: Any = None) -> Any:
        return usual(input_ids.flip(1), attention_mask)

    model.forward = forward
    return model


def subclass(model: Any) -> Any:
    class Own(type(model)):  # type: ignore[misc]
        def forward(self, input_ids: Any = None, **named: Any) -> Any:
            return super().forward(input_ids=input_ids.flip(1), **named)

    own = Own(model.config).eval()
    own.load_state_dict(model.state_dict())
    return own


def own_submodule(model: Any) -> Any:
    for layer in model.encoder.layer:
        layer.attention.self.query = LowRank(layer.attention.self.query)
    return model


def own_norm(model: Any) -> Any:
    model.encoder.layer[3].attention.output.LayerNorm = nn.Identity()
    return model


def parametrized(model: Any) -> Any:
    nn.utils.parametrize.register_parametrization(
        model.encoder.layer[0].output.dense, "weight", Shrunk()
    )
    return model


def normed(model: Any) -> Any:
    parametrizations.weight_norm(model.encoder.layer[0].output.dense)
    with torch.no_grad():
        model.encoder.layer[0].output.dense.parametrizations.weight.original0.mul_(1.5)
    return model


def spectral(model: Any) -> Any:
    nn.utils.spectral_norm(model.encoder.layer[0].output.dense)
    return model.eval()


def pruned(model: Any) -> Any:
    prune.l1_unstructured(model.encoder.layer[0].attention.self.query, "weight", amount=0.5)
    return model


def compiled(model: Any) -> Any:
    return torch.compile(hooked("encoder.layer.2")(model))


def compiled_in_place(model: Any) -> Any:
    model.compile()
    return model


def in_parallel(model: Any) -> Any:
    return nn.DataParallel(hooked("encoder.layer.2")(model))


def peft(model: Any) -> Any:
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(2)
    wanted = LoraConfig(target_modules=["query", "value", "output.dense"], init_lora_weights=False)
    return get_peft_model(model, wanted)


def quantised(model: Any) -> Any:
    return torch.ao.quantization.quantize_dynamic(model, {nn.Linear}, dtype=torch.qint8)


def fewer_layers(model: Any) -> Any:
    model.encoder.layer = model.encoder.layer[:3]
    return model


def other_positions(model: Any) -> Any:
    model.embeddings.position_ids = model.embeddings.position_ids + 5
    return model


def other_activation(model: Any) -> Any:
    model.encoder.layer[2].intermediate.intermediate_act_fn = nn.Tanh()
    return model


def own_attention(model: Any) -> Any:
    from transformers import AttentionInterface
    from transformers.models.bert.modeling_bert import eager_attention_forward

    def sharper(module: Any, query: Tensor, *more: Any, **named: Any) -> Any:
        return eager_attention_forward(module, query * 3, *more, **named)

    AttentionInterface.register("sharper", sharper)
    model.set_attn_implementation("sharper")
    return model


def noisy(model: Any) -> Any:
    model.encoder.layer[1].register_forward_hook(lambda m, g, out: out + torch.randn_like(out) * 0.1)
    return model


# What is found, as a note says it; None where only the comparison of outputs shows it.
EDITS: dict[str, tuple[Edit, str | None]] = {
    "a hook of a layer": (hooked("encoder.layer.2"), "forward hooks"),
    "a hook of attention": (hooked("encoder.layer.1.attention.self"), "forward hooks"),
    "a hook of the embedding": (hooked("embeddings"), "forward hooks"),
    "a hook of a matrix": (hooked("encoder.layer.4.intermediate.dense", prepend=True), "forward hooks"),
    "a hook before a layer": (before, "forward hooks"),
    "a hook before the model": (before_with_names, "forward hooks"),
    "another forward of a layer": (called_instead, "replaced forward"),
    "another forward of a norm": (bound_instead, "replaced forward"),
    "another forward of the model": (whole_forward, "replaced forward"),
    "a forward with fewer arguments": (narrow_forward, "replaced forward"),
    "a class of one's own": (subclass, "Own"),
    "LoRA by hand": (own_submodule, "LowRank"),
    "no norm": (own_norm, None),
    "a parametrization": (parametrized, "parametrizations"),
    "weight norm": (normed, "parametrizations"),
    "spectral norm": (spectral, "parametrizations"),
    "pruned": (pruned, "pruning masks"),
    "compiled": (compiled, "torch.compile"),
    "compiled in place": (compiled_in_place, "torch.compile"),
    "in parallel": (in_parallel, "forward hooks"),
    "PEFT": (peft, "PEFT"),
    "int8": (quantised, "quantised"),
    "fewer layers": (fewer_layers, None),
    "other positions": (other_positions, None),
    "another activation": (other_activation, None),
    "attention of one's own": (own_attention, "sharper"),
}


def inside(edited: Any) -> Any:
    """The model that runs inside a wrapper."""
    for wrapper in ("_orig_mod", "module"):
        edited = getattr(edited, wrapper, edited)
    return edited.get_base_model() if hasattr(edited, "get_base_model") else edited


def own_output(edited: Any, tokenizer: Any, text: str = TEXT) -> list[np.ndarray]:
    """What the object itself returns: the input of its layers and the output of each, (L, D)."""
    model = inside(edited)
    wanted, was = model.config.output_hidden_states, model.training
    model.config.output_hidden_states = True
    try:
        given = {k: v for k, v in tokenizer(text, return_tensors="pt").items() if k != "token_type_ids"}
        with torch.no_grad(), torch.compiler.set_stance("force_eager"):  # compiling takes minutes
            out = model.eval()(**given)
    finally:
        model.config.output_hidden_states = wanted
        model.train(was)
    return [state[0].float().numpy() for state in (*out.hidden_states[:-1], out.last_hidden_state)]


def apart(trace: core.Trace, own: list[np.ndarray]) -> float:
    """The largest difference, relative to the largest number of a layer."""
    assert trace.hidden is not None
    mine = [trace.embedded, *trace.hidden[:-1], trace.contextual]
    assert len(mine) == len(own)
    return max(
        float(np.abs(a - b).max()) / max(1.0, float(np.abs(b).max()))
        for a, b in zip(mine, own, strict=True)
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("edit", some(EDITS, 4))
def test_an_edit_is_in_the_numbers_and_in_a_note(make_folder: Any, edit: str) -> None:
    folder = make_folder("bert")
    tokenizer, (change, named) = tokenizer_of(folder), EDITS[edit]
    plain = core.load(str(folder)).trace(TEXT)
    edited = change(model_of(folder))
    as_it_was = picture(inside(edited))
    loaded = core.load(edited, tokenizer)
    trace = loaded.trace(TEXT)
    assert picture(inside(edited)) == as_it_was
    assert loaded.engine == "huggingface"
    assert any("as it is" in note and (named or "") in note for note in loaded.notes)
    assert apart(trace, own_output(edited, tokenizer)) < 1e-5
    if edit not in ("compiled in place", "fewer layers"):
        assert apart(trace, own_output(model_of(folder), tokenizer)) > 1e-3
    # Attention goes through, with query and key: each row is what the object spends.
    assert trace.attention is not None
    weights = trace.attention.weights
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-5)
    assert weights.shape[0] == (3 if edit == "fewer layers" else plain.attention.weights.shape[0])  # type: ignore[union-attr]
    if trace.products:
        scores = trace.scores(1, 2).values.astype(np.float64)
        made = np.exp(scores - scores.max(-1, keepdims=True))
        np.testing.assert_allclose(made / made.sum(-1, keepdims=True), weights[1, 2], atol=1e-5)
    # A batch, too, and a second look at the same text.
    first, second = loaded.trace_many([TEXT, "bank"])
    assert apart(first, own_output(edited, tokenizer)) < 1e-5
    assert apart(second, own_output(edited, tokenizer, "bank")) < 1e-5
    assert np.array_equal(loaded.trace(TEXT).contextual, trace.contextual)


@pytest.mark.few(4)
@pytest.mark.parametrize("edit", ["a hook of a layer", "another activation", "PEFT", "LoRA by hand"])
def test_our_own_transformer_is_refused_and_the_message_says_by_how_much(
    make_folder: Any, edit: str
) -> None:
    folder = make_folder("bert")
    edited = EDITS[edit][0](model_of(folder))
    with pytest.raises(core.PolyseeError) as caught:
        core.load(edited, tokenizer_of(folder), engine="scratch")
    if edit != "LoRA by hand":  # there, even the names of the weights are others
        assert isinstance(caught.value, core.NotSupported)
        assert "apart" in str(caught.value)
        assert "engine='huggingface'" in str(caught.value)


@pytest.mark.parametrize("edit", some(["pruned", "weight norm", "compiled in place"], 2))
def test_our_own_transformer_takes_what_it_computes_alike(make_folder: Any, edit: str) -> None:
    folder = make_folder("bert")
    edited = EDITS[edit][0](model_of(folder))
    loaded = core.load(edited, tokenizer_of(folder), engine="scratch")
    assert loaded.engine == "scratch"
    assert apart(loaded.trace(TEXT), own_output(edited, tokenizer_of(folder))) < 1e-5


def test_hooks_that_transformers_sets_are_no_change(make_folder: Any) -> None:
    folder = make_folder("bert")
    model = model_of(folder)
    model(torch.tensor([[5, 6]]), output_hidden_states=True, output_attentions=True)
    assert any(part._forward_hooks for part in model.modules())
    loaded = core.load(model, tokenizer_of(folder))
    assert (loaded.engine, loaded.notes) == ("scratch", ())


def test_hooks_for_gradients_change_no_number_and_are_named(make_folder: Any) -> None:
    folder = make_folder("bert")
    model = model_of(folder)
    model.encoder.layer[1].register_full_backward_hook(lambda module, given, out: None)
    loaded = core.load(model, tokenizer_of(folder))
    assert loaded.engine == "scratch"
    assert "encoder.layer.1" in loaded.notes[0]


@pytest.mark.parametrize("dtype", some([torch.bfloat16, torch.float16], 1))
def test_in_half_precision_an_edited_object_keeps_its_own(make_folder: Any, dtype: Any) -> None:
    folder = make_folder("bert")
    model = hooked("encoder.layer.2")(model_of(folder, dtype=dtype))
    loaded = core.load(model, tokenizer_of(folder))
    trace = loaded.trace(TEXT)
    assert loaded.engine == "huggingface"
    assert trace.hidden is not None
    assert trace.hidden.dtype == np.float32
    assert any(str(dtype).removeprefix("torch.") in note for note in loaded.notes)
    assert apart(trace, own_output(model, tokenizer_of(folder))) < 8 * torch.finfo(dtype).eps
    assert apart(trace, own_output(model_of(folder), tokenizer_of(folder))) > 0.02


def test_training_mode_is_left_out_and_said(make_folder: Any) -> None:
    folder = make_folder("bert")
    loaded = core.load(model_of(folder).train(), tokenizer_of(folder))
    assert loaded.engine == "scratch"
    assert any("training mode" in note for note in loaded.notes)
    edited = hooked("encoder.layer.2")(model_of(folder)).train()
    trace = core.load(edited, tokenizer_of(folder)).trace(TEXT)
    assert apart(trace, own_output(edited, tokenizer_of(folder))) < 1e-5
    assert edited.training


def test_random_numbers_are_the_same_in_each_run_and_are_named(make_folder: Any) -> None:
    folder = make_folder("bert")
    loaded = core.load(noisy(model_of(folder)), tokenizer_of(folder))
    torch.manual_seed(7)
    next_one = torch.rand(1)
    torch.manual_seed(7)
    first = loaded.trace(TEXT).contextual
    assert torch.equal(torch.rand(1), next_one)  # the caller's own come as they would have
    assert np.array_equal(first, loaded.trace(TEXT).contextual)
    assert any("random" in note for note in loaded.notes)


def test_what_is_changed_later_is_in_the_next_trace(make_folder: Any) -> None:
    folder = make_folder("bert")
    model = model_of(folder)
    strength = [0.5]
    handle = model.encoder.layer[2].register_forward_hook(lambda m, g, out: out + strength[0])
    loaded, tokenizer = core.load(model, tokenizer_of(folder)), tokenizer_of(folder)
    before = loaded.trace(TEXT)
    strength[0] = 2.0
    assert apart(loaded.trace(TEXT), own_output(model, tokenizer)) < 1e-5
    handle.remove()
    after = loaded.trace(TEXT)
    assert apart(after, own_output(model, tokenizer)) < 1e-5
    assert not np.allclose(before.contextual, after.contextual)


def test_two_threads_do_not_mix_and_its_owner_may_go_on_training(make_folder: Any) -> None:
    folder = make_folder("bert")
    model = hooked("encoder.layer.2")(model_of(folder)).train()
    loaded = [core.load(model, tokenizer_of(folder)) for _ in range(2)]  # of the same object
    texts = [TEXT, "on the river", "a bank", "the old bank by the water"]
    alone = [loaded[0].trace(text).contextual for text in texts]
    wrong: list[str] = []

    def read(which: int) -> None:
        for _ in range(3):
            for text, own in zip(texts, alone, strict=True):
                if not np.array_equal(loaded[which].trace(text).contextual, own):
                    wrong.append(text)

    threads = [threading.Thread(target=read, args=(i % 2,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    model(torch.tensor([[5, 7, 11]])).last_hidden_state.sum().backward()
    assert model.encoder.layer[0].attention.self.query.weight.grad is not None


# Predictions: the object's own head, with all that was changed on it.


def scaled(model: Any) -> Any:
    model.cls.predictions.register_forward_hook(lambda module, given, out: out * 2)
    return model


def other_head(model: Any) -> Any:
    model.cls.predictions.transform.transform_act_fn = nn.Tanh()
    return model


def hooked_within(model: Any) -> Any:
    hooked("encoder.layer.2")(model.bert)
    return model


@pytest.mark.parametrize("edit", some([scaled, other_head, before_with_names, peft, hooked_within], 3))
def test_predictions_are_those_of_the_object(make_folder: Any, edit: Edit) -> None:
    folder = make_folder("bert", head="BertForMaskedLM")
    model, tokenizer = edit(model_of(folder, "BertForMaskedLM")), tokenizer_of(folder)
    loaded = core.load(model, tokenizer)
    assert (loaded.engine, loaded.predicts) == ("huggingface", "masked")
    text = "The old [MASK] by the river bank."
    (expected,) = loaded.expects(text)
    with torch.no_grad():
        own = inside(model).eval()(**tokenizer(text, return_tensors="pt")).logits[0]
    np.testing.assert_allclose(expected.logits, own[expected.position].numpy(), rtol=0, atol=1e-4)


# What is around a model.


class Classifier(nn.Module):
    """A model with a head of somebody's own."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(encoder.config.hidden_size, 2)

    def forward(self, ids: Tensor) -> Tensor:
        out: Tensor = self.head(self.encoder(ids).last_hidden_state[:, 0])
        return out


def test_the_model_inside_somebodys_own_module_is_read_and_that_is_said(make_folder: Any) -> None:
    folder = make_folder("bert")
    loaded = core.load(Classifier(model_of(folder).eval()), tokenizer_of(folder))
    assert apart(loaded.trace(TEXT), own_output(model_of(folder), tokenizer_of(folder))) < 1e-5
    assert "encoder" in loaded.notes[0]
    both = nn.ModuleDict({"a": model_of(folder), "b": model_of(folder)})
    with pytest.raises(core.SettingError, match="a and b"):
        core.load(both, tokenizer_of(folder))
    with pytest.raises(core.SettingError, match="Linear"):
        core.load(nn.Linear(2, 3), tokenizer_of(folder))


def test_a_learned_prompt_is_refused_by_name(make_folder: Any) -> None:
    from peft import PromptTuningConfig, get_peft_model

    folder = make_folder("bert", head="BertForMaskedLM")
    wanted = PromptTuningConfig(task_type="FEATURE_EXTRACTION", num_virtual_tokens=3)
    own = get_peft_model(model_of(folder, "BertForMaskedLM"), wanted)
    with pytest.raises(core.NotSupported, match="prompt"):
        core.load(own, tokenizer_of(folder))


def test_shapes_without_memory_are_refused_by_name(make_folder: Any) -> None:
    from transformers import AutoConfig, AutoModel

    folder = make_folder("bert")
    with torch.device("meta"):
        empty = AutoModel.from_config(AutoConfig.from_pretrained(folder))
    with pytest.raises(core.NotSupported, match="meta"):
        core.load(empty, tokenizer_of(folder))


def test_a_note_is_a_warning(make_folder: Any) -> None:
    folder: Path = make_folder("bert")
    with pytest.warns(core.ModelNote, match="forward hooks"):
        core.load(hooked("encoder.layer.2")(model_of(folder)), tokenizer_of(folder))


# Other types of models, decoders and encoder–decoders among them.


@pytest.mark.parametrize(
    "kind", some(["gpt2", "bart", "t5", "gemma2", "deberta", "albert", "llama"], 3)
)
def test_other_types_run_as_they_are_too(kind: str) -> None:
    """A hook that changes nothing: the numbers are those of the copy, which other tests compare."""
    from tools.every_model import small, walk

    own, words = small.model(kind), walk.tokenizer()
    copy = core.load(own, words)
    own.register_forward_hook(lambda module, given, out: None)
    as_it_was = picture(own)
    lent = core.load(own, words)
    assert "as it is" in lent.notes[0]
    assert lent.predicts == copy.predicts
    pair = (walk.TEXTS[0], walk.TARGET) if lent.kind == "encoder-decoder" else (walk.TEXTS[0],)
    a: Any = lent.trace(*pair)
    b: Any = copy.trace(*pair)
    halves = [(a.encoder, b.encoder), (a.decoder, b.decoder)] if len(pair) > 1 else [(a, b)]
    for one, other in halves:
        np.testing.assert_allclose(one.hidden, other.hidden, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(one.attention.weights, other.attention.weights, atol=1e-5)
        assert one.products == other.products
    assert picture(own) == as_it_was


def returns_text(model: Any) -> Any:
    model.forward = lambda *given, **named: "x"
    return model


def returns_tensor(model: Any) -> Any:
    model.register_forward_hook(lambda module, given, out: out[0])
    return model


def not_a_number(model: Any) -> Any:
    model.h[0].register_forward_hook(lambda module, given, out: out * float("nan"))
    return model


def text_of_layer(model: Any) -> Any:
    model.h[0].register_forward_hook(lambda module, given, out: "x")
    return model


def table_in_two(model: Any) -> Any:
    model.wte = nn.Sequential(model.wte, nn.Linear(*[model.config.hidden_size] * 2))
    return model


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (returns_text, "str"),
        (returns_tensor, "Tensor"),
        (not_a_number, "NaN"),
        (text_of_layer, "forward hooks"),
        (table_in_two, "table"),
    ],
)
def test_what_cannot_be_run_is_a_sentence_about_the_change(edit: Edit, says: str) -> None:
    from tools.every_model import small, walk

    with pytest.raises(core.NotSupported, match=says) as caught:
        core.load(edit(small.model("gpt2")), walk.tokenizer())
    assert "Every" not in str(caught.value)


def test_a_table_that_shortens_its_rows_stays_as_it_is_and_is_run_so() -> None:
    from tools.every_model import small, walk

    own, words = small.model("gpt2").eval(), walk.tokenizer()
    own.wte.max_norm, before = 0.5, own.wte.weight.detach().clone()
    loaded = core.load(own, words)
    assert "max_norm" in loaded.notes[0]
    hidden = loaded.trace(walk.TEXTS[0]).contextual
    assert torch.equal(own.wte.weight, before)
    ids = torch.tensor([loaded.read(walk.TEXTS[0]).ids])
    with torch.no_grad():
        np.testing.assert_allclose(hidden, own(ids).last_hidden_state[0].numpy(), atol=1e-5)


def sharper_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """In torch itself."""
    function = nn.functional.scaled_dot_product_attention

    def sharper(query: Tensor, *more: Any, **named: Any) -> Tensor:
        return function(query * 3, *more, **named)

    monkeypatch.setattr(nn.functional, "scaled_dot_product_attention", sharper)


def sharper_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the name that transformers gives to that function."""
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    function = ALL_ATTENTION_FUNCTIONS["sdpa"]

    def sharper(module: Any, query: Tensor, *more: Any, **named: Any) -> Any:
        return function(module, query * 3, *more, **named)

    local = ALL_ATTENTION_FUNCTIONS._local_mapping
    monkeypatch.setattr(ALL_ATTENTION_FUNCTIONS, "_local_mapping", {**local, "sdpa": sharper})


@pytest.mark.parametrize("edit", [sharper_torch, sharper_transformers])
@pytest.mark.parametrize("kind", some(["bert", "gpt2", "t5"], 2))
def test_attention_that_recording_would_leave_out_is_refused(
    kind: str, edit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.every_model import small, walk

    own, words = small.model(kind), walk.tokenizer()
    own.set_attn_implementation("sdpa")
    edit(monkeypatch)
    with pytest.raises(core.NotSupported, match="apart") as caught:
        core.load(own, words)
    assert "AttentionInterface" in str(caught.value)


@pytest.mark.parametrize("in_place", [False, True])
def test_a_compiled_part_is_run_as_it_was_written(in_place: bool) -> None:
    from tools.every_model import small, walk

    own, words = small.model("gpt2"), walk.tokenizer()
    plain = core.load(own, words).trace(walk.TEXTS[0])
    if in_place:
        own.h[0].compile()
    else:
        own.h[0] = torch.compile(own.h[0])
    loaded = core.load(own, words)
    assert "torch.compile" in loaded.notes[0]
    np.testing.assert_allclose(loaded.trace(walk.TEXTS[0]).contextual, plain.contextual, atol=1e-5)
