"""Short sentences with ambiguous words, in which one other word reveals the sense.

A sentence contains an ambiguous word (bank), a cue (river), and usually a verb that fits only one of
the two senses (flooded). Some pairs of word and cue are held out: for these, a model can use only
what it has learned from cue and word separately.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np


def _words(line: str) -> tuple[str, ...]:
    return tuple(line.split())


# The cues of each topic.
CUES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "wild": _words("river lake forest stream water boat valley shore meadow marsh"),
        "office": _words("money cash loan contract desk computer clerk account salary bill"),
        "sport": _words("team goal player coach stadium trophy referee racket league ball"),
        "works": _words("steel concrete engineer tower machine factory iron truck brick cable"),
        "home": _words("kitchen candle sofa cup lamp garden baby wedding blanket cake"),
    }
)

# The topic of each sense of an ambiguous word, and the verbs that fit only this sense.
SENSES: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        word: MappingProxyType({topic: _words(verbs) for topic, verbs in senses.items()})
        for word, senses in {
            "bank": {"wild": "flooded eroded sloped", "office": "lent invested closed"},
            "crane": {"wild": "flew nested waded", "works": "lifted hoisted rotated"},
            "seal": {"wild": "swam dived barked", "office": "certified stuck broke"},
            "bat": {"wild": "hung fluttered slept", "sport": "swung cracked struck"},
            "mouse": {"wild": "squeaked nibbled hid", "office": "clicked scrolled pointed"},
            "spring": {"wild": "flowed trickled bubbled", "works": "bounced stretched coiled"},
            "bark": {"wild": "peeled rotted grew", "home": "echoed annoyed startled"},
            "match": {"sport": "started finished tied", "home": "burned lit smoked"},
            "ring": {"sport": "cheered roared emptied", "home": "shone sparkled glittered"},
            "pitcher": {"sport": "threw ran aimed", "home": "poured spilled dripped"},
            "nail": {"works": "rusted bent held", "home": "scratched tapped chipped"},
            "palm": {"wild": "swayed towered shaded", "home": "sweated itched waved"},
        }.items()
    }
)

PEOPLE = _words("man woman boy girl poet farmer teacher doctor")
SAW = _words("saw liked found remembered described noticed")
NEAR = _words("near by beside behind")
KINDS = _words("old new big small strange quiet")
WHEN = _words("again slowly today suddenly")

# The order of the parts. {did}: a verb of the sense, or "was old", which fits both.
TEMPLATES = (
    "the {kind} {person} {saw} the {cue} . then the {word} {did} {when} .",
    "{near} the {cue} the {kind} {word} {did} .",
    "the {person} {saw} the {cue} and the {word} {did} .",
    "the {word} {did} {near} the {cue} .",
    "the {kind} {word} {did} and the {person} {saw} the {cue} .",
    "the {person} {saw} a {word} . it {did} {when} {near} the {cue} .",
)
_PARTS = {"person": PEOPLE, "saw": SAW, "near": NEAR, "kind": KINDS, "when": WHEN}
_NEUTRAL = 0.2  # share of all sentences with "was old"


@dataclass(frozen=True)
class Sentence:
    """A sentence, and the positions of its parts.

    Attributes:
        words: the words of the sentence, full stops included.
        word: the ambiguous word.
        topic: the topic of the intended sense.
        at: the position of the ambiguous word.
        cue_at: the position of the cue.
        verb_at: the position of the verb of the sense; None if there is none.
    """

    words: tuple[str, ...]
    word: str
    topic: str
    at: int
    cue_at: int
    verb_at: int | None


def is_held_out(word: str, cue: str) -> bool:
    """Whether this word and this cue are held out: one or two of the ten cues of each sense.

    Among them are "bank" with "river" and with "money", the first two.
    """
    number = next(cues.index(cue) for cues in CUES.values() if cue in cues)
    return (3 * number + tuple(SENSES).index(word)) % 7 == 0


def sentence(rng: np.random.Generator, *, held_out: bool) -> Sentence:
    """A sentence with a pair of word and cue that is held out, or one that is not.

    Held-out sentences always contain the verb of the sense, because it has to be predicted.
    """

    def one(of: tuple[str, ...]) -> str:
        return of[int(rng.random() * len(of))]  # takes a tenth of the time of `integers`

    while True:
        word = one(tuple(SENSES))
        topic = one(tuple(SENSES[word]))
        cue = one(CUES[topic])
        if is_held_out(word, cue) == held_out:
            break
    neutral = not held_out and rng.random() < _NEUTRAL
    did = f"was {one(KINDS)}" if neutral else one(SENSES[word][topic])
    return made(one(TEMPLATES), word, topic, cue, did, {p: one(of) for p, of in _PARTS.items()})


def made(
    template: str, word: str, topic: str, cue: str, did: str, parts: Mapping[str, str]
) -> Sentence:
    """The sentence made from a template and its parts."""
    words = tuple(template.format(word=word, cue=cue, did=did, **parts).split())
    verb_at = words.index(did) if did in words else None
    return Sentence(words, word, topic, words.index(word), words.index(cue), verb_at)


def vocabulary() -> set[str]:
    """All words that a sentence can contain."""
    words = {word for of in (*CUES.values(), *_PARTS.values()) for word in of}
    words |= set(SENSES) | {verb for of in SENSES.values() for verbs in of.values() for verb in verbs}
    fixed = {word for template in TEMPLATES for word in template.split() if "{" not in word}
    return words | fixed | {"was"}


def labelled(word: str, each: int) -> tuple[Sentence, ...]:
    """Some training sentences with an ambiguous word, `each` of each sense.

    The result is always the same; empty for any other word.
    """
    rng, by_topic = np.random.default_rng(0), dict[str, list[Sentence]]()
    for topic in SENSES.get(word, {}):
        by_topic[topic] = []
        while len(by_topic[topic]) < each:
            one = sentence(rng, held_out=False)
            if (one.word, one.topic) == (word, topic):
                by_topic[topic].append(one)
    return tuple(one for of in by_topic.values() for one in of)
