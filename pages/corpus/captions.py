"""The captions of the Corpus page (Markdown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future

import numpy as np

from core.corpus import Manifest, Near, Occurrence
from core.corpus.querying.collocate_difference import CollocateDifference
from core.corpus.querying.collocates import Collocates, Keywords
from core.corpus.querying.concordance import LEAST_LINES, Groups, Lines
from core.corpus.querying.frequencies import Frequencies, WordFrequencies
from core.corpus.storage.columns import value_name
from core.corpus.storage.layers import Layer
from core.examples import sentences as examples
from core.figures import style
from core.measures.senses.clusters import LEAST
from core.measures.senses.drift import Drift
from core.measures.senses.marked import AxisAgreement, ClusterAgreement
from core.measures.senses.separation import AGREEING, REASONABLE, WEAK, Separation
from core.measures.senses.shares import Steps, wilson
from core.measures.senses.variety import Variety
from core.records.finding import is_phrase
from core.records.frozen import Array
from core.sentences import percent
from ui import text
from ui.corpora.lines import CachedWord
from ui.corpora.selection import Selection
from ui.models import model_cache

NAMED = 8  # words of which a sought one is a part
LINE = 400  # characters of a context on each side, of the chosen line
AROUND = 70  # characters of a context on each side, in a list
NEAR, MAP = "What else is used like this?", "The map of its lines, layer by layer"
FREQUENCY, KEYWORDS = "How often, and where?", "Which words are typical of some of the texts?"
SURPRISE, MARKS = "How surprising is it in its line?", "Your marks, and what the groups make of them"
BESIDE = "What stands beside it, in each group?"
BY_CHANCE = (
    3.84  # of a log-likelihood, which chance reaches once in 20 times (χ², one degree of freedom)
)
VALUE = 80  # characters of the value of a column


def answer(word: CachedWord, groups: Groups, found: Separation | None) -> str:
    """What the lines of the word show, in a sentence or two (Markdown).

    Args:
        word: the word.
        groups: its groups.
        found: how well its clusters separate; None for groups of another kind.
    """
    lines, own = word.lines, f"“{text.plain(word.lines.word)}”"
    count, k = len(lines), len(groups.names)
    if groups.kind == "axis":
        at_low, at_high, between = groups.counts
        low, high = (f"*{text.plain(name)}*" for name in groups.names[:2])
        if between > count / 2:
            return (
                f"**Most lines of {own} stand between** {low} and {high}, {between:,} of {count:,}: "
                "the two hardly divide this word."
            )
        return (
            f"**{at_low:,}** of {count:,} lines of {own} stand at {low} and **{at_high:,}** at {high}; "
            f"{between:,} stand{'s' * (between == 1)} between."
        )
    if groups.kind == "marks":
        named = [f"*{text.plain(name)}* {count:,}" for name, count in marks_of(groups)]
        return (
            f"You have marked **{count - left_over(groups):,}** of {count:,} lines of {own}: "
            f"{', '.join(named)}."
        )
    if groups.kind == "density":
        return dense(own, count, groups)
    if groups.kind == "all" or found is None:
        few = "There is one line" if count == 1 else f"The {count:,} lines"
        if groups.kind != "all" and count > 1:
            return f"{few} of {own} have the same vector: there is nothing to separate."
        return f"**{few}** of {own}{'.' if count == 1 else ' stand together: too few for clusters.'}"
    if found.level == "none":
        return (
            f"**The lines of {own} do not form clusters.** k-means cuts them into {k} parts all the "
            "same: read these as regions, not as senses."
        )
    if found.level == "weak":
        border = "lines at their border could be in either"
        return f"The lines of {own} form **{k} clusters that touch**: {border}."
    return f"The lines of {own} form **{k} clusters that stand apart**."


def marks_of(groups: Groups) -> list[tuple[str, int]]:
    """The groups that are groups, with their sizes: without the one of lines that belong to none."""
    named = [*zip(groups.names, groups.counts, strict=True)]
    return [one for number, one in enumerate(named) if number != groups.left_over]


def left_over(groups: Groups) -> int:
    """How many lines belong to no group."""
    return 0 if groups.left_over is None else groups.counts[groups.left_over]


def dense(own: str, count: int, groups: Groups) -> str:
    """How many dense clusters there are, and whether they return in other samples of the lines."""
    k, rest = len(marks_of(groups)), left_over(groups)
    found = "1 dense cluster" if k == 1 else f"{k} dense clusters"
    none = f"; {rest:,} of {count:,} lie in no cluster" if rest else ""
    said = f"The lines of {own} form **{found}**{none}."
    if groups.stability is None:
        return said
    counts = sorted(set(groups.resampled))
    again = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    how = "they return" if groups.stability >= STABLE else "they depend on which lines are there"
    return (
        f"{said} Found anew in random 80 % of the lines, {how}: {again} each time, with a mean "
        f"adjusted Rand index of {style.signed(groups.stability)}."
    )


DENSE = -1  # as many dense clusters as there are
STABLE = 0.8  # of an adjusted Rand index
MILLION = 1_000_000


def corpus_facts(title: str, of: Manifest) -> str:
    """Which texts these are, and how many (Markdown)."""
    names = f", from {len(of.sources):,} files" if len(of.sources) > 1 else ""
    return (
        f"**{text.plain(title)}**: {of.sentences:,} sentence{'s' * (of.sentences != 1)}, "
        f"{of.words:,} word{'s' * (of.words != 1)}{names}."
    )


def frequency(word: CachedWord) -> str:
    """How often the word occurs: in all, and of a million words, with an interval (Markdown)."""
    lines, words = word.lines, max(1, word.words_of_texts())
    chosen = word.query.selection
    where = f" where {chosen.in_words()} ({words:,} words)" if lines.condition else ""
    low, high = (MILLION * one for one in wilson(lines.total, words))
    return (
        f"“{text.plain(lines.word)}” occurs **{lines.total:,}** time{'s' * (lines.total != 1)}{where}: "
        f"**{_per_million(MILLION * lines.total / words)} per million words** (95 % interval "
        f"{_per_million(low)} to {_per_million(high)})."
    )


def _per_million(rate: float) -> str:
    """Whole numbers, and of a rare word one decimal."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def separated(found: Separation, k: int) -> str:
    """By which numbers clusters count as separate."""
    share = percent(found.agreement, 0)
    return (
        f"Mean silhouette **{style.signed(found.silhouette)}**: above {style.signed(REASONABLE)}, "
        f"clusters stand apart; up to {style.signed(WEAK)}, they do not (Kaufman and Rousseeuw 1990). "
        f"Found anew in two random halves of the lines, the {k} clusters agree on **{share}** of them; "
        f"below {percent(AGREEING, 0)} they depend on which lines are there."
    )


