"""The words that a translator knows or does not know, and the grammar's verdict on a translation."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from core.localization import N_, _, decimal, gettext, ngettext
from core.sentences import percent
from core.tasks.languages import french
from core.tasks.languages.directions import DIRECTIONS, Direction
from core.tasks.languages.vocabulary import END
from pages.encoder_decoder import published
from pages.encoder_decoder.published import Published
from ui import text

if TYPE_CHECKING:
    from core.tasks import Decoding, Sentence, TaskName, Trained

MOST_NAMED = 8  # unknown words
MOST_OFFERED = 5
_LONGEST = 40  # characters of a word that is compared


LANGUAGES = (N_("English"), N_("French"))  # as `core.tasks` names them
_WORD_CLASSES = (  # the groups of words below, by whose names their code finds them
    N_("People and things"),
    N_("Adjectives"),
    N_("Verbs"),
    N_("Je, vous, il …"),
    N_("I, you, him …"),
    N_("Small words"),
)


class Sides(NamedTuple):
    """The names of the two texts: the source, the target, and their units."""

    source: str
    target: str
    unit: str = "word"
    direction: Direction | None = None  # of the toy language; None for letters


def sides(translator: Trained | Published) -> Sides:
    """The languages of the translation; other tasks have letters, and published models tokens."""
    if isinstance(translator, Published):
        return Sides(_("source"), _("target"), "token")
    direction = DIRECTIONS.get(translator.recipe.task)
    if direction is not None:
        return Sides(gettext(direction.source), gettext(direction.target), direction=direction)
    return Sides(_("source"), _("target"), "letter")


def opening(translator: Trained) -> str:
    """The sentence with which its page opens: "i am a student"."""
    assert translator.source is not None
    return translator.source.join(translator.source.words[i] for i in translator.task.probe().source)


def groups(task: TaskName) -> Mapping[str, tuple[str, ...]]:
    """The words that a model of the toy language reads, by part of speech; none for letters."""
    return {"translation": _english, "to-english": _french}.get(task, dict)()


@cache
def _french() -> Mapping[str, tuple[str, ...]]:
    """The French words, each part of speech in alphabetical order."""
    every = french.vocabularies()[1]
    by_kind = {
        "People and things": [
            *(form for noun in french.NOUNS for form in noun[3:5]),
            *(form for is_a in french.PROFESSIONS for form in is_a[2:]),
        ],
        "Adjectives": [form for adjective in french.ADJECTIVES for form in adjective[3:]],
        "Verbs": [form for verb in (french.BE, *french.VERBS, *french.ALONE) for form in verb[3:]],
        "Je, vous, il …": [*(person.french for person in french.PERSONS), "j'", "me", "m'"],
    }
    named = {word for words in by_kind.values() for word in words}
    by_kind["Small words"] = [word for word in every if word not in named]
    return {name: tuple(sorted(set(words))) for name, words in by_kind.items()}


@cache
def _english() -> Mapping[str, tuple[str, ...]]:
    """The English words, each part of speech in alphabetical order."""
    verbs = [form for verb in (*french.VERBS, *french.ALONE) for form in verb[1:3]]
    nouns = [form for noun in french.NOUNS for form in noun[1:3]]
    people = [form for is_a in french.PROFESSIONS for form in is_a[:2]]
    by_kind = {
        "People and things": [*nouns, *people],
        "Adjectives": [adjective.english for adjective in french.ADJECTIVES],
        "Verbs": [*verbs, *french.BE_ENGLISH.values()],
        "I, you, him …": [*(person.english for person in french.PERSONS), *french.OBJECTS],
        "Small words": [*french.ADVERBS, "a", "an", "the", "my", "this", "these", "not", "do", "does"],
    }
    by_kind["Small words"] += ["in", "?"]
    return {name: tuple(sorted(set(words))) for name, words in by_kind.items()}


def offers(translator: Trained, typed: str) -> dict[str, tuple[str, ...]]:
    """For each of the first `MOST_NAMED` unknown words of a text, a few known words to replace it.

    They are of the word class that its place asks for. Similar words come first, then others that can
    stand there.
    """
    assert translator.source is not None
    words = [token.word for token in translator.source.tokens(typed)]
    first: dict[str, int] = {}  # where each word stands first
    for i, word in enumerate(words):
        first.setdefault(word, i)
    offered = {}
    english = translator.recipe.task != "to-english"  # what can stand there is known only for English
    known = set(translator.words)
    kinds = groups(translator.recipe.task)
    for word in translator.unknown(typed)[:MOST_NAMED]:
        at = first[word]
        before, behind = words[:at], words[at + 1 :]
        fits = [one for one in _between(before, behind) if known.issuperset(one.split())]
        fits = fits if english else []
        classes = {_class(one.split()[-1], kinds) for one in fits} or _classes(before, kinds)
        written = [
            one
            for one in difflib.get_close_matches(word[:_LONGEST], translator.words, 3, 0.7)
            if (not classes or _class(one, kinds) in classes) and _agrees(before, one)
        ]
        some = [*written, *fits] if any(map(str.isalpha, word)) else []
        offered[word] = tuple(dict.fromkeys(some))[:MOST_OFFERED]
    return offered


def _class(word: str, kinds: Mapping[str, tuple[str, ...]]) -> str:
    """The part of speech of a word of the toy language; "" for letters."""
    return next((name for name, words in kinds.items() if word in words), "")


def _classes(before: Sequence[str], kinds: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The parts of speech that can follow a word, where nothing more is known; any, if empty."""
    if not kinds or not before:
        return set()
    nouns, adjectives, verbs, persons, _ = kinds
    last = before[-1]
    if last in _ARTICLES:
        return {nouns, adjectives}
    of = _class(last, kinds)
    if of == nouns:
        return {adjectives, verbs}
    return {verbs} if of == persons else set()


