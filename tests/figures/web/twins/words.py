"""Cases of words, and of finding them."""

from __future__ import annotations

from itertools import product
from typing import Any

from core.records import elision, finding, particles, unspaced, words
from core.records.spelling import CASED
from core.records.trace import Trace
from core.untrusted import normalized
from tests.figures.web.twins.common import (
    SENTENCES,
    TEXTS,
    Table,
    each,
    overlapping,
)
from tests.figures.web.twins.traces import UNCASED, tokens_of, traced


def of_words() -> Table:
    spelling = {True: CASED, False: UNCASED}

    def encoded(text_of: str) -> dict[str, Any]:
        found, left_out = tokens_of(text_of)
        spans = [[start, end] for _, start, end in found]
        starts, ends = [start for start, _ in spans], [end for _, end in spans]
        own = {
            "text": text_of,
            "starts": starts,
            "ends": ends,
            "leftOut": left_out,
            "length": len(text_of),
        }
        return own

    def found_in(trace: Trace, phrase: str, cased: bool) -> Any:
        assert not cased
        places = trace.occurrences(of=phrase)
        return [{"start": one.start, "end": one.end, "tokens": one.tokens.tolist()} for one in places]

    def ids(text_of: str) -> list[int]:
        every = words.split(text_of)
        found, _ = tokens_of(text_of)
        return [
            next((i for i, w in enumerate(every) if w.start < end and w.end > start), -1)
            if end > start
            else -1
            for _, start, end in found
        ]

    signs = ("bank", "banks", "fish", "은행", "بنك", "Bank", "l'", "river bank")
    long = "bank" * 40
    spans = [
        *product(
            ("bank", "*ban*", "l'", "은행", "“bank”", "the bank", "bank*", "ﬁsh", "银行", "", "* *"),
            (False,),
        )
    ]
    return {
        "engine/words.js": {
            "split": each(lambda one: [w._asdict() for w in words.split(one)], (*TEXTS, *SENTENCES)),
            "isUnspaced": each(unspaced.is_unspaced, TEXTS),
            "isElided": each(elision.is_elided, (*TEXTS, "l'", "qu’", "dell'", "ﬂ'")),
            "folded": each(str.casefold, TEXTS),
            "keyOf": each(lambda one, cased: spelling[cased].key(one), TEXTS, (False, True)),
            "looseOf": each(lambda one, cased: spelling[cased].loose(one), TEXTS, (False, True)),
            "trimmed": each(str.strip, TEXTS, ("'’", "* ", "")),
            "stripped": each(str.strip, TEXTS),
            "wellFormed": [(["a\ud800b"], "a\ufffdb"), (["🎣"], "🎣"), ([""], "")],
            "occurrences": [
                (
                    [encoded(one), False],
                    [{**w._asdict(), "tokens": w.tokens.tolist()} for w in traced(one).occurrences()],
                )
                for one in (*SENTENCES, *TEXTS)
            ],
            "tokensOf": [
                ([encoded(one), start, start + 3], overlapping(one, start, start + 3))
                for one in SENTENCES
                for start in (0, 2, 5)
            ],
            "wordIds": [([encoded(one)], ids(one)) for one in (*SENTENCES, *TEXTS)],
        },
        "engine/finding.js": {
            "occurrenceSpans": [
                ([one, phrase, cased], finding.occurrence_spans(one, phrase, spelling=spelling[cased]))
                for one in (*TEXTS, *SENTENCES)
                for phrase, cased in spans
            ]
            + each(
                lambda one, phrase, cased: finding.occurrence_spans(
                    one, phrase, spelling=spelling[cased]
                ),
                ("the bank of Bank BANK", "f**k a*b a * b", long),
                TEXTS,
                (True, False),
            ),
            "findAll": [
                ([encoded(one), phrase, cased], found_in(traced(one), phrase, cased))
                for one in SENTENCES
                for phrase, cased in spans
            ],
            "hasStar": each(finding.has_star, TEXTS),
            "isPhrase": each(finding.is_phrase, TEXTS),
            "unquoted": each(finding.unquoted, (*TEXTS, " “a” ", "''", "'''", "„x“")),
            "fitsOf": [
                (
                    [one, cased, [*signs, one, f"{one}s"]],
                    [
                        finding.fits_of(one, spelling[cased])(other)
                        for other in (*signs, one, f"{one}s")
                    ],
                )
                for one in TEXTS
                for cased in (False, True)
            ],
        },
        "engine/particles.js": {
            "withParticles": each(
                particles.with_particles, ("", "은행", "بنك", "البنك", "חם", "לחם", "a.", "é" * 70)
            ),
            "stems": each(particles.stems, (*TEXTS, "은행에서", "والبنك", "להבנק", "باب", "로")),
            "mayHaveParticle": each(particles.may_have_particle, (*TEXTS, "은", "بx", "xה")),
        },
        "engine/normal.js": {
            "normalized": each(
                normalized,
                ("NFC", "NFD", "NFKC", "NFKD"),
                (*TEXTS, "a" + "\u0301\u0316" * 40 + "b", "\u0345\u0301" * 20),
            ),
        },
    }
