"""Tables of word vectors side by side: from the *bank* task, and by skip-gram on its sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures import bars, style
from core.figures.bars import Groups
from core.localization import N_, _, decimal, gettext
from core.measures.senses.tables import knows_both, neighbours, same_topic
from core.measures.similarity import cosine
from core.records.frozen import Array
from core.sentences import percent, signed
from core.tasks.languages import senses
from core.tasks.languages.bank import BANK, WORDS
from pages.embeddings import learned_tables, python
from pages.embeddings.learned_tables import SkipGramTable, TaskTable
from pages.embeddings.state import NEAREST, EmbeddingsState
from ui import figure, files, layout, same_in_python
from ui.layout import choose_named, row
from ui.page import leads
from ui.state import slider
from ui.text import plain

WORD, WINDOW = 150, 260  # pixels


def show(s: EmbeddingsState) -> None:
    """Draw the nearest words of an ambiguous one in three tables, and what each table knows."""
    pictures, choices, rest = st.container(), row(), st.container()
    with choices:
        word = choose_named(s.ambiguous, _("Word"), {one: one for one in senses.SENSES}, WORD)
        window = slider(s.window, _("Window of skip-gram"), width=WINDOW)
    task, learned = learned_tables.of_task(), learned_tables.by_skip_gram(window)
    tables = {
        N_("Before training"): task.before,
        N_("After training on the task"): task.after,
        N_("By skip-gram"): learned.table,
    }
    with pictures:
        st.markdown(_senses(word))
        _finding(word, task)
        st.markdown(
            _("**The {count} words nearest to *{word}*** in three tables").format(
                count=NEAREST, word=plain(word)
            )
        )
        every = [label for table in tables.values() for label in _near(table, word)]
        for (title, table), column in zip(tables.items(), st.columns(3, gap="medium"), strict=True):
            with column:
                _one(title, table, word, every)
    with rest:
        st.caption(
            _(
                "Only the {count} ambiguous words of the task can be chosen: every other word, such as "
                "*river*, has one sense. {near}"
            ).format(count=len(senses.SENSES), near=_nearest_verbs(word, learned))
        )
        _attention(word, task)
        st.markdown(_("**All {count} ambiguous words**").format(count=len(senses.SENSES)))
        st.markdown(_counts(tables, task))
        st.markdown(
            _(
                "None of the three tables tells two sentences apart: a word has one row, the same in "
                "every sentence."
            )
        )
        with st.expander(_("What the columns count")):
            st.markdown(_says(learned))
    same_in_python.show(s.python, partial(python.trained, word, window))


def _senses(word: str) -> str:
    """A training sentence of each sense of the word, and what the task is (Markdown)."""
    first, second = (
        f"“{_in_words(learned_tables.example(word, topic))}” (*{topic}*)"
        for topic in senses.SENSES[word]
    )
    return _(
        "**{word}** has two senses in the training sentences, as in {first} and {second}. The *task* "
        "hides the verb, here in bold: the model must name one that fits the sense."
    ).format(word=plain(word), first=first, second=second)


def _in_words(one: senses.Sentence) -> str:
    written = [f"**{word}**" if i == one.verb_at else word for i, word in enumerate(one.words)]
    return " ".join(written).replace(" .", ".").removesuffix(".")


def _finding(word: str, task: TaskTable) -> None:
    """How far training moves the word's row, and the rows of topic words: a sentence and two bars."""
    own = _stayed(task, [word])
    others = _stayed(task, [cue for cues in senses.CUES.values() for cue in cues])
    said = (
        _(
            "**Training on the task moves the row of *{word}* less than those of topic words** such as "
            "*river*, which belong to one topic alone."
        )
        if own > others
        else _(
            "**Training on the task moves the row of *{word}* farther than those of topic words** such "
            "as *river*, which belong to one topic alone."
        )
    )
    left, right = st.columns([2, 3], gap="medium", vertical_alignment="center")
    left.markdown(said.format(word=plain(word)))
    labels = [word, _("topic words")]
    picture = bars(
        [own, others],
        labels,
        unit=_("cosine with the row before training (topic words: mean)"),
        sentence=_(
            "How much of its direction a row keeps in training: {word} {own}, topic words {others}."
        ).format(word=word, own=signed(own), others=signed(others)),
        name="kept-rows",
        kind="signed",
        from_zero=True,
        most=1,
        digits=2,
    )
    with right:
        figure.show(picture, "kept-rows", scale=layout.scale())


