"""Pictures of attention and the files saved from them, made as the pages make both."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from core.comparison import Chosen
from core.comparison import heads as compared
from core.comparison.heads import Look
from core.figures import Picture
from core.measures import PatternScores, patterns
from core.records.attention import Attention
from core.records.seq2seq import Seq2SeqTrace
from core.records.trace import Trace
from pages.encoder_decoder import blocks, translator
from pages.encoder_decoder.state import SHIPPED
from pages.heads import difference as heads_difference
from pages.heads import displayed, export, zoom
from pages.training import pictures
from tests.browser.pictures.hand_made import traced, window
from tests.pages.heads.test_export import chosen
from ui import tables
from ui.comparison import Cached
from ui.models import answers, model_cache
from ui.query import TextQuery

N = 8
LOST = ((1, 2, 4), (1, 0, 4), (1, 1, 4), (1, 3, 4), (1, 4, 4), (1, 2, 6), (0, 1, 2))
LOCAL = np.stack([window(N, 2, 2), np.zeros((N, N), bool), window(N, 3, 0)])
PAIR = ("[CLS]", "on", "the", "[SEP]", "river", "bank", "here", "[SEP]")


class Painted(NamedTuple):
    """A picture and the text of its file."""

    picture: Picture
    csv: str


def record(kind: str) -> Trace | Seq2SeqTrace:
    """A text in a model with the property `kind`."""
    if kind == "lost":
        return traced(N, lost=LOST)
    if kind == "weights":
        return traced(N, lost=LOST, products=False)
    if kind == "hybrid":
        return traced(N, gone=((0, None), (2, 3), (2, 4)), lost=((1, 2, 4),))
    if kind == "local":
        return traced(N, masked=LOCAL)
    if kind == "causal":
        return traced(N, causal=True)
    if kind == "sinks":
        return traced(
            N, sinks=True, softcap=3.0, bias=np.random.default_rng(2).normal(size=(3, 1, N, N))
        )
    if kind == "pair":
        return pair()
    encoder, decoder = traced(N), traced(6, causal=True)
    random = np.random.default_rng(5)
    weights = random.dirichlet(np.ones(N), (3, 5, 6)).astype(np.float32)
    weights[1, 2, 3] = np.eye(N)[0]
    weights[0, 4] = np.nan
    return Seq2SeqTrace(encoder, decoder, Attention(decoder.tokens, encoder.tokens, weights))


def pair() -> Trace:
    """Two texts; one token attends only to its own text."""
    segments = (0, 0, 0, 0, 1, 1, 1, 1)
    made = traced(N, tokens=PAIR, products=False)
    weights = made.attention.weights.copy()  # type: ignore[union-attr]
    weights[1, 2, 1] = (0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0)
    weights[1, 2, 2] = np.eye(N)[3]
    offsets = ((0, 0), (0, 2), (3, 6), (0, 0), (0, 5), (6, 10), (11, 15), (0, 0))
    return replace(
        made,
        attention=Attention(PAIR, PAIR, weights),
        segments=segments,
        offsets=offsets,
        texts=("on the", "river bank here"),
        left_out_by_text=(None, None),
    )


@contextmanager
def answering(kind: str) -> Iterator[TextQuery]:
    """A query whose answer is this record, instead of a model's."""
    found = record(kind)
    question = TextQuery(f"by hand: {kind}", "a text", "another" if kind == "pair" else None)

    def scores(_asked: TextQuery, place: int) -> PatternScores | None:
        trace = found if isinstance(found, Trace) else (found.encoder, found.decoder, None)[place]
        return None if trace is None else patterns(trace)

    def usual(_model: str) -> PatternScores:
        trace = found if isinstance(found, Trace) else found.encoder
        return patterns(trace)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(answers, "answer", lambda _asked: found)
        patched.setattr(answers, "text_patterns", scores)
        patched.setattr(answers, "typical_patterns", usual)
        patched.setattr(model_cache, "model", lambda _name: None)
        patched.setattr(model_cache, "title", str)
        yield question


def on_heads(kind: str, **link: str) -> Painted:
    """A layer, or the mean of all, on Heads."""
    with answering(kind) as asked:
        one = displayed.panel_of(asked, chosen(**{"r": "head", **link}))
        return Painted(zoom.drawn([one]), export.csv(one))


def all_heads(kind: str, **link: str) -> tuple[Picture, np.ndarray]:
    """All heads on Heads, and the weights in the file saved from them."""
    with answering(kind) as asked:
        one = displayed.panel_of(asked, chosen(**link))
        saved = np.load(io.BytesIO(export.npz(one)))["weights"]
        return zoom.drawn([one]), saved


def beside(first: str, second: str, **link: str) -> Painted:
    """Two models side by side: their difference."""
    with answering(first) as asked:
        one = displayed.panel_of(asked, chosen(**link))
    with answering(second) as asked:
        other = displayed.panel_of(asked, chosen(1, **link))
        found, names, why_not = heads_difference.less(one, other)
    assert found is not None, why_not
    return Painted(
        heads_difference.picture(found, names), written(heads_difference.table(found, names))
    )


