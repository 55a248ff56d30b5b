"""The captions of the Corpus page (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future

import numpy as np

from core.corpus import Manifest, Near, Occurrence
from core.corpus.querying.collocate_difference import CollocateDifference
from core.corpus.querying.collocates import Collocates, Keywords
from core.corpus.querying.concordance import LEAST_LINES, THIRD, Groups, Lines
from core.corpus.querying.frequencies import Frequencies, WordFrequencies
from core.corpus.storage.columns import value_name
from core.corpus.storage.layers import Layer
from core.examples import sentences as examples
from core.figures import style
from core.localization import N_, _, decimal, gettext, ngettext, pgettext
from core.measures.senses.clusters import LEAST
from core.measures.senses.drift import Drift
from core.measures.senses.marked import AxisAgreement, ClusterAgreement
from core.measures.senses.separation import AGREEING, REASONABLE, WEAK, Separation
from core.measures.senses.shares import Share, Steps, wilson
from core.measures.senses.variety import Variety
from core.records.finding import is_phrase
from core.records.frozen import Array
from core.sentences import percent, signed
from ui import text
from ui.corpora.lines import CachedWord
from ui.corpora.selection import Selection, column_name
from ui.models import model_cache

NAMED = 8  # words of which a sought one is a part
LINE = 400  # characters of a context on each side, of the chosen line
AROUND = 70  # characters of a context on each side, in a list
NEAR, MAP = N_("What else is used like this?"), N_("The map of its lines, layer by layer")
FREQUENCY = N_("How often, and where?")
KEYWORDS = N_("Which words are typical of some of the texts?")
SURPRISE = N_("How surprising is it in its line?")
MARKS = N_("Your marks, and what the groups make of them")
BESIDE = N_("What stands beside it, in each group?")
BY_CHANCE = (
    3.84  # of a log-likelihood, which chance reaches once in 20 times (χ², one degree of freedom)
)
VALUE = 80  # characters of the value of a column
WORDS = 5  # that a sentence names
CLOSE = "; "  # between parts of a list that have commas, or decimals, of their own


def count_of(count: int) -> str:
    """A whole number as the language of the screen writes it: 94,458."""
    return decimal(f"{count:,}")


def names(words: Sequence[str], most: int = WORDS) -> str:
    """The first of some words, for a sentence (Markdown)."""
    return ", ".join(f"*{text.plain(one)}*" for one in words[:most])


def and_more(count: int) -> str:
    """What stands behind a list that leaves out some; "" if it leaves out none."""
    return _(" and {count} more").format(count=count_of(count)) if count > 0 else ""


def answer(word: CachedWord, groups: Groups, found: Separation | None) -> str:
    """What the lines of the word show, in a sentence or two (Markdown).

    Args:
        word: the word.
        groups: its groups.
        found: how well its clusters separate; None for groups of another kind.
    """
    lines, own = word.lines, text.plain(word.lines.word)
    count, k = len(lines), len(groups.names)
    if groups.kind == "axis":
        return _on_axis(own, groups)
    if groups.kind == "marks":
        named = [f"*{text.plain(name)}* {count_of(count)}" for name, count in marks_of(groups)]
        return _("You have marked **{count}** of {all} lines of “{word}”: {marks}.").format(
            count=count_of(count - left_over(groups)),
            all=count_of(count),
            word=own,
            marks=", ".join(named),
        )
    if groups.kind == "density":
        return dense(own, count, groups)
    if groups.kind == "all" or found is None:
        if count == 1:
            return _("**There is one line** of “{word}”.").format(word=own)
        if groups.kind != "all":
            said = _(
                "The {count} lines of “{word}” have the same vector: there is nothing to separate."
            )
        else:
            said = _("**The {count} lines** of “{word}” stand together: too few for clusters.")
        return said.format(count=count_of(count), word=own)
    if found.level == "none":
        said = _(
            "**The lines of “{word}” do not form clusters.** k-means cuts them into {k} parts all the "
            "same: read these as regions, not as senses."
        )
    elif found.level == "weak":
        said = _("The lines of “{word}” form **{k} clusters that touch**.")
    else:
        said = _("The lines of “{word}” form **{k} clusters that stand apart**.")
    parts = [said.format(word=own, k=k), told_apart(groups)]
    if found.level == "weak":
        parts.append(_at_the_border(found))
    return " ".join(filter(None, parts))


def _at_the_border(found: Separation) -> str:
    """What the lines at the border of clusters that touch are worth: never against their agreement."""
    if found.agreement == 1:
        return _(
            "Measured in all dimensions of the vectors, no wide gap lies between them, even where the "
            "map shows one; but either half of the lines alone divides them in the same way."
        )
    return _(
        "Lines at their border could be in either: clusters found in two halves of the lines disagree "
        "on **{share}** of them."
    ).format(share=percent(1 - found.agreement, 0))


def told_apart(groups: Groups) -> str:
    """Which words stand around the word in each group, rather than in the others (Markdown)."""
    each = [
        _("**{count}** with {words}").format(words=names(words), count=count_of(count))
        for words, count in zip(groups.words, groups.counts, strict=False)
        if words
    ]
    return _("By the words around it: {each}.").format(each=CLOSE.join(each)) if len(each) > 1 else ""


def _on_axis(own: str, groups: Groups) -> str:
    """How many lines stand at either end of an axis, or between them (Markdown)."""
    at_low, at_high, between = groups.counts
    count = len(groups.of)
    low, high = (f"*{text.plain(name)}*" for name in groups.names[:2])
    if between > count / 2:
        return _(
            "**Most lines of “{word}” stand between** {low} and {high}, {between} of {all}: the two "
            "hardly divide this word."
        ).format(word=own, low=low, high=high, between=count_of(between), all=count_of(count))
    return ngettext(
        "**{at_low}** of {all} lines of “{word}” stand at {low} and **{at_high}** at {high}; "
        "{between} stands between.",
        "**{at_low}** of {all} lines of “{word}” stand at {low} and **{at_high}** at {high}; "
        "{between} stand between.",
        between,
    ).format(
        at_low=count_of(at_low),
        at_high=count_of(at_high),
        all=count_of(count),
        word=own,
        low=low,
        high=high,
        between=count_of(between),
    )


def marks_of(groups: Groups) -> list[tuple[str, int]]:
    """The groups that are groups, with their sizes: without the one of lines that belong to none."""
    named = [*zip(groups.labels, groups.counts, strict=True)]
    return [one for number, one in enumerate(named) if number != groups.left_over]


def left_over(groups: Groups) -> int:
    """How many lines belong to no group."""
    return 0 if groups.left_over is None else groups.counts[groups.left_over]


def dense(own: str, count: int, groups: Groups) -> str:
    """How many dense clusters there are, and whether they return in other samples of the lines."""
    k, rest = len(marks_of(groups)), left_over(groups)
    said = ngettext(
        "The lines of “{word}” form **{count} dense cluster**.",
        "The lines of “{word}” form **{count} dense clusters**.",
        k,
    ).format(word=own, count=k)
    if rest:
        said += " " + ngettext(
            "{count} of {all} lies in no cluster.", "{count} of {all} lie in no cluster.", rest
        ).format(count=count_of(rest), all=count_of(count))
    said += f" {told_apart(groups)}".rstrip()
    if groups.stability is None:
        return said
    counts = sorted(set(groups.resampled))
    again = f"{counts[0]}"
    if len(counts) > 1:
        again = _("{least} to {most}").format(least=counts[0], most=counts[-1])
    if groups.stability >= STABLE:
        how = _(
            "Found anew in random 80 % of the lines, they return: {again} each time, with a mean "
            "adjusted Rand index of {index}."
        )
    else:
        how = _(
            "Found anew in random 80 % of the lines, they depend on which lines are there: {again} "
            "each time, with a mean adjusted Rand index of {index}."
        )
    return f"{said} {how.format(again=again, index=style.signed(groups.stability))}"


DENSE = -1  # as many dense clusters as there are
STABLE = 0.8  # of an adjusted Rand index
MILLION = 1_000_000


def corpus_facts(title: str, of: Manifest) -> str:
    """Which texts these are, and how many (Markdown)."""
    said = _("**{title}**: {sentences}, {words}.")
    if len(of.sources) > 1:
        said = _("**{title}**: {sentences}, {words}, from {files} files.")
    return said.format(
        title=text.plain(gettext(title)),
        sentences=ngettext("{count} sentence", "{count} sentences", of.sentences).format(
            count=count_of(of.sentences)
        ),
        words=ngettext("{count} word", "{count} words", of.words).format(count=count_of(of.words)),
        files=count_of(len(of.sources)),
    )


def frequency(word: CachedWord) -> str:
    """How often the word occurs: in all, and of a million words, with an interval (Markdown)."""
    lines, words = word.lines, max(1, word.words_of_texts())
    low, high = (MILLION * one for one in wilson(lines.total, words))
    if lines.condition:
        said = ngettext(
            "“{word}” occurs **{count}** time where {chosen} ({words} words): **{rate} per million "
            "words** (95 % interval {low} to {high}).",
            "“{word}” occurs **{count}** times where {chosen} ({words} words): **{rate} per million "
            "words** (95 % interval {low} to {high}).",
            lines.total,
        )
    else:
        said = ngettext(
            "“{word}” occurs **{count}** time: **{rate} per million words** (95 % interval {low} to "
            "{high}).",
            "“{word}” occurs **{count}** times: **{rate} per million words** (95 % interval {low} to "
            "{high}).",
            lines.total,
        )
    return said.format(
        word=text.plain(lines.word),
        count=count_of(lines.total),
        chosen=word.query.selection.in_words(),
        words=count_of(words),
        rate=_per_million(MILLION * lines.total / words),
        low=_per_million(low),
        high=_per_million(high),
    )


def _per_million(rate: float) -> str:
    """Whole numbers, and of a rare word one decimal."""
    return decimal(f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}")


def separated(found: Separation, k: int) -> str:
    """By which numbers clusters count as separate."""
    return _(
        "Mean silhouette **{silhouette}**: above {reasonable}, clusters stand apart; up to {weak}, "
        "they do not (Kaufman and Rousseeuw 1990). Found anew in two random halves of the lines, the "
        "{k} clusters agree on **{share}** of them; below {agreeing} they depend on which lines are "
        "there."
    ).format(
        silhouette=style.signed(found.silhouette),
        reasonable=style.signed(REASONABLE),
        weak=style.signed(WEAK),
        k=k,
        share=percent(found.agreement, 0),
        agreeing=percent(AGREEING, 0),
    )


def counted(word: CachedWord, groups: Groups, k: int) -> str:
    """How many lines there are, and by which vectors they are grouped.

    Args:
        word: the word.
        groups: its groups.
        k: how many clusters were asked for; 0 for as many as are suggested; `DENSE` for dense ones.
    """
    lines = word.lines
    shown = _shown(word)
    of = _vectors(word)
    if groups.kind == "axis":
        assert groups.coordinate is not None
        return _(
            "{lines}, placed between *{low}* (−1) and *{high}* (+1) by {vectors}; they reach from "
            "{least} to {most}. A line counts as one of the two beyond a third of the way, ±{third}, "
            "and the outermost comes first."
        ).format(
            lines=shown,
            low=text.plain(groups.names[0]),
            high=text.plain(groups.names[1]),
            vectors=of,
            least=style.signed(float(groups.coordinate.min())),
            most=style.signed(float(groups.coordinate.max())),
            third=style.signed(THIRD),
        )
    if groups.kind == "marks":
        return _("{lines}, grouped by your marks and not by {vectors}.").format(lines=shown, vectors=of)
    if groups.kind == "density":
        return _(
            "{lines}. HDBSCAN looks for regions in which the lines lie close together by {vectors}, on "
            "their first eight principal components; a cluster has at least 4 % of the lines, and five."
        ).format(lines=shown, vectors=of)
    if groups.kind == "all" and len(lines) > 1:
        first = _("The lines stand together, the most typical first by {vectors}.").format(vectors=of)
        if k == DENSE:
            said = _("{lines}: no dense cluster, or too few lines for any.").format(lines=shown)
        else:
            said = _few(shown, len(lines.distinct), len(lines), k or LEAST)
        return f"{said} {first}"
    if len(groups.names) > 1:
        said = _("{lines} in {k} clusters by {vectors}.").format(
            lines=shown, k=len(groups.names), vectors=of
        )
        if k > len(groups.names):
            said += " " + _(
                "More would leave fewer than {least} different lines in one of them."
            ).format(least=LEAST_LINES)
        return said
    if len(lines) > 1:
        return _("{lines}. They are one cluster by {vectors}, which are the same.").format(
            lines=shown, vectors=of
        )
    return _("{lines}, with its vector.").format(lines=shown)


def _shown(word: CachedWord) -> str:
    """How many lines there are, and which of them are shown (Markdown)."""
    lines = word.lines
    if lines.total > len(lines):
        shown = _("**{count}** of **{all}** occurrences of “{word}” ({taken})").format(
            count=count_of(len(lines)),
            all=count_of(lines.total),
            word=text.plain(lines.word),
            taken=_taken(word.query.selection),
        )
    else:
        shown = ngettext(
            "**{count}** occurrence of “{word}”", "**{count}** occurrences of “{word}”", len(lines)
        ).format(count=count_of(len(lines)), word=text.plain(lines.word))
    several = matched(word.words(), lines.word)
    return f"{shown} ({several})" if several else shown


def _vectors(word: CachedWord) -> str:
    """By which vectors lines are grouped (Markdown)."""
    model = model_cache.markdown_title(word.corpus.manifest.model)
    said = _("their vectors after layer {layer} of {model}")
    if any(map(is_phrase, word.words())):
        said = _(
            "their vectors after layer {layer} of {model} (the vector of a phrase is the mean of those "
            "of its words)"
        )
    return said.format(layer=word.lines.layer + 1, model=model)


def _few(shown: str, different: int, count: int, k: int) -> str:
    """Why some lines are not divided: how many there are, and how many clusters need."""
    if different == 1:
        shown = _("{lines}, all of them alike").format(lines=shown)
    elif different < count:
        shown = _("{lines}, {count} of them different").format(lines=shown, count=count_of(different))
    most_clusters = different // LEAST_LINES
    if most_clusters >= k:
        said = _(
            "{lines}: k-means leaves fewer than {least} different lines in a cluster, too few for "
            "clusters."
        )
    elif k == LEAST:
        said = _("{lines}: too few for clusters, of which {two} need {needed} lines.")
    elif most_clusters >= LEAST:
        said = _(
            "{lines}: too few for {k} clusters, which need {least} lines each or more; choose {fit}, "
            "or two senses."
        )
    else:
        said = _(
            "{lines}: too few for {k} clusters, which need {least} lines each or more; {two} clusters "
            "need {needed}."
        )
    return said.format(
        lines=shown, least=LEAST_LINES, two=LEAST, needed=LEAST * LEAST_LINES, k=k, fit=most_clusters
    )


def _taken(selection: Selection) -> str:
    """Which of a word's lines are here."""
    if selection.way == "random":
        return _("drawn at random")
    if selection.way == "nth":
        return _("one of each {count}").format(count=count_of(selection.size))
    return _("taken evenly from all texts")


