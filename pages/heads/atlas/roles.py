"""The roles of all heads: scored on sentences whose answers are known, beside what chance scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.examples.roles import ROLES, role_sentences
from core.figures import Picture, bars, heads_heatmap, style
from core.measures import RoleScores
from pages.heads.atlas.ablation import Head, name
from pages.heads.displayed import Panel
from pages.heads.state import HeadsState
from ui import figure, files, layout, permalink
from ui.models import head_roles, model_cache
from ui.models.attempt import attempt
from ui.page import terms
from ui.state import select, toggle
from ui.text import plain

TITLE = "What is the role of each head?"
NAMES = {
    "previous": "previous word",
    "same": "same word",
    "verb-subject": "verb → subject",
    "subject-verb": "subject → verb",
    "pronoun-antecedent": "pronoun → antecedent",
    "noun-determiner": "noun → determiner",
    "determiner-noun": "determiner → noun",
    "delimiters": "delimiters",
}
EXPLANATIONS = {
    "previous": "from each word to the word before it",
    "same": "from a word to the same word elsewhere in the sentence",
    "verb-subject": "from a verb to the noun or pronoun that is its subject",
    "subject-verb": "from the subject to its verb",
    "pronoun-antecedent": "from *he* or *she* to the person that it means",
    "noun-determiner": "from a noun to its determiner, such as *the* or *my*",
    "determiner-noun": "from a determiner, such as *the* or *my*, to its noun",
    "delimiters": "from each word to commas, full stops and special tokens",
}
assert tuple(NAMES) == tuple(EXPLANATIONS) == ROLES


def show(s: HeadsState, panels: Sequence[Panel]) -> None:
    """Draw the folded section about the first model."""
    if not toggle(s.roles, TITLE):
        return
    model = panels[0].text_query.model
    if none := head_roles.why_none(model):
        st.caption(none)
        return
    known = head_roles.of(model)
    if known is None:
        _offer(model)
        return
    role = ROLES.index(select(s.role, NAMES, "Role", style="segments", wrap=True))
    terms.caption(_about(model, known, panels), "roles")
    if not np.isfinite(known.scores[..., role]).any():
        st.markdown(
            "No head can have this role: the word to attend to comes later, and this model reads only "
            "what comes before."
        )
        return
    here = _open(panels[0])
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(caption(known, role))
        figure.show(
            picture(known, role, here),
            "roles of heads",
            on_cell=lambda cell: s.open_head(0, cell.row, cell.column),
            saved_as=[files.csv(partial(table, known), "roles-of-heads")],
            scale=layout.scale(),
        )
        st.markdown(named(known))
    with right:
        head = best(known, role) if here is None or not _scored(known, here) else here
        st.markdown(f"**{name(head).capitalize()}**, all roles")
        figure.show(of_head(known, head), "roles of head", scale=layout.scale())
        terms.caption(_beside(known, head, role), "role of head")
        _examples(model, known, head, role)


def _offer(model: str) -> None:
    """A button that measures the model, and the progress."""
    if not st.button(
        "Score every head",
        key="heads score roles",
        help="Reads 240 short sentences, which takes a small model a few seconds. All visitors of this "
        "server then see the scores.",
    ):
        return
    bar = st.progress(0.0, "Reading our sentences …")

    def on_sentence(done: int, total: int) -> None:
        bar.progress(done / total, "Reading our sentences …")

    made = attempt(head_roles.measure, model, on_sentence)
    if made is not None:
        st.rerun()


def _about(model: str, known: RoleScores, panels: Sequence[Panel]) -> str:
    """The meaning of the scores, as a caption."""
    said = [
        "A score is the mean weight from a word to the right word, over "
        f"{known.sentences} sentences of our own. A small grammar generated them with the right words."
    ]
    if len(panels) > 1:
        said.append(f"Scored in {model_cache.markdown_title(model)}, the first of the two models.")
    if panels[0].masked:
        said.append("The scores are those of the model as it was trained, without a causal mask.")
    return " ".join(said)


def caption(known: RoleScores, role: int) -> str:
    """The best head of a role, and what chance and all heads score beside it (Markdown)."""
    head = best(known, role)
    score, uniform, fixed = known.scores[*head, role], known.uniform[role], known.fixed[role]
    mean, upper = known.all_heads(role)
    beats = (
        "Its score exceeds both."
        if score > max(uniform, fixed)
        else "Its score does not exceed both: attention to a fixed distance would do as well."
        if ROLES[role] != "previous"
        else "Here the fixed distance is the role itself."
    )
    return (
        f"*{NAMES[ROLES[role]].capitalize()}*, {EXPLANATIONS[ROLES[role]]}: "
        f"**{name(head)}** scores **{_n(score)}**, over {known.counts[role]:,} cases. "
        f"Uniform attention scores {_n(uniform)}; attention to one fixed distance, {_n(fixed)} "
        f"at best. {beats} Over all heads, the mean is {_n(mean)}, and 95 % lie below {_n(upper)}."
    )


def best(known: RoleScores, role: int) -> Head:
    """The head with the largest score of a role."""
    values = known.scores[..., role]
    layer, head = divmod(int(np.nanargmax(values)), values.shape[1])
    return layer, head


def named(known: RoleScores) -> str:
    """The heads that have a role, by role (Markdown)."""
    by_role: dict[int, list[Head]] = {}
    for head, role in known.named().items():
        by_role.setdefault(role, []).append(head)
    if not by_role:
        return "**Named heads.** No head exceeds chance clearly enough to be named after a role."
    lines = [
        f"- *{NAMES[ROLES[role]]}*: "
        + "; ".join(
            f"{name(head)} ({_n(known.scores[*head, role])})"
            for head in sorted(heads, key=lambda head: -known.scores[*head, role])
        )
        for role, heads in sorted(by_role.items())
    ]
    return (
        "**Named heads**: their scores exceed those of 95 % of all heads, of uniform attention and of "
        "any fixed distance.\n\n" + "\n".join(lines)
    )


def picture(known: RoleScores, role: int, here: Head | None) -> Picture:
    """Layers × heads, coloured by the score of one role."""
    return heads_heatmap(
        known.scores[..., role],
        title="score",
        sentence=f"How much each head attends from word to word: {NAMES[ROLES[role]]}.",
        name="roles-of-heads",
        chosen=here if here is not None and _scored(known, here) else None,
    )


def of_head(known: RoleScores, head: Head) -> Picture:
    """The scores of one head for each role, with uniform attention as outlines."""
    there = [role for role in range(len(ROLES)) if np.isfinite(known.scores[*head, role])]
    notes = []
    for role in there:
        mean, upper = known.all_heads(role)
        notes.append(
            f"fixed distance {_n(known.fixed[role])}, all heads {_n(mean)}, 95 % below {_n(upper)}"
        )
    return bars(
        known.scores[*head, there],
        [NAMES[ROLES[role]] for role in there],
        unit="score",
        sentence=f"The score of {name(head)} for each role, beside uniform attention.",
        name="roles-of-head",
        other=known.uniform[there],
        names=("this head", "uniform attention"),
        notes=notes,
        most=1,
        digits=2,
    )


def table(known: RoleScores) -> pd.DataFrame:
    """The scores of every head for every role; below them, what chance and all heads score."""
    layers, heads, roles = known.scores.shape
    rows = pd.MultiIndex.from_product(
        [range(1, layers + 1), range(1, heads + 1)], names=["layer", "head"]
    )
    columns = [NAMES[role] for role in ROLES]
    scores = pd.DataFrame(known.scores.reshape(-1, roles), rows, columns)
    means = [known.all_heads(role) for role in range(roles)]
    beside = {
        "uniform attention": known.uniform,
        "best fixed distance": known.fixed,
        "mean of all heads": [mean for mean, _ in means],
        "95 % of all heads below": [upper for _, upper in means],
        "cases": known.counts,
    }
    index = pd.MultiIndex.from_tuples([(what, "") for what in beside], names=["layer", "head"])
    return pd.concat([scores, pd.DataFrame([*beside.values()], index, columns)])


def _beside(known: RoleScores, head: Head, role: int) -> str:
    """The score of a head for the chosen role, beside chance."""
    mean, upper = known.all_heads(role)
    return (
        f"For *{NAMES[ROLES[role]]}*, it scores {_n(known.scores[*head, role])}; uniform attention "
        f"{_n(known.uniform[role])}, the best fixed distance {_n(known.fixed[role])}, all heads on "
        f"average {_n(mean)}, 95 % of them below {_n(upper)}."
    )


def _examples(model: str, known: RoleScores, head: Head, role: int) -> None:
    """Buttons that open the sentences in which a head has a role most clearly."""
    some = known.examples.get((*head, role), ())
    if not some:
        return
    st.markdown("**Its clearest examples of this role**")
    sentences = role_sentences()
    for rank, one in enumerate(some):
        text = sentences[one.sentence].text
        state = {
            **permalink.VERSION,
            "m": model,
            "t": text,
            "l": str(head[0] + 1),
            "h": str(head[1] + 1),
            "r": "head",
            "q": str(one.query + 1),
            "k": str(one.key + 1),
            "ro": "1",
            "rr": ROLES[role],
        }
        st.button(
            f"{_n(one.weight)} in “{plain(text)}”",
            key=f"heads role example {rank}",
            type="tertiary",
            on_click=permalink.go,
            args=(HeadsState.examples(), state),
            help=f"Opens this head at this weight: “{plain(text)}”",
        )


def _scored(known: RoleScores, head: Head) -> bool:
    """Whether a head has a score of any role."""
    layers, heads = known.scores.shape[:2]
    return head[0] < layers and head[1] < heads and bool(np.isfinite(known.scores[head]).any())


def _open(one: Panel) -> Head | None:
    """The open head of the panel."""
    return None if one.layer is None or one.averaged or one.head < 0 else (one.layer, one.head)


def _n(value: float) -> str:
    return style.signed(float(value))
