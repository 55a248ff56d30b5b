"""What a model of one's own text writes behind a prompt."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import Module

from ..language.sampling import Sampling, choose
from ..records.frozen import Array
from ..transformer import LanguageModel, TransformerConfig
from ..transformer.layers import Parts
from ..transformer.positions import Rotation
from .files import Learned
from .recipe import TextRecipe

MOST_WRITTEN = 400  # tokens
TEMPERATURE = 0.8
STARTS = ("\n", ". ", "! ", "? ", " ")  # what ends a line, a sentence, a word
_OFTEN = 3  # times in a text, from which on a model can learn what comes behind it


def start_of(text: str) -> str:
    """What a model reads before it writes from nothing: the end of a line as a rule.

    A text pasted as one paragraph has none, and a model of it has never seen one: there it is the end
    of a sentence, or of a word.

    Args:
        text: the text that it learns from; "" if it is not known.
    """
    return next((one for one in STARTS if text.count(one) >= _OFTEN), STARTS[0])


def config_of(recipe: TextRecipe, n_vocabulary: int) -> TransformerConfig:
    """The decoder of a recipe: the parts of Llama, with the sizes of the recipe."""
    return TransformerConfig(
        n_vocabulary=n_vocabulary,
        n_encoder_layers=0,
        n_decoder_layers=recipe.layers,
        n_heads=recipe.heads,
        d_model=recipe.width,
        d_ff=3 * recipe.width,
        positions="rotary",
        norm_first=True,
        tied_output=True,
        scale_embeddings=False,
        activation="silu",
        parts=Parts(
            norm="RMSNorm",
            gated=True,
            rotation=Rotation(pairs="halves", dtype=torch.float32),
            qkv_bias=False,
            output_bias=False,
            feed_forward_bias=False,
        ),
    )


def write(
    learned: Learned, prompt: str, count: int, *, temperature: float = TEMPERATURE, seed: int = 13
) -> str:
    """What a trained model writes behind a prompt; "": behind what `start_of` says.

    Args:
        learned: the model.
        prompt: the text before; of a long one, the model reads the end.
        count: tokens to write, at most `MOST_WRITTEN`.
        temperature: see `core.language.sampling.Sampling`; 0 takes the likeliest token.
        seed: the same one writes the same again.
    """
    weights, recipe = learned.weights, learned.recipe
    model = LanguageModel(config_of(recipe, len(weights["embeddings.tokens.weight"])))
    model.load_state_dict(_tensors(weights))
    tokenizer = Tokenizer.from_str(learned.tokenizer)
    count = min(count, MOST_WRITTEN)
    begun = prompt or start_of(learned.text)
    return go_on(model, tokenizer, recipe.window, begun, count, temperature=temperature, seed=seed)


def _tensors(weights: Mapping[str, Array]) -> dict[str, torch.Tensor]:
    return {name: torch.tensor(one) for name, one in weights.items()}


@torch.inference_mode()
def go_on(
    model: Module,
    tokenizer: Tokenizer,
    window: int,
    prompt: str,
    count: int,
    *,
    temperature: float,
    seed: int,
) -> str:
    """The same for a model that may still learn; it reads the last `window` tokens each time."""
    model.eval()
    given = tokenizer.encode(prompt).ids
    ids, sampling = list(given), Sampling(temperature=temperature)
    for position in range(count):
        read = torch.tensor([ids[-window:]])
        logits = model(read, need_weights=False).logits_BLV[0, -1].numpy().astype(np.float32)
        ids.append(choose(logits, sampling, seed, position).id)
    text: str = tokenizer.decode(ids[len(given) :])
    return text