_FRENCH_ARTICLES = "un une le la l' les des mon ma mes ce cet cette ces de d'"
_ARTICLES = frozenset(_FRENCH_ARTICLES.split())
_SINGULAR, _PLURAL = ("a", "an", "this"), ("these",)
_DETERMINERS = (*_SINGULAR, *_PLURAL, "the", "my")


def _agrees(before: Sequence[str], word: str) -> bool:
    """Whether an English noun has the number of the article before it; other words always do."""
    article = next((one for one in reversed(before) if one in _DETERMINERS), "")
    plural = {one[2] for one in french.NOUNS} | {one[1] for one in french.PROFESSIONS}
    singular = {one[1] for one in french.NOUNS} | {one[0] for one in french.PROFESSIONS}
    if before[-1:] != [article] and not set(before[-1:]) <= set(_english()["Adjectives"]):
        return True
    only_plural, only_singular = word in plural - singular, word in singular - plural
    return not (article in _SINGULAR and only_plural) and not (article in _PLURAL and only_singular)


def _between(before: Sequence[str], behind: Sequence[str]) -> tuple[str, ...]:
    """A few words, or nouns with an article, that can stand between others in the toy language."""
    english = _english()
    last, after = (before[-1] if before else ""), (behind[0] if behind else "")
    noun_follows = after in english["People and things"] or after in english["Adjectives"]
    if last in (*_DETERMINERS, *english["Adjectives"]) and noun_follows:
        vowel = {"an": True, "a": False}.get(last)
        return tuple(one for one in _ADJECTIVES if vowel is None or (one[0] in "aeiou") == vowel)
    if noun_follows:  # a number, or another word in the place of an article
        return ("the", "my")
    if after in _DETERMINERS and not before:
        return ()  # an adverb before the sentence, of which the language has none
    if not before and after in english["Verbs"]:
        return _subjects(after)
    return _after(before) if before else ("the", "a", "my", "i", "she")


# Those that stand before a noun, and of each vowel a few.
_ADJECTIVES = ("small", "big", "good", "young", "pretty", "intelligent", "interesting", "expensive")


def _subjects(verb: str) -> tuple[str, ...]:
    """Who can stand before a form of a verb."""
    if verb == "am":
        return ("i",)
    third = {one[2] for one in (*french.VERBS, *french.ALONE)} | {"is"}
    if verb in third:
        return ("she", "he", "the man", "the woman", "the cat")
    return ("they", "we", "you")


