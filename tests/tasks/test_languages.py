"""The two languages: sentences about ambiguous words, and English with its French."""

from __future__ import annotations

from functools import cache
from itertools import islice, pairwise, product

import numpy as np
import pytest

from core.tasks.languages import senses
from core.tasks.languages.bank import BANK, WORDS
from core.tasks.languages.french import ADJECTIVES, BE_ENGLISH, NOUNS, Noun
from core.tasks.languages.grammar import Sentence, Writer
from core.tasks.languages.references import references
from core.tasks.languages.senses import CUES, SENSES
from core.tasks.languages.translation import (
    ENGLISH,
    FRENCH,
    TRANSLATION,
    has_unseen_pair,
    is_held_out,
    unseen_pairs,
    unseen_sentences,
)
from core.tasks.training.batches import NOWHERE, collate

PARTS = {"near": "near", "kind": "old"}
BANK_SENTENCE = senses.made(senses.TEMPLATES[1], "bank", "wild", "lake", "flooded", PARTS)


def test_every_cue_tells_one_topic_and_every_verb_one_sense() -> None:
    cues = [cue for of in CUES.values() for cue in of]
    verbs = [verb for of in SENSES.values() for verbs in of.values() for verb in verbs]
    assert len(set(cues)) == len(cues)
    assert len(set(verbs)) == len(verbs)
    assert not set(SENSES) & {*cues, *verbs}


def test_each_sense_has_pairs_of_both_kinds() -> None:
    assert senses.is_held_out("bank", "river")
    assert senses.is_held_out("bank", "money")
    for word, topics in SENSES.items():
        assert len(topics) == 2
        for topic in topics:
            held_out = [cue for cue in CUES[topic] if senses.is_held_out(word, cue)]
            assert 1 <= len(held_out) <= 2, (word, topic)


@pytest.mark.parametrize("held_out", [False, True])
def test_sentences_hold_one_pair_of_the_kind_asked_for(held_out: bool) -> None:
    rng = np.random.default_rng(0)
    cues = {cue for of in CUES.values() for cue in of}
    found = set()
    for _ in range(2000):
        sentence = senses.sentence(rng, held_out=held_out)
        cue = sentence.words[sentence.cue_at]
        assert sentence.words[sentence.at] == sentence.word
        assert cue in CUES[sentence.topic]
        assert [w for w in sentence.words if w in cues] == [cue]
        assert [w for w in sentence.words if w in SENSES] == [sentence.word]
        assert senses.is_held_out(sentence.word, cue) == held_out
        if sentence.verb_at is None:
            assert not held_out
            assert "was" in sentence.words
        else:
            assert sentence.words[sentence.verb_at] in SENSES[sentence.word][sentence.topic]
        found.add((sentence.word, sentence.topic))
    assert len(found) == 24


def test_what_is_asked_at_the_ambiguous_word() -> None:
    assert BANK_SENTENCE.words == ("near", "the", "lake", "the", "old", "bank", "flooded", ".")
    example = BANK.example(BANK_SENTENCE, frozenset({1, 6}))
    masked = ["[START]", "near", "[MASK]", "lake", "the", "old", "bank", "[MASK]", "."]
    assert example.reads == WORDS.ids(masked)
    wanted = {2: "the", 6: "flooded", 7: "flooded"}  # 6: at "bank", what it does
    assert example.labels == tuple(
        WORDS.ids([wanted[i]])[0] if i in wanted else 0 for i in range(len(masked))
    )
    assert example.attend_to == tuple(3 if i == 6 else NOWHERE for i in range(len(masked)))
    # If the verb is visible, there is no label at "bank".
    example = BANK.example(BANK_SENTENCE, frozenset({1}))
    assert [i for i, label in enumerate(example.labels) if label] == [2]
    assert set(example.attend_to) == {NOWHERE}


def test_the_ambiguous_word_is_never_masked() -> None:
    ambiguous = set(WORDS.ids(SENSES))
    for example in islice(BANK.examples(np.random.default_rng(0)), 1000):
        assert len(ambiguous & set(example.reads)) == 1