def about_layers(best: Layer) -> str:
    """What the control of the layer chooses, and how the best one was found (the help of it).

    Args:
        best: the layer that tells senses apart best.
    """
    chooses = _("The layer of the model whose vectors are compared.")
    if "best" not in best.names or best.accuracy is None:
        return chooses
    every = examples.words()
    found = _(
        "Layer {layer} is the best at telling senses apart: on our own {count} labelled sentences "
        "about {words} words, such as *{one}* and *{two}*, it was right in {share}. The lines below "
        "have no labels, and no accuracy."
    ).format(
        layer=best.layer + 1,
        count=sum(len(examples.labelled(one)) for one in every),
        words=len(every),
        one=every[1],
        two=every[2],
        share=percent(best.accuracy, 0),
    )
    return f"{chooses} {found}"


def matched(words: Mapping[str, int], word: str) -> str:
    """The different words that were found; "" if it is the word alone (Markdown)."""
    if [*words] == [word]:
        return ""
    named = ", ".join(
        f"*{text.plain(one)}* {count_of(count)}" for one, count in [*words.items()][:NAMED]
    )
    return ngettext(
        "found in {count} different word: {named}",
        "found in {count} different words: {named}",
        len(words),
    ).format(count=count_of(len(words)), named=named + and_more(len(words) - NAMED))


