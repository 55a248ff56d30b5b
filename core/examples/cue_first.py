"""Comparisons to begin with, for a model that reads from left to right.

When such a model comes to a word, it has read only what stands before it: here, the cue comes first. No
text is among the labelled sentences. Of our candidates, those were kept that SmolLM2 separates.
"""

from __future__ import annotations

from .presets import Preset, preset

CUE_FIRST: tuple[Preset, ...] = (
    preset(
        "bank: river or money",
        "bank",
        "A man went fishing and sat down on the bank.",
        "A man went to withdraw his money from the bank.",
        "This model has read only what comes before the word: *fishing* in A, *money* in B.",
    ),
    preset(
        "bank: one word exchanged",
        "bank",
        "She followed the stream up to the bank.",
        "She followed the robbers up to the bank.",
        "One word differs, *stream* or *robbers*. After which layer do the lines separate?",
    ),
    preset(
        "bat: an animal or a club",
        "bat",
        "In the dark cave there slept a bat.",
        "The boy missed the ball and dropped his bat.",
        "Before the word stands *cave* in A, *ball* in B. After which layer are they told apart?",
    ),
    preset(
        "spring: a season or a coil",
        "spring",
        "After a long and cold winter came the spring.",
        "Out of the old mattress came a spring.",
        "*Winter* or *mattress*: both stand before the word, and *came* stands in both sentences.",
    ),
    preset(
        "crane: a bird or a machine",
        "crane",
        "With its feathers spread, over the lake flew a crane.",
        "At the construction site beside the lake stood a crane.",
        "A *lake* stands in both; *feathers* and *construction* tell the two apart.",
    ),
    preset(
        "mouse: an animal or a device",
        "mouse",
        "The cat ran after the mouse.",
        "Open the file with a click of the mouse.",
        "*Cat* or *click*: after which layer do the lines separate?",
    ),
    preset(
        "plant: green or with chimneys",
        "plant",
        "Every evening in her garden she watered the plant.",
        "Every evening in the steel industry he worked at the plant.",
        "Both begin with the evening; *garden* or *steel* follows before the word.",
    ),
    preset(
        "seal: in the sea or on a letter",
        "seal",
        "Near the whale in the ocean swam a seal.",
        "The letter was closed with wax and a seal.",
        "Before the word: *whale* and *ocean* in A, *letter* and *wax* in B.",
    ),
    preset(
        "match: to play or to strike",
        "match",
        "With an early goal the team won the match.",
        "She lit the candle with a match.",
        "Before the word: *goal* and *team* in A, *candle* in B.",
    ),
    preset(
        "palm: a tree or a hand",
        "palm",
        "On the beach of the island grew a palm.",
        "He had a scar on his hand, across the palm.",
        "*Beach* or *hand*: the two lines end on opposite sides.",
    ),
    preset(
        "pitcher: on the mound or on the table",
        "pitcher",
        "The baseball team has a new pitcher.",
        "She poured water out of the pitcher.",
        "*Baseball* or *poured*: one word before it is enough.",
    ),
    preset(
        "bark: of a dog or of a tree",
        "bark",
        "The old dog gave a loud bark.",
        "The old oak has a rough bark.",
        "Both begin with *The old*; *dog* or *oak* follows.",
    ),
    preset(
        "rock: stone or music",
        "rock",
        "They climbed the cliff and stood on a rock.",
        "The band at the concert played rock.",
        "Do the lines separate early or late?",
    ),
    preset(
        "The cue comes too late",
        "bank",
        "The bank was muddy after the flood.",
        "The bank was closed on Sunday.",
        "Up to *bank* both are the same, and so is its vector: this model reads from left to right.",
    ),
    preset(
        "Control: one river, two scenes",
        "bank",
        "We rowed the canoe down the river and landed at the bank.",
        "Wild flowers and reeds grew by the stream and up the bank.",
        "One sense, two scenes: the lines stay on one side.",
        same_sense=True,
    ),
    preset(
        "Control: two games",
        "match",
        "Ten thousand people watched the football team win the match.",
        "He scored twice for the club in his first match.",
        "The sense stays the same, and the side should too.",
        same_sense=True,
    ),
)
