"""The whole transformer, and either half alone.

Vaswani et al. (2017), Figure 1. S stands for the positions of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple

import torch
from torch import Tensor, nn

from .attention import soft_capped
from .config import TransformerConfig
from .layers import DecoderLayerOutput, EncoderLayerOutput, Kept
from .masks import causal_mask, mask_bias, padding_bias, total_bias, window_mask
from .positions import linear_bias
from .stacks import DecoderStack, Embeddings, EncoderStack, LayerOutput, StackOutput


class Prediction(NamedTuple, Generic[LayerOutput]):
    """Logits for every token of the vocabulary at every position, and the stack behind them."""

    logits_BLV: Tensor
    stack: StackOutput[LayerOutput]


class TransformerOutput(NamedTuple):
    """Logits for every token of the vocabulary at every position of the target, and both stacks.

    The three attention blocks are `encoder.layers[i].attention`, `decoder.layers[i].attention` and
    `decoder.layers[i].cross`. Row l of the cross-attention belongs to the prediction of token l + 1.
    """

    logits_BLV: Tensor
    encoder: StackOutput[EncoderLayerOutput]
    decoder: StackOutput[DecoderLayerOutput]


class Transformer(nn.Module):
    """Encoder and decoder: Figure 1.

    With one vocabulary for both, they share one table of vectors, as in the paper; else the source
    has its own. With other `parts` than the paper's, and its positions, it takes the published weights
    of T5 (Raffel et al. 2020), BART (Lewis et al. 2020) or Marian (Junczys-Dowmunt et al. 2018).
    """

    def __init__(self, config: TransformerConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        if not (config.n_encoder_layers and config.n_decoder_layers):
            raise ValueError("A Transformer has an encoder and a decoder; for one, use LanguageModel.")
        self.config = config
        own = config.n_source_vocabulary
        self.source_embeddings = Embeddings(config, own) if own else None
        self.embeddings = Embeddings(config, config.n_vocabulary)
        if config.own_source and not own:
            self.source_embeddings = Embeddings(config, 0, self.embeddings.tokens)
        self.encoder = EncoderStack(config, config.n_encoder_layers)
        self.decoder = DecoderStack(config)
        self.output = None if config.tied_output else nn.Linear(config.d_model, config.n_vocabulary)
        initialise(self, generator)

    def forward(
        self,
        source_BS: Tensor,
        target_BL: Tensor,
        mask_BS: Tensor | None = None,
        *,
        need_weights: bool = True,
    ) -> TransformerOutput:
        """Read a source, and predict all tokens of a known target at once.

        Args:
            source_BS: ids of the source.
            target_BL: ids of the target, shifted right: the start token, then all but the last token.
            mask_BS: true where the source is a token, false where it is padding; None: no padding.
                The target needs none: its padding comes after its tokens, which do not attend to it.
            need_weights: False leaves the attention weights out.
        """
        encoder = self.encode(source_BS, mask_BS, need_weights=need_weights)
        logits_BLV, decoder = self.decode(
            target_BL, encoder.final_BLD, mask_BS, need_weights=need_weights
        )
        return TransformerOutput(logits_BLV, encoder, decoder)

    def encode(
        self,
        source_BS: Tensor,
        mask_BS: Tensor | None = None,
        *,
        bias_BHLM: Tensor | Sequence[Tensor] | None = None,
        head_mask_NH: Tensor | None = None,
        need_weights: bool = True,
    ) -> StackOutput[EncoderLayerOutput]:
        """Read a source. See `forward`; `bias_BHLM` and `head_mask_NH` as in `EncoderStack.forward`."""
        embeddings = self.embeddings if self.source_embeddings is None else self.source_embeddings
        vectors = embeddings(source_BS)
        mask = _with_each(_padding(mask_BS, vectors[1]), _relative(self.encoder, vectors[1]))
        encoded: StackOutput[EncoderLayerOutput] = self.encoder(
            vectors, _with_each(mask, bias_BHLM), head_mask_NH, need_weights=need_weights
        )
        return encoded

    def decode(
        self,
        target_BL: Tensor,
        memory_BSD: Tensor,
        mask_BS: Tensor | None = None,
        *,
        past: StackOutput[DecoderLayerOutput] | None = None,
        bias_BHLM: Tensor | Sequence[Tensor] | None = None,
        cross_bias_BHLS: Tensor | Sequence[Tensor] | None = None,
        head_mask_NH: Tensor | None = None,
        cross_head_mask_NH: Tensor | None = None,
        need_weights: bool = True,
    ) -> Prediction[DecoderLayerOutput]:
        """Predict the token after each token of the target, from that token and those before it.

        Args:
            target_BL: ids of the target; with `past`, only of the tokens that are new.
            memory_BSD: `encode(...).final_BLD`.
            mask_BS: of the source, as in `forward`.
            past: `decode(...).stack` for the tokens before.
            bias_BHLM: added to the scores among the target's tokens, the causal mask apart; one for
                every layer, or a list with one for each.
            cross_bias_BHLS: added to the scores of the cross-attention, the padding mask apart.
            head_mask_NH: see `EncoderStack.forward`; `cross_head_mask_NH` for the cross-attention.
            cross_head_mask_NH: see `head_mask_NH`.
            need_weights: False leaves the attention weights out.
        """
        decoded = self.read(
            target_BL,
            memory_BSD,
            mask_BS,
            past=past,
            bias_BHLM=bias_BHLM,
            cross_bias_BHLS=cross_bias_BHLS,
            head_mask_NH=head_mask_NH,
            cross_head_mask_NH=cross_head_mask_NH,
            need_weights=need_weights,
        )
        return Prediction(_logits(decoded.final_BLD, self.embeddings, self.output), decoded)

    def read(
        self,
        target_BL: Tensor,
        memory_BSD: Tensor,
        mask_BS: Tensor | None = None,
        *,
        past: StackOutput[DecoderLayerOutput] | None = None,
        bias_BHLM: Tensor | Sequence[Tensor] | None = None,
        cross_bias_BHLS: Tensor | Sequence[Tensor] | None = None,
        head_mask_NH: Tensor | None = None,
        cross_head_mask_NH: Tensor | None = None,
        need_weights: bool = True,
    ) -> StackOutput[DecoderLayerOutput]:
        """`decode` without the logits, which are many."""
        start = _length(past)
        vectors = self.embeddings(target_BL, start)
        mask = _with_each(_causal(vectors[1], start), _relative(self.decoder, vectors[1], start))
        decoded: StackOutput[DecoderLayerOutput] = self.decoder(
            vectors,
            memory_BSD,
            _with_each(mask, bias_BHLM),
            _with_each(_padding(mask_BS, vectors[1]), cross_bias_BHLS),
            head_mask_NH,
            cross_head_mask_NH,
            past=past,
            need_weights=need_weights,
        )
        return decoded


class LanguageModel(nn.Module):
    """One half alone: without a source there is no cross-attention, and its layers are encoder layers.

    A decoder alone predicts the next token at each position (Radford et al. 2018, GPT): its mask is
    causal. An encoder alone sees all tokens and predicts, at each position, the token that belongs
    there, which is useful if some are masked (Devlin et al. 2019, BERT). With the `parts` of GPT-2 or
    Llama (Touvron et al. 2023) in place of the paper's, the decoder takes their published weights;
    with those of ModernBERT (Warner et al. 2024), the encoder does.
    """

    def __init__(self, config: TransformerConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        if config.n_encoder_layers and config.n_decoder_layers:
            raise ValueError("A LanguageModel has an encoder or a decoder; for both, use Transformer.")
        self.config = config
        self.causal = config.n_decoder_layers > 0
        self.embeddings = Embeddings(config, config.n_vocabulary)
        self.stack = EncoderStack(config, config.n_layers)
        self.output = None
        if not config.tied_output:
            self.output = nn.Linear(config.d_model, config.n_vocabulary, config.output_bias)
        initialise(self, generator)

    def forward(
        self,
        ids_BL: Tensor,
        mask_BM: Tensor | None = None,
        *,
        past: StackOutput[EncoderLayerOutput] | None = None,
        bias_BHLM: Tensor | None = None,
        head_mask_NH: Tensor | None = None,
        need_weights: bool = True,
    ) -> Prediction[EncoderLayerOutput]:
        """Predict, at each position, the next token or the token itself: see the class.

        Args:
            ids_BL: token ids; with `past`, only of the tokens that are new.
            mask_BM: true where there is a token, false where there is padding, the past included;
                None: no padding. A causal model needs none if padding comes after the tokens.
            past: `forward(...).stack` for the tokens before; for a causal model alone.
            bias_BHLM: added to the scores of every layer, the masks apart.
            head_mask_NH: see `EncoderStack.forward`.
            need_weights: False leaves the attention weights out.

        Raises:
            ValueError: `past` is given to a model that is not causal.
        """
        stack = self.read(
            ids_BL,
            mask_BM,
            past=past,
            bias_BHLM=bias_BHLM,
            head_mask_NH=head_mask_NH,
            need_weights=need_weights,
        )
        return Prediction(self.logits(stack.final_BLD), stack)

    def read(
        self,
        ids_BL: Tensor,
        mask_BM: Tensor | None = None,
        *,
        past: StackOutput[EncoderLayerOutput] | None = None,
        bias_BHLM: Tensor | Sequence[Tensor | None] | None = None,
        head_mask_NH: Tensor | None = None,
        need_weights: bool = True,
        kept: Kept | None = None,
    ) -> StackOutput[EncoderLayerOutput]:
        """`forward` without the logits, which are many; `bias_BHLM` may differ from layer to layer.

        `kept`: see `EncoderStack.forward`.
        """
        if past is not None and not self.causal:
            raise ValueError("Without a causal mask, new tokens change the vectors of earlier ones.")
        start = _length(past)
        vectors = self.embeddings(ids_BL, start)
        masks = self.masks(vectors[1], mask_BM, start)
        if isinstance(bias_BHLM, Sequence):
            bias = [total_bias(mask, own) for mask, own in zip(masks, bias_BHLM, strict=True)]
        else:
            bias = [total_bias(mask, bias_BHLM) for mask in masks]
        stack: StackOutput[EncoderLayerOutput] = self.stack(
            vectors, bias, head_mask_NH, past=past, need_weights=need_weights, kept=kept
        )
        return stack

    def masks(
        self,
        like_BLD: Tensor,
        mask_BM: Tensor | None = None,
        start: int = 0,
        *,
        distances: bool = True,
    ) -> list[Tensor | None]:
        """The bias of each layer that hides later tokens, those outside its window, and padding.

        Where positions are a linear bias, that is in it.

        Args:
            like_BLD: the tokens' vectors, for their number, type and device.
            mask_BM: see `forward`.
            start: the number of tokens before them.
            distances: whether to add that, too.
        """
        windows = self.config.windows or (0,) * len(self.stack.layers)
        padding = _padding(mask_BM, like_BLD)
        distance = self.distance_bias(like_BLD, start) if distances else None
        made = {
            window: total_bias(self._order(like_BLD, start, window), padding, distance)
            for window in {*windows}
        }
        return [made[window] for window in windows]

    def _order(self, like_BLD: Tensor, start: int, window: int) -> Tensor | None:
        """What a layer hides because of where tokens stand; None: nothing."""
        if self.causal:
            return _causal(like_BLD, start, window)
        if not window:
            return None
        mask_LL = window_mask(like_BLD.shape[1], window, like_BLD.device)
        return mask_bias(mask_LL, like_BLD.dtype)[None, None]

    def distance_bias(self, like_BLD: Tensor, start: int = 0) -> Tensor | None:
        """(1, H, L, M): what positions add to the scores; None if they are no bias."""
        if (own := _relative(self.stack, like_BLD, start)) is not None:
            assert isinstance(own, Tensor)  # one for all layers: see `TransformerConfig.own_distances`
            return own
        if self.config.positions != "linear bias":
            return None
        bias_HLM = linear_bias(self.config.n_heads, like_BLD.shape[1], start)
        return bias_HLM[None].to(like_BLD)

    def logits(self, final_BLD: Tensor) -> Tensor:
        """(B, L, V), from the output of the stack, (B, L, D)."""
        final_BLD = final_BLD * scale if (scale := self.config.logit_scale) != 1 else final_BLD
        logits_BLV = _logits(final_BLD, self.embeddings, self.output)
        return soft_capped(logits_BLV, cap) if (cap := self.config.logit_cap) else logits_BLV


def initialise(model: nn.Module, generator: torch.Generator | None = None) -> None:
    """Initialise matrices from Xavier's uniform distribution, biases to 0, tables from N(0, 1/d_model).

    The paper does not specify this; its reference code (tensor2tensor) does it, and Rush 2018, "The
    Annotated Transformer", for the matrices. A row of the table, times √d_model, then has entries of
    size 1.

    Args:
        model: its parameters are filled in place.
        generator: the source of the random numbers; None: torch's own, which other code uses too.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight, generator=generator)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=module.embedding_dim**-0.5, generator=generator)