def over(column: str, groups: Groups, *, time: bool) -> str:
    """The heading of the shares over a column: only time is a change, and one group has no shares."""
    name = text.plain(column)
    if groups.kind == "all":
        return _("How many lines by *{column}*?").format(column=name)
    if time:
        return _("How did it change? The share of each group over *{column}*").format(column=name)
    return _("How does it differ by *{column}*?").format(column=name)


LEAST_SHOWN = 5  # lines of a value whose shares are drawn: the interval of fewer fills the axis


def largest_difference(column: str, found: Sequence[Share], labels: Sequence[str], group: int) -> str:
    """Where a group has its largest and its smallest share, if these surely differ (Markdown).

    Args:
        column: the column.
        found: the shares that are drawn.
        labels: the names of the groups.
        group: the group.
    """
    own = sorted((one for one in found if one.sense == group), key=lambda one: one.share)
    name, value = text.plain(labels[group]), text.plain(column)
    if len(own) < 2:
        return _("Only one *{column}* has {least} lines or more: there is nothing to compare.").format(
            column=value, least=LEAST_SHOWN
        )
    low, high = own[0], own[-1]
    if low.high >= high.low:
        return _(
            "**No *{column}* surely has a larger share of {group} than another**: the 95 % intervals "
            "of all of them overlap."
        ).format(column=value, group=name)
    return _(
        "**{group} holds {most} of the {many} lines of *{high}*, and {least} of the {few} of "
        "*{low}***: their 95 % intervals do not overlap."
    ).format(
        group=name,
        most=percent(high.share, 0),
        many=count_of(high.total),
        high=text.plain(value_name(high.value)),
        least=percent(low.share, 0),
        few=count_of(low.total),
        low=text.plain(value_name(low.value)),
    )