def on_compare(kind: str, layer: int | None, head: int | None, *, special: bool) -> Painted:
    """One sentence on Compare."""
    look = Look(layer, head, special)
    one = seen("A", kind, look)
    return Painted(compared.picture(one, look), written(tables.head(one.view)))


def difference(first: str, second: str, *, special: bool) -> Painted:
    """A minus B on Compare."""
    look = Look(1, 2, special)
    found = compared.less(seen("A", first, look), seen("B", second, look))
    return Painted(compared.difference(found, look), written(tables.difference(found)))


def seen(name: str, kind: str, look: Look) -> compared.Seen:
    """A sentence on Compare, with the word "bank"."""
    with answering(kind) as asked:
        return compared.seen(name, asked.text, Chosen("", "bank", 0), look, Cached(asked.model))


def every_layer(kind: str, *, special: bool) -> Painted:
    """The word in every layer, on Compare."""
    look, side = Look(None, None, special), Chosen("", "bank", 0)
    with answering(kind) as asked:
        view = compared.every_layer(side._replace(text=asked.text), look, Cached(asked.model))
    return Painted(compared.by_layer("A", view, side, look), written(tables.head(view)))


def trained(block: str, head: int) -> Painted:
    """A training before its first step."""
    snapshot = pictures.untrained("reverse").snapshots[0]
    return Painted(
        pictures.attention(snapshot, block, 0, head),
        written(pictures.map_table(snapshot, block, 0, head)),
    )


def translated(block: str, head: int) -> Painted:
    """A layer of the small translator."""
    asked = translator.TranslationQuery(SHIPPED, "the black cat sleeps")
    found = translator.decoding(asked)
    state = {"level": "head", "head": head}
    picture = blocks.layer_picture(found, block, 0, 1, state)
    return Painted(picture, written(blocks.weights_table(asked, block, 0, head)))


def written(table: pd.DataFrame) -> str:
    """The table as `frame.csv` saves it."""
    return str(table.to_csv(float_format="%.9g"))


def read(csv: str) -> np.ndarray:
    """The numbers in a file; NaN exactly where a cell is empty."""
    table = pd.read_csv(io.StringIO(csv), index_col=0, dtype=str, keep_default_na=False)
    found: np.ndarray = np.array(
        [[np.nan if cell == "" else float(cell) for cell in row] for row in table.to_numpy()]
    )
    assert not (np.isnan(found) & (table.to_numpy() != "")).any()
    return found


CASES: Mapping[str, Callable[[], Painted]] = {
    **{
        f"{kind}, layer {layer}, head {head}, special {special}": (
            partial(on_heads, kind, l=layer, h=head, s=special)
        )
        for kind, layer, head in (
            ("lost", "2", "3"),
            ("lost", "2", "mean"),
            ("lost", "mean", ""),
            ("weights", "2", "3"),
            ("weights", "2", "mean"),
            ("hybrid", "1", ""),
            ("hybrid", "3", "2"),
            ("hybrid", "3", "mean"),
            ("hybrid", "mean", ""),
            ("local", "1", "4"),
            ("local", "mean", ""),
            ("causal", "3", "5"),
            ("sinks", "2", "1"),
            ("sinks", "2", "mean"),
        )
        for special in ("", "0")
    },
    "words": lambda: on_heads("lost", l="2", h="3", u="1", s="0"),
    "mean of words": lambda: on_heads("lost", l="mean", u="1", s="0"),
    "all of a pair": lambda: on_heads("pair", l="2", h="3", s="0"),
    "A attends to B": lambda: on_heads("pair", l="2", h="3", n="ab"),
    "A attends to B, bare": lambda: on_heads("pair", l="2", h="3", n="ab", s="0"),
    "A attends to B, mean": lambda: on_heads("pair", l="mean", n="ab", s="0"),
    "B attends to A": lambda: on_heads("pair", l="2", h="mean", n="ba"),
    "across": lambda: on_heads("two halves", l="2", h="3", e="2", s="0"),
    "across, a head that is none": lambda: on_heads("two halves", l="1", h="mean", e="2"),
    "decoder": lambda: on_heads("two halves", l="1", h="1", e="1", s="0"),
    "beside": lambda: beside("lost", "hybrid", l="2", h="3", s="0"),
    "beside, without attention": lambda: beside("lost", "hybrid", l="1", h="1"),
    "beside, all": lambda: beside("lost", "hybrid", s="0"),
    "beside, means": lambda: beside("local", "lost", l="mean", s="0"),
    "compare": lambda: on_compare("lost", 1, 2, special=False),
    "compare, mean of a layer": lambda: on_compare("lost", 1, None, special=False),
    "compare, mean of all": lambda: on_compare("hybrid", None, None, special=False),
    "compare, no attention": lambda: on_compare("hybrid", 0, None, special=True),
    "compare, local": lambda: on_compare("local", 0, 1, special=False),
    "compare, sinks": lambda: on_compare("sinks", 0, None, special=True),
    "compare, difference": lambda: difference("lost", "local", special=False),
    "compare, layers": lambda: every_layer("hybrid", special=False),
    "compare, layers whole": lambda: every_layer("hybrid", special=True),
    "training": lambda: trained("cross", 0),
    "training, decoder": lambda: trained("decoder", 1),
    "translation": lambda: translated("decoder", -1),
    "translation, across": lambda: translated("cross", 0),
}