def _stayed(task: TaskTable, words: Sequence[str]) -> float:
    """The mean cosine similarity of words' rows after training with the same rows before."""
    at = [WORDS.words.index(word) for word in words]
    return float(np.mean(np.diag(cosine(task.before[at], task.after[at]))))


def _near(table: Array, word: str) -> list[str]:
    return [one.word for one in neighbours(table, WORDS.words, word, k=NEAREST)]


def _of_senses(table: Array, word: str) -> dict[str, int]:
    """How many verbs of each of its senses are among a word's nearest."""
    near = {*_near(table, word)}
    return {topic: len(near & {*verbs}) for topic, verbs in senses.SENSES[word].items()}


def _nearest_verbs(word: str, learned: SkipGramTable) -> str:
    """Whether skip-gram's row of the word lies near verbs of both of its senses, of one, or of none."""
    (first, one), (second, other) = _of_senses(learned.table, word).items()
    said = _(
        "Verbs of *{word}* itself among the {count} words nearest to skip-gram’s row: {one} of its "
        "sense *{first}*, {other} of *{second}* (other coloured words only share the topic). "
    ).format(word=word, count=NEAREST, one=one, first=first, other=other, second=second)
    if one and other:
        return said + _("One row lies near both senses.")
    if one or other:
        return said + _("It lies near *{topic}* alone.").format(topic=first if one else second)
    return said + _("It lies near neither.")


def _topics() -> Mapping[str, str]:
    """The topic of each word that belongs to one topic alone: of cues, and of verbs of one sense."""
    of = {cue: topic for topic, cues in senses.CUES.items() for cue in cues}
    return of | {
        verb: topic
        for by_topic in senses.SENSES.values()
        for topic, verbs in by_topic.items()
        for verb in verbs
    }


def _groups(words: Sequence[str], topics: Sequence[str], other: str) -> Groups:
    """A colour for each topic of a word, and grey for all other words."""
    of = _topics()
    return Groups(
        [*topics, other],
        [style.SENTENCE_A, style.SENTENCE_B, style.LEARNED],
        [[*topics].index(of[one]) if of.get(one) in topics else len(topics) for one in words],
    )


def _one(title: str, table: Array, word: str, beside: Sequence[str]) -> None:
    """The words nearest to a word in one table; `beside`: the labels of all three pictures."""
    own, topics = senses.SENSES[word], [*senses.SENSES[word]]
    near = neighbours(table, WORDS.words, word, k=NEAREST)
    words = [one.word for one in near]
    verbs = {verb: topic for topic, of in own.items() for verb in of}
    st.markdown(f"**{gettext(title)}**")
    name = f"nearest-{title.split()[0].lower()}"
    picture = bars(
        [one.cosine for one in near],
        words,
        unit=_("cosine"),
        sentence=_("The {count} words nearest to {word}. {table}.").format(
            count=NEAREST, word=word, table=gettext(title)
        ),
        name=name,
        kind="signed",
        from_zero=True,
        groups=_groups(words, topics, _("other")),
        notes=[
            _("a verb of {word} in its sense {topic}").format(word=word, topic=verbs[one])
            if one in verbs
            else ""
            for one in words
        ],
        beside=beside,
        most=1,
        digits=2,
    )
    numbers = files.csv(lambda: pd.DataFrame(table, pd.Index(WORDS.words, name="word")), name)
    figure.show(picture, name, saved_as=[numbers], scale=layout.scale())


def _attention(word: str, task: TaskTable) -> None:
    """Where the word attends in its two sentences: that is where the model finds the sense."""
    st.markdown(
        _(
            "**The sense of *{word}* is found in the sentence, by attention**: where *{word}* attends, "
            "the verb hidden"
        ).format(word=plain(word))
    )
    topics = [*senses.SENSES[word]]
    both = [learned_tables.attended(word, topic) for topic in topics]
    every = [label for words, _weights in both for label in words]
    for topic, (words, weights), column in zip(topics, both, st.columns(2, gap="medium"), strict=True):
        name = f"attended-{topic}"
        picture = bars(
            weights,
            words,
            unit=_("attention weight"),
            sentence=_("Where {word} attends in a sentence of its sense {topic}.").format(
                word=word, topic=topic
            ),
            name=name,
            groups=_groups(words, topics, _("other")),
            beside=every,
            most=1,
            digits=2,
        )
        with column:
            figure.show(picture, name, scale=layout.scale())
    st.caption(
        _(
            "In {pattern} of {sentences} sentences that training never used, the largest weight of "
            "the ambiguous word lies on the topic word, which settles its sense; on a token drawn by "
            "lot, it would in {chance}."
        ).format(
            pattern=percent(task.pattern, 0),
            sentences=decimal(f"{task.sentences:,}"),
            chance=percent(learned_tables.by_lot(), 0),
        )
    )
    leads.down(_("Watch this being learned, in Training"), "training", {"rc": BANK.name})


