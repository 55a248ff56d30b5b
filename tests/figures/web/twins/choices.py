"""Cases of the compared word, its forms, its ends and its language."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from core.comparison import ends as sense_ends
from core.comparison import word as word_choice
from core.comparison.question import Ends
from core.examples import known_ends, known_word
from core.measures import (
    foreign,
)
from core.measures.senses import shared_word
from core.records import inflections
from core.records.spelling import CASED, Spelling
from core.records.unknown import all_unknown, unknown_word
from tests.figures.web.twins.common import (
    SENTENCES,
    TEXTS,
    A,
    B,
    Case,
    Reads,
    Table,
    each,
    overlapping,
)
from tests.figures.web.twins.traces import UNCASED

SPELLINGS = (UNCASED, CASED)


def of_choices(reads: Reads) -> Table:
    traces = {one: reads.one(one) for one in SENTENCES}
    found = (
        "bank",
        "Banks",
        "fine",
        "ﬁne",
        '"bank"',
        "*ank",
        "river bank",
        "nothing",
        "",
        "❤",
        "FINE",
        "=x",
    )

    def there(one: str, *typed: str) -> list[Any]:
        return [{**w._asdict(), "tokens": None} for w in word_choice.occurrences(traces[one], *typed)]

    def settled(a: str, b: str, pair: Sequence[str], numbers: Sequence[int]) -> Any:
        both = [word_choice.occurrences(traces[one], pair[0], pair[1] or pair[0]) for one in (a, b)]
        shared = [(one.a.word, one.b.word) for one in shared_word.shared_words(traces[a], traces[b])]
        return [
            one and one._asdict()
            for one in word_choice.settle(both, pair, numbers, lambda: shared, UNCASED)
        ]

    def shared(a: str, b: str) -> Any:
        every = shared_word.shared_words(traces[a], traces[b])
        return [[one.a.word, one.b.word, one.known, one.difference] for one in every]

    def proposed(a: str, b: str) -> Any:
        every = shared_word.shared_words(traces[a], traces[b])
        drawn = [shared_word.proposed_ends(traces[a], traces[b], one) for one in every]
        return [one and [one.a, one.b] for one in drawn]

    pairs = [*product(SENTENCES[:7], SENTENCES[:7])]
    every = [[f"{one}{more}" for more in ("", "s", "es")] for one in TEXTS]
    return {
        "derive/choice.js": {
            "occurrences": [
                ([one, [typed]], there(one, typed)) for one in SENTENCES for typed in found[4:8]
            ],
            "settle": [
                ([a, b, list(pair), list(numbers)], settled(a, b, pair, numbers))
                for a, b in pairs
                for pair in (("bank", ""), ("Fine", "bank"), ("*n*", ""), ("nothing", ""))
                for numbers in ((0, 0), (1, 7))
            ],
            "isForm": each(
                lambda shown, wanted, _: word_choice._fits(shown, wanted, UNCASED),
                ("bank", "banks", "ﬁne", "은행에서"),
                (*found, "은행"),
                (False,),
            ),
            "sharedWords": [([a, b], shared(a, b)) for a, b in pairs],
            "proposedEnds": [([a, b], proposed(a, b)) for a, b in pairs],
            "unknownWord": each(
                lambda one, word: unknown_word(traces[one], word),
                SENTENCES,
                ("", "❤", "bank", "ธนาคาร"),
            ),
            "allUnknown": [
                ([one, at], all_unknown(traces[one].tokens, at))
                for one in SENTENCES
                for at in ([], [0, 1], [1])
            ],
            "tokensIn": [
                ([one, a, a + 4], overlapping(one, a, a + 4)) for one in SENTENCES for a in (0, 3, 9)
            ],
        },
        "derive/foreign.js": {
            "isContent": each(shared_word.is_content, (*TEXTS, "the", "The'", "l'", "²")),
            "looksForeign": [
                ([one], foreign.looks_foreign(one, reads.one(one))) for one in (*SENTENCES, *TEXTS)
            ],
            "smallWords": [
                ([one], foreign.small_words(reads.one(one))) for one in (*SENTENCES, *TEXTS)
            ],
        },
        "derive/inflections.js": {
            "asRead": [
                ([one, own.cased], own.loose(one).casefold()) for one in TEXTS for own in SPELLINGS
            ],
            "sameWord": [
                ([one, other, own.cased], inflections.same_word(one, other, own))
                for some in every
                for one in some
                for other in (*some, "bank")
                for own in SPELLINGS[: 1 + ("é" in one)]
            ],
            "sameAs": [
                ([one, "bank", own.cased], inflections.same_as(one, own)("bank"))
                for one in TEXTS
                for own in SPELLINGS
            ],
            "formOf": [
                (
                    [one, word, own.cased],
                    (got := inflections.form_of(one, word, own)) and got._asdict(),
                )
                for one in (*SENTENCES, "geese and Mouse", "البنك")
                for word in ("bank", "FINE", "mice", "goose", "بنك", "x" * 900)
                for own in SPELLINGS
            ],
        },
        "derive/labelled.js": {
            "knownWord": [
                ([one, own.cased], known_word(one, own))
                for one in (*TEXTS, "MICE", "Bats", "light")
                for own in SPELLINGS
            ],
            "knownEnds": [
                ([one, list(texts), {"cased": own.cased, "causal": own.cased}], _known(one, texts, own))
                for one in ("bank", "Bats", "x", "")
                for texts in ((), (A, B), tuple(_items("bank")[2:5]))
                for own in SPELLINGS
            ],
        },
        "derive/ends.js": _of_ends(),
        "derive/compare.js": {},
    }


def _items(word: str) -> tuple[str, ...]:
    own = known_ends(word)
    assert own is not None
    return own.low


def _known(word: str, texts: Sequence[str], spelling: Spelling) -> Any:
    own = known_ends(word, texts, spelling, causal=spelling.cased)
    return own and {
        "names": own.names,
        "low": own.low,
        "high": own.high,
        "proposed": False,
        "guessed": False,
        "unsure": False,
    }


def _of_ends() -> dict[str, list[Case]]:
    typed = (
        *TEXTS,
        "river: shore, bank of a river\nAt the bank.",
        "a: b: c",
        "10:30, noon",
        "x" * 30,
        f"At the bank {'of it ' * 9}",
        "bank, banks",
        "\r\nthe bank\x85money",
        "the bank, bank: x, y",
        "money, ,cash,money",
        "x:\ny, z",
        ": x",
    )
    own = Ends(("low", "high"), ("river", "At the bank."), ("money",), True, True, True)
    known = own._asdict()
    del known["own"]  # the folder has no box for a word of one's own

    def between(pair: Sequence[str], word: str, with_own: bool) -> Any:
        got = sense_ends.settle(pair, word, own if with_own else None, UNCASED)
        return got and {key: one for key, one in got._asdict().items() if key != "own"}

    pairs = [(one, "money") for one in typed] + [("", one) for one in typed] + [("", "")]
    stripped = [(a.strip(), b.strip()) for a, b in pairs]
    return {
        "endOf": [
            (
                [one, word],
                dict(zip(("name", "items"), sense_ends.end_of(one, word, UNCASED), strict=True)),
            )
            for one in typed
            for word in ("bank", "")
        ],
        "typedEnd": [
            ([name, list(items), "bank"], sense_ends.typed_end(name, items, "bank", UNCASED))
            for name in ("", "river", "a b")
            for items in ((), ("river", "At the bank."), ("At the bank of it all, always.",), TEXTS)
        ],
        "between": [
            ([list(pair), "bank", known if own_too else None], between(pair, "bank", own_too))
            for pair in stripped
            for own_too in (True, False)
        ],
        "unnamed": [([list(pair)], sense_ends.nameless(pair)) for pair in stripped],
        "short": [
            ([list(names)], list(sense_ends.short(names)))
            for names in (
                ("river", "fruit with red or yellow or green skin"),
                ("period of time a prisoner is imprisoned", "string of words"),
                ("instrumentalists not including string players", "direct or control"),
                ("thin flat strip of flexible material", "thin flat strip of something else"),
                ("move fast by using one's feet", "unbelievability " * 4),
                ("", "of the and with by to a of the in"),
            )
        ],
        "namesShown": [
            ([list(pair), "bank", known], sense_ends.names(pair, "bank", own, UNCASED))
            for pair in stripped
        ],
        "contextsShown": [
            (
                [one, end, "bank", known if own_too else None],
                sense_ends.contexts(one, end, "bank", own if own_too else None, UNCASED),
            )
            for one, _ in stripped[: len(typed)]
            for end in (0, 1)
            for own_too in (True, False)[: 1 + end]
        ],
    }
