"""Small random models with the head that predicts words, and the same in plain `transformers`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tests import small_tokenizer
from tests.pretrained.families.test_architectures import SIZES, TYPES
from tests.pretrained.small_models import SHAPES, Eager, save

TEXT = "On the river bank, the bank's riverbank"
TARGET = "a bank on the river"
# The class with the head, and the auto class of `transformers` that finds it.
CLASSES = {
    "gpt2": "LMHeadModel",
    "opt": "ForCausalLM",
    "llama": "ForCausalLM",
    "qwen2": "ForCausalLM",
    "qwen3": "ForCausalLM",
    "t5": "ForConditionalGeneration",
    "bart": "ForConditionalGeneration",
    "marian": "MTModel",
    "mpnet": "ForMaskedLM",
}
AUTO = {"masked": "MaskedLM", "decoder": "CausalLM", "pair": "Seq2SeqLM"}
NEXT = {
    "gpt2": "decoder",
    "opt": "decoder",
    "llama": "decoder",
    "qwen2": "decoder",
    "qwen3": "decoder",
    "t5": "pair",
    "bart": "pair",
    "marian": "pair",
}
DECODERS = ["gpt2", "opt", "opt, projected", "llama", "qwen2", "qwen3"]
PAIRED = ["t5", "t5, gated", "bart", "marian"]
MASKED = ["bert", "distilbert", "mpnet", *TYPES]
SMALL = {"bert": "Bert", "distilbert": "DistilBert"}
FEW = {
    "bert": SIZES | {"max_position_embeddings": 64},
    "distilbert": {"n_layers": 3, "n_heads": 3, "dim": 21, "hidden_dim": 17}
    | {"max_position_embeddings": 64},
}


def make(
    folder: Path,
    kind: str,
    fill: Callable[..., None],
    words: Path,
    head: str | None = None,
    change: Callable[[Any], None] = lambda model: None,
    **config: Any,
) -> Path:
    """Save a small random model of this kind; `words` is a folder with MiniLM's tokenizer.

    `head` is its class without the family's name, by default the one that predicts words; `change`
    modifies the model before it is saved.
    """
    import transformers

    def filled(model: Any) -> None:
        fill(model)
        bias = getattr(model, "final_logits_bias", None)
        if bias is not None:  # a buffer: `fill` does not see it, and zeros could hide a mistake
            bias.normal_(generator=torch.Generator().manual_seed(7))
        change(model)

    if kind in SHAPES:
        return save(folder, kind, filled, head or CLASSES[SHAPES[kind][0]], **config)
    family, cls, vocabulary, extra = TYPES.get(kind, (SMALL.get(kind, ""), "MiniLM", dict, {}))
    if cls == "MiniLM":
        small_tokenizer.write(folder, words)
        size = small_tokenizer.SIZE
    else:
        tokenizer = getattr(transformers, cls)(**vocabulary())
        tokenizer.save_pretrained(folder)
        size = len(tokenizer)
    sizes = FEW.get(kind, SIZES) | {"vocab_size": size} | extra | config
    model = getattr(transformers, f"{family}{head or 'ForMaskedLM'}")(
        getattr(transformers, f"{family}Config")(**sizes)
    )
    filled(model)
    model.save_pretrained(folder)
    return folder


def untied(model: Any) -> None:
    """Give the output its own matrix, as in T5 1.1: the table's rows in another order.

    With the table itself, a small random model would only repeat the last token.
    """
    rows = torch.randperm(len(model.lm_head.weight), generator=torch.Generator().manual_seed(3))
    model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach()[rows].clone())
    with torch.no_grad():
        model.get_input_embeddings().weight.mul_(8)
        model.lm_head.weight.mul_(4)
        for name, tensor in model.named_parameters():
            if name.endswith(("out_proj.weight", "fc2.weight")):  # outputs of sub-layers
                tensor.mul_(0.2)


def plain(folder: Path) -> Eager:
    """The model with its head, as loaded by `transformers`."""
    import transformers

    kind = json.loads((folder / "config.json").read_text())["model_type"]
    auto = getattr(transformers, f"AutoModelFor{AUTO[NEXT.get(kind, 'masked')]}")
    model = auto.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    return Eager(model.eval(), transformers.AutoTokenizer.from_pretrained(folder))


def masked_text(tokenizer: Any) -> str:
    return f"On the {tokenizer.mask_token} bank, the {tokenizer.mask_token}"


def logits(model: Any, **inputs: Any) -> torch.Tensor:
    """(L, V) by plain `transformers`."""
    with torch.inference_mode():
        found: torch.Tensor = model(**inputs).logits[0]
    return found
