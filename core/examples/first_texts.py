"""The texts that a page opens with."""

from __future__ import annotations

from ..records.comparison import AnchorGroup, Comparison

# Heads: one head finds the horse from "it" (.91 of its weight), another the queen from "she", and the
# king if the text says "he".
HORSE = "The king gave the queen a horse, and she rode it."

# The article that `tools/published.py` checks has both.
POEM = "Write a poem about a man fishing on a river bank."
POEM_B = "Write a poem about a man withdrawing money from a bank."

# Of the other words, the one that contributes most at every layer is the one that a person would name:
# river in A, money or withdrawing in B. Ends that occur in neither sentence give the same verdict.
OPENING = Comparison(
    text_a="A man is fishing on the river bank.",
    text_b="A man is withdrawing money from the bank.",
    word="bank",
    low=AnchorGroup("money", ("money", "deposit", "withdraw", "cash", "loan", "finance")),
    high=AnchorGroup("river", ("river", "water", "nature", "stream", "shore", "fishing")),
)

# Embeddings: each clearly on its own side, after the first layer and after the last; and Positions.
TWO_BANKS = "After fishing on the river bank, she paid her money into the bank account."

# Positions, in one batch.
SHORTER = "He sat on the river bank."
LONGER = "She withdrew all of her money from the bank in the city before it closed."

STEP_BY_STEP = "the cat ate the mouse"
STEP_BY_STEP_SOURCE = "die Katze fraß die Maus"  # the source for a decoder of the paper's size
TINY = "the more the merrier"  # the model of Step by step that fits on a slide
SUBWORDS = (  # Step by step, into tokens; after five merges one pair is ahead of all others
    "a thin thread threads the needle; a thicker thread is unthreadable, "
    "and the needle needs a thinner thread"
)
TRANSLATION = "I am a student"
AMBIGUOUS_WORD = "bank"  # Senses
