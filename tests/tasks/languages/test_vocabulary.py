"""How texts are split into the words of a small language, and joined again."""

from __future__ import annotations

import pytest

from core.errors import NotSupported, TooLarge
from core.tasks.languages.bank import WORDS
from core.tasks.languages.letters import LETTERS
from core.tasks.languages.translation import ENGLISH, FRENCH
from core.tasks.languages.vocabulary import SPECIAL, Vocabulary
from core.tasks.trained import reading


def cut(vocabulary: Vocabulary, text: str) -> list[str]:
    return [token.word for token in vocabulary.tokens(text)]


@pytest.mark.parametrize("vocabulary", [LETTERS, ENGLISH, FRENCH, WORDS])
def test_ids_are_places(vocabulary: Vocabulary) -> None:
    assert vocabulary.words[: len(SPECIAL)] == vocabulary.special == SPECIAL
    assert vocabulary.ids(vocabulary.words) == tuple(range(len(vocabulary)))
    assert len(set(vocabulary.words)) == len(vocabulary)
    # Every word can be typed.
    for word in vocabulary.known:
        assert vocabulary.unknown(word) == (), word
    assert {"[PAD]", "[START]", "[END]"} & {w for s in SPECIAL for w in cut(vocabulary, s)} == set()


def test_texts_are_cut() -> None:
    assert cut(LETTERS, "C a\tb") == ["c", "a", "b"]
    assert cut(ENGLISH, "I am a Student.") == ["i", "am", "a", "student"]
    assert cut(ENGLISH, "are you a student?!") == ["are", "you", "a", "student", "?"]
    assert cut(ENGLISH, "i don't sleep") == ["i", "don't", "sleep"]
    assert cut(FRENCH, "Est-ce qu’il n'a pas l'œuf ?") == (
        ["est-ce", "qu'", "il", "n'", "a", "pas", "l'", "œuf", "?"]
    )
    # The full stop is a separate word in one language, and not a word in the other.
    assert cut(WORDS, "the bank [MASK].") == ["the", "bank", "[MASK]", "."]
    assert cut(ENGLISH, "the bank [MASK].") == ["the", "bank", "[mask]"]


def test_offsets_are_those_of_the_text() -> None:
    text = "  L’école  n'est PAS"
    found = [(token.word, text[token.start : token.end]) for token in FRENCH.tokens(text)]
    assert found == [("l'", "L’"), ("école", "école"), ("n'", "n'"), ("est", "est"), ("pas", "PAS")]
    # A character that becomes two in lower case must not shift later offsets.
    assert ENGLISH.tokens("İ am")[-1][1:] == (2, 4)


def test_french_is_put_together_as_it_is_cut() -> None:
    words = ["est-ce", "qu'", "il", "n'", "a", "pas", "l'", "œuf", "?"]
    text = FRENCH.join(words)
    assert text == "est-ce qu'il n'a pas l'œuf ?"
    read = reading.of_words(FRENCH, words)
    assert list(read.tokens) == words
    assert [text[start:end] for start, end in read.offsets] == words
    # "qu'" and "il" are two words, as everywhere; "est-ce" begins with the word "est".
    assert len({*read.word_ids[:3]}) == 3


def test_unknown_words_are_named_and_the_known_ones_offered() -> None:
    text = "The zebra sees a zebra and my unicorn"
    assert ENGLISH.unknown(text) == ("zebra", "and", "unicorn")
    with pytest.raises(NotSupported, match=r"^It does not know “zebra”, “and”, “unicorn”.*student"):
        ENGLISH.read(text, "It")
    with pytest.raises(NotSupported, match="no word that It can read"):
        ENGLISH.read(" . ", "It")
    with pytest.raises(NotSupported, match="“x” and 4 more") as refused:
        FRENCH.read("q w r t z p s d f x v b k m", "It")
    assert len(refused.value.args[0]) < 10_000
    with pytest.raises(NotSupported) as refused:
        ENGLISH.read("\0" + "z" * 10**5, "It")
    assert "\0" not in str(refused.value)
    assert len(str(refused.value)) < 5_000


def test_long_texts_are_refused() -> None:
    assert len(reading.read(LETTERS, "ab" * 32, "It").ids) == 64
    with pytest.raises(TooLarge, match=r"65 words.*at most 64"):
        reading.read(LETTERS, "ab" * 32 + "c", "It")


def test_a_reading_behind_a_start_sign() -> None:
    read = reading.started(reading.read(WORDS, "near the bank", "It"))
    assert read.tokens == ("[START]", "near", "the", "bank")
    assert read.special == (True, False, False, False)
    assert read.word_ids == (None, 0, 1, 2)
    assert read.offsets == ((0, 0), (0, 4), (5, 8), (9, 13))
    assert read.ids_BL.shape == (1, 4)
