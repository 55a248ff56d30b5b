"""Heads, differences and vectors of random numbers, and a page that shows one of our pictures."""

from __future__ import annotations

import numpy as np

from core.figures import Picture, heatmap, lens_grid, signed_heatmap, strips, style
from core.measures import HeadMap
from core.records.lens import LensGrid
from tests.browser.pictures.points import points_pictures

TEXT = "on the river bank she sat with her bank book counting ##s money [SEP] nevertheless"
WORDS = TEXT.split()
ODD_ROWS = ("<b>bold</b>", "😀👩‍👩‍👧", "שלום", "مرحبا", "</script>")
ODD_COLUMNS = (*ODD_ROWS, "\u202eabc", "日本語", "a\x01b", "pneumonoultramicroscopic", "##ing", " ")


def head(n: int, seed: int) -> HeadMap:
    """A head whose rows are of very different sharpness."""
    random = np.random.default_rng(seed)
    tokens = tuple(WORDS[i % len(WORDS)] for i in range(n))
    logits = random.normal(size=(n, n)) * random.uniform(0.2, 4, (n, 1)) + 3 * np.eye(n, k=-1)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return HeadMap(
        tokens, tokens, weights, renormalised=False, dropped=np.zeros(n), tokens=np.arange(n)
    )


def head_picture(n: int, seed: int, name: str = "A") -> Picture:
    """One head with both banks marked."""
    colour = {"A": style.SENTENCE_A, "B": style.SENTENCE_B}[name]
    drawn = head(n, seed)
    marked = [i for i, word in enumerate(drawn.keys) if word == "bank"][:2]
    sentence = f"Head {name}, {n} tokens."
    return heatmap(drawn, sentence=sentence, name=f"head-{name}", marked=marked, colour=colour)


def lens_picture(layers: int = 12, count: int = 20) -> Picture:
    """What each of some layers says of a text, with odd words among them."""
    random = np.random.default_rng(5)
    names = dict(enumerate((*ODD_COLUMNS, *(f" {word}" for word in WORDS))))
    ids = random.permuted(np.tile(np.arange(len(names)), (layers + 1, count, 1)), axis=-1)[..., :5]
    ids[layers // 2 :, ::3] = ids[-1, ::3]
    shares = -np.sort(-random.dirichlet(np.ones(6), (layers + 1, count)), axis=-1)[..., :5]
    tokens = tuple(WORDS[i % len(WORDS)] for i in range(count))
    ends = np.cumsum([len(one) + 1 for one in tokens]).tolist()
    offsets = tuple((end - 1 - len(one), end - 1) for one, end in zip(tokens, ends, strict=True))
    grid = LensGrid(
        tokens, tuple(range(count)), offsets, tuple(range(count)), ids, shares, names, 3,
        shares[..., 0] / 2, np.full((layers + 1, count), 7), "plain", "", "next", "m", " ".join(tokens),
    )  # fmt: skip
    return lens_grid(grid, sentence="A grid of words.", name="lens", chosen=(layers, count - 1))


def odd_picture() -> Picture:
    """Tokens that are not plain words; more columns than rows."""
    weights = np.random.default_rng(3).dirichlet(np.ones(len(ODD_COLUMNS)), len(ODD_ROWS))
    drawn = HeadMap(
        ODD_ROWS,
        ODD_COLUMNS,
        weights,
        renormalised=True,
        dropped=np.zeros(5),
        tokens=np.arange(5),
    )
    return heatmap(drawn, sentence="Odd tokens & <i>signs</i>.", name="odd", marked=[0])


def signed_picture(n: int, seed: int) -> Picture:
    """A difference of two heads."""
    one, other = head(n, seed), head(n, seed + 10)
    return signed_heatmap(
        one.queries,
        one.keys,
        one.weights - other.weights,
        title="weight in A − weight in B",
        sentence="A difference.",
        name="difference",
        marked=[3][: n - 3],
        colour=style.SENTENCE_B,
    )


def vectors(size: int, seed: int) -> dict[str, np.ndarray]:
    """Three vectors, with some outliers."""
    numbers = np.random.default_rng(seed).standard_t(3, (3, size)).astype(np.float32) / 9
    return dict(zip(("learned", "in A", "in B"), numbers, strict=True))


def strips_picture(size: int, seed: int) -> Picture:
    """The three vectors."""
    colours = {"in A": style.SENTENCE_A, "in B": style.SENTENCE_B, "learned": style.LEARNED}
    return strips(vectors(size, seed), sentence="Three vectors.", name="vectors", colours=colours)


def made(kind: str, n: int, seed: int) -> Picture:
    """A picture by its name."""
    makers = {
        "heatmap": lambda: head_picture(n, seed),
        "odd": odd_picture,
        "signed": lambda: signed_picture(n, seed),
        "strips": lambda: strips_picture(n, seed),
        **points_pictures.made(seed),
    }
    return makers[kind]()


def show() -> None:
    """Show the picture that the query names."""
    import streamlit as st

    from ui import figure

    asked, kept = st.query_params, st.session_state
    n, kind = int(asked.get("n", "14")), asked.get("kind", "heatmap")
    seed = int(st.selectbox("Seed", [1, 2, 3]))
    if kind == "two":
        for place, name in zip(st.columns(2), "AB", strict=True):
            with place:
                figure.show(head_picture(n + (name == "B"), seed + (name == "B"), name), name)
    elif kind == "turning":  # every choice brings new numbers
        figure.show(
            head_picture(n, seed + kept.get("turn", 0)),
            "head",
            on_cell=lambda cell: kept.update(turn=kept.get("turn", 0) + 1, cell=tuple(cell)),
        )
        st.write(f"turn {kept.get('turn', 0)}, chosen {kept.get('cell')}")
    elif kind == "moving":  # the page follows the picture's slider, and can move it
        depth = kept.setdefault("depth", 7)
        picture = points_pictures.plane_picture(depth)
        figure.show(picture, "plane", on_state=lambda chosen: kept.update(chosen))
        st.button("To the start", on_click=lambda: kept.update(depth=0))
        st.write(f"depth {depth}")
    else:
        figure.show(made(kind, n, seed), kind)
    kept.runs = kept.get("runs", 0) + 1
    st.button("Again")
    st.write(f"run {kept.runs}")
