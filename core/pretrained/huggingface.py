"""The huggingface engine: `transformers` itself, the reference for ours."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch

from core.errors import ModelBroken, NotSupported
from core.pretrained import names, recording
from core.pretrained.checkpoint import Checkpoint
from core.pretrained.engine import Batch, Keep, Run, Shape

# The encoders whose every step was compared with eager `transformers` in our tests.
MODEL_TYPES = (
    "albert",
    "bert",
    "camembert",
    "distilbert",
    "electra",
    "roberta",
    "xlm-roberta",
)


class HuggingFaceEngine:
    """A `transformers` encoder whose attention is recorded. The model given is left as it is."""

    def __init__(self, model: Any, device: str) -> None:
        base = getattr(model, "base_model", model)  # without a head for another task
        # A copy, because choosing another attention function would change the caller's own model. It
        # shares the weights, unless they must be moved or converted.
        tensors = [*base.parameters(), *base.buffers()]
        as_they_are = all(
            t.device.type == device and t.dtype is torch.float32 for t in base.parameters()
        )
        own = copy.deepcopy(base, {id(t): t for t in tensors} if as_they_are else {})
        own.set_attn_implementation(recording.register())
        self.model = own.eval() if as_they_are else own.eval().float().to(device)
        self.device = device
        self._takes = set(inspect.signature(own.forward).parameters)
        c = own.config
        table = own.get_input_embeddings().weight
        self.shape = Shape(
            n_layers=c.num_hidden_layers,
            n_heads=c.num_attention_heads,
            d_head=c.hidden_size // c.num_attention_heads,
            d_model=c.hidden_size,
            d_embedding=table.shape[1],
        )

    def run(self, batch: Batch, keep: Keep) -> Run:
        """See `Engine.run`."""
        inputs = {"input_ids": batch.ids_BL, "attention_mask": batch.mask_BL}
        if "token_type_ids" in self._takes and getattr(self.model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = batch.segments_BL
        # With keep="hidden" nothing is recorded: it would hold every layer's scores for nothing.
        with recording.recording() if keep != "hidden" else nullcontext() as recorded:
            out = self.model(**inputs, output_hidden_states=True)
        sites = recorded or []
        if keep != "hidden" and len(sites) != self.shape.n_layers:
            raise NotSupported(
                f"This {self.model.config.model_type} model does not let its attention be recorded: "
                f"{len(sites)} of {self.shape.n_layers} layers answered."
            )
        attention = sites if keep != "hidden" else []
        qkv = attention if keep == "all" else []
        # hidden_states[0] is what layer 0 receives; the learned vector is a row of the table.
        return Run(
            learned_BLE=self.model.get_input_embeddings()(batch.ids_BL),
            embedded_BLD=out.hidden_states[0],
            hidden_BLD=tuple(out.hidden_states[1:]),
            weights_BHLM=tuple(site.weights_BHLM for site in attention),
            query_BHLK=tuple(site.query_BHLK for site in qkv),
            key_BHMK=tuple(site.key_BHMK for site in qkv),
            value_BHMK=tuple(site.value_BHMK for site in qkv),
        )


def from_checkpoint(config: Any, found: Checkpoint, name: str) -> Any:
    """The `transformers` model of a folder, float32, every tensor from the file.

    Raises:
        ModelBroken: tensors are missing, left over, or of another shape; `transformers` itself would
            fill in random numbers and go on.
    """
    from transformers import AutoModel

    try:
        with torch.device("meta"):  # shapes without memory
            skeleton = AutoModel.from_config(config)
    except Exception as error:  # it raises whatever its parts raise
        raise _unreadable(name, error) from error
    shapes = {key: tuple(tensor.shape) for key, tensor in skeleton.state_dict().items()}
    wanted = {key: key for key in shapes if not names.NOT_NEEDED.fullmatch(key)}
    names.fit(wanted, found.shapes(), shapes, name)
    try:
        with _quiet():
            model, info = AutoModel.from_pretrained(
                found.folder,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                dtype=torch.float32,  # the default is the file's own, which may be half of it
                output_loading_info=True,
            )
    except Exception as error:  # it raises whatever its parts raise
        raise _unreadable(name, error) from error
    # The last word is with transformers: what it left at random numbers would show nowhere else.
    missing = sorted(k for k in info["missing_keys"] if not names.NOT_NEEDED.fullmatch(names.modern(k)))
    if missing:
        raise ModelBroken(
            f"transformers did not find {', '.join(missing[:3])} in the weights of “{name}” "
            f"({len(missing)} missing in all). Take engine='scratch', or choose another model."
        )
    refuse_what_is_no_number(model, name)
    return model


def refuse_what_is_no_number(model: Any, name: str) -> None:
    """Raise ModelBroken where a weight is infinite or NaN, as a training that failed leaves it."""
    if not all(torch.isfinite(tensor).all() for tensor in model.parameters()):
        raise ModelBroken(
            f"“{name}” holds numbers that are infinite or not numbers. "
            "Choose another copy of the model."
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the bar and the report that `transformers` prints: what matters is raised instead."""
    from transformers.utils import logging

    bar, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bar:
            logging.enable_progress_bar()


def _unreadable(name: str, error: Exception) -> ModelBroken:
    said = " ".join(str(error).split())[:300].rstrip(".")
    return ModelBroken(f"transformers cannot read “{name}”: {said}. Choose another copy of the model.")
