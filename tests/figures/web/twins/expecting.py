"""Cases of the page Next word: what is drawn, how a text surprised a model, sentences and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.dictionary import unshown
from core.figures import Branch, branches, next_word, shaded_text
from core.figures.picture import Picture
from core.language import choose
from core.pretrained import scoring
from core.records.frozen import Array
from core.records.prediction import Prediction
from core.records.score import Score, surprise
from core.sentences import percent
from pages.next_word import captions, hidden
from pages.next_word.continuing import writing
from tests.figures.web.twins.common import TEXTS, Case, Table, each
from tests.figures.web.twins.pictures import in_short
from tests.figures.web.twins.sampling import WAYS, told
from ui.text import special

PIECES = (
    " bank",
    "the",
    "\n",
    "",
    "\ufffd",
    " ",
    "  ",
    ".",
    "“",
    "é",
    "<|end|>",
    "½",
    " 银行",
    "אב",
    "*a*",
)
NAMES = tuple(one.replace(" ", "Ġ") or "Ġ" for one in PIECES)
SHARES = (0.0, 1e-9, 0.0004, 0.0005, 0.001, 0.0125, 0.2, 0.5, 0.77, 0.995, 0.9994, 0.9995, 1.0)


def _logits(seed: int, count: int = 40, digits: int = 1) -> Array:
    """Rounded, for equal ones."""
    return np.random.default_rng(seed).normal(0, 2, count).round(digits).astype("f4")


def _top(start: int, shares: Sequence[float]) -> tuple[dict[str, Any], Prediction]:
    places = [(start + i) % len(PIECES) for i in range(len(shares))]
    names, texts = [NAMES[i] for i in places], [PIECES[i] for i in places]
    own = {"ids": places, "tokens": names, "texts": texts, "probabilities": [*shares]}
    record = Prediction(
        0, "next", tuple(places), tuple(names), tuple(texts), np.array(shares, "f4"), 1.0, 1.0
    )
    return own, record


def _headlines() -> list[Case]:
    found: list[Case] = []
    for start, first in product(range(len(PIECES)), (0.03, 0.2, 0.3, 0.5, 0.9)):
        own, record = _top(start, (first, 0.03, 0.01, 0.0001))
        for ended in (False, True):
            said = captions.headline(record, ends=frozenset({10}), ended=ended)
            found.append(([own, [10], ended], said))
        said = captions.headline(record, ends=frozenset({11}))  # one of the others
        found.append(([own, [11], False], said))
    return found


def _scores() -> list[tuple[dict[str, Any], Score]]:
    found = []
    for text, seed in (("the bank.\nthe bank", 1), ("é½", 2), ("a", 3)):
        spans = [(i, i + 1) for i in range(len(text))] + [(len(text), len(text))]
        n = len(spans)
        bits = np.abs(_logits(seed, n, 3)) * 3
        bits[0] = np.nan
        ranks = np.array([-1, *(int(x) * 700 for x in range(n - 1))])
        likeliest = [(), *(PIECES[i % 9 : i % 9 + 4] for i in range(n - 1))]
        shares = np.array([[0.61, 0.2, 0.0003, 0.0]] * n)
        tokens = (*text, "<|end|>")
        own = {
            "text": text,
            "tokens": tokens,
            "starts": [start for start, _ in spans],
            "ends": [end for _, end in spans],
            "bits": bits,
            "ranks": ranks,
            "likeliest": likeliest,
            "probabilities": shares,
        }
        ids = tuple(range(n))
        record = Score(
            tokens, ids, tuple(spans), bits, bits, ranks, tuple(likeliest), shares, "pairs", text
        )
        found.append((own, record))
    only = found[-1][1]
    alone = {
        **found[-1][0],
        "tokens": ["a"],
        "starts": [0],
        "ends": [1],
        "bits": [float("nan")],
        "ranks": [-1],
    }
    first = Score(
        only.tokens[:1],
        only.ids[:1],
        only.offsets[:1],
        only.bits[:1],
        only.entropy[:1],
        only.ranks[:1],
        only.likeliest[:1],
        only.probabilities[:1],
        "pairs",
        "a",
    )
    return [*found, (alone, first)]


def _pictures() -> dict[str, list[Case]]:
    def case(own: list[Any], picture: Picture) -> Case:
        return own, in_short(picture)

    bars: list[Case] = []
    for count, number, state in (
        (5, 0.25, {}),
        (40, None, {"temperature": 0.5, "topK": 3}),
        (12, 0.0, {"temperature": 9, "topP": 0.0, "minP": 0.5}),
        (1, None, {}),
    ):
        sorted_logits = np.sort(_logits(count, count))[::-1]
        texts = [PIECES[i % len(PIECES)] for i in range(min(count, 20))]
        more: dict[str, Any] = {
            "sentence": "It *says*.",
            "name": "next-word",
            "number": number,
            "state": state,
        }
        bars.append(case([sorted_logits, texts, more], next_word(sorted_logits, texts, **more)))
    shaded: list[Case] = []
    lines = ("one line\n", "a\r\nb", *(f"word{i} " * 30 for i in range(6)))
    for pieces, written in (
        (PIECES, 3),
        (lines, None),
        (("x" * 400,) * 20, 20),
        (TEXTS, 0),
        (("אב", "x"), 1),
    ):
        values = np.abs(_logits(len(pieces), len(pieces), 3)) * 9
        values[0] = np.nan
        notes = [f"note {i}" for i in range(len(pieces))]
        own: dict[str, Any] = {
            "unit": "bits",
            "most": 20.0,
            "notes": notes,
            "sentence": "S",
            "name": "surprise",
        }
        picture = shaded_text(pieces, values, **own, first_written=written)
        shaded.append(case([pieces, values, {**own, "firstWritten": written}], picture))
    trees: list[Case] = []
    for parents, chosen in (([-1], 0), ([-1, 0, 1, 0, 3, 3], 4), ([-1, *range(40)], None)):
        nodes: list[dict[str, Any]] = [
            {"parent": parent, "text": PIECES[i % len(PIECES)], "probability": 1 / (i + 1)}
            for i, parent in enumerate(parents)
        ]
        more = {"chosen": chosen, "sentence": "S", "name": "tried"}
        trees.append(case([nodes, more], branches([Branch(**one) for one in nodes], **more)))
    return {"nextWord": bars, "shadedText": shaded, "branches": trees}


def _whys() -> list[Case]:
    found: list[Case] = []
    for words, added in product(([], [".", "\n"], ["*b*"]), (["a", " b."], ["\n"], ["x*b*", ""], [""])):
        done = [{"token": "<|end|>", "added": one, "probability": 0.25} for one in added]
        typed = "|".join(words).replace("\n", "↵")
        state = SimpleNamespace(stop=SimpleNamespace(get=partial(str, typed)))
        now = SimpleNamespace(done=[SimpleNamespace(**one) for one in done])
        found.append(([words, done], writing._why(state, now)))  # type: ignore[arg-type]
    return found


def _hidden() -> list[Case]:
    """Cases on a list of two words of ours."""
    words = ("bank", "straße")
    own = [unshown.sum_of(word) for word in words]
    texts = ("a bank, BANK and banks", "the Bank", "STRASSE", "", "ba nk", "bank")
    pieces = ((" a", " ba", "nk", "."), ("bank",), ("x", "\nbank bank"), ("Straße", "n"), ())
    spellings = [" bank", "nk", "", ".", " strasse", "s"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unshown, "_sums", lambda: frozenset(own))
        patch.setattr(hidden, "in_class", lambda: True)
        return [
            *(([own, "text", one], hidden.text(one)) for one in texts),
            *(([own, "pieces", one], hidden.pieces(one)) for one in pieces),
            *(
                ([own, "shown", one, spellings], hidden.shown(one, spellings))
                for one in (*texts, "a ba")
            ),
            ([[], "text", "a bank"], "a bank"),
        ]


def of_expecting() -> Table:
    scores = _scores()
    drawn: list[Case] = []
    for seed, way in product(range(3), WAYS):
        logits = _logits(seed)
        own = choose(logits, way, seed, 5)
        wanted = {
            "id": own.id,
            "rank": own.rank,
            "probability": own.probability,
            "number": own.number,
        }
        drawn.append(([logits, told(way), seed, 5], wanted))
    rows = [_logits(seed, 30, 0) for seed in range(4)]
    surprises: list[Case] = []
    for row, came in product(rows, (0, 7, 29)):
        bits, entropy, rank = (one[0] for one in surprise(row[None], np.array([came])))
        surprises.append(([row, came], {"bits": bits, "entropy": entropy, "rank": rank}))
    expected: list[Case] = []
    for row, k in product(rows, (1, 5, 30)):
        ids, shares = scoring._likeliest(row[None], k)
        expected.append(([row, k], {"ids": ids[0], "probabilities": shares[0]}))
    orders: list[Case] = [
        ([row, place], int(np.argsort(-row, kind="stable")[place]))
        for row, place in product(rows, (0, 1, 5, 29))
    ]
    return {
        "derive/sampling.js": {
            "choose": drawn,
            "descending": [([row], np.sort(row)[::-1]) for row in rows],
            "idAt": orders,
        },
        "derive/surprise.js": {"surprise": surprises, "likeliest": expected},
        "derive/sentences.js": {
            "percent": each(percent, SHARES),
            "specialTokens": each(special, ("The text", "Sentence A"), (["<|a|>"], ["[SEP] ", "<b>"])),
        },
        "derive/expecting.js": {
            "headline": _headlines(),
            "expected": [
                ([own, place], captions.expected(record, place))
                for own, record in scores
                for place in range(len(record.tokens))
            ],
            "surprised": [
                ([own, count, known], captions.surprise(record, count, known))
                for own, record in scores
                for count in (0, 1, 4)
                for known in (0, 2, 49_152)
            ],
            "trailing": each(captions.trailing, ("", " ", "a ", "a", "a\n"), (0, 2)),
            "stops": each(writing.stops, ("", ".", " . | ! |↵", "a|a||␣x ", "|".join("abcdefghijklm"))),
            "counted": each(writing._counted, (0, 1, 2)),
            "whyEnded": _whys(),
        },
        "derive/nextword.js": _pictures(),
        "derive/hidden.js": {"Hidden": _hidden()},
    }
