"""The huggingface engine: `transformers` itself, the reference for ours."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from typing import Any

import torch
from torch import Tensor, nn

from core.errors import ModelBroken, NotSupported
from core.pretrained import recording
from core.pretrained.engine import Batch, Cross, Gives, Keep, Run, Seq2SeqRun, Shape
from core.pretrained.families import FAMILIES, Family, is_causal
from core.pretrained.recording import Site


class Stack:
    """The layers of a `transformers` encoder or decoder, whose attention is recorded."""

    def __init__(self, module: Any, family: Family, causal: bool) -> None:
        """Take a model of one's own (see `own_copy`), or one of the two halves of one."""
        c = module.config
        # transformers would give the last layer's output only behind the final norm; its own setting
        # leaves it as it is.
        c.tie_last_hidden_states = False
        # Of a pair, the settings name the encoder's first. A single stack has one of each.
        half = -1 if causal else 0
        norm = reduce(getattr, family.final_norm.split("."), module) if family.final_norm else None
        layers, heads = family.layers[half], family.heads[half]
        self.module = module
        self.table = module.get_input_embeddings()
        self.causal = causal
        self.family = family
        self.norm = norm
        self.takes = set(inspect.signature(module.forward).parameters)
        self.shape = Shape(
            n_layers=getattr(c, layers),
            n_heads=getattr(c, heads),
            d_head=getattr(c, "head_dim", None) or c.hidden_size // getattr(c, heads),
            d_model=c.hidden_size,
            d_embedding=self.table.weight.shape[1],
        )
        self.gives = Gives(
            products=family.products,
            final=norm is not None,
            bias=family.positions == "relative",
        )

    def run(self, batch: Batch, keep: Keep, **beside: Any) -> tuple[Run, list[Site], Any]:
        """Run once: every step, the sites of the cross-attention, and what `transformers` says."""
        inputs = self._inputs(batch, beside)
        look = keep != "hidden"
        if look and not self.family.products:
            inputs["output_attentions"] = True
        # With keep="hidden" nothing is recorded: it would hold every layer's scores for nothing.
        record = look and self.family.products
        recorder: AbstractContextManager[list[Site]] = nullcontext([])
        if record:
            recorder = recording.recording()
        with recorder as sites:
            out = self.module(**inputs, output_hidden_states=True)
        # A decoder that looks at a source does so in each layer, behind its look at itself.
        step = 2 if "encoder_hidden_states" in beside else 1
        own, cross = sites[::step], sites[1::step] if step == 2 else []
        weights = tuple(site.weights_BHLM for site in own) if record else (out.attentions or ())
        answered = len(sites) / step if record else len(weights)
        if look and answered != self.shape.n_layers:
            raise NotSupported(
                f"This {self.module.config.model_type} model does not let its attention be recorded: "
                f"{answered:g} of {self.shape.n_layers} layers answered."
            )
        hidden = tuple(out.hidden_states)
        products = own if keep == "all" else []
        run = Run(
            # The row itself: BART's own look-up would scale it.
            learned_BLE=nn.functional.embedding(batch.ids_BL, self.table.weight),
            embedded_BLD=hidden[0],  # what layer 0 receives
            hidden_BLD=hidden[1:],
            weights_BHLM=weights if look else (),
            query_BHLK=tuple(site.query_BHLK for site in products),
            key_BHMK=tuple(site.key_BHMK for site in products),
            value_BHMK=tuple(site.value_BHMK for site in products),
            final_BLD=None if self.norm is None else self.norm(hidden[-1]),
            bias_HLM=_bias(products),
            scale=_scale(products),
            causal=self.causal,
            products=self.family.products,
        )
        return run, cross, out

    def last(self, batch: Batch, **beside: Any) -> Tensor:
        """(B, L, D): run once, for what `transformers` hands to a head."""
        vectors: Tensor = self.module(**self._inputs(batch, beside)).last_hidden_state
        return vectors

    def _inputs(self, batch: Batch, beside: dict[str, Any]) -> dict[str, Any]:
        inputs = {"input_ids": batch.ids_BL, "attention_mask": batch.mask_BL} | beside
        if "token_type_ids" in self.takes and getattr(self.module.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = batch.segments_BL
        if "use_cache" in self.takes:
            inputs["use_cache"] = False  # memory of past keys, for generating
        return inputs


class HuggingFaceEngine:
    """A `transformers` encoder or decoder. The model given is left as it is."""

    def __init__(self, model: Any, device: str) -> None:
        own = own_copy(model, device)
        self.model = own
        self.device = device
        self._stack = Stack(own, FAMILIES[own.config.model_type], is_causal(own.config))
        self.shape = self._stack.shape
        self.gives = self._stack.gives

    def run(self, batch: Batch, keep: Keep) -> Run:
        """See `Engine.run`."""
        return self._stack.run(batch, keep)[0]

    @property
    def table(self) -> Tensor:
        """See `Engine.table`."""
        return _table(self.model)

    def last(self, batch: Batch) -> Tensor:
        """See `Engine.last`."""
        return self._stack.last(batch)


class HuggingFaceSeq2Seq:
    """A `transformers` encoder–decoder. The model given is left as it is."""

    def __init__(self, model: Any, device: str, name: str) -> None:
        self.start_id = _start_id(model, name)
        own = own_copy(model, device)
        self.model = own
        self.device = device
        family = FAMILIES[own.config.model_type]
        self._encoder = Stack(own.get_encoder(), family, causal=False)
        self._decoder = Stack(own.get_decoder(), family, causal=True)
        self.shape = self._encoder.shape
        self.gives = self._encoder.gives
        self.decoder_shape = self._decoder.shape

    def run(self, batch: Batch, keep: Keep) -> Run:
        """The encoder alone."""
        return self._encoder.run(batch, keep)[0]

    @property
    def table(self) -> Tensor:
        """See `Engine.table`."""
        return _table(self.model)

    def last(self, batch: Batch) -> Tensor:
        """The encoder alone."""
        return self._encoder.last(batch)

    def reading(self, source: Batch) -> Callable[[Batch], Tensor]:
        """See `Seq2SeqEngine.reading`."""
        beside = {
            "encoder_hidden_states": self._encoder.last(source),
            "encoder_attention_mask": source.mask_BL,
        }
        return lambda target: self._decoder.last(target, **beside)

    def run_pair(self, source: Batch, target: Batch, keep: Keep) -> Seq2SeqRun:
        """See `Seq2SeqEngine.run_pair`."""
        encoder, _, out = self._encoder.run(source, keep)
        decoder, cross, _ = self._decoder.run(
            target,
            keep,
            encoder_hidden_states=out.last_hidden_state,
            encoder_attention_mask=source.mask_BL,
        )
        products = cross if keep == "all" else []
        return Seq2SeqRun(
            encoder,
            decoder,
            Cross(
                weights_BHLM=tuple(site.weights_BHLM for site in cross),
                query_BHLK=tuple(site.query_BHLK for site in products),
                key_BHMK=tuple(site.key_BHMK for site in products),
                value_BHMK=tuple(site.value_BHMK for site in products),
                scale=_scale(products),
            ),
        )


def own_copy(model: Any, device: str) -> Any:
    """The model without a head for another task, with the recorded attention, on the device.

    A copy, because choosing another attention function would change the caller's own model. It shares
    the weights, unless they must be moved or converted.
    """
    base = getattr(model, "base_model", model)
    tensors = [*base.parameters(), *base.buffers()]
    as_they_are = all(t.device.type == device and t.dtype is torch.float32 for t in base.parameters())
    own = copy.deepcopy(base, {id(t): t for t in tensors} if as_they_are else {})
    products = FAMILIES[own.config.model_type].products
    own.set_attn_implementation(recording.register() if products else "eager")
    return own.eval() if as_they_are else own.eval().float().to(device)


def _table(model: Any) -> Tensor:
    weight: Tensor = model.get_input_embeddings().weight
    return weight


def _scale(sites: Sequence[Site]) -> tuple[float, ...] | None:
    """What each layer multiplies query·key by; None where it is 1/√d_head everywhere, or unknown."""
    if all(site.scale == site.query_BHLK.shape[-1] ** -0.5 for site in sites):
        return None
    return tuple(float(site.scale) for site in sites)


def _bias(sites: Sequence[Site]) -> Tensor | None:
    """(H, L, M): the position bias; the first layer makes it and all others take it over."""
    bias = sites[0].bias_BHLM if sites else None
    return None if bias is None else bias[0]


def _start_id(model: Any, name: str) -> int:
    """The token that the decoder begins with. T5 begins with its padding where nothing else is said."""
    c = model.config
    said = [
        getattr(c, "decoder_start_token_id", None),
        getattr(getattr(model, "generation_config", None), "decoder_start_token_id", None),
        c.pad_token_id if c.model_type == "t5" else None,
    ]
    start = next((token for token in said if token is not None), None)
    if not isinstance(start, int) or not 0 <= start < c.vocab_size:
        raise ModelBroken(
            f"The config.json of “{name}” does not say which token its decoder begins with "
            f"(decoder_start_token_id is {str(start)[:40]}). Add it."
        )
    return start