def shares(column: str, steps: Steps, rare: Sequence[str] = ()) -> str:
    """What the shares over a column are, and which of its values stand together or are left out.

    Args:
        column: the column.
        steps: its values, as lines are counted by them.
        rare: values with too few lines to be drawn, each with its number.
    """
    parts = [
        _(
            "The share of each group among the lines of each {column}; *n* is their number. The line "
            "through a share is its 95 % interval (Wilson). It assumes independent occurrences, and "
            "those of one text seldom are."
        ).format(column=text.plain(column))
    ]
    if steps.length is not None:
        parts.append(
            _("Values are put together in steps of {length}; a row is named by its first.").format(
                length=decimal(f"{steps.length:,g}")
            )
        )
    if steps.left_out:
        parts.append(
            ngettext(
                "{count} occurrence with a rarer value is left out.",
                "{count} occurrences with rarer values are left out.",
                steps.left_out,
            ).format(count=count_of(steps.left_out))
        )
    if rare:
        parts.append(
            _("Of fewer than {least} lines, only the table has shares: {values}.").format(
                least=LEAST_SHOWN, values=", ".join(rare[:NAMED]) + and_more(len(rare) - NAMED)
            )
        )
    return " ".join(parts)


def absent(words: tuple[str, ...]) -> str:
    """Which words that name a sense the corpus does not have: perhaps they are misspelt."""
    named = ", ".join(_("“{word}”").format(word=text.plain(one)) for one in words)
    return _(
        "This corpus does not contain {words}. Is it misspelt? The model has a vector for any word."
    ).format(words=named)


def line(before: str, word: str, after: str) -> str:
    """A line of a text with its word in bold; of a long one, what stands around the word."""
    return sentence(text.clipped(before, LINE, keep="end"), word, text.clipped(after, LINE))


def sentence(before: str, word: str, after: str) -> str:
    """A sentence with its word in bold; in a script from right to left, its parts keep their order."""
    left = text.escaped(before) + " " * before.endswith(" ")
    right = " " * after.startswith(" ") + text.escaped(after)
    return text.isolated(f"{left}**{text.escaped(word)}**{right}")


def facts(line: int, lines: Lines, groups: Groups, columns: tuple[str, ...]) -> str:
    """The number of a line, its group, and what is known of its text."""
    known = [
        _("line {number}").format(number=count_of(line + 1)),
        text.plain(groups.labels[groups.of[line]]),
    ]
    if groups.coordinate is not None:
        known.append(_("coordinate {value}").format(value=style.signed(float(groups.coordinate[line]))))
    row = lines.rows.slice(line, 1).to_pylist()[0]
    known += [
        _("{column} “{value}”").format(
            column=text.plain(column_name(name)), value=text.plain(text.clipped(str(row[name]), VALUE))
        )
        for name in ("source", *columns)
        if row[name] is not None
    ]
    return " · ".join(known)


def near(one: Near, count: int) -> str:
    """An occurrence of another word, with its similarity, its context, and how often it returns."""
    of: Occurrence = one.occurrence
    before, after = of.left, of.right
    cut, rest = text.clipped(before, AROUND, keep="end"), text.clipped(after, AROUND)
    found = sentence(cut, of.text[of.start : of.end], rest)
    more = (
        ngettext(" ({count} time)", " ({count} times)", count).format(count=count) if count > 1 else ""
    )
    return f"- **{style.signed(one.cosine)}** · {found}{more}"


def nothing_near(nearest: Near, word: str, unrelated: float) -> str:
    """That no other word is near, by which numbers.

    Args:
        nearest: the nearest occurrence.
        word: its word, as a list names it.
        unrelated: what one in a hundred pairs of words reaches.
    """
    return _(
        "**Nothing in this corpus is used like it.** The nearest word, *{word}*, has a similarity of "
        "{cosine}, and of pairs of different words drawn at random, one in a hundred reaches "
        "{unrelated}."
    ).format(
        word=text.plain(word), cosine=style.signed(nearest.cosine), unrelated=style.signed(unrelated)
    )


