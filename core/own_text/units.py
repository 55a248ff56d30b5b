"""What a model of one's own reads: letters, or byte pairs, learned from its text."""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from .recipe import TextRecipe

END = "<|end|>"
LONGEST = 200  # letters of a token; a long row of one sign would become one token
_LEAST = 2  # how often a pair must occur


def learned(text: str, recipe: TextRecipe) -> Tokenizer:
    """The tokenizer of a text.

    It begins with the bytes of the text, so that a letter beyond ASCII is two tokens or more unless a
    pair joins them; other bytes stay readable. The first token, which no text has, marks an end.
    """
    made = _empty(models.BPE())
    pairs = recipe.pairs if recipe.kind == "pairs" else 0
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        [text],
        trainers.BpeTrainer(
            vocab_size=len(alphabet) + 1 + pairs,
            min_frequency=_LEAST,
            max_token_length=LONGEST,
            special_tokens=[END],
            initial_alphabet=alphabet,
            show_progress=False,
        ),
    )
    return made


def rebuilt(tokens: Sequence[str], merges: Sequence[tuple[str, str]]) -> Tokenizer:
    """The tokenizer of these tokens, in the order of their ids, and merges: nothing else is in a file.

    Raises:
        Exception: `tokenizers` refuses them; it names no class of its own.
    """
    made = _empty(models.BPE({one: i for i, one in enumerate(tokens)}, list(merges)))
    made.add_special_tokens([END])
    return made


def _empty(model: models.BPE) -> Tokenizer:
    made = Tokenizer(model)
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    made.decoder = decoders.ByteLevel()
    return made
