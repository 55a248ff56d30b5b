"""The scratch engine: our own encoder or decoder with copied published weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ...errors import ModelBroken
from ...records.frozen import Array
from ...records.long_attention import BIASES
from ...transformer import (
    AttentionOutput,
    DisentangledAttention,
    Encoder,
    EncoderConfig,
    EncoderLayer,
    EncoderLayerOutput,
    LanguageModel,
    MultiHeadAttention,
    StackOutput,
    Transformer,
    TransformerConfig,
    causal_mask,
    mask_bias,
    padding_bias,
    past_of,
    total_bias,
    window_mask,
)
from ...transformer.shapes_alone import shapes_alone
from ..files import family_tables, tensor_names
from ..files.checkpoint import Checkpoint
from ..files.family_tables import HEAD, Family, Piece
from . import compiled_pass, packed, passes, widened
from .engine import Batch, Gives, Keep, Run, Shape, Whole

# From so many tokens on, torch's fused attention is the faster way by far: most of the time went into
# writing weights to memory that nobody had used before.
ON_DEMAND = 256

Past = StackOutput[EncoderLayerOutput]  # keys and values alone: `core.transformer.past_of`


class _Copies:
    """Copies what is kept of each layer into arrays of all layers, as soon as it is there.

    So the memory of one layer's steps serves the next layer's, and nothing is copied at the end. It is
    for one text alone, on the processor. Shared keys and values are copied for each head.
    """

    def __init__(self, layers: int, heads: int, keep: Keep) -> None:
        self._layers, self._heads = layers, heads
        self._names = {"all": Whole._fields, "attention": ("weights",), "hidden": ("hidden",)}[keep]
        self._arrays: dict[str, Array] = {}

    @property
    def whole(self) -> Whole:
        """What was copied."""
        return Whole(**self._arrays)

    def __call__(self, i: int, output: EncoderLayerOutput) -> EncoderLayerOutput:
        a = output.attention
        weights = None if a.weights_BHLM is None else self._copied("weights", i, a.weights_BHLM)
        attention = AttentionOutput(
            a.output_BLD,
            self._copied("query", i, a.query_BHLK),
            self._copied("key", i, a.key_BHMK),
            self._copied("value", i, a.value_BHMK),
            weights,
        )
        return EncoderLayerOutput(self._copied("hidden", i, output.output_BLD), attention)

    def _copied(self, name: str, i: int, step: Tensor) -> Tensor:
        """The step of a layer as a part of its array; itself where it is not kept."""
        if name not in self._names:
            return step
        own = step[0]
        shared = name in ("key", "value") and len(own) != self._heads
        shape = (self._heads, *own.shape[1:]) if shared else own.shape
        if name not in self._arrays:
            self._arrays[name] = np.empty((self._layers, *shape), np.float32)
        part = torch.from_numpy(self._arrays[name][i])
        if shared:
            part.view(len(own), -1, *own.shape[1:]).copy_(own[:, None])
        else:
            part.copy_(own)
        return part[None]


def _copies(batch: Batch, keep: Keep, shape: Shape, biases: object) -> _Copies | None:
    """None where the layers' own steps are kept."""
    alone = len(batch.ids_BL) == 1 and batch.mask_BL is None and biases is None
    here = batch.ids_BL.device.type == "cpu"
    return _Copies(shape.n_layers, shape.n_heads, keep) if alone and here else None