def used_alike(words: Sequence[str], own: str) -> str:
    """Which other words are used most like it (Markdown)."""
    return _("**Used most like “{word}”, by their vectors: {words}.**").format(
        word=text.plain(own), words=names(words)
    )


def nearest(
    shown: int, found: int, unrelated: float | None, *, of_line: bool, returns: bool
) -> list[str]:
    """How the nearest words were chosen, a sentence each.

    Args:
        shown: how many are listed.
        found: how many the files have.
        unrelated: the similarity below which none is listed; None if all are.
        of_line: whether they are near one line, and not a group.
        returns: whether a sentence returns in the texts.
    """
    if shown > 1:
        first = _(
            "The {shown} nearest by the cosine similarity of their vectors; the files have {found}."
        )
    elif shown:
        first = _("The nearest by the cosine similarity of their vectors; the files have {found}.")
    else:
        first = _("The similarity is the cosine of two vectors; the files have {found}.")
    parts = [first.format(shown=shown, found=found)]
    if unrelated is not None:
        parts.append(
            _(
                "Those below {bound} are not listed: one in a hundred pairs of different words drawn "
                "at random reaches that."
            ).format(bound=style.signed(unrelated))
        )
    own = (
        _("Words in the line’s own sentence are left out: they are near because they stand there.")
        if of_line
        else _(
            "Words in the sentences of these lines are left out: they are near because they stand "
            "there."
        )
    )
    parts += [own, _("Of each sentence, only its nearest word is listed.")]
    if returns:
        parts.append(_("A sentence that the texts repeat is listed once."))
    return parts


def strongest_beside(word: str, found: Collocates, of: Sequence[int], left: int, right: int) -> str:
    """Which words go together with it most strongly, and how often the first one does (Markdown).

    Args:
        word: the word.
        found: its collocates.
        of: those that are listed, the strongest first.
        left: words of the window on the left.
        right: on the right.
    """
    own = text.plain(word)
    if not of:
        return _("No word stands beside “{word}” often enough to say so.").format(word=own)
    first = of[0]
    return _(
        "**Beside “{word}” stand most strongly: {words}.** Of the {all} times that *{first}* occurs in "
        "these texts, it stands near “{word}” {count} times."
    ).format(
        word=own,
        words=names([found.words[i] for i in of]),
        first=text.plain(found.words[first]),
        all=count_of(int(found.frequency[first])),
        count=count_of(int(found.together[first])),
    )


def beside_group(label: str, words: Sequence[str], sure: Sequence[str]) -> str:
    """Which words tell a group from the others by standing beside the word (Markdown).

    Args:
        label: the name of the group.
        words: those that a test of one word does not leave to chance.
        sure: those of them that hold for as many words as were compared.
    """
    group = text.plain(label)
    if sure:
        said = _("Beside {group}, surely more often than beside the others: {words}.")
        return said.format(group=group, words=names(sure))
    if words:
        return _(
            "Beside {group}, no word stands surely more often than beside the others; perhaps {words}: "
            "among so many words, chance does that too."
        ).format(group=group, words=names(words))
    return _("Beside {group}, no word stands surely more often than beside the others.").format(
        group=group
    )


def beside(found: Collocates, least: int, left: int, right: int) -> str:
    """What the tables of collocates count, and by which measures."""
    said = _("Up to {left} on the left and {right} on the right in the same sentence")
    if not right:
        said = _("Up to {left} on the left in the same sentence")
    elif not left:
        said = _("Up to {right} on the right in the same sentence")
    where = said.format(left=_words(left), right=_words(right))
    return _(
        "{where}, signs not counted: {window} of {all} words. Words that stand there fewer than "
        "{least} times are not listed; the files have all. *logDice* is at most 14, for two words that "
        "never stand apart, and one less for half of that (Rychlý 2008); *LL*, the log-likelihood "
        "(Dunning 1993), says how surely it is no chance: above {chance}, chance does it once in 20 "
        "times, and among many words some times all the same. *Surely* is said of a word only if an "
        "exact binomial test holds for all words and groups that were compared: 5 % divided by their "
        "number (Bonferroni). *Log ratio* compares a group with the others: 1 is twice as often."
    ).format(
        where=where,
        window=count_of(found.window),
        all=count_of(found.total),
        least=least,
        chance=style.signed(BY_CHANCE),
    )


MEASURES = N_(
    "*logDice* says how strongly two words belong together: at most 14. *LL* says how surely it is no "
    "chance: the larger, the surer."
)


def _words(count: int) -> str:
    return ngettext("{count} word", "{count} words", count).format(count=count)


def apart(found: CollocateDifference, sides: Sequence[Sequence[str]], alike: Sequence[str]) -> str:
    """Which words stand beside the one and not beside the other (Markdown).

    Args:
        found: the collocates of both.
        sides: for either word, those that stand rather beside it.
        alike: those that stand beside both about as often.
    """
    first, second = (f"*{text.plain(text.clipped(one, 40))}*" for one in found.compared)
    parts = []
    for own, here, there in ((sides[0], first, second), (sides[1], second, first)):
        if own:
            said = _("Rather beside {here} than beside {there}: {words}.")
            parts.append(said.format(here=here, there=there, words=names(own, 6)))
        else:
            parts.append(_("Rather beside {here}: no word.").format(here=here))
    if alike:
        parts.append(_("Beside both alike: {words}.").format(words=names(alike, len(alike))))
    return " ".join(parts)


