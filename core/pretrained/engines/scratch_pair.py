"""The scratch engine of encoder–decoders: our own `Transformer` with copied published weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ...transformer import (
    AttentionOutput,
    DecoderLayer,
    DecoderStack,
    EncoderLayer,
    EncoderStack,
    StackOutput,
    Transformer,
    causal_mask,
    mask_bias,
    padding_bias,
    total_bias,
)
from . import families
from .engine import Batch, Cross, Gives, Keep, Run, Seq2SeqRun, Shape


class Block(NamedTuple):
    """What is changed in one of the three attention blocks; None: nothing.

    Attributes:
        biases_BHLM: added to the scores of each layer.
        head_mask_NH: a factor on the output of each head.
    """

    biases_BHLM: Sequence[Tensor] | None = None
    head_mask_NH: Tensor | None = None


UNCHANGED = Block()


class ScratchPair:
    """`core.transformer.Transformer`, which itself returns every step.

    Attributes:
        net: the transformer.
        start_id: the token with which the decoder begins.
        head_scale: the factor of the decoder's output before its head (T5's, where that is its table).
    """

    causal = False

    def __init__(self, net: Transformer, device: str, start_id: int, head_scale: float = 1.0) -> None:
        self.net = net.eval().requires_grad_(False).to(device)
        self.device = device
        self.start_id = start_id
        self.head_scale = head_scale
        c = net.config

        def shape(n_layers: int, n_heads: int) -> Shape:
            d_head = c.parts.d_head or c.d_model // n_heads
            return Shape(n_layers, n_heads, d_head, c.d_model, c.d_model)

        self.shape = shape(c.n_encoder_layers, c.encoder_heads)
        self.decoder_shape = shape(c.n_decoder_layers, c.n_heads)
        biased, each = c.positions == "relative bias", c.own_distances
        self.gives, self.decoder_gives = (
            Gives(final=c.norm_first, biases=half.n_layers if biased and each else int(biased))
            for half in (self.shape, self.decoder_shape)
        )
        self.rows = c.n_positions if c.positions in ("learned", "sinusoidal halves") else None

    @property
    def table(self) -> Tensor:
        """See `Engine.table`."""
        return self.net.embeddings.tokens.weight

    @property
    def n_vocabulary(self) -> int:
        """See `Engine.n_vocabulary`."""
        return len(self.table)

    def run(self, batch: Batch, keep: Keep) -> Run:
        """Not supported for an encoder–decoder, which reads two texts. See `run_pair`."""
        raise NotImplementedError

    def last(self, batch: Batch) -> Tensor:
        """The final vectors of the encoder alone."""
        return self.net.encode(batch.ids_BL, batch.mask_BL, need_weights=False).final_BLD

    def following(self) -> None:
        """An encoder–decoder follows a source: see `reading`."""
        return

    def reading(self, source: Batch) -> Callable[[Batch], Tensor]:
        """See `Seq2SeqEngine.reading`. Tokens of a target that were read before are not read again."""
        memory_BSD = self.last(source)
        past: Any = None
        ids_BL, final_BLD = source.ids_BL[:, :0], memory_BSD[:, :0]

        def read(target: Batch) -> Tensor:
            nonlocal past, ids_BL, final_BLD
            n = ids_BL.shape[1]
            if n >= target.ids_BL.shape[1] or not torch.equal(ids_BL, target.ids_BL[:, :n]):
                past, n = None, 0
            made = self.net.read(
                target.ids_BL[:, n:], memory_BSD, source.mask_BL, past=past, need_weights=False
            )
            past, ids_BL = made, target.ids_BL
            final_BLD = torch.cat([final_BLD[:, :n], made.final_BLD], dim=1)
            return final_BLD

        return read

    def embedded(self, source: Batch, target: Batch) -> tuple[Tensor, Tensor]:
        """(B, S, D) and (B, L, D): the inputs of the first layers."""
        net = self.net
        own = net.embeddings if net.source_embeddings is None else net.source_embeddings
        return own(source.ids_BL)[1], net.embeddings(target.ids_BL)[1]

    def biases(self, source: Batch, target: Batch) -> tuple[list[Tensor | None], list[Tensor | None]]:
        """For each layer of the encoder, and of the decoder, what it adds to the scores of one text."""
        net, (source_BSD, target_BLD) = self.net, self.embedded(source, target)
        own = mask_bias(causal_mask(target_BLD.shape[1], device=target_BLD.device))[None, None]
        both = [total_bias(own, later) for later in _distances(net.decoder, target_BLD)]
        return _distances(net.encoder, source_BSD), both

    def run_pair(
        self,
        source: Batch,
        target: Batch,
        keep: Keep,
        *,
        encoder: Block = UNCHANGED,
        decoder: Block = UNCHANGED,
        cross: Block = UNCHANGED,
    ) -> Seq2SeqRun:
        """See `Seq2SeqEngine.run_pair`; the blocks say what is changed in the three attentions."""
        need = keep != "hidden"
        read = self.net.encode(
            source.ids_BL,
            source.mask_BL,
            bias_BHLM=encoder.biases_BHLM,
            head_mask_NH=encoder.head_mask_NH,
            need_weights=need,
        )
        written = self.net.read(
            target.ids_BL,
            read.final_BLD,
            source.mask_BL,
            bias_BHLM=decoder.biases_BHLM,
            cross_bias_BHLS=cross.biases_BHLM,
            head_mask_NH=decoder.head_mask_NH,
            cross_head_mask_NH=cross.head_mask_NH,
            need_weights=need,
        )
        across = [layer.cross for layer in written.layers] if need else []
        modules = [layer.cross for layer in self.net.decoder.layers if isinstance(layer, DecoderLayer)]
        hidden = None if source.mask_BL is None else padding_bias(source.mask_BL)
        length = target.ids_BL.shape[1]
        later = mask_bias(causal_mask(length, device=target.ids_BL.device))[None, None]
        return Seq2SeqRun(
            self._half(self.net.encoder, read, keep, hidden, causal=False),
            self._half(self.net.decoder, written, keep, later, causal=True),
            Cross(**_attention(across, modules, keep), scale=self._scale(len(modules))),
        )

    def _half(
        self,
        stack: EncoderStack | DecoderStack,
        out: StackOutput[Any],
        keep: Keep,
        mask: Tensor | None,
        *,
        causal: bool,
    ) -> Run:
        attention = [layer.attention for layer in out.layers] if keep != "hidden" else []
        modules = [
            layer.attention for layer in stack.layers if isinstance(layer, EncoderLayer | DecoderLayer)
        ]
        distances = _distances(stack, out.embedded_BLD) if keep == "all" else []
        biases = tuple(one for one in distances if one is not None)
        return Run(
            learned_BLE=out.learned_BLD,
            embedded_BLD=out.embedded_BLD,
            hidden_BLD=tuple(layer.output_BLD for layer in out.layers),
            final_BLD=None if stack.norm is None else out.final_BLD,
            mask_BHLM=(mask,) * len(biases),
            bias_BHLM=biases,
            scale=self._scale(len(modules)),
            causal=causal,
            **_attention(attention, modules, keep),
        )

    def _scale(self, n_layers: int) -> tuple[float, ...] | None:
        scale = self.net.config.parts.scale
        return (scale,) * n_layers if scale else None


def _distances(stack: EncoderStack | DecoderStack, like_BLD: Tensor) -> list[Tensor | None]:
    """(1, H, L, M) for each layer: what distances add to its scores; None: nothing."""
    found = None if stack.relative is None else stack.relative(like_BLD.shape[1])
    return [*found] if isinstance(found, list) else [found] * len(stack.layers)


def _attention(given: Sequence[AttentionOutput], modules: Sequence[Any], keep: Keep) -> dict[str, Any]:
    """The fields of a `Run` or a `Cross` about attention."""
    qkv = [*zip(given, modules, strict=False)] if keep == "all" else []
    return {
        "weights_BHLM": tuple(one.weights_BHLM for one in given),
        "query_BHLK": tuple(one.query_BHLK for one, _ in qkv),
        "key_BHMK": tuple(of.for_each_head(one.key_BHMK) for one, of in qkv),
        "value_BHMK": tuple(of.for_each_head(one.value_BHMK) for one, of in qkv),
    }


def engine(
    net: Transformer, config: Any, device: str, name: str, generation: Any = None
) -> ScratchPair:
    """The engine of an encoder–decoder with this `transformers` configuration.

    `generation`: see `families.start_id`. Raises ModelBroken if nothing says how its decoder begins.
    """
    start = families.start_id(config, net.config.n_vocabulary, name, generation)
    # T5 does so where its table predicts (Raffel et al. 2020, in their code); T5 1.1 and mT5 do not.
    scaled = getattr(config, "scale_decoder_outputs", False)
    if config.model_type == "umt5":  # in `transformers` it always does so
        scaled = config.tie_word_embeddings
    return ScratchPair(net, device, start, net.config.d_model**-0.5 if scaled else 1.0)
