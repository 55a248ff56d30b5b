"""Sentences in which a labelled word has neither of its two senses: no verdict should name one.

They were written before any model had read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

THIRD: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bank": (
            "A whole bank of switches lit up on the wall.",
            "The hospital keeps a blood bank in its cellar.",
            "The plane went into a steep bank to the left.",
            "A bank of dark clouds hid the sun.",
        ),
        "bat": (
            "She did not bat an eyelid at the news.",
            "The old bat next door complained about the noise again.",
        ),
        "spring": (
            "We ordered spring rolls and fried rice.",
            "The lion was ready to spring at its prey.",
            "They filled their bottles at a mountain spring.",
            "He chopped a spring onion for the salad.",
        ),
        "crane": (
            "I had to crane my neck to see the stage.",
            "Passengers crane their necks at every window.",
        ),
        "mouse": ("She had always been a shy little mouse of a girl.",),
        "plant": (
            "The police swore that the drugs were no plant.",
            "She leaned over to plant a kiss on his cheek.",
            "They plant doubts in the minds of voters.",
        ),
        "seal": (
            "A Navy seal team stormed the ship at night.",
            "One more goal will seal the victory.",
            "The rubber seal of the fridge door leaks.",
        ),
        "match": (
            "Her shoes match her dress perfectly.",
            "The two of them are a perfect match and will soon marry.",
            "The fingerprints match those on the knife.",
        ),
        "palm": ("He tried to palm off a fake watch on me.",),
        "pitcher": ("The pitcher plant traps insects in its leaves.",),
        "bark": (
            "A three-masted bark sailed into the harbour.",
            "Officers bark orders at the recruits.",
        ),
        "rock": (
            "She sat down to rock the baby to sleep.",
            "Do not rock the boat before the election.",
            "The children bought a stick of sweet rock at the seaside.",
        ),
    }
)
