"""The words that a translator knows and does not know, and what its grammar says of a sentence."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from core.tasks import french
from core.tasks.vocabulary import END
from ui import text

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence, Trained

MOST_NAMED = 8  # unknown words
MOST_OFFERED = 5
_LONGEST = 40  # characters of a word that is compared


class Sides(NamedTuple):
    """What the two texts are called: what is read, and what is written."""

    source: str
    target: str


def sides(translator: Trained) -> Sides:
    """The languages of the translation; other tasks have none."""
    if translator.recipe.task == "translation":
        return Sides("English", "French")
    return Sides("source", "target")


def opening(translator: Trained) -> str:
    """What its page opens with: "i am a student"."""
    assert translator.source is not None
    return translator.source.join(translator.source.words[i] for i in translator.task.probe().source)


@cache
def groups() -> Mapping[str, tuple[str, ...]]:
    """The English words of the small language by part of speech, each in the order of the alphabet."""
    verbs = [form for verb in (*french.VERBS, *french.ALONE) for form in verb[1:3]]
    nouns = [form for noun in french.NOUNS for form in noun[1:3]]
    people = [form for is_a in french.PROFESSIONS for form in is_a[:2]]
    found = {
        "People and things": [*nouns, *people],
        "Qualities": [adjective.english for adjective in french.ADJECTIVES],
        "What one does": [*verbs, *french.BE_ENGLISH.values()],
        "I, you, him …": [*(person.english for person in french.PERSONS), *french.OBJECTS],
        "Small words": [*french.ADVERBS, "a", "an", "the", "my", "this", "these", "not", "do", "does"],
    }
    found["Small words"] += ["in", "?"]
    return {name: tuple(sorted(set(words))) for name, words in found.items()}


def offers(translator: Trained, typed: str) -> dict[str, tuple[str, ...]]:
    """For each unknown word of a text, the first `MOST_NAMED`, a few known ones in its place.

    Those that look like it come first, then some that can follow the word before it.
    """
    assert translator.source is not None
    before: dict[str, str] = {}
    last = ""
    for token in translator.source.tokens(typed):
        before.setdefault(token.word, last)
        last = token.word
    found = {}
    for word in translator.unknown(typed)[:MOST_NAMED]:
        alike = difflib.get_close_matches(word[:_LONGEST], translator.words, 3, 0.7)
        fits = [one for one in _after(before[word]) if one in translator.words]
        some = [*alike, *fits] if any(map(str.isalpha, word)) else []
        found[word] = tuple(dict.fromkeys(some))[:MOST_OFFERED]
    return found


def _after(word: str) -> tuple[str, ...]:
    """A few words that can stand behind this one."""
    noun = ("the", "my", "this", "a", *groups()["Qualities"])
    if word in noun:
        return ("cat", "student", "house", "apple", "book")
    if word == "an":
        return ("apple", "egg", "orange", "actor")
    if word == "these":
        return ("cats", "students", "houses", "books")
    if word in ("not", "do", "i", "you", "we", "they"):
        return ("see", "like", "have", "read", "want")
    if word in groups()["People and things"] or word in ("he", "she"):
        return ("sees", "likes", "has", "reads", "is")
    return ("the", "a", "my", "i", "she")


def replaced(translator: Trained, typed: str, word: str, by: str) -> str:
    """What is typed with a known word in the place of an unknown one; "" leaves that out."""
    assert translator.source is not None
    for token in reversed(translator.source.tokens(typed)):
        if token.word == word:
            typed = f"{typed[: token.start]}{by}{typed[token.end :]}"
    return " ".join(typed.split())


def verdict(translator: Trained, found: Decoding, known: Sequence[Sentence]) -> str:
    """Whether the translation is what the grammar says, and what was cut or left out (Markdown).

    Also whether training showed the sentence.

    Args:
        translator: the model.
        found: what it wrote.
        known: what the grammar makes of the sentence: nothing, if it is none of its own.
    """
    parts = [_said(translator, found, known)]
    if not found.ended:
        parts.append(
            f"It was cut after {len(found.tokens)} steps: the model had not written "
            f"{text.plain(END)} by then."
        )
    if known and translator.recipe.task == "translation":
        parts.append(_seen(known[0]))
    left_out = unread(translator, found.trace.encoder.texts[0])
    if left_out:
        parts.append(f"The “{text.plain(left_out)}” at the end is not read.")
    return " ".join(parts)


def _said(translator: Trained, found: Decoding, known: Sequence[Sentence]) -> str:
    join = translator.target.join
    wrote = f"**{text.plain(join(found.words))}**"
    if translator.recipe.task != "translation":
        return wrote if found.ended else f"{wrote}."
    if not known:
        return (
            f"{wrote}: a guess. The words are known, but the grammar that the model learned from has "
            "no such sentence."
        )
    if found.ended and found.words in {one.french for one in known}:
        return f"{wrote}: exactly what the grammar says."
    return f"{wrote}; the grammar says *{text.plain(join(known[0].french))}*."


def unread(translator: Trained, typed: str) -> str:
    """What stands behind the last word that the model reads: "." and "!" are none of its words."""
    tokens = (translator.source or translator.target).tokens(typed)
    left_out = typed[tokens[-1].end :] if tokens else typed
    return "".join(left_out.split())[:MOST_NAMED]


def _seen(sentence: Sentence) -> str:
    from core.tasks.translation import has_unseen_pair, is_held_out

    if has_unseen_pair(sentence):
        both = " ".join(
            next(pair for pair in sentence.pairs if has_unseen_pair(sentence._replace(pairs=(pair,))))
        )
        return f"Training never showed “{both}” together."
    if is_held_out(sentence.english):
        return "Training never showed this sentence."
    return "Training may have shown this sentence."


def about(translator: Trained, figures: Mapping[str, float] | None) -> str:
    """What the model is, in one or two sentences (Markdown).

    Args:
        translator: the model.
        figures: what stands beside the shipped one; None for another.
    """
    recipe = translator.recipe
    count = sum(array.size for array in translator.weights.values())
    source = translator.source or translator.target
    what = (
        f"**The model** has {recipe.n_encoder_layers} encoder and {recipe.n_decoder_layers} decoder "
        f"layers, {recipe.n_heads} heads in each and {recipe.n_cross_heads} across, "
        f"$d_\\mathrm{{model}} = {recipe.d_model}$: {count:,} numbers. It knows {len(source.known)} "
        f"words and writes {len(translator.target.known)}, and was trained on {translator.steps:,} "
        f"batches of {recipe.batch} examples made by rules of ours"
    )
    if recipe.guidance:
        what += ", with a small part of the loss that taught the heads across where to look"
    if figures is None:
        return f"{what}."
    of = int(figures["sentences"])
    share = f"{figures['alignment']:.1%}".replace(".0%", "%")
    return (
        f"{what}. Of {of} sentences that training never showed it translates "
        f"{round(of * figures['exact'])} without a mistake, and {share} of their words look across at "
        "the word that they translate. Outside its small language it knows nothing."
    )