def difference(found: CollocateDifference, shown: Sequence[int], left: int, right: int) -> str:
    """What the bars of two words' collocates measure, and which differences are sure.

    Args:
        found: the collocates of both.
        shown: those that have a bar.
        left: words of the window on the left.
        right: on the right.
    """
    sure = [found.words[i] for i in shown if abs(float(found.log_likelihood[i])) > BY_CHANCE]
    named = names(sure, NAMED) + and_more(len(sure) - NAMED)
    first, second = (f"*{text.plain(text.clipped(one, 40))}*" for one in found.compared)
    own, other = (count_of(int(one)) for one in found.counts)
    parts = [
        _(
            "{count} lines of {first}, {other} of {second}, in windows of {left} and {right} words; a "
            "bar is the difference of the two logDice, as in Sketch Engine’s word sketch difference: 1 "
            "is twice as strong. A word that never stands beside one of the two counts as logDice 0 "
            "there, less than one meeting in 16,000 (Rychlý 2008)."
        ).format(count=own, first=first, other=other, second=second, left=left, right=right),
        _(
            "Shown are words whose log-likelihood with their own word is above {chance}; the files "
            "have all."
        ).format(chance=style.signed(BY_CHANCE)),
        _(
            "That they stand more often beside it than beside the other is sure in the same sense for "
            "**{count}** of {all}."
        ).format(count=len(sure), all=len(shown)),
    ]
    if sure:
        parts.append(_("These are {words}.").format(words=named))
    parts.append(_("The more frequent of the two words has more collocates for that reason alone."))
    return " ".join(parts)


def left_out(forms: tuple[str, ...]) -> str:
    """Which forms of the word are left out."""
    others = forms[1:]
    if not others:
        return ""
    named = ", ".join(_("“{word}”").format(word=text.plain(one)) for one in others[:4])
    return _("Other forms of the word ({words}) are left out.").format(
        words=named + ", …" * (len(others) > 4)
    )


def searched(word: CachedWord, recall: Future[float] | None) -> str:
    """How the nearest were searched, and what such a search finds."""
    words = count_of(word.corpus.manifest.words)
    if recall is None:
        return _("Compared with all {count} vectors of the corpus, exactly.").format(count=words)
    if not recall.done():
        said = _("Found among {count} vectors by an index. How many it misses is being measured …")
    elif recall.exception() is not None:
        said = _("Found among {count} vectors by an index. How many it misses could not be measured.")
    else:
        return _(
            "Found among {count} vectors by an index. Measured on 50 occurrences drawn at random, it "
            "finds **{share}** of the true ten nearest (recall)."
        ).format(count=words, share=percent(recall.result()))
    return said.format(count=words)


def most_frequent(found: Frequencies, word: str) -> str:
    """Where the word is surely more frequent than anywhere else, or not (Markdown)."""
    low, high = found.intervals.T
    rates = found.per_million
    at, name = int(rates.argmax()), text.plain(column_name(found.column))
    if len(rates) < 2 or not found.counts.any():
        return ""
    others = [i for i in range(len(rates)) if i != at]
    value = text.plain(
        value_name(found.values[at]) if found.values[at] is not None else pgettext("of values", "none")
    )
    if any(high[i] >= low[at] for i in others):
        return _(
            "**With no value of *{column}* is “{word}” surely more frequent than with each of the "
            "others**: the intervals of the most frequent ones overlap. The words typical of a value "
            "are another count: there, all others are taken together."
        ).format(column=name, word=text.plain(word))
    rest = MILLION * (found.counts.sum() - found.counts[at]) / (found.sizes.sum() - found.sizes[at])
    return _(
        "**“{word}” is most frequent in *{value}***: {rate} per million words, against {rest} in all "
        "other texts."
    ).format(
        word=text.plain(word),
        value=value,
        rate=_per_million(float(rates[at])),
        rest=_per_million(float(rest)),
    )


def spread_over(found: Frequencies, more: int) -> str:
    """What the table of frequencies counts, and how evenly the word is spread."""
    parts = []
    if found.deviation is not None:
        parts.append(
            _(
                "The deviation of proportions is **{value}** (Gries 2008): 0 if the word is spread "
                "evenly over these texts, towards 1 if it stands in few of them."
            ).format(value=style.signed(found.deviation))
        )
    parts.append(
        _(
            "*At least* and *at most* are Wilson’s 95 % interval of the occurrences in a million "
            "words; it assumes that occurrences are independent, and those of one text seldom are."
        )
    )
    if more > 0:
        parts.append(
            _(
                "Shown are the values in which the word stands most often; the files also have the "
                "{count} others."
            ).format(count=count_of(more))
        )
    return " ".join(parts)


def typical_words(value: str, more: Sequence[str], less: Sequence[str]) -> str:
    """Which words some texts surely have more often than the others, and less often (Markdown)."""
    of = text.plain(value)
    if not more and not less:
        return _("No word is surely more or less frequent in *{value}* than elsewhere.").format(
            value=of
        )
    parts = []
    if more:
        parts.append(_("**Typical of *{value}*: {words}.**").format(value=of, words=names(more)))
    if less:
        parts.append(_("Of all other texts rather: {words}.").format(words=names(less)))
    return " ".join(parts)


def keywords(found: Keywords, least: int) -> str:
    """What the two tables of key words compare."""
    return _(
        "{here} words here, {others} in the other texts. Words that stand there fewer than {least} "
        "times are not listed; the files have all. The surest come first: *LL* is the log-likelihood "
        "(Dunning 1993), *log ratio* how many times as often, in powers of two: 1 is twice, −1 half "
        "(Hardie 2014)."
    ).format(here=count_of(found.size), others=count_of(found.rest), least=least)


