"""Python code for the results of Corpus: its groups, their sizes, the nearest occurrences."""

from __future__ import annotations

from core.corpus.querying.concordance import Groups
from core.measures.senses.clusters import LEAST
from ui.corpora import offered
from ui.corpora.lines import CachedWord


def lines(word: CachedWord, groups: Groups, ends: tuple[tuple[str, ...], ...]) -> dict[str, str]:
    """Code for the number of lines in each group.

    Args:
        word: the word.
        groups: its groups.
        ends: the words of the two senses, if lines are grouped by them.
    """
    of = word.query
    if of.corpus == offered.DOCS:
        folder = [
            "from core.corpus import python_docs",
            'folder = settings.read().cache / "corpora" / python_docs.NAME',
        ]
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
    if groups.kind == "axis":
        low, high = ([*words] for words in ends)
        code += [
            f"found = corpus.senses({of.word!r}, {low!r}, {high!r}, layer={of.layer})",
            "# lines at the first end, between the two, and at the second",
            "np.histogram(found.coordinates, [-np.inf, -1 / 3, 1 / 3, np.inf])[0].tolist()",
        ]
    elif groups.kind == "all":  # too few lines for clusters
        code.append(f"corpus.count({of.word!r})")
    else:
        code += [
            f"found = corpus.clusters({of.word!r}, {max(LEAST, len(groups.names))}, layer={of.layer})",
            "np.bincount(found.cluster).tolist()  # lines in each cluster",
        ]
    return {"Python": "\n".join(code)}
