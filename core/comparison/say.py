"""The verdict on a word in two sentences, and how certain it is, in words (Markdown)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import get_args

from ..figures.style import signed
from ..localization import N_, _, gettext, ngettext
from ..markdown import plain
from ..measures.senses.how_sure import HowSure, Standing, standing
from ..measures.senses.meanings import SURE
from ..measures.senses.verdict import (
    UNMOVED,
    Answer,
    Bounds,
    Calibration,
    OneSide,
    OutOfDictionary,
    Verdict,
)
from ..records.contributions import beginning
from ..records.sense_axis import Frames, SenseAxis
from ..records.spelling import Spelling
from ..records.words import split
from ..sentences import listed, percent, sentence
from . import dictionary, ends, language
from .judge import Between, is_one_token, is_unsure, limit, read_texts
from .next_step import NextStep
from .question import Question
from .source import Source

_KINDS = {
    "word": N_("one or two words at an end"),
    "words": N_("three or more words at an end"),
    "sentences": N_("six or more sentences at each end"),
    "both": N_("six or more words and six or more sentences at each end"),
    "picked": N_("two meanings picked from the dictionary"),
    "guessed": N_("two meanings of the dictionary of which the model is sure"),
}
MOST_LISTED = 3
MOST_DIGITS = 5
A, B = ":blue[**A**]", ":orange[**B**]"  # as the screen colours the two sentences


def said(
    comparison: Between, source: Source, hint: str = "", step: NextStep | None = None
) -> tuple[str, ...]:
    """The verdict, and what one must know beside it: why there is none, what it might depend on.

    Args:
        comparison: the positions and the verdict.
        source: the model.
        hint: what to do about a missing verdict, where something can be done.
        step: what can be done about a verdict that is not clear.

    Returns:
        The verdict, and a second paragraph if there is anything to say beside it.
    """
    question = comparison.question
    judged = comparison.same or comparison.verdict
    causal = any(source.trace(text).causal for text in question.texts)
    others = step is not None and step.others
    clue = causal and comparison.verdict.answer in ("not clear", "neither") and not others
    named, later = of_the_ends(comparison, source, clue=clue)
    # A clue before the word is all that one would be told.
    told = clue and later and step is not None and not step.tries
    # The verdict, a question, says already that a guess is unsure; here, how unsure.
    beside = (
        taken_as_chosen(comparison),
        how_unsure(comparison, source) if is_unsure(comparison) else reasons(judged),
        by_side(comparison.verdict),
        step.not_turned if step else "",
        moved_by_none(comparison, source),
        hint if not comparison.verdict.answer else "",
        picked_by_hand(comparison, source),
        language.warning(source, question.texts),
        named,
        later,
        two_tokens(comparison, source),
        what_settles(step, question.words, causal=causal) if step and not told else "",
    )
    first = verdict_of(comparison, source.calibration)
    return tuple(one for one in (first, " ".join(filter(None, beside))) if one)


def how_unsure(comparison: Between, source: Source) -> str:
    """How likely the model finds a guess that gives no verdict, and what a verdict needs."""
    question = comparison.question
    found = dictionary.sureness(source, (question.a, question.b))
    if len(found) == len(question.texts) and min(found) < SURE:
        sides = [
            sentence("verdict.how-sure.in", share=_below(one), name=name)
            for name, one in zip("AB", found, strict=True)
            if one < SURE
        ]
        return sentence("verdict.how-sure", sides=", ".join(sides), limit=percent(SURE, 0))
    # of another part of speech
    after = limit(comparison, source.calibration)
    needed = "" if after is None else sentence("verdict.once-chosen", least=signed(after.least))
    return f"{sentence('reason.unsure')} {needed}".rstrip()


def _below(share: float) -> str:
    """A share that is too small: with the decimal that says so near the limit."""
    rounded = percent(share, 0)
    return percent(share, 1, down=True) if rounded == percent(SURE, 0) else rounded


def taken_as_chosen(comparison: Between) -> str:
    """That a verdict is not clear although somebody chose the meanings; "" for others."""
    judged, same = comparison.verdict, comparison.same
    unclear = same is None and judged.ends == "picked" and judged.answer in ("not clear", "neither")
    return sentence("verdict.taken") if unclear else ""


def by_side(judged: Verdict) -> str:
    """That the side alone decided, where a sure guess needs no distance from the middle; else ""."""
    alone = judged.is_clear and judged.bounds is not None and judged.least == 0
    return sentence("verdict.by-side", sure=percent(SURE, 0)) if alone else ""


def fits_in_numbers(comparison: Between, source: Source) -> str:
    """How far a word is from the nearer meaning where neither fits; "" where one does."""
    bounds = comparison.verdict.bounds
    if bounds is None or comparison.same is not None or comparison.verdict.answer is None:
        return ""
    found = {}
    for name, axis in zip("AB", comparison.axes, strict=True):
        side = comparison.question.side(name)
        trace = source.trace(side.text)
        found[name] = axis.fit(trace, trace.find(side.word, side.number), comparison.judged - 1)
    far = {name: fit for name, fit in found.items() if fit < bounds.fits}
    digits = 2
    while digits < MOST_DIGITS and any(
        signed(one, digits) == signed(bounds.fits, digits) for one in far.values()
    ):
        digits += 1
    return " ".join(
        sentence("verdict.fit", name=name, fit=signed(fit, digits), fits=signed(bounds.fits, digits))
        for name, fit in far.items()
    )


def picked_by_hand(comparison: Between, source: Source) -> str:
    """That a verdict is between two meanings that somebody chose or named; "" for others."""
    question, now = comparison.question, comparison.question.ends
    if now is None or now.guessed or not comparison.verdict.is_clear:
        return ""
    causal = source.trace(question.a.text).causal
    ours = ends.known(question.a.word, question.texts, source.spelling, toy=source.toy, causal=causal)
    return "" if now == ours else sentence("verdict.picked")


def moved_by_none(comparison: Between, source: Source) -> str:
    """Where the word stands as it does alone; or for which end it needs no sentence."""
    still = unmoved(comparison.verdict, comparison.same, comparison.alone)
    needed = limit(comparison, source.calibration)
    judged = comparison.same or comparison.verdict
    if still or needed is None or comparison.alone is None or judged.answer in ("neither", None):
        return still
    causal = any(source.trace(text).causal for text in comparison.question.texts)
    behind = sentence("trajectory.behind", word=beginning(causal=True)) if causal else ""
    return leans(comparison, needed.least, behind)


def leans(comparison: Between, least: float, behind: str = "") -> str:
    """For which end the word needs no sentence: alone, it stands past the limit; "" for none.

    Args:
        comparison: the positions.
        least: how far from the middle it must be for a side.
        behind: that it stands behind a neutral beginning, in brackets.
    """
    assert comparison.question.ends is not None
    low, high = map(_called, comparison.question.ends.names)
    # Two words may stand in two places; one word, or two forms in one place, is said once.
    each = dict(
        zip(reversed(comparison.alone or ()), reversed(comparison.question.words), strict=False)
    )
    found = [at for at in dict.fromkeys(comparison.alone or ()) if abs(at) > least]
    judged, same = comparison.verdict, comparison.same
    ending = (judged.a, judged.b) if same is None else (same.at,)
    return " ".join(
        sentence(
            # Where each sentence takes it away from there, that side does need one.
            f"verdict.leans{'' if any(one * at > least * abs(at) for one in ending) else '.away'}",
            behind=behind,
            word=plain(each[at]),
            least=signed(least),
            at=signed(at),
            side=high if at > 0 else low,
        )
        for at in found
    )


def of_the_ends(
    comparison: Between, source: Source, only: str = "A", *, clue: bool = False
) -> tuple[str, str]:
    """The words of the ends that the model has read, and what it has not read when it is at the word.

    Args:
        comparison: the positions.
        source: the model.
        only: the name of the sentence, if there is one.
        clue: as in `unread`.
    """
    question, axis, spelling = comparison.question, comparison.axes[0], source.spelling
    read = read_texts(question, source)
    here = standing(axis, read, spelling)
    names = only if comparison.same is not None else "AB"
    of = dict(zip(names, zip(read, question.texts, strict=True), strict=False))
    if comparison.nothing_read:  # first what could have decided, whatever it names
        if comparison.same is None:
            of = {name: both for name, both in of.items() if name in comparison.nothing_read}
        return shared(here), _not_yet(of, question.words, clue=clue)
    # Words that were drawn from the sentences stand there by themselves.
    drawn = question.ends is not None and question.ends.proposed
    return "" if drawn else shared(here), unread(axis, of, question.words, spelling, clue=clue)


def unread(
    axis: SenseAxis,
    of: Mapping[str, tuple[str, str]],
    words: Sequence[str],
    spelling: Spelling,
    *,
    clue: bool = False,
) -> str:
    """What a model that reads from left to right has not read when it is at the word; "" for nothing.

    Args:
        axis: the axis, of whose ends it says which words stand only there.
        of: the name of each sentence, what of it is read by then, and the whole.
        words: the word in each.
        spelling: which spellings the model reads alike.
        clue: whether to say that a clue to the meaning belongs before the word.
    """
    if not (not_yet := _not_yet(of, words, clue=clue)):
        return ""
    word = " / ".join(f"*{plain(one)}*" for one in dict.fromkeys(words))
    then = sentence("verdict.unread.clue", word=word) if clue else ""
    starts, texts = zip(*of.values(), strict=True)
    here = standing(axis, starts, spelling)
    later = [one.word for one in standing(axis, texts, spelling) if one not in here]
    if missed := [f"*{plain(one)}*" for one in dict.fromkeys(later)]:
        several = ".several" * (len(missed) > 1)
        return sentence(f"verdict.unread.names{several}", words=listed(missed), word=word, then=then)
    return not_yet


def _not_yet(of: Mapping[str, tuple[str, str]], words: Sequence[str], *, clue: bool) -> str:
    """The first words of each sentence that come after the word; "" if none do. As in `unread`."""
    where = [
        sentence("verdict.unread.in", words=words_there, name=name)
        for name, (start, text) in of.items()
        if (words_there := _words_thereof(text[len(start) :]))
    ]
    if not where:
        return ""
    word = " / ".join(f"*{plain(one)}*" for one in dict.fromkeys(words))
    then = sentence("verdict.unread.clue", word=word) if clue else ""
    return sentence("verdict.unread", word=word, where=listed(where), then=then)


def _words_thereof(text: str) -> str:
    """The first words of what comes after a word; "" if none do."""
    words = [one for one in split(text) if any(map(str.isalnum, one.text))]
    if not words:
        return ""
    left = len(words) > MOST_LISTED
    shown = text[words[0].start : words[:MOST_LISTED][-1].end]
    return plain(shown) + (" …" if left else "")


def two_tokens(comparison: Between, source: Source) -> str:
    """That a decoder begins with two learned vectors for the word; "" where there is one.

    At the beginning of a text no space comes before a word, and it is another token there.
    """
    question = comparison.question
    causal = all(source.trace(text).causal for text in question.texts)
    return sentence("verdict.two-tokens") if causal and not is_one_token(question, source) else ""


def said_of_one(comparison: Between, name: str, note: str, source: Source) -> tuple[str, ...]:
    """Where the word stands in sentence "A" or "B", if there is no other; why; and a `note`."""
    question, same = comparison.question, comparison.same
    assert same is not None
    assert question.ends is not None
    alone = None if comparison.alone is None else comparison.alone["AB".index(name)]
    where = of_one(question.side(name).word, name, same, question.ends.names, alone)
    where = after_layer(same.layer) + where
    still, unread = moved_by_none(comparison, source), of_the_ends(comparison, source, name)[1]
    return tuple(one for one in (where, reasons(same), still, unread, note) if one)


def said_without(question: Question, source: Source, boxes: str | None = None) -> tuple[str, ...]:
    """What is shown if there is no axis: two different words, or one without ends.

    Args:
        question: the question.
        source: the model.
        boxes: where ends can be typed below, a sentence on those that name nothing; None elsewhere.
    """
    word = _(" and ").join(f"*{plain(w)}*" for w in dict.fromkeys(question.words))
    if not question.is_one_word(source.spelling):
        first = sentence("ends.two-words")
    elif boxes is None or question.ends is not None:
        first = sentence("ends.no-axis", word=word)
    else:
        first = f"{boxes} {sentence('ends.missing', word=word)}".lstrip()
    return tuple(one for one in (first, language.warning(source, question.texts)) if one)


def nameless(typed: Sequence[str]) -> str:
    """That what was typed as an end names no meaning; "" if each does, or is empty."""
    none = [_("“{word}”").format(word=plain(text)) for text in ends.nameless(typed)]
    verb = "name" if len(none) > 1 else "names"
    return sentence(f"ends.{verb}-nothing", words=listed(none)) if none else ""


def said_at_length(comparison: Between, beside: HowSure, source: Source) -> tuple[str, ...]:
    """The verdict, and how certain it is, for a reader who cannot ask further."""
    every = (
        verdict_of(comparison, source.calibration),
        reasons(comparison.same or comparison.verdict),
        moved_by_none(comparison, source),
        of_the_ends(comparison, source)[1],
        rate(beside.ends, beside.bounds),
        stands_in(beside.standing),
    )
    return tuple(one for one in every if one)


def evidence(comparison: Between, beside: HowSure, source: Source) -> tuple[str, ...]:
    """How far the verdict can be trusted, and what its ends are."""
    every = (
        rate(beside.ends, beside.bounds),
        thresholds(beside.bounds, comparison.verdict.layer),
        stands_in(beside.standing),
        cosine(comparison.question.words, beside, comparison.verdict.answer),
        made_of(comparison.axes[0].frames),
        language.of_frames(source.model, toy=source.toy),
        language.known(source.model),
    )
    return tuple(one for one in every if one)


def verdict_of(comparison: Between, calibration: Calibration | None = None) -> str:
    """The verdict of a comparison: its `headline`, after which layer if it is not the last.

    Args:
        comparison: the positions and the verdict.
        calibration: that of the model, for the limit once somebody has chosen; None if there is none.
    """
    question = comparison.question
    assert question.ends is not None
    names, alone = question.ends.names, comparison.alone
    needed = limit(comparison, calibration)
    least = None if needed is None else needed.least
    said = headline(question.words, names, comparison.verdict, comparison.same, alone, least)
    return after_layer(comparison.verdict.layer) + said


def after_layer(layer: int | None) -> str:
    """After which layer, from 0, a verdict is one; "" for the last."""
    return "" if layer is None else sentence("verdict.after", layer=str(layer + 1))


def unmoved(verdict: Verdict, same: OneSide | None, alone: tuple[float, float] | None) -> str:
    """In which sentences a word with a clear side ends where it stands alone; "" if it moved."""
    if alone is None or not (verdict.is_clear if same is None else same.answer == "clear"):
        return ""
    if same is not None:
        still = _hardly_moved(same.at, alone[0])
        return sentence("verdict.unmoved.it", alone=signed(alone[0])) if still else ""
    found = {
        name: signed(before)
        for name, at, before in zip("AB", (verdict.a, verdict.b), alone, strict=True)
        if _hardly_moved(at, before)
    }
    if not found:
        return ""
    which = f"verdict.unmoved{'.several' * (len(found) > 1)}"
    before = listed([*dict.fromkeys(found.values())])
    return sentence(which, names=listed([*found]), alone=before)


def _hardly_moved(at: float, alone: float | None) -> bool:
    return alone is not None and abs(at - alone) < UNMOVED


def _does(at: float, alone: float | None) -> str:
    """The verb of a word with a side: it takes a side only if its sentence moved it."""
    return sentence("verdict.stays" if _hardly_moved(at, alone) else "verdict.sides")


def headline(
    words: tuple[str, str],
    names: tuple[str, str],
    verdict: Verdict,
    same: OneSide | None = None,
    alone: tuple[float, float] | None = None,
    least: float | None = None,
) -> str:
    """The verdict in a sentence; if there is none, the positions.

    Args:
        words: the word in A and in B; one word, perhaps in two forms.
        names: the names of the ends at −1 and +1.
        verdict: the verdict.
        same: the meaning of the single position if A and B are the same sentence.
        alone: where the word of each stands alone; None if that is not to be said.
        least: how far from the middle a word must be for a side; None if none is given.
    """
    before = alone or (None, None)
    if same is not None:
        return _of_same(plain(words[0]), names, same, before[0])
    word = " / ".join(f"*{plain(one)}*" for one in dict.fromkeys(words))
    low, high = map(_called, names)
    at_a, at_b = ({"low": low, "high": high}[side] for side in (verdict.side_a, verdict.side_b))
    does_a, does_b = _does(verdict.a, before[0]), _does(verdict.b, before[1])
    alike = does_a == does_b
    if verdict.answer == "two meanings":
        does = {"does_a": does_a, "does_b": sentence("verdict.with") if alike else does_b}
        return sentence("verdict.two", word=word, at_a=at_a, at_b=at_b, a=A, b=B, **does)
    if verdict.answer == "one meaning":
        does = {"does_a": does_a, "does_b": "" if alike else sentence("verdict.it-too", does=does_b)}
        return sentence("verdict.one", word=word, at_a=at_a, a=A, b=B, **does)
    if verdict.answer == "neither":
        return sentence("verdict.neither", word=word, low=low, high=high, a=A, b=B)
    numbers = {"at_a": signed(verdict.a), "at_b": signed(verdict.b), "low": low, "high": high}
    stands = sentence("verdict.stands", word=word, a=A, b=B, **numbers)
    if verdict.ends == "unsure":
        # As the picture has it, not as the guess began: the meanings' own words may turn them round.
        in_band = [least is not None and not abs(at) > least for at in (verdict.a, verdict.b)]
        if all(in_band):
            return sentence("verdict.which.between", word=word, a=A, b=B, low=low, high=high)
        if any(in_band):
            near, far, at = (A, B, at_b) if in_band[0] else (B, A, at_a)
            half = {"near": near, "far": far, "at": at}
            return sentence("verdict.which.half", word=word, low=low, high=high, **half)
        which = f"verdict.which{'.one' * (verdict.side_a == verdict.side_b)}"
        return sentence(which, word=word, a=A, b=B, at_a=at_a, at_b=at_b, low=low, high=high)
    if verdict.answer is None and sentence("reason.first") in verdict.reasons:
        return sentence("verdict.first")  # its position, on a sink, would mean nothing
    return sentence("verdict.unclear" if verdict.answer else "verdict.none", stands=stands)


def _of_same(word: str, names: tuple[str, str], one_side: OneSide, alone: float | None) -> str:
    both = sentence("verdict.same", word=word, a=A, b=B)
    if one_side.answer == "clear":
        side, at = _side(names, one_side), signed(one_side.at)
        return sentence(
            "verdict.same.side", both=both, side=side, at=at, does=_does(one_side.at, alone)
        )
    which = "unclear" if one_side.answer else "none"
    return sentence(f"verdict.same.{which}", both=both, stands=_stands(names, one_side))


def _side(names: tuple[str, str], one_side: OneSide) -> str:
    return _called({"low": names[0], "high": names[1]}[one_side.side])


def _called(name: str) -> str:
    """The name of an end in a sentence: in quotation marks if it has several words, as a definition."""
    return _("“{word}”").format(word=plain(name)) if " " in name else plain(name)


def _stands(names: tuple[str, str], one_side: OneSide) -> str:
    """Where the word stands in one sentence, without naming a side."""
    low, high = map(_called, names)
    return sentence("verdict.it", at=signed(one_side.at), low=low, high=high)


def reasons(verdict: Verdict | OneSide) -> str:
    """Why it is not clear, or why there is none; "" if there is a clear one."""
    return " ".join(plain(reason) for reason in verdict.reasons)


def what_settles(step: NextStep, compared: tuple[str, str], *, causal: bool = False) -> str:
    """Which sentences leave the meaning open, and what may settle it; "" if a guess is to be confirmed.

    Where other meanings are proposed, no word is named: one of the wrong end would settle nothing. That
    no word names a meaning is not said either: one that does may stand there, and be too weak.

    Args:
        step: what can be done about the verdict.
        compared: the word in A and in B.
        causal: whether the model reads from left to right: only a word before it counts.
    """

    def word_in(names: Sequence[str]) -> str:
        return " / ".join(dict.fromkeys(plain(compared["AB".index(name)]) for name in names))

    if step.confirmed is not None:
        return ""
    if step.others:
        return _("Choose other meanings, or name the two ends in words of your own.")
    if step.tries:
        return _(
            "Choose another meaning, name the two ends in words of your own, or write more in "
            "{weak}: a word that says which *{word}* is meant may settle it."
        ).format(weak=_(" or ").join(step.weak), word=word_in(step.weak))
    if not step.words:
        return ""
    words = _(" or ").join(f"*{plain(one)}*" for one in step.words)
    said = list[str]()
    near = [name for name in step.weak if name not in step.unlike]
    if vague := [name for name in near if name not in step.held]:
        settle = (
            _(
                "To the model, the words of {weak} leave open which *{word}* is meant: add one before "
                "*{word}* that settles it, for instance {words}."
            )
            if causal
            else _(
                "To the model, the words of {weak} leave open which *{word}* is meant: add one that "
                "settles it, for instance {words}."
            )
        )
        said.append(settle.format(weak=_(" and ").join(vague), word=word_in(vague), words=words))
    held = [name for name in near if name in step.held]
    if held and step.unlike:  # one piece of advice for both
        said.append(
            _(
                "In {weak}, a word of the ends stands already and does not settle it for the model, "
                "and neither end describes *{word}* in {unlike} well: name other ends."
            ).format(
                weak=_(" and ").join(held),
                unlike=_(" and ").join(step.unlike),
                word=word_in(step.unlike),
            )
        )
    elif held:
        said.append(
            _(
                "In {weak}, a word of the ends stands already and does not settle it for the model: "
                "try other ends."
            ).format(weak=_(" and ").join(held))
        )
    elif step.unlike:
        said.append(
            _("Neither end describes *{word}* in {unlike} well: name other ends.").format(
                unlike=_(" and ").join(step.unlike), word=word_in(step.unlike)
            )
        )
    return " ".join(said)


def stands_in(found: Sequence[Standing]) -> str:
    """That words of the ends occur in the sentences themselves; "" if none does."""
    if not found:
        return ""
    parts = list[str]()
    for text, name in enumerate("AB"):
        words = [f"*{plain(one.word)}*" for one in found[:MOST_LISTED] if one.text == text]
        if words:
            occurs = (
                _("{words} in sentence {name}")
                if parts
                else ngettext(
                    "{words} also occurs in sentence {name}",
                    "{words} also occur in sentence {name}",
                    len(words),
                )
            )
            parts.append(occurs.format(words=_(" and ").join(words), name=name))
    left = len(found) - MOST_LISTED
    more = ngettext("; {count} more does too", "; {count} more do too", left) if left > 0 else ""
    more = more.format(count=left)
    return _(
        "{parts}{more}. The model reads the compared word next to such words to make an end, "
        "and a sentence that contains one of them can hardly avoid landing on its side. To "
        "test the verdict, choose end words that neither sentence contains."
    ).format(parts=", ".join(parts), more=more)


def shared(found: Sequence[Standing]) -> str:
    """The same in short, beside the verdict; "" if none does."""
    sentences = list[str]()
    for text, name in enumerate("AB"):
        words = [f"*{plain(one.word)}*" for one in found if one.text == text]
        if left := len(words[MOST_LISTED:]):
            words[MOST_LISTED:] = [sentence("standing.more", count=str(left))]
        if words:
            sentences.append(sentence("standing.in", name=name, words=", ".join(words)))
    return sentence("standing", where="; ".join(sentences)) if sentences else ""


def rate(kind: str | None, bounds: Bounds | None) -> str:
    """How often verdicts with such ends are right."""
    if kind is None:
        return _("Verdicts with ends of this kind have not been measured.")
    if kind == "unsure":
        return _(
            "The model gives its guess of the two meanings less probability than a verdict "
            "needs: it may be wrong. Between meanings that you choose, there is a verdict where "
            "the word is far enough from the middle."
        )
    if bounds is None:
        return _(
            "For this model, the reliability of a verdict has not been measured yet. Its "
            "positions are exact; how much they say about meaning is open."
        )
    return _(
        "With {kind}, a verdict is given for {given} of our labelled pairs of sentences, and "
        "**{right} of those verdicts are right**; we judged each word by thresholds measured "
        "on the others. Two sentences without a clue to the meaning, such as “I saw the "
        "bank.”, are still called *two meanings* in {two} of cases, and *one meaning* in "
        "{one}. {unrelated}A third meaning of the word is recognized in {third} of cases."
    ).format(
        kind=gettext(_KINDS[kind]),
        given=percent(bounds.given, 0),
        right=percent(bounds.right, 0),
        two=percent(bounds.uncued_two, 0),
        one=percent(bounds.uncued_one, 0),
        unrelated=_unrelated(kind, bounds),
        third=percent(bounds.third, 0),
    )


def _unrelated(kind: str, bounds: Bounds) -> str:
    if kind in get_args(OutOfDictionary):
        return ""  # they are meanings of the word itself
    return _("Ends that are unrelated to the word still get a verdict in {share} of cases. ").format(
        share=percent(bounds.unrelated, 0)
    )


def thresholds(bounds: Bounds | None, layer: int | None = None) -> str:
    """What a verdict requires; "" if that is unknown.

    Args:
        bounds: those of its kind of ends.
        layer: the layer that is judged, from 0; None for the last.
    """
    if bounds is None:
        return ""
    one = (
        _("is never given")
        if math.isinf(bounds.one)
        else _("needs both to be more than {least} from it").format(least=signed(bounds.one))
    )
    two = (
        _("is never given")
        if math.isinf(bounds.two)
        else _("needs both positions to be more than {least} from the middle").format(
            least=signed(bounds.two)
        )
    )
    near = (
        _(
            " The words at each end must be related to the compared word: side by side, their "
            "vectors must have a cosine similarity of at least {least}."
        ).format(least=signed(bounds.near))
        if bounds.near > -1
        else ""
    )
    return _(
        "*Two meanings* {two}, on opposite sides; *one meaning* {one}, on the same side. "
        "{judged}{near} Where the cosine similarity with the nearer end is less than {fits}, "
        "neither meaning fits."
    ).format(two=two, one=one, judged=_judged_by(layer), near=near, fits=signed(bounds.fits))


def _judged_by(layer: int | None) -> str:
    """Which layer a verdict rests on."""
    if layer is None:
        return _("Only the last layer counts.")
    return _(
        "Only layer {layer} counts: in this model, which reads from left to right and "
        "prepares the next word in its last layers, it is the one that most often names the "
        "sense of our labelled sentences. In those sentences, the clue comes before the word."
    ).format(layer=layer + 1)


def cosine(words: tuple[str, str], how_sure: HowSure, answer: Answer | None) -> str:
    """What the cosine similarity suggests, and that it seldom decides.

    Args:
        words: the word in A and in B.
        how_sure: the evidence beside the verdict.
        answer: the verdict. If the cosine suggests another, the caption says why that does not count.
    """
    word, value = plain(words[0]), signed(how_sure.cosine)
    start = _("The **cosine similarity** of the two vectors of *{word}* is {value}.").format(
        word=word, value=value
    )
    if how_sure.labelled is None:
        return _(
            "{start} On its own it tells little, because it falls with depth whatever the words mean."
        ).format(start=start)
    same = how_sure.labelled.same
    low, high = signed(float(same.low[-1])), signed(float(same.high[-1]))
    start += _(" Two uses in the *same* sense mostly score {low} to {high}").format(low=low, high=high)
    says = how_sure.cosine_says
    if says == "not clear":
        return _(
            "{start}, and the cosine alone does not decide. It weighs all directions equally; "
            "the axis follows only the one along which the two meanings differ."
        ).format(start=start)
    speaks = (
        _("{start}: this is below, which speaks for **two meanings**")
        if says == "two meanings"
        else _("{start}: this is above, which speaks for **one meaning**")
    ).format(start=start)
    if answer == says:
        return _("{speaks} too.").format(speaks=speaks)
    if answer is None:
        return f"{speaks}."
    return _(
        "{speaks}. The verdict does not rest on it: the cosine weighs all directions "
        "equally, and the axis follows only the one along which the two meanings differ."
    ).format(speaks=speaks)


def made_of(frames: Frames) -> str:
    """What the ends were made of, and what was left out."""
    both = []
    for name, end in (("−1", frames.low), ("+1", frames.high)):
        count = []
        if end.words:
            count.append(", ".join(f"*{plain(word)}*" for word in end.words))
        if end.sentences:
            many = len(end.sentences)
            count.append(ngettext("{count} sentence", "{count} sentences", many).format(count=many))
        both.append(f"{name}: {_(' and ').join(count)}")
    made = _(
        "The ends are {ends}. The model reads each word next to the compared word, in three "
        "short English sentences, the frames."
    ).format(ends="; ".join(both))
    left = [f"*{plain(one.what)}* ({plain(one.why)})" for one in frames.dropped]
    return made + (_(" Left out: {words}").format(words=" ".join(left)) if left else "")


def of_one(
    word: str, name: str, one_side: OneSide, names: tuple[str, str], alone: float | None = None
) -> str:
    """Where the word stands in one sentence, if there is no other to compare it with."""
    if one_side.answer == "clear":
        side, at = _side(names, one_side), signed(one_side.at)
        does = _does(one_side.at, alone)
        return sentence("verdict.single.side", name=name, word=plain(word), side=side, at=at, does=does)
    which = "unclear" if one_side.answer else "none"
    stands = _stands(names, one_side)
    return sentence(f"verdict.single.{which}", name=name, word=plain(word), stands=stands)