def surprising(found: Array, groups: Groups) -> str:
    """In which group the word comes as the largest surprise (Markdown)."""
    medians = {
        text.plain(name): float(np.median(own))
        for number, name in enumerate(groups.labels)
        if len(own := found[np.isfinite(found) & (groups.of == number)])
    }
    if len(medians) == 1:
        (bits,) = medians.values()
        return _("The median surprise of all lines is **{bits} bits**.").format(bits=signed(bits, 1))
    said = CLOSE.join(f"*{name}* **{signed(bits, 1)}**" for name, bits in medians.items())
    return _("The median surprise, in bits: {groups}.").format(groups=said)


def no_surprise(first: int, of: int) -> str:
    """That no line has a number, and why.

    Args:
        first: lines in which the word stands first.
        of: all lines.
    """
    if first == of:
        return _("The word stands first in each of its lines: nothing before it leads to expect it.")
    if not first:
        return _("No line could be read by the model up to the word.")
    return " ".join([_("No line has a number."), *_without(first, of - first)])


def _without(first: int, unread: int) -> list[str]:
    """How many lines have no number, for each reason that there is: see `surprise`."""
    said = []
    if first:
        said.append(
            ngettext(
                "{count} line has no number: the word stands first.",
                "{count} lines have no number: the word stands first.",
                first,
            ).format(count=count_of(first))
        )
    if unread:
        said.append(
            ngettext(
                "{count} line has no number: the model could not read up to the word.",
                "{count} lines have no number: the model could not read up to the word.",
                unread,
            ).format(count=count_of(unread))
        )
    return said


def surprise(first: int, unread: int, model: str) -> str:
    """What the bits say, and of which lines there are none.

    Args:
        first: lines without a number, since the word stands first in them.
        unread: lines without one, since the model could not read them up to the word.
        model: the name of the model.
    """
    means = _(
        "The surprise of a word is −log₂ of the probability that the model gave it after what stands "
        "before it in the line, summed over its tokens: 1 bit is a coin’s toss, 10 bits one chance in "
        "1,024. {model} has not read what stands after it."
    ).format(model=model_cache.markdown_title(model))
    return " ".join([means, *_without(first, unread), _("Lines can be sorted by it, above.")])


def marked(count: int, of: int, *, kept: bool) -> str:
    """How many lines are marked, and how long that lasts (Markdown)."""
    where = (
        _("Marks are kept with the corpus, for everyone who opens it.")
        if kept
        else _(
            "Marks last for your visit: save them as a file, and bring them back another time. A "
            "server that is started with POLYSEE_MARKS=corpus keeps them with the corpus."
        )
    )
    said = _("**{count}** of these {all} lines have your mark.")
    return f"{said.format(count=count_of(count), all=count_of(of))} {where}"


def clusters_marked(found: ClusterAgreement) -> str:
    """What clusters make of marks (Markdown)."""
    follow = next(said for least, said in _FOLLOW if found.index >= least)
    if found.purity > found.commonest:
        shares = _(
            "Of {count} marked lines, **{share}** have the commonest mark of their group; without "
            "groups, {alone} would."
        )
    else:
        shares = _(
            "Of {count} marked lines, **{share}** have the commonest mark of their group; without "
            "groups, just as many would."
        )
    said = shares.format(
        count=count_of(sum(map(sum, found.counts))),
        share=percent(found.purity, 0),
        alone=percent(found.commonest, 0),
    )
    index = _("The adjusted Rand index is **{index}**.").format(index=style.signed(found.index))
    return " ".join([*map(gettext, follow), said, index])


# By the adjusted Rand index, the steps of our own choice: the number stands beside what is said.
_FOLLOW = (
    (0.9, (N_("**These groups are your marks, but for a few lines.**"),)),
    (0.5, (N_("**These groups follow your marks for the most part.**"),)),
    (0.1, (N_("**These groups follow your marks only in part.**"),)),
    (
        -1.0,
        (
            N_("**These groups do not follow your marks.**"),
            N_(
                "They sort the lines by something else, such as topic. To ask for your two senses "
                "themselves, choose *Group by: two senses*, and name them."
            ),
        ),
    ),
)


def axis_marked(found: AxisAgreement, names: Sequence[str], marked: int) -> str:
    """What an axis makes of two marks (Markdown).

    Args:
        found: the agreement.
        names: the two ends of the axis.
        marked: how many lines have a mark, whichever.
    """
    low, high = map(text.plain, names[:2])
    said = _(
        "On the axis from *{low}* to *{high}*, lines marked *{one}* ({few}) stand lower than those "
        "marked *{two}* ({many}) in **{area}** of all pairs; chance is 50 %. **{right}** of them stand "
        "on their own side of 0."
    ).format(
        low=low,
        high=high,
        one=text.plain(found.low),
        few=count_of(found.counts[0]),
        two=text.plain(found.high),
        many=count_of(found.counts[1]),
        area=percent(found.area, 0),
        right=percent(found.right, 0),
    )
    if other := marked - sum(found.counts):
        said += " " + _("Lines with other marks ({count}) are left out.").format(count=count_of(other))
    return said


def astray(count: int) -> str:
    """The heading of lines that stand on the other side than their mark (Markdown)."""
    return ngettext(
        "**{count} line stands on the other side of 0** than its mark does: is the model wrong, or the "
        "mark?",
        "**{count} lines stand on the other side of 0** than their marks do, the farthest first: is "
        "the model wrong, or the mark?",
        count,
    ).format(count=count_of(count))