def _counts(tables: Mapping[str, Array], task: TaskTable) -> str:
    """What each table knows, and what chance alone would give, one row each (Markdown)."""
    titles = (
        _("table"),
        _("nearest topic word has the same topic"),
        _("both senses among the {count} nearest words").format(count=NEAREST),
        _("right sense in a new sentence"),
    )
    head = f"| {' | '.join(titles)} |\n|---|---|---|---|"
    cues = sum(map(len, senses.CUES.values()))
    shares = [percent(task.untrained, 0), percent(task.accuracy, 0), ""]
    # Before training it names any word; after it, verbs: half of them would be right by chance.
    named = [
        _("{share} of {count} sentences, naming any of {words} words"),
        _("{share} of {count} sentences"),
        "",
    ]
    rows = [
        _row(
            gettext(title),
            _("{share} of {count} words").format(
                share=percent(same_topic(table, WORDS.words, senses.CUES), 0), count=cues
            ),
            _("{count} of {all}").format(
                count=len(knows_both(table, WORDS.words, senses.SENSES, k=NEAREST)),
                all=len(senses.SENSES),
            ),
            "–" if not of else of.format(share=share, count=task.sentences, words=len(WORDS)),
        )
        for (title, table), share, of in zip(tables.items(), shares, named, strict=True)
    ]
    topic, both = _by_chance()
    rows.append(
        _row(
            f"*{_('by chance')}*",
            percent(topic, 0),
            _("{count} of {all}").format(count=decimal(f"{both:.1f}"), all=len(senses.SENSES)),
            _("{share}, of two senses").format(share=percent(1 / 2, 0)),
        )
    )
    return "\n".join([head, *rows])


def _by_chance() -> tuple[float, float]:
    """The share of topic words, and the number of ambiguous words, if the nearest were drawn by lot."""
    sizes = [len(cues) for cues in senses.CUES.values()]
    topic = sum(size * (size - 1) for size in sizes) / (sum(sizes) * (sum(sizes) - 1))
    others = len(WORDS) - 1

    def none_of(count: int) -> float:
        return math.comb(others - count, NEAREST) / math.comb(others, NEAREST)

    both = 0.0
    for of in senses.SENSES.values():
        one, other = map(len, of.values())
        both += 1 - none_of(one) - none_of(other) + none_of(one + other)
    return topic, both


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _says(learned: SkipGramTable) -> str:
    before, after = learned.losses
    both, every = (
        len(knows_both(learned.table, WORDS.words, senses.SENSES, k=NEAREST)),
        len(senses.SENSES),
    )
    said = _(
        "The nearest words are those whose rows have the largest cosine similarity. A *topic word*, "
        "such as *river* or *cash*, belongs to one topic alone; each is compared with the other "
        "topic words, and not with ambiguous words or verbs. In the table of skip-gram, {both} of "
        "{all} ambiguous words have a verb of each of their senses among the {nearest} nearest"
    ).format(both=both, all=every, nearest=NEAREST)
    if not both:
        end = _(": with this window, no row lies near both senses.")
    elif 2 * both <= every:
        end = _(": only their rows lie near both senses.")
    else:
        end = _(": one row lies near both senses.")
    return " ".join(
        (
            said + end,
            _(
                "Skip-gram’s loss falls from {before} to {after} nats for each word that it predicts."
            ).format(before=signed(before), after=signed(after)),
            _(
                "*Right sense*: the model names a verb of the sense that is meant, for a pair of words "
                "that training never showed. Before training it names any of {words} words; a table "
                "alone, as skip-gram’s, reads no sentence."
            ).format(words=len(WORDS)),
        )
    )