def test_a_verb_of_the_same_sense_counts_as_right() -> None:
    batch = collate([BANK.example(BANK_SENTENCE, frozenset({6}))] * 4)
    predicted = batch.labels_BL.copy()
    for row, word in enumerate(("flooded", "eroded", "lent", "the")):
        predicted[row, 6] = WORDS.ids([word])[0]
    assert BANK.accuracy(predicted, batch) == 0.5


def drawn(count: int, seed: int = 0) -> list[Sentence]:
    writer = Writer(np.random.default_rng(seed))
    return [writer.sentence() for _ in range(count)]


@cache
def sentences() -> dict[str, str]:
    """English -> French; a fixture, because every run of any test imports this file."""
    return {" ".join(s.english): " ".join(s.french) for s in drawn(60_000)}


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("i am a student", "je suis étudiant"),
        ("she is a student", "elle est étudiante"),
        ("we are students", "nous sommes étudiants"),
        ("she is not tired", "elle n' est pas fatiguée"),
        ("they are tired", "ils sont fatigués"),
        ("do you sleep ?", "est-ce que vous dormez ?"),
        ("does he sleep ?", "est-ce qu' il dort ?"),
        ("are you a nurse ?", "est-ce que vous êtes infirmier ?"),
        ("i like her", "je l' aime"),
        ("i do not like them", "je ne les aime pas"),
        ("i always sleep", "je dors toujours"),
    ],
)
def test_french_is_french(english: str, french: str) -> None:
    assert sentences()[english] == french


def one_with(*words: str) -> set[str]:
    """The French words in noun phrases of generated sentences with these English words."""
    phrase = " ".join(words)
    return {f for e, f in sentences().items() if f" {phrase} " in f" {e} "}


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("the black cat", "le chat noir"),
        ("the small cow", "la petite vache"),
        ("my school", "mon école"),
        ("my pretty school", "ma jolie école"),
        ("this man", "cet homme"),
        ("this young man", "ce jeune homme"),
        ("these houses", "ces maisons"),
        ("the eggs", "les œufs"),
        ("the egg", "l' œuf"),
        ("the horses", "les chevaux"),
        ("in a garden", "dans un jardin"),
        ("an expensive car", "une voiture chère"),
    ],
)
def test_noun_phrases(english: str, french: str) -> None:
    found = one_with(*english.split())
    assert found
    for sentence in found:
        denied = " pas d" in sentence  # "a" is "de" there
        assert f" {french} " in f" {sentence} " or denied


def test_a_denied_a_is_de() -> None:
    found = [f for e, f in sentences().items() if " not have a " in e or " not have an " in e]
    assert found
    assert all(" pas de " in sentence or " pas d' " in sentence for sentence in found)


def test_vowels_elide() -> None:
    vowels = tuple("aeiouyhéèêœâôî")
    for french in sentences().values():
        words = french.split()
        for word, after in pairwise(words):
            if word in {"je", "ne", "le", "la", "de", "me", "que"}:
                assert not after.startswith(vowels), french
            if word.endswith("'"):
                assert after.startswith(vowels), french


def test_each_french_word_knows_its_english_one() -> None:
    black = next(s for s in drawn(5000) if "black" in s.english and "noir" in s.french)
    assert black.english[black.alignment[black.french.index("noir")]] == "black"
    denied = next(s for s in drawn(5000) if "pas" in s.french)
    assert denied.english[denied.alignment[denied.french.index("pas")]] == "not"
    for sentence in drawn(2000):
        assert len(sentence.alignment) == len(sentence.french)
        assert 0 <= min(sentence.alignment) <= max(sentence.alignment) < len(sentence.english)


def test_words_and_vocabularies_are_the_same() -> None:
    assert {w for e in sentences() for w in e.split()} == set(ENGLISH.known)
    assert {w for f in sentences().values() for w in f.split()} == set(FRENCH.known)