def counted(word: CachedWord, groups: Groups, k: int) -> str:
    """How many lines there are, and by which vectors they are grouped.

    Args:
        word: the word.
        groups: its groups.
        k: how many clusters were asked for; 0 for as many as are suggested; `DENSE` for dense ones.
    """
    lines, manifest = word.lines, word.corpus.manifest
    model = model_cache.markdown_title(manifest.model)
    shown = f"**{len(lines):,}** occurrence{'s' * (len(lines) > 1)} of “{text.plain(lines.word)}”"
    if lines.total > len(lines):
        shown = (
            f"**{len(lines):,}** of **{lines.total:,}** occurrences of “{text.plain(lines.word)}”, "
            f"{_taken(word.query.selection)},"
        )
    words = word.words()
    if several := matched(words, lines.word):
        shown += f" ({several})"
    of = f"layer {lines.layer + 1} of {model}"
    if any(map(is_phrase, words)):
        of += " (the vector of a phrase is the mean of those of its words)"
    if groups.kind == "axis":
        low, high = map(text.plain, groups.names[:2])
        assert groups.coordinate is not None
        least, most = (
            style.signed(float(one)) for one in (groups.coordinate.min(), groups.coordinate.max())
        )
        return (
            f"{shown}, placed between *{low}* (−1) and *{high}* (+1) by their vectors after {of}; they "
            f"reach from {least} to {most}. A line counts as one of the two beyond a third of the way, "
            "±0.33, and the outermost comes first."
        )
    if groups.kind == "marks":
        return f"{shown}, grouped by your marks; their vectors are those after {of}."
    if groups.kind == "density":
        return (
            f"{shown}. HDBSCAN looks for regions in which the vectors after {of} lie close together, "
            "on their first eight principal components; a cluster has at least 4 % of the "
            "lines, and five."
        )
    if groups.kind == "all" and k == DENSE and len(lines) > 1:
        return (
            f"{shown}: no dense cluster, or too few lines for any. They stand together, the most "
            f"typical first by their vectors after {of}."
        )
    if groups.kind == "all" and len(lines) > 1:
        k = k or LEAST
        different = len(lines.distinct)
        most_clusters = different // LEAST_LINES
        if different < len(lines):
            shown += f", {different:,} of them different" if different > 1 else ", all of them alike"
        if most_clusters >= k:
            return (
                f"{shown}: k-means leaves fewer than {LEAST_LINES} different lines in a cluster, "
                "too few for clusters. The lines stand together, the most typical first by their "
                f"vectors after {of}."
            )
        fewer = (
            f"choose {most_clusters}, or two senses"
            if most_clusters >= LEAST
            else f"{LEAST} clusters need {LEAST * LEAST_LINES}"
        )
        few = (
            f"too few for clusters, of which {LEAST} need {LEAST * LEAST_LINES} lines"
            if k == LEAST
            else f"too few for {k} clusters, which need {LEAST_LINES} lines each or more; {fewer}"
        )
        return (
            f"{shown}: {few}. "
            f"The lines stand together, the most typical first by their vectors after {of}."
        )
    if len(groups.names) > 1:
        fewer = (
            f" More would leave fewer than {LEAST_LINES} different lines in one of them."
            if k > len(groups.names)
            else ""
        )
        return f"{shown} in {len(groups.names)} clusters of their vectors after {of}.{fewer}"
    if len(lines) > 1:
        return f"{shown}. Their vectors after {of} are the same, and therefore form one cluster."
    return f"{shown}, with its vector after {of}."


