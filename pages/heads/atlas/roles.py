"""The roles of all heads: scored on sentences whose answers are known, beside what chance scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.examples.roles import ROLES, role_sentences
from core.figures import Picture, bars, heads_heatmap, style
from core.localization import N_, _, decimal, each, gettext
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

TITLE = N_("What is the role of each head?")
NAMES = {
    "previous": N_("previous word"),
    "same": N_("same word"),
    "verb-subject": N_("verb → subject"),
    "subject-verb": N_("subject → verb"),
    "pronoun-antecedent": N_("pronoun → antecedent"),
    "noun-determiner": N_("noun → determiner"),
    "determiner-noun": N_("determiner → noun"),
    "delimiters": N_("delimiters"),
}
EXPLANATIONS = {
    "previous": N_("from each word to the word before it"),
    "same": N_("from a word to the same word elsewhere in the sentence"),
    "verb-subject": N_("from a verb to the noun or pronoun that is its subject"),
    "subject-verb": N_("from the subject to its verb"),
    "pronoun-antecedent": N_("from *he* or *she* to the person that it means"),
    "noun-determiner": N_("from a noun to its determiner, such as *the* or *my*"),
    "determiner-noun": N_("from a determiner, such as *the* or *my*, to its noun"),
    "delimiters": N_("from each word to commas, full stops and special tokens"),
}
assert tuple(NAMES) == tuple(EXPLANATIONS) == ROLES


def show(s: HeadsState, panels: Sequence[Panel]) -> None:
    """Draw the folded section about the first model."""
    if not toggle(s.roles, gettext(TITLE)):
        return
    model = panels[0].text_query.model
    if none := head_roles.why_none(model):
        st.caption(none)
        return
    known = head_roles.of(model)
    if known is None:
        _offer(model)
        return
    role = ROLES.index(select(s.role, each(NAMES), _("Role"), style="segments", wrap=True))
    terms.caption(_about(model, known, panels), "roles")
    if not np.isfinite(known.scores[..., role]).any():
        st.markdown(
            _(
                "No head can have this role: the word to attend to comes later, and this model reads "
                "only what comes before."
            )
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
        st.markdown(_("**{head}**, all roles").format(head=style.head_name(*head)))
        figure.show(of_head(known, head), "roles of head", scale=layout.scale())
        terms.caption(_beside(known, head, role), "role of head")
        _examples(model, known, head, role)


def _offer(model: str) -> None:
    """A button that measures the model, and the progress."""
    if not st.button(
        _("Score every head"),
        key="heads score roles",
        help=_(
            "Reads 240 short sentences, which takes a small model a few seconds. All visitors of this "
            "server then see the scores."
        ),
    ):
        return
    reading = _("Reading our sentences …")
    bar = st.progress(0.0, reading)

    def on_sentence(done: int, total: int) -> None:
        bar.progress(done / total, reading)

    made = attempt(head_roles.measure, model, on_sentence)
    if made is not None:
        st.rerun()


def _about(model: str, known: RoleScores, panels: Sequence[Panel]) -> str:
    """The meaning of the scores, as a caption."""
    said = [
        _(
            "A score is the mean weight from a word to the right word, over {count} sentences of our "
            "own. A small grammar generated them with the right words."
        ).format(count=known.sentences)
    ]
    if len(panels) > 1:
        said.append(
            _("Scored in {model}, the first of the two models.").format(
                model=model_cache.markdown_title(model)
            )
        )
    if panels[0].masked:
        said.append(_("The scores are those of the model as it was trained, without a causal mask."))
    return " ".join(said)


def caption(known: RoleScores, role: int) -> str:
    """The best head of a role, and what chance and all heads score beside it (Markdown)."""
    head = best(known, role)
    score, uniform, fixed = known.scores[*head, role], known.uniform[role], known.fixed[role]
    mean, upper = known.all_heads(role)
    beats = (
        _("Its score exceeds both.")
        if score > max(uniform, fixed)
        else _("Its score does not exceed both: attention to a fixed distance would do as well.")
        if ROLES[role] != "previous"
        else _("Here the fixed distance is the role itself.")
    )
    named = gettext(NAMES[ROLES[role]])
    return _(
        "*{role}*, {explanation}: **{head}** scores **{score}**, over {count} cases. Uniform attention "
        "scores {uniform}; attention to one fixed distance, {fixed} at best. {beats} Over all heads, "
        "the mean is {mean}, and 95 % lie below {upper}."
    ).format(
        role=f"{named[0].upper()}{named[1:]}",
        explanation=gettext(EXPLANATIONS[ROLES[role]]),
        head=name(head),
        score=_n(score),
        count=decimal(f"{known.counts[role]:,}"),
        uniform=_n(uniform),
        fixed=_n(fixed),
        beats=beats,
        mean=_n(mean),
        upper=_n(upper),
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
        return _("**Named heads.** No head exceeds chance clearly enough to be named after a role.")
    lines = [
        f"- *{gettext(NAMES[ROLES[role]])}*: "
        + "; ".join(
            f"{name(head)} ({_n(known.scores[*head, role])})"
            for head in sorted(heads, key=lambda head: -known.scores[*head, role])
        )
        for role, heads in sorted(by_role.items())
    ]
    said = _(
        "**Named heads**: their scores exceed those of 95 % of all heads, of uniform attention and of "
        "any fixed distance."
    )
    return f"{said}\n\n" + "\n".join(lines)


def picture(known: RoleScores, role: int, here: Head | None) -> Picture:
    """Layers × heads, coloured by the score of one role."""
    return heads_heatmap(
        known.scores[..., role],
        title=_("score"),
        sentence=_("How much each head attends from word to word: {role}.").format(
            role=gettext(NAMES[ROLES[role]])
        ),
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
            _("fixed distance {fixed}, all heads {mean}, 95 % below {upper}").format(
                fixed=_n(known.fixed[role]), mean=_n(mean), upper=_n(upper)
            )
        )
    return bars(
        known.scores[*head, there],
        [gettext(NAMES[ROLES[role]]) for role in there],
        unit=_("score"),
        sentence=_("The score of {head} for each role, beside uniform attention.").format(
            head=name(head)
        ),
        name="roles-of-head",
        other=known.uniform[there],
        names=(_("this head"), _("uniform attention")),
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
    return _(
        "For *{role}*, it scores {score}; uniform attention {uniform}, the best fixed distance "
        "{fixed}, all heads on average {mean}, 95 % of them below {upper}."
    ).format(
        role=gettext(NAMES[ROLES[role]]),
        score=_n(known.scores[*head, role]),
        uniform=_n(known.uniform[role]),
        fixed=_n(known.fixed[role]),
        mean=_n(mean),
        upper=_n(upper),
    )


def _examples(model: str, known: RoleScores, head: Head, role: int) -> None:
    """Buttons that open the sentences in which a head has a role most clearly."""
    some = known.examples.get((*head, role), ())
    if not some:
        return
    st.markdown(_("**Its clearest examples of this role**"))
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
            _("{weight} in “{text}”").format(weight=_n(one.weight), text=plain(text)),
            key=f"heads role example {rank}",
            type="tertiary",
            on_click=permalink.go,
            args=(HeadsState.examples(), state),
            help=_("Opens this head at this weight: “{text}”").format(text=plain(text)),
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