@pytest.mark.fuzz
@pytest.mark.check
def test_no_english_sentence_has_two_translations() -> None:
    twice = [
        s
        for s in drawn(20_000, seed=1)
        if sentences().get(" ".join(s.english)) not in (None, " ".join(s.french))
    ]
    assert twice == []


def test_what_is_unseen() -> None:
    assert is_held_out(("i", "am", "a", "student"))
    whole, pairs = unseen_sentences(200), unseen_pairs(200)
    assert len(set(whole)) == len(set(pairs)) == 200
    assert all(is_held_out(s.english) and not has_unseen_pair(s) for s in whole)
    assert all(has_unseen_pair(s) for s in pairs)
    unseen = {ENGLISH.ids(s.english) for s in (*whole, *pairs)}
    seen = {e.source for e in islice(TRANSLATION.examples(np.random.default_rng(0)), 5000)}
    assert not unseen & seen
    # The words of held-out sentences occur in training, in other combinations.
    assert {i for source in unseen for i in source} <= {i for source in seen for i in source}


def unseen_adjectives() -> list[tuple[str, Noun]]:
    """Every adjective with a noun that it never describes in training."""
    return [
        (adjective.english, noun)
        for adjective in ADJECTIVES
        for noun in NOUNS
        if noun.kind in adjective.kinds
        and has_unseen_pair(Sentence((), (), (), ((adjective.english, noun.english),)))
    ]


@pytest.mark.check
def test_no_sentence_of_training_describes_a_noun_by_an_adjective_kept_from_it() -> None:
    """By the words alone, without the grammar's notes: side by side, or joined by "to be"."""
    kept = unseen_adjectives()
    assert len(kept) == 57
    adjectives = {adjective.english for adjective in ADJECTIVES}
    forms = {(a, form) for a, noun in kept for form in (noun.english, noun.english_plural)}
    being = set(BE_ENGLISH.values())
    predicates = 0
    for seed in range(2):
        for example in islice(TRANSLATION.examples(np.random.default_rng(seed)), 20_000):
            words = [ENGLISH.words[i] for i in example.source]
            assert not forms.intersection(pairwise(words)), words
            if being.intersection(words):  # one statement, and no other noun than those it is about
                assert not forms.intersection(product(words, words)), words
                predicates += bool(adjectives.intersection(words[-2:]))
    assert predicates > 5000  # such sentences are shown, with other adjectives


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "sentence",
    [
        "the {adjective} {noun} {is} not small",
        "{is} the {noun} {adjective} ?",
        "my {noun} {is} {adjective}",
        "the {noun} {is} not {adjective}",
        "i see the {adjective} {noun}",
        "do you see my {adjective} {noun} ?",
        "we do not see the {adjective} {noun}",
        "they live in the {adjective} {noun}",
        "the {adjective} {noun} often {sees} us",
        "the {adjective} {noun} {is} {a_student}",
        "{is} the {adjective} {noun} {a_student} ?",
    ],
)
def test_a_pair_is_kept_from_training_in_every_form(sentence: str) -> None:
    made = 0
    for adjective, noun in unseen_adjectives():
        for several in (False, True):
            english = sentence.format(
                adjective=adjective,
                noun=noun.english_plural if several else noun.english,
                a_student="students" if several else "a student",
                sees="see" if several else "sees",
                **{"is": "are" if several else "is"},
            )
            for one in references(english.split()):  # none where the grammar has no such sentence
                made += 1
                assert has_unseen_pair(one), english
    assert made >= 10


def test_a_tired_man_who_is_a_student_is_a_tired_student() -> None:
    (one,) = references(["the", "tired", "man", "is", "a", "student"])
    assert one.pairs == (("tired", "man"), ("tired", "student"))
    (one,) = references(["is", "the", "tired", "man", "strange", "?"])
    assert one.pairs == (("tired", "man"), ("strange", "man"))
    (one,) = references(["the", "mice", "are", "not", "black"])
    assert one.pairs == (("black", "mouse"),)
    (one,) = references(["he", "is", "tired"])
    assert one.pairs == ()
