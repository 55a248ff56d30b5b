"""Python code for the results of Corpus: its groups, their sizes, the nearest occurrences."""

from __future__ import annotations

from collections.abc import Iterator

from core.corpus.querying.concordance import Groups
from core.localization import _
from core.measures.senses.clusters import LEAST
from pages.corpus.state import CorpusState
from ui.corpora import offered
from ui.corpora.lines import CachedWord
from ui.corpora.selection import EVERY


def lines(
    s: CorpusState, word: CachedWord, groups: Groups, ends: tuple[tuple[str, ...], ...]
) -> dict[str, str]:
    """Code for the number of lines in each group; and for the collocates, where they are shown.

    Args:
        s: what else the page shows.
        word: the word.
        groups: its groups.
        ends: the words of the two senses, if lines are grouped by them.
    """
    of = word.query
    supplied = offered.SUPPLIED.get(of.corpus)
    if supplied is not None and word.corpus.folder == offered.supplied_folder(supplied):
        folder = [f'folder = settings.read().cache / "corpora" / {supplied.folder!r}']
    else:
        folder = [f"folder = settings.read().corpora / {of.corpus!r}  # with POLYSEE_CORPORA set"]
    code = [
        "import numpy as np",
        "import core.corpus",
        "from core import settings",
        *folder,
        "",
        "corpus = core.corpus.open(folder)",
    ]
    beside = {_("What stands beside it"): "\n".join([*code, *_beside(s, word)])}
    own = _groups(word, groups, ends)
    return {_("Groups"): "\n".join([*code, *own])} | (beside if s.beside_open.get() else {})


def _beside(s: CorpusState, word: CachedWord) -> Iterator[str]:
    """Code for the collocates of the lines, or for those of all lines beside another word's."""
    own, lines = word.query, word.lines
    by = ', by="lemma"' if s.lemmas.get() else ""
    window = f"left={s.left.get()}, right={s.right.get()}{by}"
    if other := s.against.get().strip():
        where = f", where={lines.condition!r}" if lines.condition else ""
        yield f"found = corpus.collocate_difference({own.word!r}, {other!r}, {window}{where})"
    else:
        which = ""
        if lines.picked is not None:
            yield from _read(word)
            which = ", which=lines.picked"
        where = f", where={lines.where!r}" if lines.where else ""
        yield f"found = corpus.collocates({own.word!r}, {window}{where}{which})"
    yield "found.to_frame()"


def _read(word: CachedWord) -> Iterator[str]:
    """Code for the lines of some texts, or for some of them."""
    own, lines = word.query, word.lines
    where = f", where={lines.condition!r}" if lines.condition else ""
    pick = ""
    if lines.picked is not None:
        pick = f", pick=Pick({own.selection.way!r}, {own.selection.size})"
    yield "from core.corpus.querying import concordance"
    if pick:
        yield "from core.corpus.querying.picking import Pick"
    yield f"lines = concordance.read(corpus, {own.word!r}, layer={own.layer}{where}{pick})"


def _groups(word: CachedWord, groups: Groups, ends: tuple[tuple[str, ...], ...]) -> list[str]:
    """Code for the number of lines in each group."""
    of = word.query
    if of.selection != EVERY or groups.kind in ("density", "marks"):
        return [*_of_selection(word, groups, ends)]
    if groups.kind == "axis":
        low, high = ([*words] for words in ends)
        return [
            f"found = corpus.senses({of.word!r}, {low!r}, {high!r}, layer={of.layer})",
            "# lines at the first end, between the two, and at the second",
            "np.histogram(found.coordinates, [-np.inf, -1 / 3, 1 / 3, np.inf])[0].tolist()",
        ]
    if groups.kind == "all":  # too few lines for clusters
        return [f"corpus.count({of.word!r})"]
    return [
        f"found = corpus.clusters({of.word!r}, {max(LEAST, len(groups.names))}, layer={of.layer})",
        "np.bincount(found.cluster).tolist()  # lines in each cluster",
    ]


def _of_selection(word: CachedWord, groups: Groups, ends: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Code for lines of some texts, for some of them, and for groups that have no shorter way."""
    own = word.query
    yield from _read(word)
    if groups.kind == "axis":
        low, high = ([*words] for words in ends)
        yield f"model = core.load({word.corpus.manifest.model!r})"
        yield f"axis = model.sense_axis(corpus.commonest({own.word!r}), {low!r}, {high!r})"
        yield f"groups = concordance.by_axis(lines, axis, {groups.names[:2]!r})"
    elif groups.kind == "marks":
        yield "from pathlib import Path"
        yield "from core.corpus import marking"
        yield 'marks = marking.parsed(Path("polysee-marks.tsv").read_text())  # saved on the page'
        yield 'places = lines.rows.select(["sentence", "position"]).to_pylist()'
        yield "places = [marking.Place(**one) for one in places]"
        yield 'own = [marks[one].mark if one in marks else "" for one in places]'
        yield "groups = concordance.by_marks(lines, own)"
    elif groups.kind == "density":
        yield "groups = concordance.by_density(lines)"
    elif groups.kind == "all":
        yield "len(lines)"
        return
    else:
        yield f"groups = concordance.by_clusters(lines, {max(LEAST, len(groups.names))})"
    yield "dict(zip(groups.names, groups.counts))"