def _taken(selection: Selection) -> str:
    """Which of a word's lines are here."""
    if selection.way == "random":
        return "drawn at random"
    if selection.way == "nth":
        return f"one of each {selection.size:,}"
    return "taken evenly from all texts"


def about_layers(best: Layer) -> str:
    """What the control of the layer chooses, and how the best one was found (the help of it).

    Args:
        best: the layer that tells senses apart best.
    """
    chooses = "The layer of the model whose vectors are compared."
    if "best" not in best.names or best.accuracy is None:
        return chooses
    every = examples.words()
    count = sum(len(examples.labelled(one)) for one in every)
    return (
        f"{chooses} Layer {best.layer + 1} is the best at telling senses apart: on our own {count} "
        f"labelled sentences about {len(every)} words, such as *{every[1]}* and *{every[2]}*, it was "
        f"right in {percent(best.accuracy, 0)}. The lines below have no labels, and no accuracy."
    )


def matched(words: Mapping[str, int], word: str) -> str:
    """The different words that were found; "" if it is the word alone (Markdown)."""
    if [*words] == [word]:
        return ""
    named = ", ".join(f"*{text.plain(one)}* {count:,}" for one, count in [*words.items()][:NAMED])
    more = f" and {len(words) - NAMED:,} more" if len(words) > NAMED else ""
    return f"found in {len(words):,} different word{'s' * (len(words) > 1)}: {named}{more}"


