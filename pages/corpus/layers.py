"""The map of a word's lines, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.corpus.querying.concordance import Groups
from core.figures import GroupedPoints, Picture, cloud, style
from core.localization import _
from core.sentences import percent
from pages.corpus import captions, tables
from pages.corpus.concordance import looks
from pages.corpus.state import CorpusState
from ui import figure, layout
from ui.corpora.lines import CachedWord
from ui.models import pictures
from ui.models.attempt import attempt
from ui.page import terms


def draw(s: CorpusState, word: CachedWord, groups: Groups) -> None:
    """The map, with the chosen line as the chosen point."""
    if len(word.lines) < 2:
        st.caption(_("A map needs at least two lines."))
        return
    made = attempt(word.map)
    if made is None:
        return
    which, coordinates, shares = made
    kept = word.corpus.manifest.layers
    names = [style.layer_name(one.layer) for one in kept]
    own = next(i for i, one in enumerate(kept) if one.layer == word.lines.layer)
    depth = s.depth.get() - 1 if 0 < s.depth.get() <= len(kept) else own
    at = {int(line): point for point, line in enumerate(which)}
    chosen = at.get(s.line.get() - 1)

    def take(sent: Mapping[str, Any]) -> None:
        s.depth.set(min(sent["depth"], len(kept) - 1) + 1)
        if sent["chosen"] is not None and sent["chosen"] < len(which):
            s.line.set(int(which[sent["chosen"]]) + 1)

    key = ("corpus map", word.query, groups.digest)
    picture = pictures.once(key, lambda: _picture(word, groups, which, coordinates, names))
    table = partial(tables.map_table, word, groups, [int(i) for i in which], coordinates, names)
    figure.show(
        picture.choosing({"depth": depth, "chosen": chosen}),
        "corpus map",
        on_state=take,
        saved_as=tables.both(table, "corpus-map"),
        scale=layout.scale(),
    )
    count = len(word.lines)
    if len(which) < count:
        drawn = _("{some} of {count} lines, drawn at random.").format(
            some=captions.count_of(len(which)), count=captions.count_of(count)
        )
    else:
        drawn = _("All {count} lines.").format(count=captions.count_of(count))
    means = _(
        "Each point is a line; its vector after layer {layer} is projected onto the two directions in "
        "which these vectors differ most (principal components), which hold **{share}** of their "
        "variance. Click a point to choose its line."
    ).format(
        layer=kept[depth].layer + 1,
        share=percent(float(shares[depth]), 0),
    )
    terms.caption(f"{drawn} {means}", "corpus map")


def _picture(
    word: CachedWord, groups: Groups, which: Any, coordinates: Any, names: list[str]
) -> Picture:
    lines, group_of = word.lines.parts(which), np.asarray(groups.of[which])
    return cloud(
        GroupedPoints(coordinates, lines, looks(groups), group_of, names),
        depth=0,
        titles=(_("first component, fitted to each layer"), _("second")),
        words=(_("on the first component"), _("on the second")),
        sentence=_("{count} lines; each point is the projection of the word’s vector.").format(
            count=captions.count_of(len(which))
        ),
        name="corpus-map",
    )
