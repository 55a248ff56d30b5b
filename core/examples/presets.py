"""Comparisons to begin with: one word in two texts, and what to look for. The first one opens the app.

We chose texts that show something clearly. The labelled sentences show what happens in general; no text
of a preset is among them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..records.comparison import AnchorGroup
from .anchors import ANCHORS
from .first_texts import OPENING


@dataclass(frozen=True)
class Preset:
    """One word in two texts.

    Attributes:
        label: its unique name in a menu.
        text_a: the first text.
        text_b: the second text.
        word: the word, which occurs exactly once in each text.
        low: the anchor words at −1 of the sense axis; None if the word has a single sense.
        high: the anchor words at +1; None if `low` is None.
        look_for: what to look for in the picture, in one line.
        same_sense: whether this is a control, in which the word means the same twice.
    """

    label: str
    text_a: str
    text_b: str
    word: str
    low: AnchorGroup | None
    high: AnchorGroup | None
    look_for: str
    same_sense: bool = False


def preset(
    label: str, word: str, text_a: str, text_b: str, look_for: str, same_sense: bool = False
) -> Preset:
    """A preset whose ends are the anchor words of its word, if it has any."""
    low, high = ANCHORS.get(word, (None, None))
    return Preset(label, text_a, text_b, word, low, high, look_for, same_sense)


PRESETS: tuple[Preset, ...] = (
    preset(
        "bank: river or money",
        OPENING.word,
        OPENING.text_a,
        OPENING.text_b,
        "*River* and *fishing* pull the word one way, *withdrawing* the other, and *money* a little.",
    ),
    preset(
        "bank: the words in another order",
        "bank",
        "On the river bank",
        "On the bank of the river",
        "The order of the words changes, but the sense does not: both lines go to the same side.",
        same_sense=True,
    ),
    preset(
        "bank: neither river nor money",
        "bank",
        "We swam across to the opposite bank.",
        "The bank closed at four, so he could not pay.",
        "Neither sentence has an anchor word. *Swam* pulls hard; in B, the other words hardly pull.",
    ),
    preset(
        "bank: one word exchanged",
        "bank",
        "They walked to the muddy bank.",
        "They walked to the private bank.",
        "One word differs, “muddy” or “private”. Which line leaves the grey path at once?",
    ),
    preset(
        "bat: an animal or a club",
        "bat",
        "A bat hung from the ceiling of the dark cave.",
        "The boy swung his bat and missed.",
        "*Cave* and *hung* pull one way, *swung* and *his* the other.",
    ),
    preset(
        "spring: a season or a coil",
        "spring",
        "The lambs are born in spring.",
        "The spring in the lock is broken.",
        "Alone, the word already leans towards the season. In B, *lock* adds most of all words.",
    ),
    preset(
        "crane: a bird or a machine",
        "crane",
        "A crane spread its feathers and flew over the lake.",
        "A crane stands on the construction site by the lake.",
        "*Lake* pulls towards the bird, in B as well, where the word ends with the machine.",
    ),
    preset(
        "mouse: an animal or a device",
        "mouse",
        "A fox pounced on a mouse in the snow.",
        "Click twice with the mouse to open the file.",
        "*Fox* and *click*: which layer makes the most of them?",
    ),
    preset(
        "plant: green or with chimneys",
        "plant",
        "She watered the plant in her garden every evening.",
        "He worked at the steel plant every evening.",
        "Both begin with a person and end with the evening; *garden* and *steel*, in between, decide.",
    ),
    preset(
        "seal: in the sea or on a letter",
        "seal",
        "The seal swam away from the whale.",
        "The seal on the letter was made of wax.",
        "Both sentences begin with the same two words; *whale* and *letter* come later.",
    ),
    preset(
        "match: to play or to strike",
        "match",
        "The match began with an early goal.",
        "She lit the candle with a match.",
        "In A the cue, *goal*, comes after the word; in B, *candle* comes before it.",
    ),
    preset(
        "palm: a tree or a hand",
        "palm",
        "A palm grew by the beach.",
        "He had a scar on the palm of his left hand.",
        "*Beach* and *hand* pull in opposite directions. How much of the way does each of them pull?",
    ),
    preset(
        "pitcher: on the mound or on the table",
        "pitcher",
        "The pitcher threw a fast ball to the catcher.",
        "The pitcher was full of water and ice.",
        "The first two words are the same, but already in layer 1 they can attend to later ones.",
    ),
    preset(
        "bark: of a dog or of a tree",
        "bark",
        "It was the bark of an old dog.",
        "It was the bark of an old tree.",
        "One word differs, *dog* or *tree*, and it comes last: the model reads in both directions.",
    ),
    preset(
        "rock: stone or music",
        "rock",
        "They climbed the steep rock above the sea.",
        "They played rock at the concert until midnight.",
        "Do the lines separate early or late?",
    ),
    preset(
        "Control: one river, two scenes",
        "bank",
        "We moored the canoe at the river bank.",
        "Wild flowers grew along the river bank.",
        "One sense, two scenes: the lines separate a little and stay on one side.",
        same_sense=True,
    ),
    preset(
        "Control: two animals",
        "mouse",
        "A mouse was nibbling at the cheese in the cellar.",
        "The snake caught a mouse behind the shed.",
        "The other words differ, the animal does not. The cosine falls all the same.",
        same_sense=True,
    ),
    preset(
        "Control: two games",
        "match",
        "The match was watched by ten thousand people.",
        "He scored twice in his first match for the club.",
        "The word comes early in one sentence and late in the other; the sense stays the same.",
        same_sense=True,
    ),
    preset(
        "Control: two hands",
        "palm",
        "The doctor pressed her thumb into his palm.",
        "There was a bruise on the child's palm.",
        "The sense stays the same, and the side should too.",
        same_sense=True,
    ),
    preset(
        "Control: a word of one sense",
        "table",
        "She laid the table for dinner.",
        "They sat around the table and talked about the weather.",
        (
            "The word has one sense, yet the cosine still falls with depth: a low cosine does "
            "not prove two senses."
        ),
        same_sense=True,
    ),
)
