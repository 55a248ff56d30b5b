"""Cases of what each layer would say, and why a token comes next: pictures and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from core.figures import lens as lens_figure
from core.figures import logit_parts, why_parts, why_text, why_words
from core.figures.labels import aloud, visible_ends
from core.figures.scales import signed_scale
from core.language.lens import FittedLens, Losses
from core.measures.rivals import rival
from core.records.contributions import Contributions
from core.records.lens import LensGrid
from core.records.logit_parts import LogitParts
from core.records.prediction import Expectation
from core.sentences import sentence
from pages.next_word import captions as page_captions
from pages.next_word.layers import captions, view
from pages.next_word.why import captions as why_captions
from tests.figures.web.twins.common import Case, Table, each
from tests.figures.web.twins.pictures import in_short
from ui import text as of_text

NAMES = (" Mary", "\n", "the", " ", "*b*", "é", "．")
TOKENS = (("When", 0, 4), ("ĠM", 4, 6), ("<|end|>", 0, 0), ("é", 6, 6), ("a\n", 6, 8), ("Ġx", 9, 10))
WORDS = "When John *a* gave John John a John the ↵ x y z b c"
TEXT = "When Mé\n  x"
Own = dict[str, Any]


def _grid(
    seed: int, layers: int, columns: int, lens: Any, *, word: int | None = None
) -> tuple[Own, LensGrid]:
    draw = np.random.default_rng(seed)
    ids = np.array([[draw.permutation(7)[:5] for _ in range(columns)] for _ in range(layers + 1)])
    ids[layers // 2 :] = ids[-1:] if seed % 2 else ids[layers // 2 :]
    shares = np.sort(draw.random(ids.shape) ** (1 + 9 * (seed % 3)))[..., ::-1].astype("f4")
    places = [*range(len(TOKENS))][-columns:]
    ranks = draw.integers(0, 40_000 if seed % 3 else 3, ids.shape[:2])
    of_word = (draw.random(ids.shape[:2]) ** 9).astype("f4")
    known = word is not None
    starts, ends = [start for _, start, _ in TOKENS], [end for *_, end in TOKENS]
    tokens = tuple(name for name, *_ in TOKENS)
    own = {
        "encoded": {"starts": starts, "ends": ends, "tokens": tokens, "text": TEXT, "ids": [0] * 6},
        "positions": places,
        "likeliest": ids,
        "probabilities": shares,
        "names": dict(enumerate(NAMES)),
        "word": word,
        "wordProbabilities": of_word if known else None,
        "wordRanks": ranks if known else None,
        "lens": lens,
    }
    spans = tuple(zip(starts, ends, strict=True))
    asked = (word, of_word if known else None, ranks if known else None)
    record = LensGrid(
        tokens,
        (0,) * 6,
        spans,
        tuple(places),
        ids,
        shares,
        dict(enumerate(NAMES)),
        *asked,
        lens,
        "",
        "next",
        "m",
        TEXT,
    )
    return own, record


def _firsts() -> Iterator[tuple[Own, LensGrid]]:
    """A word that is first after some layers and not after others."""
    for seed, ranks in enumerate(product((0, 4), repeat=4)):
        own, grid = _grid(seed, 3, 1, ("plain", "fitted")[seed % 2], word=3)
        places = np.array(ranks)[:, None]
        yield own | {"wordRanks": places}, replace(grid, word_ranks=places)


def _lens() -> dict[str, list[Case]]:
    grids = [
        _grid(seed, 1 + seed % 4, 1 + seed % 6, "plain", word=seed % 7 or None) for seed in range(12)
    ]
    ones = [
        (_grid(seed, layers, 1, "plain", word=3), _grid(seed + other, layers, 1, "fitted", word=3))
        for seed, other, layers in product((1, 2, 5), (0, 1, 3), (1, 4))
    ]
    pictures: list[Case] = []
    chosen: list[Case] = []
    for own, grid in grids:
        for cell in (None, (0, 0), (grid.n_layers, len(grid.positions) - 1)):
            title = {"count": str(len(grid.positions)), "layers": str(grid.n_layers), "lens": grid.lens}
            made = lens_figure.lens_grid(
                grid, sentence=sentence("lens.grid", **title), name=f"layers-{grid.lens}", chosen=cell
            )
            pictures.append(([own, cell], in_short(made)))
    for (own, plain), (other, fitted) in ones:
        shown, whole = _grid(7, plain.n_layers, 6, "fitted")
        for depth, column in product(range(plain.n_layers + 1), (0, 2, 5)):
            token = of_text.plain(lens_figure.token_names(whole)[column])
            said = captions.chosen(whole, plain, fitted, depth, column, token)
            chosen.append(([shown, own, other, depth, column], said))
    losses = Losses(
        1234, *[np.linspace(0.01, 9, 4).astype("f4")] * 3, *[np.linspace(0, 1, 4).astype("f4")] * 3
    )
    map_, thin = np.zeros((4, 2), "f4"), np.zeros((4, 2, 1), "i1")
    strength = np.zeros((4, 1), "f4")
    lens = FittedLens("", map_, map_, map_, thin, thin, strength, "a *b*", 16_320, losses)
    about = {
        "fittedOn": "a *b*",
        "tokens": 16_320,
        "testedOn": 1234,
        **{name: losses.fitted for name in ("fitted", "plain")},
        **{name: losses.fitted_same for name in ("fittedSame", "plainSame")},
    }
    return {
        "depthName": [([depth], lens_figure.depth_name(depth)) for depth in (0, 1, 30)],
        "lensGrid": pictures,
        "cellOf": [([own, i], lens_figure.cell_of(grid, i)) for own, grid in grids for i in (0, 1, 5)],
        "tokenOf": [
            ([own, column], name)
            for own, grid in grids
            for column, name in enumerate(lens_figure.token_names(grid))
        ],
        "lensHeadline": [
            ([own, other], captions.headline(a, b, 0, 0)) for (own, a), (other, b) in ones
        ],
        "askedFor": [
            ([own], captions.asked(grid, 0))
            for own, grid in (*grids, *_firsts())
            if len(grid.positions) == 1
        ],
        "chosenState": chosen,
        "howGood": [([about, depth], captions.how_good(lens, depth)) for depth in range(5)],
        "ranksOf": [([own, other], in_short(view.ranks(a, b))) for (own, a), (other, b) in ones],
    }


def _parted(seed: int, tokens: int, other: str | None) -> tuple[Own, LogitParts]:
    draw, layers, heads = np.random.default_rng(seed), 3, 2
    sources = draw.normal(0, 2, tokens).round(3)
    by_head = draw.normal(0, 1, (layers, heads)).round(3)
    networks = draw.normal(0, 1, layers).round(3)
    whole, embedding, token = float(sources.sum()), -0.75, NAMES[seed % len(NAMES)]
    depths = np.zeros((layers + 1, tokens))
    depths[0] = sources
    spread = np.zeros((layers, heads, tokens))
    spread[..., 0] = by_head
    found = Contributions(
        ("t",) * tokens,
        (tokens - 1,),
        layers - 1,
        np.ones(1),
        whole,
        depths,
        np.zeros(layers + 1),
        spread,
        spread,
    )
    logits = (1.0,) if other is None else (1.0, 0.0)
    parts = LogitParts(token, other, found, embedding, spread, networks, np.zeros(layers), 0.0, logits)
    own = {"whole": whole, "sources": found.by_token, "embedding": embedding}
    own |= {"heads": parts.by_head, "networks": parts.feed_forward}
    return {"parts": own, "ids": [1], "token": token, "other": other}, parts


def _why() -> dict[str, list[Case]]:
    made = [_parted(seed, 1 + seed * 2, (" John", None)[seed % 2]) for seed in range(8)]
    repeated = [
        *[
            "When",
            "John",
            "*a*",
            "gave",
            "John",
            "John",
            "a",
            "John",
            "the",
            "↵",
            "x",
            "y",
            "z",
            "b",
            "c",
        ]
    ]
    words = [(own, parts, repeated[: len(parts.sources.tokens)]) for own, parts in made]
    return {
        "bare": [([name], logit_parts.bare(name)) for name in NAMES],
        "whyText": [([own, some], in_short(why_text(parts, some))) for own, parts, some in words],
        "whyWords": [([own, some], in_short(why_words(parts, some))) for own, parts, some in words],
        "whyParts": [([own], in_short(why_parts(parts))) for own, parts in made],
        "whyHeadline": [
            ([own, some, share], why_captions.headline(parts, some, share))
            for own, parts, some in words
            for share in (0.0001, 0.92)
        ],
        "asks": [([own], why_captions.asks(parts)) for own, parts in made],
        "partsSaid": [([own], why_captions.parts_said(parts)) for own, parts in made],
    }


def _rivals() -> list[Case]:
    """The place of the rival of a word, among likely ones."""
    words = [
        " Mary",
        " the",
        " his",
        " Anna",
        " John",
        " store",
        " 7",
        ".",
        " 12",
        " été",
        " Érik",
        "中",
    ]
    ids = [*range(len(words))]
    scores = np.arange(len(words), 0, -1, dtype=np.float32)
    expected = Expectation(3, "next", scores, (*ids,), (*words,), (*words,))
    return [
        ([read, ids, words, than], rival(read, expected, than))
        for read in ("Mary and John. the store 12", "Nobody", "«Anna», été")
        for than in (*ids, 99)
    ]


def of_readings() -> Table:
    rows = ([0.0], [1.0, -3.0], [0.004, 0.0011], [123.0, -99.9])
    scales: list[Case] = [
        ([row, "t"], signed_scale(np.array(row, "f4"), None, "t", share=1.0)) for row in rows
    ]
    return {
        "derive/lens.js": _lens(),
        "derive/why.js": _why(),
        "engine/why.js": {"rather": _rivals()},
        "derive/scales.js": {"signedScale": scales},
        "derive/expecting.js": {"quoted": each(page_captions.quoted, NAMES)},
        "derive/labels.js": {
            "visibleEnds": each(visible_ends, (*NAMES, " a ", "")),
            "aloud": each(aloud, (*NAMES, "␣", "␣␣", "↵", "↵↵↵", "↵␣", "␣a", "")),
        },
    }