def _after(before: Sequence[str]) -> tuple[str, ...]:
    """A few words, or nouns with an article, that can follow these in the toy language."""
    end = len(before)
    while end and before[end - 1] in french.ADVERBS:  # "often" and "always" come between the others
        end -= 1
    before = before[:end]
    last = before[-1] if before else "?"
    verb = next((v for word in reversed(before) for v in french.VERBS if word in v[1:3]), None)
    kinds = verb.kinds if verb else "apflr"  # kinds of possible nouns: one eats cakes, but not cars
    if last in ("a", "an"):  # "an" needs a vowel
        return tuple(one for one in _things(kinds) if (one[0] in "aeiou") == (last == "an"))
    if last == "these":
        return _things(kinds, plural=True)
    if last in ("the", "my", "this", *_english()["Adjectives"]):
        return _things(kinds, plural="these" in before[-3:])
    if verb and last in verb[1:3]:
        return tuple(f"the {one}" for one in _things(kinds))
    if last == "in":
        return tuple(f"the {one}" for one in _things("l"))
    if last in french.BE_ENGLISH.values():
        return ("tired", "happy", "sad", "young", "intelligent")
    if last in ("not", "do", "i", "you", "we", "they"):
        return ("see", "like", "have", "read", "want")
    if not verb and last in (*_english()["People and things"], "he", "she"):
        return ("sees", "likes", "has", "reads", "is")
    return ("the", "a", "my", "i", "she") if last == "?" else ()


def _things(kinds: str, *, plural: bool = False) -> tuple[str, ...]:
    """Nouns of these kinds: the first of each kind, then the second of each, and so on."""
    members = [[noun for noun in french.NOUNS if noun.kind == kind] for kind in kinds]
    mixed = (noun for row in zip_longest(*members) for noun in row if noun is not None)
    return tuple(noun.english_plural if plural else noun.english for noun in mixed)


def varied(translator: Trained, typed: str) -> str:
    """The text with one word another in the same form, the last that has another; "" if none has.

    In the toy language that is a noun, an adjective, a profession or a verb; of letters, the next one.
    """
    assert translator.source is not None
    toy = translator.recipe.task in DIRECTIONS
    paradigms = _paradigms() if toy else (translator.words,)
    known = set(translator.words)
    for token in reversed(translator.source.tokens(typed)):
        for forms in paradigms:
            if token.word not in forms:
                continue
            start = forms.index(token.word) + 1
            for by in (*forms[start:], *forms[: start - 1]):
                vowels = len({one[0] in "aeiou" for one in (by, token.word)}) == 1  # "a", or "an"
                if by in known and by.isalpha() and vowels and by != token.word:
                    return f"{typed[: token.start]}{by}{typed[token.end :]}"
    return ""


@cache
def _paradigms() -> tuple[tuple[str, ...], ...]:
    """Words of both languages that can stand in one place: the same form of words of one kind."""
    alike: dict[tuple[str, ...], list[tuple[str, ...]]] = {("profession",): list(french.PROFESSIONS)}
    for noun in french.NOUNS:
        alike.setdefault(("noun", noun.kind, noun.gender), []).append(noun[1:5])
    for verb in (*french.VERBS, *french.ALONE):
        alike.setdefault(("verb", verb.kinds), []).append(verb[1:])
    alike["adjective",] = [one[2:] for one in french.ADJECTIVES]
    return tuple(forms for words in alike.values() for forms in zip(*words, strict=True))


def replaced(translator: Trained, typed: str, word: str, by: str) -> str:
    """The typed sentence with an unknown word replaced by a known one; "" removes it."""
    assert translator.source is not None
    for token in reversed(translator.source.tokens(typed)):
        if token.word == word:
            typed = f"{typed[: token.start]}{by}{typed[token.end :]}"
    return " ".join(typed.split())


def verdict(translator: Trained | Published, decoding: Decoding, known: Sequence[Sentence]) -> str:
    """Whether the translation agrees with the grammar, and what was cut off or ignored (Markdown).

    Also whether the sentence was in the training data.

    Args:
        translator: the model.
        decoding: its translation.
        known: the translations of the grammar; none for a sentence outside it.
    """
    if isinstance(translator, Published):
        return published.verdict(decoding)
    parts = [_translation(translator, decoding, known)]
    if not decoding.ended:
        parts.append(
            _("Stopped after {count} steps, before the model had written {end}.").format(
                count=len(decoding.tokens), end=text.plain(END)
            )
        )
    if known:
        parts.append(_seen(known))
    left_out = unread(translator, decoding.trace.encoder.texts[0])
    if left_out:
        unread_end = _("The model does not read the “{signs}” at the end.")
        parts.append(unread_end.format(signs=text.plain(left_out)))
    return " ".join(parts)


