"""Python code for the results of Corpus: its groups, their sizes, the nearest occurrences."""

from __future__ import annotations

from core.corpus.querying.concordance import Groups
from ui.corpora import offered
from ui.corpora.lines import CachedWord


def lines(
    word: CachedWord, groups: Groups, k: int, ends: tuple[tuple[str, ...], ...]
) -> dict[str, str]:
    """Code for the number of lines in each group.

    Args:
        word: the word.
        groups: its groups.
        k: how many clusters were asked for.
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
            "[int((found.coordinates < 0).sum()), int((found.coordinates >= 0).sum())]",
        ]
    elif groups.kind == "all":  # too few lines for clusters
        code.append(f"corpus.count({of.word!r})")
    else:
        code += [
            f"found = corpus.clusters({of.word!r}, {k}, layer={of.layer})",
            "np.bincount(found.cluster).tolist()  # lines in each cluster",
        ]
    return {"Python": "\n".join(code)}