def with_context(earlier: Sequence[str], own: str, later: Sequence[str]) -> str:
    """A line between the sentences around it (Markdown)."""
    before, after = (" ".join(text.escaped(one) for one in part) for part in (earlier, later))
    return " ".join(one for one in (before, own, after) if one)


def around(before: str, word: str, after: str) -> str:
    """A line of a list, its word in bold, what stands around it cut."""
    return sentence(text.clipped(before, AROUND, keep="end"), word, text.clipped(after, AROUND))


def drifted(found: Sequence[Drift], first: object) -> str:
    """How far the mean moved, and which distances are no accident of sampling (Markdown)."""
    far = [one for one in found if one.distance > one.chance]
    if not far:
        return _(
            "By the vectors alone, without groups: seen from {first}, no later step is farther from it "
            "than shuffled years are."
        ).format(first=first)
    return _(
        "By the vectors alone, without groups: seen from {first}, **{count}** of {all} later steps lie "
        "farther from it than shuffled years: {years}."
    ).format(
        first=first,
        count=len(far),
        all=len(found),
        years=", ".join(value_name(one.value) for one in far),
    )


DRIFT = N_(
    "The distance is 1 − the cosine of the mean vectors of two steps, the first one and a later one. "
    "The grey band is its 95 % interval: the lines of both drawn anew 200 times. *By chance* is what "
    "95 % of 200 shufflings stay below, in which the lines of the two steps are dealt out at random: "
    "means of few lines lie apart for that reason alone."
)


def varied(column: str, found: Sequence[Variety]) -> str:
    """Over how many groups the lines of each value of a column are spread (Markdown)."""
    name = text.plain(column)
    order = sorted(found, key=lambda one: -one.number)
    most, least = order[0], order[-1]
    high, low = (text.plain(value_name(one.value)) for one in (most, least))
    if len(order) < 2 or most.low <= least.high:
        said = _(
            "**In no {column} does it surely have more uses than in another**: its lines are spread "
            "over about as many groups."
        ).format(column=name)
    else:
        said = _(
            "**It has more uses in *{high}* than in *{low}***: as many as {most} equally frequent "
            "groups, against {least}."
        ).format(high=high, low=low, most=signed(most.number, 1), least=signed(least.number, 1))
    return said


def varied_means(column: str, found: Sequence[Variety]) -> str:
    """By which numbers the lines of each value are spread over the groups (Markdown)."""
    each = CLOSE.join(
        _("*{value}* **{number}** ({low} to {high})").format(
            value=text.plain(value_name(one.value)),
            number=signed(one.number, 1),
            low=signed(one.low, 1),
            high=signed(one.high, 1),
        )
        for one in found[:NAMED]
    )
    return _(
        "Of {drawn} lines drawn from each {column}, so many groups are in use: {each}. That is exp of "
        "the entropy of their shares, as if so many groups were equally frequent (Hill 1973), and 95 % "
        "of 1,000 draws. As many lines are drawn from each, since more lines alone show more uses. "
        "Whether a group is a sense, only its lines tell; groups by your own marks are what you read "
        "in them."
    ).format(
        drawn=count_of(found[0].drawn),
        column=text.plain(column),
        each=each + and_more(len(found) - NAMED),
    )


def apart_by(column: str, found: Sequence[Drift], start: str) -> str:
    """Where the mean vector lies farther from that of a value than chance explains (Markdown)."""
    far = [one for one in found if one.distance > one.chance]
    name, own = text.plain(column), text.plain(start)
    if not far:
        return _(
            "By the vectors alone, without groups: in no *{column}* is the word used otherwise than in "
            "*{start}* by more than chance explains."
        ).format(column=name, start=own)
    named = CLOSE.join(
        _("*{value}* **{distance}** ({low} to {high}; chance {chance})").format(
            value=text.plain(value_name(one.value)),
            distance=signed(one.distance, 3),
            low=signed(one.low, 3),
            high=signed(one.high, 3),
            chance=signed(one.chance, 3),
        )
        for one in far[:NAMED]
    )
    return _(
        "By the vectors alone, without groups, farther from *{start}* than chance explains: {values}."
    ).format(start=own, values=named + and_more(len(far) - NAMED))


def apart_means(column: str, start: str) -> str:
    """What the distances of two values of a column are."""
    return _(
        "The distance is 1 − the cosine of the mean vectors of two values of {column}: the commonest, "
        "{start}, and each other one with five lines or more. *Low* and *high* are its 95 % interval: "
        "the lines of both drawn anew 200 times. *Chance* is what 95 % of 200 deals stay below in "
        "which the lines of the two are mixed. Lines of one text are alike for that reason alone, and "
        "a topic moves the mean as a sense does: read the lines."
    ).format(column=text.plain(column), start=text.plain(start))


def each_word(found: WordFrequencies, parts: int, shown: int) -> str:
    """What the table of all words that were found counts.

    Args:
        found: the words.
        parts: how many values of the column have a column of the table.
        shown: rows of the table.
    """
    name = text.plain(column_name(found.column))
    said = [
        _(
            "Of a million words of these texts, with Wilson’s 95 % interval. *DP* is the deviation of "
            "proportions over {column}: 0 if spread evenly, towards 1 if it stands in few values; of a "
            "word that occurs once or twice it is large for that reason alone."
        ).format(column=name),
        (
            _("The columns at the end are for each value of {column}, in a million of its words.")
            if parts
            else _("With more than a few values of {column}, only the files say how often in each.")
        ).format(column=name),
    ]
    if (rest := len(found.words) - shown) > 0:
        said.append(_("The files also have the {count} rarer ones.").format(count=count_of(rest)))
    return " ".join(said)