def _logits(final_BLD: Tensor, embeddings: Embeddings, output: nn.Linear | None) -> Tensor:
    """The linear layer at the top of Figure 1; without one, the embedding table: section 3.4."""
    if output is None:
        return final_BLD @ embeddings.tokens.weight.T
    logits_BLV: Tensor = output(final_BLD)
    return logits_BLV


def _length(past: StackOutput[LayerOutput] | None) -> int:
    """The number of tokens in the past."""
    return 0 if past is None else past.layers[0].attention.key_BHMK.shape[2]


def _causal(like: Tensor, n_past: int, window: int = 0) -> Tensor:
    mask_LM = causal_mask(like.shape[1], n_past, like.device, window)
    return mask_bias(mask_LM, like.dtype)[None, None]


def _relative(
    stack: EncoderStack | DecoderStack, like: Tensor, start: int = 0
) -> Tensor | list[Tensor] | None:
    return None if stack.relative is None else stack.relative(like.shape[1], start)


Biases = Tensor | Sequence[Tensor] | Sequence[Tensor | None] | None


def _with_each(mask: Biases, bias_BHLM: Biases) -> Tensor | list[Tensor | None] | None:
    """The mask and a bias on the scores: one for every layer, or one for each."""
    if isinstance(mask, Sequence) and isinstance(bias_BHLM, Sequence):
        return [total_bias(one, own) for one, own in zip(mask, bias_BHLM, strict=True)]
    if isinstance(bias_BHLM, Sequence):
        assert not isinstance(mask, Sequence)
        return [total_bias(mask, own) for own in bias_BHLM]
    if isinstance(mask, Sequence):
        return [total_bias(one, bias_BHLM) for one in mask]
    return total_bias(mask, bias_BHLM)


def _padding(mask_BM: Tensor | None, like: Tensor) -> Tensor | None:
    return None if mask_BM is None else padding_bias(mask_BM, like.dtype)