def over(column: str, groups: Groups, *, time: bool) -> str:
    """The heading of the shares over a column: only time is a change, and one group has no shares."""
    name = text.plain(column)
    if groups.kind == "all":
        return f"How many lines by *{name}*?"
    if time:
        return f"How did it change? The share of each group over *{name}*"
    return f"How does it differ by *{name}*?"


def shares(column: str, steps: Steps) -> str:
    """What the shares over a column are, and which of its values stand together or are left out."""
    together = (
        f" Values are put together in steps of {steps.length:,g}; a row is named by its first."
        if steps.length is not None
        else ""
    )
    more = (
        f" {steps.left_out:,} occurrence{'s' * (steps.left_out != 1)} with rarer values "
        f"{'are' if steps.left_out != 1 else 'is'} left out."
        if steps.left_out
        else ""
    )
    return (
        f"The share of each group among the lines of each {text.plain(column)}; *n* is their "
        f"number.{together} The line through a share is its 95 % interval (Wilson). It assumes "
        f"independent occurrences, and those of one text seldom are.{more}"
    )


def absent(words: tuple[str, ...]) -> str:
    """Which words that name a sense the corpus does not have: perhaps they are misspelt."""
    named = ", ".join(f"“{text.plain(one)}”" for one in words)
    return f"This corpus does not contain {named}. Is it misspelt? The model has a vector for any word."


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
    known = [f"line {line + 1:,}", text.plain(groups.names[groups.of[line]])]
    if groups.coordinate is not None:
        known.append(f"coordinate {style.signed(float(groups.coordinate[line]))}")
    row = lines.rows.slice(line, 1).to_pylist()[0]
    known += [
        f"{text.plain(name)} “{text.plain(text.clipped(str(row[name]), VALUE))}”"
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
    more = f" ({count} times)" if count > 1 else ""
    return f"- **{style.signed(one.cosine)}** · {found}{more}"


def nothing_near(nearest: Near, word: str, unrelated: float) -> str:
    """That no other word is near, by which numbers.

    Args:
        nearest: the nearest occurrence.
        word: its word, as a list names it.
        unrelated: what one in a hundred pairs of words reaches.
    """
    return (
        f"**Nothing in this corpus is used like it.** The nearest word, *{text.plain(word)}*, has a "
        f"similarity of {style.signed(nearest.cosine)}, and of pairs of different words drawn at "
        f"random, one in a hundred reaches {style.signed(unrelated)}."
    )


def bound(unrelated: float) -> str:
    """Below which similarity words are not listed."""
    return (
        f"Those below {style.signed(unrelated)} are not listed: one in a hundred pairs of different "
        "words drawn at random reaches that. "
    )


def beside(found: Collocates, least: int, left: int, right: int) -> str:
    """What the tables of collocates count, and by which measures."""
    sides = " and ".join(
        f"{count} word{'s' * (count != 1)} on the {side}"
        for count, side in ((left, "left"), (right, "right"))
        if count
    )
    return (
        f"Up to {sides} in the same sentence, signs not counted: {found.window:,} of {found.total:,} "
        f"words. Words that stand there fewer than {least} times are not listed; the files have "
        "all. *logDice* is at most 14, for two words that never stand apart, and one less for half of "
        "that (Rychlý 2008); *LL*, the log-likelihood (Dunning 1993), says how surely it is no chance: "
        f"above {style.signed(BY_CHANCE).lstrip('+')}, chance does it once in 20 times, and among many "
        "words some times all the same. *Log ratio* compares a group with the others: 1 is twice as "
        "often."
    )


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
            named = ", ".join(f"*{text.plain(one)}*" for one in own[:6])
            parts.append(f"Rather beside {here} than beside {there}: {named}.")
        else:
            parts.append(f"No word stands surely more often beside {here}.")
    if alike:
        parts.append(f"Beside both alike: {', '.join(f'*{text.plain(one)}*' for one in alike)}.")
    return " ".join(parts)


def difference(found: CollocateDifference, shown: Sequence[int], left: int, right: int) -> str:
    """What the bars of two words' collocates measure, and which differences are sure.

    Args:
        found: the collocates of both.
        shown: those that have a bar.
        left: words of the window on the left.
        right: on the right.
    """
    chance = style.signed(BY_CHANCE).lstrip("+")
    sure = [found.words[i] for i in shown if abs(float(found.log_likelihood[i])) > BY_CHANCE]
    named = f": {', '.join(f'*{text.plain(one)}*' for one in sure[:NAMED])}" if sure else ""
    more = f" and {len(sure) - NAMED} more" if len(sure) > NAMED else ""
    first, second = (f"*{text.plain(text.clipped(one, 40))}*" for one in found.compared)
    counts = [int(one) for one in found.counts]
    return (
        f"{counts[0]:,} lines of {first}, {counts[1]:,} of {second}, in windows of {left} and {right} "
        "words; a bar is the difference of the two logDice, as in Sketch Engine’s word sketch "
        "difference: 1 is twice as strong. A word that never stands beside one of the two counts as "
        "logDice 0 there, less than one meeting in 16,000 (Rychlý 2008). Shown are words whose "
        f"log-likelihood with their own word is above {chance}; the files have all. That they stand "
        f"more often beside it than beside the other is sure in the same sense for **{len(sure)}** of "
        f"{len(shown)}{named}{more}. The more frequent of the two words has more collocates for that "
        "reason alone."
    )


def left_out(forms: tuple[str, ...]) -> str:
    """Which forms of the word are left out."""
    _, *others = forms
    if not others:
        return ""
    named = ", ".join(f"“{text.plain(one)}”" for one in others[:4])
    return f"Other forms of the word ({named}{', …' * (len(others) > 4)}) are left out. "


def searched(word: CachedWord, recall: Future[float] | None) -> str:
    """How the nearest were searched, and what such a search finds."""
    words = f"{word.corpus.manifest.words:,}"
    if recall is None:
        return f"Compared with all {words} vectors of the corpus, exactly."
    if not recall.done():
        return f"Found among {words} vectors by an index. How many it misses is being measured …"
    if recall.exception() is not None:
        return f"Found among {words} vectors by an index. How many it misses could not be measured."
    return (
        f"Found among {words} vectors by an index. Measured on 50 occurrences drawn at random, it "
        f"finds **{percent(recall.result())}** of the true ten nearest (recall)."
    )


def spread_over(found: Frequencies, more: int) -> str:
    """What the table of frequencies counts, and how evenly the word is spread."""
    even = (
        f"The deviation of proportions is **{found.deviation:.2f}** (Gries 2008): 0 if the word is "
        "spread evenly over these texts, towards 1 if it stands in few of them. "
        if found.deviation is not None
        else ""
    )
    left = (
        "Shown are the values in which the word stands most often; the files also have the "
        f"{more:,} others. "
        if more > 0
        else ""
    )
    return (
        f"{even}*From* and *to* are Wilson’s 95 % interval of the occurrences in a million words; it "
        f"assumes that occurrences are independent, and those of one text seldom are. {left}"
    ).rstrip()


def keywords(found: Keywords, least: int) -> str:
    """What the two tables of key words compare."""
    return (
        f"{found.size:,} words here, {found.rest:,} in the other texts. Words that stand there fewer "
        f"than {least} times are not listed; the files have all. The surest come first: *LL* is the "
        "log-likelihood (Dunning 1993), *log ratio* how many times as often, in powers of two: 1 is "
        "twice, −1 half (Hardie 2014)."
    )


def surprising(found: Array, groups: Groups) -> str:
    """In which group the word comes as the largest surprise (Markdown)."""
    medians = {
        text.plain(name): float(np.median(own))
        for number, name in enumerate(groups.names)
        if len(own := found[np.isfinite(found) & (groups.of == number)])
    }
    said = ", ".join(f"*{name}* **{bits:.1f}**" for name, bits in medians.items())
    one = "" if len(medians) > 1 else " of all lines"
    return f"The median surprise{one}, in bits: {said}."


def no_surprise(first: int, of: int) -> str:
    """That no line has a number, and why.

    Args:
        first: lines in which the word stands first.
        of: all lines.
    """
    if first == of:
        return "The word stands first in each of its lines: nothing before it leads to expect it."
    if not first:
        return "No line could be read by the model up to the word."
    return "No line has a number." + "".join(_without(first, of - first))


def _without(first: int, unread: int) -> list[str]:
    """How many lines have no number, for each reason that there is: see `surprise`."""
    return [
        f" {count:,} {'line has' if count == 1 else 'lines have'} no number: {reason}."
        for count, reason in (
            (first, "the word stands first"),
            (unread, "the model could not read up to the word"),
        )
        if count
    ]


def surprise(first: int, unread: int, model: str) -> str:
    """What the bits say, and of which lines there are none.

    Args:
        first: lines without a number, since the word stands first in them.
        unread: lines without one, since the model could not read them up to the word.
        model: the name of the model.
    """
    return (
        "The surprise of a word is −log₂ of the probability that the model gave it after what stands "
        "before it in the line, summed over its tokens: 1 bit is a coin’s toss, 10 bits one chance in "
        f"1,024. {model_cache.markdown_title(model)} has not read what stands after it."
        f"{''.join(_without(first, unread))} "
        "Lines can be sorted by it, above."
    )


def marked(count: int, of: int, *, kept: bool) -> str:
    """How many lines are marked, and how long that lasts (Markdown)."""
    where = (
        "Marks are kept with the corpus, for everyone who opens it."
        if kept
        else "Marks last for your visit: save them as a file, and bring them back another time. A "
        "server that is started with POLYSEE_MARKS=corpus keeps them with the corpus."
    )
    return f"**{count:,}** of these {of:,} lines have your mark. {where}"


def clusters_marked(found: ClusterAgreement) -> str:
    """What clusters make of marks (Markdown)."""
    follow = next(said for least, said in _FOLLOW if found.index >= least)
    if found.purity > found.commonest:
        alone = f"without groups, {percent(found.commonest, 0)} would"
    else:
        alone = "without groups, just as many would"
    return (
        f"**{follow[0]}**{follow[1]} Of {sum(map(sum, found.counts)):,} marked lines, "
        f"**{percent(found.purity, 0)}** have the commonest mark of their group; {alone}. The "
        f"adjusted Rand index is **{style.signed(found.index)}**."
    )


# By the adjusted Rand index, the steps of our own choice: the number stands beside what is said.
_FOLLOW = (
    (0.9, ("These groups are your marks, but for a few lines.", "")),
    (0.5, ("These groups follow your marks for the most part.", "")),
    (0.1, ("These groups follow your marks only in part.", "")),
    (
        -1.0,
        (
            "These groups do not follow your marks.",
            " They sort the lines by something else, such as topic. To ask for your two senses "
            "themselves, choose *Group by: two senses*, and name them.",
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
    other = marked - sum(found.counts)
    said = f" Lines with other marks ({other:,}) are left out." if other else ""
    return (
        f"On the axis from *{low}* to *{high}*, lines marked *{text.plain(found.low)}* "
        f"({found.counts[0]:,}) stand lower than those marked *{text.plain(found.high)}* "
        f"({found.counts[1]:,}) in **{percent(found.area, 0)}** of all pairs; chance is 50 %. "
        f"**{percent(found.right, 0)}** of them stand on their own side of 0.{said}"
    )


def astray(count: int) -> str:
    """The heading of lines that stand on the other side than their mark (Markdown)."""
    return (
        f"**{count:,} line{' stands' if count == 1 else 's stand'} on the other side of 0** than "
        f"{'its mark does' if count == 1 else 'their marks do'}, the farthest first: is the model "
        "wrong, or the mark?"
    )


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
    named = ", ".join(value_name(one.value) for one in far)
    if not far:
        said = "no later step is farther from it than shuffled years are"
    else:
        said = (
            f"**{len(far)}** of {len(found)} later steps lie farther from it than shuffled "
            f"years: {named}"
        )
    return f"By the vectors alone, without groups: seen from {first}, {said}."


DRIFT = (
    "The distance is 1 − the cosine of the mean vectors of two steps, the first one and a later one. "
    "The grey band is its 95 % interval: the lines of both drawn anew 200 times. *By chance* is what "
    "95 % of 200 shufflings stay below, in which the lines of the two steps are dealt out at random: "
    "means of few lines lie apart for that reason alone."
)


def varied(column: str, found: Sequence[Variety]) -> str:
    """Over how many groups the lines of each value of a column are spread (Markdown)."""
    name = text.plain(column)
    each = ", ".join(
        f"*{text.plain(value_name(one.value))}* **{one.number:.1f}** ({one.low:.1f} to {one.high:.1f})"
        for one in found[:NAMED]
    )
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return (
        f"**In which {name} has it more uses?** Of {found[0].drawn:,} lines drawn from each {name}, so "
        f"many groups are in use: {each}{more}. That is exp of the entropy of their shares, as if so "
        "many groups were equally frequent (Hill 1973), and 95 % of 1,000 draws. As many lines are "
        "drawn from each, since more lines alone show more uses. Whether a group is a sense, only its "
        "lines tell; groups by your own marks are what you read in them."
    )


def apart_by(column: str, found: Sequence[Drift], start: str) -> str:
    """Where the mean vector lies farther from that of a value than chance explains (Markdown)."""
    far = [one for one in found if one.distance > one.chance]
    name, own = text.plain(column), text.plain(start)
    if not far:
        return (
            f"By the vectors alone, without groups: in no *{name}* is the word used otherwise than in "
            f"*{own}* by more than chance explains."
        )
    named = ", ".join(
        f"*{text.plain(value_name(one.value))}* **{one.distance:.3f}** ({one.low:.3f} to "
        f"{one.high:.3f}; chance {one.chance:.3f})"
        for one in far[:NAMED]
    )
    more = f" and {len(far) - NAMED} more" if len(far) > NAMED else ""
    return (
        f"By the vectors alone, without groups, farther from *{own}* than chance explains: "
        f"{named}{more}."
    )


def apart_means(column: str, start: str) -> str:
    """What the distances of two values of a column are."""
    return (
        f"The distance is 1 − the cosine of the mean vectors of two values of {text.plain(column)}: "
        f"the commonest, {text.plain(start)}, and each other one with five lines or more. *Low* and "
        "*high* are its 95 % interval: the lines of both drawn anew 200 times. *Chance* is what 95 % "
        "of 200 deals stay below in which the lines of the two are mixed. Lines of one text are alike "
        "for that reason alone, and a topic moves the mean as a sense does: read the lines."
    )


def each_word(found: WordFrequencies, parts: int, shown: int) -> str:
    """What the table of all words that were found counts.

    Args:
        found: the words.
        parts: how many values of the column have a column of the table.
        shown: rows of the table.
    """
    name = text.plain(found.column)
    each = (
        f" The columns at the end are for each value of {name}, in a million of its words."
        if parts
        else f" With more than a few values of {name}, only the files say how often in each."
    )
    rest = len(found.words) - shown
    more = f" The files also have the {rest:,} rarer ones." if rest > 0 else ""
    return (
        f"Of a million words of these texts, with Wilson’s 95 % interval. *DP* is the deviation of "
        f"proportions over {name}: 0 if spread evenly, towards 1 if it stands in few values; of a word "
        f"that occurs once or twice it is large for that reason alone.{each}{more}"
    )