class ScratchEngine:
    """`core.transformer.Encoder`, which itself returns every step.

    Tokens see all other tokens, but never the padding; with a causal mask, only themselves and earlier
    ones.
    """

    causal = False

    def __init__(self, encoder: Encoder, device: str) -> None:
        self.encoder = encoder.eval().requires_grad_(False).to(device)
        self.device = device
        c = encoder.config
        each = c.n_layers if c.relative is not None else 0
        self.gives = Gives(biases=each or int(c.buckets is not None))
        width = c.d_embedding or c.d_model
        self.shape = Shape(c.n_layers, c.n_heads, c.d_model // c.n_heads, c.d_model, width)
        first = encoder.positions
        self.rows: int | None = None if first is None else c.n_positions - first.first

    @property
    def layers(self) -> list[nn.Module]:
        """Its layers, bottom to top."""
        return list(self.encoder.layers)

    @property
    def final_norm(self) -> nn.Module | None:
        """The norm after the last layer; None if there is none."""
        return None

    def hides(self, length: int) -> list[Tensor]:
        """For each layer, (L, L) bool: what it hides from the tokens of a text; empty: nothing."""
        return []

    def biases(self, batch: Batch) -> list[Tensor | None]:
        """For each layer, what it adds to the scores of a single text; empty: nothing."""
        distances = self.encoder.distances
        return [] if distances is None else [distances(batch.ids_BL.shape[1])] * self.shape.n_layers

    def embedded(self, batch: Batch) -> Tensor:
        """(B, L, D): the input of the first layer."""
        e = self.encoder
        return e.embed(e.tokens(batch.ids_BL), self.segments(batch), batch.ids_BL)

    @property
    def table(self) -> Tensor:
        """See `Engine.table`."""
        return self.encoder.tokens.weight

    @property
    def n_vocabulary(self) -> int:
        """See `Engine.n_vocabulary`."""
        return len(self.table)

    def last(self, batch: Batch) -> Tensor:
        """See `Engine.last`."""
        return self.run(batch, "hidden").hidden_BLD[-1]

    def following(self) -> None:
        """An encoder is followed by nothing."""
        return

    def segments(self, batch: Batch) -> Tensor | None:
        """Which of two texts each token belongs to; None if the model does not distinguish them."""
        return batch.segments_BL if self.encoder.config.n_segments > 1 else None

    def run(
        self,
        batch: Batch,
        keep: Keep,
        biases_HLM: Sequence[Tensor] | None = None,
        head_mask_NH: Tensor | None = None,
        *,
        causal: bool = False,
    ) -> Run:
        """See `Engine.run`, and `Encoder.forward` for biases and head mask, which allow no padding.

        `causal` hides later tokens in every layer, as in a decoder; it cannot be combined with biases.
        """
        hidden = None if batch.mask_BL is None else padding_bias(batch.mask_BL)
        if causal:
            length = batch.ids_BL.shape[1]
            hidden = total_bias(mask_bias(causal_mask(length, device=batch.ids_BL.device)), hidden)
        copies = _copies(batch, keep, self.shape, biases_HLM)
        out = self.encoder(
            batch.ids_BL,
            self.segments(batch),
            hidden if biases_HLM is None else biases_HLM,
            head_mask_NH,
            need_weights=keep != "hidden",
            kept=copies,
        )
        attention = [layer.attention for layer in out.layers] if keep != "hidden" else []
        qkv = attention if keep == "all" else []
        added = self._of_positions(batch, qkv)
        scale = self._attentions()[0].scale
        return Run(
            learned_BLE=out.learned_BLD,
            embedded_BLD=out.embedded_BLD,
            hidden_BLD=tuple(layer.output_BLD for layer in out.layers),
            weights_BHLM=tuple(a.weights_BHLM for a in attention),
            query_BHLK=tuple(a.query_BHLK for a in qkv),
            key_BHMK=tuple(a.key_BHMK for a in qkv),
            value_BHMK=tuple(a.value_BHMK for a in qkv),
            mask_BHLM=(hidden,) * len(added),
            bias_BHLM=added,
            scale=None if scale is None else (scale,) * self.shape.n_layers,
            causal=causal,
            whole=None if copies is None else copies.whole,
        )

    def _of_positions(self, batch: Batch, attention: Sequence[AttentionOutput]) -> tuple[Tensor, ...]:
        """For each layer, what distances add to the scores; none where positions are in the vectors."""
        if self.encoder.relative is None:
            biases = self.biases(batch) if attention else []
            return tuple(one for one in biases if one is not None)
        added: list[Tensor] = []
        for own, one in zip(self._attentions(), attention, strict=False):
            assert isinstance(own, DisentangledAttention)
            _, *terms = own.every_term(one.query_BHLK, one.key_BHMK)
            added.append(terms[0] + terms[1])
        return tuple(added)

    def _attentions(self) -> list[MultiHeadAttention]:
        return [layer.attention for layer in self.layers if isinstance(layer, EncoderLayer)]


class _ScratchStack:
    """`core.transformer.LanguageModel`, either half alone, which itself returns every step.

    The interface is that of `ScratchEngine`. It gives no logits: a model may predict by another
    matrix than its table, which `core.pretrained.language_head` has.
    """

    def __init__(self, net: LanguageModel, device: str) -> None:
        self.net = net.eval().requires_grad_(False).to(device)
        self.device = device
        self.causal = net.causal
        c = net.config
        self.gives = Gives(final=True, biases=int(c.positions == "linear bias"))
        d_head = c.parts.d_head or c.d_model // c.n_heads
        self.shape = Shape(c.n_layers, c.n_heads, d_head, c.d_model, c.d_model)
        self.rows = c.n_positions if c.positions == "learned" else None
        self._large = passes.is_large(net)

    @property
    def layers(self) -> list[nn.Module]:
        """See `ScratchEngine.layers`."""
        return list(self.net.stack.layers)

    @property
    def final_norm(self) -> nn.Module | None:
        """See `ScratchEngine.final_norm`."""
        return self.net.stack.norm

    @property
    def table(self) -> Tensor:
        """See `Engine.table`."""
        return self.net.embeddings.tokens.weight

    @property
    def n_vocabulary(self) -> int:
        """See `Engine.n_vocabulary`."""
        return len(self.table)

    def hides(self, length: int) -> list[Tensor]:
        """See `ScratchEngine.hides`: later tokens, and those outside the layer's window."""
        windows = self.net.config.windows or (0,) * self.shape.n_layers
        if self.causal:
            return [~causal_mask(length, window=window) for window in windows]
        return [~window_mask(length, window or length) for window in windows]

    def biases(self, batch: Batch) -> list[Tensor | None]:
        """See `ScratchEngine.biases`."""
        return self.net.masks(self.embedded(batch))

    def embedded(self, batch: Batch) -> Tensor:
        """See `ScratchEngine.embedded`."""
        embedded_BLD: Tensor = self.net.embeddings(batch.ids_BL)[1]
        return embedded_BLD

    def segments(self, batch: Batch) -> None:
        """Without vectors for two texts: see `ScratchEngine.segments`."""

    def last(self, batch: Batch) -> Tensor:
        """See `Engine.last`: the output of the final norm."""
        with passes.turn(self._large):
            return self._reads.read(batch.ids_BL, batch.mask_BL, need_weights=False).final_BLD

    @property
    def _reads(self) -> LanguageModel:
        """The network that reads texts: itself, or one with the same numbers."""
        return self.net

    def run(
        self,
        batch: Batch,
        keep: Keep,
        biases_HLM: Sequence[Tensor] | None = None,
        head_mask_NH: Tensor | None = None,
        *,
        causal: bool = False,
    ) -> Run:
        """See `ScratchEngine.run`. Here biases are added to the masks."""
        net = self.net
        if causal and not self.causal:
            length = batch.ids_BL.shape[1]
            later = mask_bias(causal_mask(length, device=batch.ids_BL.device))[None]
            biases_HLM = [later] * self.shape.n_layers
        copies = _copies(batch, keep, self.shape, biases_HLM)
        on_demand = copies is not None and keep == "all" and self._follow(batch.ids_BL.shape[1])
        with passes.turn(self._large):
            out = self._reads.read(
                batch.ids_BL,
                batch.mask_BL,
                bias_BHLM=biases_HLM,
                head_mask_NH=head_mask_NH,
                need_weights=keep != "hidden" and not on_demand,
                kept=copies,
            )
        attention = [layer.attention for layer in out.layers] if keep != "hidden" else []
        qkv = attention if keep == "all" else []
        keys = [(a.key_BHMK, a.value_BHMK) for a in qkv]
        if copies is None:
            each: Any = [layer.attention.for_each_head for layer in net.stack.layers]  # type: ignore[union-attr]
            keys = [(of(key), of(value)) for of, (key, value) in zip(each, keys, strict=False)]
        config, layers = net.config, self.shape.n_layers
        masks: list[Tensor | None] = []
        distance = net.distance_bias(out.embedded_BLD) if attention else None
        windowed = any(0 < n < batch.ids_BL.shape[1] for n in config.windows)
        if attention and (windowed or distance is not None):
            # Otherwise there is none, or the causal one, which needs no saying.
            masks = net.masks(out.embedded_BLD, batch.mask_BL, distances=False)
        return Run(
            learned_BLE=out.learned_BLD,
            embedded_BLD=out.embedded_BLD,
            hidden_BLD=tuple(layer.output_BLD for layer in out.layers),
            final_BLD=out.final_BLD,
            weights_BHLM=() if on_demand else tuple(a.weights_BHLM for a in attention),
            query_BHLK=tuple(a.query_BHLK for a in qkv),
            key_BHMK=tuple(key for key, _ in keys),
            value_BHMK=tuple(value for _, value in keys),
            mask_BHLM=tuple(masks),
            bias_BHLM=() if distance is None else (distance,) * layers,
            scale=(config.parts.scale,) * layers if config.parts.scale else None,
            softcap=config.parts.score_cap or None,
            causal=causal or self.causal,
            whole=None if copies is None else copies.whole,
            on_demand=on_demand,
        )

    def _follow(self, tokens: int) -> bool:
        """Whether the weights of a text are left to whoever reads them: see `ON_DEMAND`.

        Only where query, key and the order of tokens are all that they follow from.
        """
        c = self.net.config
        windowed = any(0 < window < tokens for window in c.windows)
        return tokens >= ON_DEMAND and self.causal and not windowed and c.positions not in BIASES


class ScratchBidirectional(_ScratchStack):
    """An encoder made of a table of parts: see `core.pretrained.files.family_tables`."""

    def following(self) -> None:
        """See `ScratchEngine.following`."""
        return


class ScratchDecoder(_ScratchStack):
    """A decoder, which keeps keys and values while a text is written.

    Args:
        decoder: it.
        device: where it runs.
        blocks: by the names of its parameters, what they were unpacked from: see `engines.packed`.
    """

    def __init__(
        self, decoder: LanguageModel, device: str, blocks: Mapping[str, Tensor] | None = None
    ) -> None:
        super().__init__(decoder, device)
        self._blocks = (blocks or {}) if device == "cpu" else {}
        self._together = passes.Together(self._read_texts)
        self._compiled: compiled_pass.CompiledPass | None = None

    @property
    def decoder(self) -> LanguageModel:
        """The decoder itself."""
        return self.net

    def last(self, batch: Batch) -> Tensor:
        """See `Engine.last`: the output of the final norm."""
        if self._large and len(batch.ids_BL) == 1 and batch.mask_BL is None:
            return self.read(batch.ids_BL)[0]
        return super().last(batch)

    def following(self) -> Callable[[Batch], Tensor]:
        """See `Engine.following`."""
        past: Past | None = None

        def read(batch: Batch) -> Tensor:
            nonlocal past
            with passes.turn(self._large):
                final_BLD, past = self.read_on(batch.ids_BL, past)
            return final_BLD

        return read

    def read(self, ids_1L: Tensor) -> tuple[Tensor, Past]:
        """`read_on` for a whole text, perhaps with others that wait for their turn as well."""
        return self._together(ids_1L)

    def _read_texts(self, ids_BL: Tensor, lengths: Sequence[int]) -> list[tuple[Tensor, Past]]:
        """The vectors and the past of each text of a batch; shorter ones are padded behind."""
        if len(lengths) == 1:
            return [self.read_on(ids_BL, None)]
        out = self._reads.read(ids_BL, need_weights=False)
        return [
            (out.final_BLD[row : row + 1, :length].clone(), past_of(out, length, row))
            for row, length in enumerate(lengths)
        ]

    def read_on(self, ids_BL: Tensor, past: Past | None) -> tuple[Tensor, Past]:
        """Run the model on the tokens behind a past (`core.transformer.past_of`), in the caller's turn.

        Args:
            ids_BL: the new tokens of one text, no padding.
            past: that of the tokens before them; None at the beginning.

        Returns:
            (B, L, D), the output of the final norm for the new tokens; and the past with them.
        """
        if self._compiled is None and self._can_be_compiled:
            self._compiled = compiled_pass.proved(self._reads)
        read = None if self._compiled is None else self._compiled.read(ids_BL, past)
        if read is not None:
            return read
        out = self._reads.read(ids_BL, past=past, need_weights=False)
        return out.final_BLD, past_of(out)

    @cached_property
    def _reads(self) -> LanguageModel:
        made = packed.with_blocks(self.decoder, self._blocks)
        assert isinstance(made, LanguageModel)
        return made

    @cached_property
    def _can_be_compiled(self) -> bool:
        return bool(self._blocks) and compiled_pass.fits(self._reads)

    @cached_property
    def packed_table(self) -> packed.PackedMatrix | None:
        """Its table; None if it was not packed."""
        blocks = self._blocks.get(_TABLE)
        return None if blocks is None else packed.PackedMatrix(self.table, blocks)

    @property
    def keeps(self) -> bool:
        """Whether it is large: to read a token anew takes longer than to find what was kept of it."""
        return self._large


Ours = ScratchEngine | ScratchDecoder | ScratchBidirectional
Module = Encoder | LanguageModel | Transformer
NAMED = (
    "BERT, RoBERTa, DistilBERT, MPNet, ELECTRA, ALBERT, DeBERTa-v2 and v3, ModernBERT, GPT-2, GPT-Neo, "
    "OPT, GPT-J, GPT-NeoX, Bloom, Falcon, StarCoder 1 and 2, StableLM, Llama, SmolLM3, Mistral, Qwen2, "
    "Qwen3, OLMo 1 and 2, Granite, Cohere, Phi 1 to 3, Gemma, T5, umT5, BART, Marian and Pegasus"
)


def engine(
    module: Encoder | LanguageModel, device: str, blocks: Mapping[str, Tensor] | None = None
) -> Ours:
    """The engine that runs one of our transformers. `blocks`: see `ScratchDecoder`."""
    if isinstance(module, Encoder):
        return ScratchEngine(module, device)
    if module.causal:
        return ScratchDecoder(module, device, blocks)
    return ScratchBidirectional(module, device)


_TABLE = "embeddings.tokens.weight"  # of our decoder


class Plan(NamedTuple):
    """One of our transformers as `config.json` describes it, and where its weights are.

    Attributes:
        config: the shape.
        family: of a decoder.
        tied: whether a decoder's table also predicts tokens: a file may hold it under that name alone.
        kind: the model type of an encoder.
    """

    config: EncoderConfig | TransformerConfig
    family: Family | None = None
    tied: bool = False
    kind: str = "bert"

    @property
    def prefix(self) -> str:
        """See `core.pretrained.files.tensor_names.modern`."""
        if self.family is not None:
            return self.family.prefix
        return {"deberta-v2": "deberta", "mpnet": "mpnet"}.get(self.kind, "bert")

    @property
    def spare(self) -> tuple[str, ...]:
        """Further tensors that a checkpoint may hold: of its head, or of tables that are not read."""
        if self.family is not None:
            return self.family.head
        # DeBERTa-v3 has a table of positions in its files, and no use for it.
        return ("embeddings.position_embeddings.weight",) if self.kind == "deberta-v2" else ()

    @property
    def names(self) -> Mapping[str, str]:
        """The (current) names of a checkpoint's tensors, or of their pieces -> those of ours."""
        if isinstance(self.config, EncoderConfig):
            return tensor_names.ours(self.config, self.kind)
        assert self.family is not None
        return family_tables.ours(self.config, self.family)

    def tensors_in(self, theirs: Iterable[str]) -> list[str]:
        """The (current) names of the tensors that a checkpoint must hold, given those that it holds."""
        names = self.names_in(theirs)
        if self.family is None:
            return [*names]
        # Not every layer of a decoder has a bias.
        weights = (tensor_names.whole(name) for name in names if name.endswith(".weight"))
        return [*dict.fromkeys(weights)]

    def names_in(self, theirs: Iterable[str]) -> Mapping[str, str]:
        """`names` for a checkpoint with these tensors, whose table may be there as its head alone."""
        there = {tensor_names.modern(name, self.prefix) for name in theirs}
        table = next((their for their, our in self.names.items() if our == _TABLE), "")
        tied = () if self.family is None else self.family.tables
        other = next((one for one in tied if one in there and (self.tied or one != HEAD)), "")
        if table in there or not other:
            return self.names
        rest = {their: our for their, our in self.names.items() if their != table}
        return rest | {other: _TABLE}


def plan_of(config: Any, tensors: Iterable[str] | None = None) -> Plan | None:
    """Our transformer for a `transformers` configuration; None if ours does not run it.

    `tensors`: the names of the model's: one half of an encoder–decoder has the same configuration.
    """
    encoder = tensor_names.encoder_config(config)
    if encoder is not None:
        return Plan(encoder, kind=config.model_type)
    stack = family_tables.config_of(config)
    if stack is None:
        return None
    family = family_tables.family_of(config)
    assert family is not None
    if tensors is not None:
        there = {tensor_names.modern(name, family.prefix) for name in tensors}
        if not family.whole_in(there):
            return None
        table = f"{family.outside.get('embeddings.positions.table')}.weight"
        if stack.positions == "sinusoidal halves" and table in there:
            # A file may hold what is otherwise computed.
            stack = replace(stack, positions="learned", own_source=True)
    return Plan(stack, family, bool(config.tie_word_embeddings))


def check(plan: Plan, checkpoint: Checkpoint, name: str) -> None:
    """Check, from the headers, that the weights of a folder fit. Raises as `from_checkpoint`."""
    _planned(plan, checkpoint.shapes(), name)


def may_stay(plan: Plan, checkpoint: Checkpoint, name: str) -> Mapping[str, bool]:
    """The tensors of a folder that can stay halves -> whether they can stay in their file as well.

    They are the matrices of linear layers and, in models whose head is a matrix, that and the table.
    Raises as `from_checkpoint`.
    """
    module, source = _planned(plan, checkpoint.shapes(), name)
    known = _of_halves(module)
    others = {one.name for our, one in source.items() if our not in known or not one.keeps_numbers}
    there: dict[str, bool] = {}
    for piece in source.values():
        if piece.name not in others:
            there[piece.name] = there.get(piece.name, True) and piece.lies_in_tensor
    if _has_linear_head(module):
        heads = (key for key in checkpoint.tensors if tensor_names.modern(key, plan.prefix) == HEAD)
        there |= {key: True for key in heads if key not in there}
    return there


def _has_linear_head(module: Module) -> bool:
    """Whether what predicts is a matrix: see `core.pretrained.language_head`."""
    return isinstance(module, Transformer) or (isinstance(module, LanguageModel) and module.causal)


def _of_halves(module: Module) -> set[str]:
    """The names of the weights that may be in half precision: see `widened`."""
    kinds = (nn.Linear, nn.Embedding) if _has_linear_head(module) else (nn.Linear,)
    named = ((key, one) for key, one in module.named_modules() if isinstance(one, kinds))
    return {
        f"{key}.weight"
        for key, one in named
        if isinstance(one, nn.Linear) or key.endswith("embeddings.tokens")
    }


def _of_norms(module: Module) -> set[str]:
    """The names of the weights of all norms inside."""
    norms = (nn.LayerNorm, nn.RMSNorm)
    return {f"{key}.weight" for key, one in module.named_modules() if isinstance(one, norms)}


def from_checkpoint(
    plan: Plan, checkpoint: Checkpoint, name: str, *, half: bool = False
) -> tuple[Module, Mapping[str, Tensor]]:
    """Our transformer with the weights of a folder, and the blocks of those that were packed.

    `half`: whether matrices in half precision stay so; see `widened`.

    Raises:
        ModelBroken: see `core.pretrained.files.tensor_names.fit` and `read_tensor`; or if a weight is
            not a finite number.
    """
    module, source = _planned(plan, checkpoint.shapes(), name)
    _fill(
        module,
        source,
        lambda key: checkpoint.tensor(key, name),
        name,
        finite=checkpoint.mapped,
        half=half,
    )
    whole = {our: checkpoint.tensors[piece.name] for our, piece in source.items() if piece.is_whole}
    blocks = {our: found for our, one in whole.items() if (found := one.blocks(name)) is not None}
    return module, blocks


def from_state_dict(plan: Plan, weights: Mapping[str, Tensor], name: str) -> Module:
    """Our transformer with copied weights of a model in memory. Raises as `from_checkpoint`."""
    shapes = {key: tuple(tensor.shape) for key, tensor in weights.items()}
    module, source = _planned(plan, shapes, name)
    _fill(module, source, lambda key: weights[key].detach().cpu().clone(), name)
    return module


def _fill(
    module: Module,
    source: Mapping[str, Piece],
    get: Callable[[str], Tensor],
    name: str,
    *,
    finite: bool = False,
    half: bool = False,
) -> None:
    """Give a transformer its weights.

    `finite`: whether all numbers are known to be; `half`: see `from_checkpoint`.
    """
    halves = _of_halves(module) if half else ()
    state: dict[str, Any] = {
        our: _checked(
            piece.taken(get(piece.name)),
            piece.name,
            name,
            finite=finite,
            half=our in halves,
        )
        for our, piece in source.items()
    }
    # A table that two parts share has two names.
    own = {id(tensor): key for key, tensor in module.named_parameters()}
    for key, tensor in module.named_parameters(remove_duplicate=False):
        state.setdefault(key, state.get(own[id(tensor)]))
    # Norms that have no γ in a family have one here, which is 1.
    for key in _of_norms(module):
        if state[key] is None:
            state[key] = torch.ones(module.get_parameter(key).shape)
    module.load_state_dict(state, strict=True, assign=True)
    if half:
        widened.widen(module)


def _built(config: EncoderConfig | TransformerConfig) -> Module:
    if isinstance(config, EncoderConfig):
        return Encoder(config)
    paired = config.n_encoder_layers and config.n_decoder_layers
    return Transformer(config) if paired else LanguageModel(config)


def _planned(
    plan: Plan, theirs: Mapping[str, tuple[int, ...]], name: str
) -> tuple[Module, Mapping[str, Piece]]:
    """A transformer without memory, and the source of each of its parameters."""
    config = plan.config
    try:
        with shapes_alone():  # so that no parameter can stay at a random value
            module = _built(config)
    except (ValueError, TypeError, RuntimeError, ZeroDivisionError) as error:
        raise ModelBroken(
            "The config.json of “{name}” describes no model that can be built: {error}",
            name=name,
            error=error,
        ) from error
    shapes = {key: tuple(tensor.shape) for key, tensor in module.named_parameters()}
    if plan.family is not None and plan.family.plain_norms:
        shapes = {key: shape for key, shape in shapes.items() if key not in _of_norms(module)}
    parts = {key: Piece(key) for key in theirs}
    if plan.family is not None:
        assert isinstance(config, TransformerConfig)
        parts = family_tables.pieces(config, plan.family, theirs)
    source = tensor_names.fit(
        {their: our for their, our in plan.names_in(theirs).items() if our in shapes},
        {key: piece.shape(theirs[piece.name]) for key, piece in parts.items()},
        shapes,
        name,
        plan.prefix,
        spare=plan.spare,
    )
    return module, {our: parts[key] for our, key in source.items()}


def _checked(tensor: Tensor, their: str, name: str, *, finite: bool, half: bool) -> Tensor:
    """Real and finite numbers, as float32 unless they are to keep half precision."""
    if not tensor.is_floating_point():
        raise ModelBroken(
            "“{name}” stores {their} as {dtype}, not as real numbers: quantised weights. "
            "Choose the same model in float32, float16 or bfloat16.",
            name=name,
            their=their,
            dtype=tensor.dtype,
        )
    if not (half and tensor.dtype in widened.HALVES):
        tensor = tensor.float()
    if not finite and not widened.finite(tensor):
        raise ModelBroken(
            "“{name}” contains numbers in {their} that are infinite or not a number. "
            "Choose another copy of the model.",
            name=name,
            their=their,
        )
    return tensor