def _translation(translator: Trained, decoding: Decoding, known: Sequence[Sentence]) -> str:
    join, direction = translator.target.join, DIRECTIONS.get(translator.recipe.task)
    wrote = f"**{text.plain(join(decoding.words))}**"
    if direction is None:
        return wrote if decoding.ended else f"{wrote}."
    if not known:
        return _(
            "{wrote}: a guess. The model knows the words, but the grammar that it learned from has no "
            "such sentence."
        ).format(wrote=wrote)
    right = list(dict.fromkeys(direction.written(one) for one in known))
    if decoding.ended and decoding.words in right:
        others = [f"*{text.plain(join(one))}*" for one in right if one != decoding.words]
        exactly = _("{wrote}: exactly what the grammar says.").format(wrote=wrote)
        also = _(" It could also be {others}.").format(others=_(" or ").join(others))
        return exactly + also if others else exactly
    return _("{wrote}; the grammar says *{right}*.").format(
        wrote=wrote, right=text.plain(join(right[0]))
    )


def unread(translator: Trained, typed: str) -> str:
    """The text after the last word that the model reads, such as "." and "!"."""
    tokens = (translator.source or translator.target).tokens(typed)
    left_out = typed[tokens[-1].end :] if tokens else typed
    return "".join(left_out.split())[:MOST_NAMED]


def _seen(known: Sequence[Sentence]) -> str:
    from core.tasks.languages.translation import has_unseen_pair, is_held_out

    sentence = known[0]
    if has_unseen_pair(sentence):
        adjective, noun = next(
            pair for pair in sentence.pairs if has_unseen_pair(sentence._replace(pairs=(pair,)))
        )
        return _("Training never paired “{adjective}” with “{noun}”.").format(
            adjective=adjective, noun=noun
        )
    if all(is_held_out(one.english) for one in known):  # "je l'aime" stands for two sentences
        return _("This sentence was not in the training data.")
    return _("This sentence may have been in the training data.")


def about(translator: Trained | Published, figures: Mapping[str, float] | None) -> str:
    """A description of the model in one or two sentences (Markdown).

    Args:
        translator: the model.
        figures: the measured results of the shipped one; None for another.
    """
    if isinstance(translator, Published):
        return published.about(translator)
    recipe = translator.recipe
    count = sum(array.size for array in translator.weights.values())
    source = translator.source or translator.target
    encoder, decoder = recipe.n_encoder_layers, recipe.n_decoder_layers
    what = _(
        "**The model** has {layers}, {heads} in each, {across}, and {width}: {parameters} parameters "
        "in all. It knows {knows} and writes {writes}. It was trained on {batches} batches of {batch} "
        "examples made by our own rules"
    ).format(
        layers=ngettext(
            "{encoder} encoder and {decoder} decoder layer",
            "{encoder} encoder and {decoder} decoder layers",
            1 if encoder + decoder <= 2 else 2,
        ).format(encoder=encoder, decoder=decoder),
        heads=ngettext(
            "{count} self-attention head", "{count} self-attention heads", recipe.n_heads
        ).format(count=recipe.n_heads),
        across=ngettext(
            "{count} cross-attention head", "{count} cross-attention heads", recipe.n_cross_heads
        ).format(count=recipe.n_cross_heads),
        width=f"$d_\\mathrm{{model}} = {recipe.d_model}$",
        parameters=decimal(f"{count:,}"),
        knows=(
            _("{count} letters") if sides(translator).unit == "letter" else _("{count} words")
        ).format(count=len(source.known)),
        writes=len(translator.target.known),
        batches=decimal(f"{translator.steps:,}"),
        batch=recipe.batch,
    )
    if recipe.guidance:
        what += _(
            ", with a small part of the loss that taught the cross-attention heads what to attend to"
        )
    if figures is None:
        return f"{what}."
    of = int(figures["sentences"])
    return _(
        "{what}. Of {count} sentences outside its training data, it translates {right} without a "
        "mistake, and {share} of their words attend across to the word that they translate. Outside "
        "its small language it knows nothing."
    ).format(
        what=what,
        count=of,
        right=round(of * figures["exact"]),
        share=percent(figures["alignment"]),
    )
