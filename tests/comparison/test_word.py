from __future__ import annotations

import pytest

import core
from core.comparison.word import WordOccurrence, named, occurrences, settle, why_not
from core.measures.senses.shared_word import shared_words


def there(text: str) -> tuple[WordOccurrence, ...]:
    """The words of a text, split at spaces."""
    words: list[WordOccurrence] = []
    for word in text.split():
        number = sum(one.word == word for one in words)
        words.append(WordOccurrence(word, number, 0, 0))
    return tuple(words)


A, B = there("a man at the river bank by a bank"), there("the bank took the money")


@pytest.mark.parametrize(
    ("words", "numbers", "found"),
    [
        (("bank", ""), (0, 0), (("bank", 0), ("bank", 0))),
        (("Bank", ""), (1, 0), (("bank", 1), ("bank", 0))),
        (("bank", ""), (9, 9), (("bank", 1), ("bank", 0))),  # the last occurrence
        (("the", ""), (0, 1), (("the", 0), ("the", 1))),
        (("river", "money"), (0, 0), (("river", 0), ("money", 0))),  # two different words
        (("river", ""), (0, 0), (("river", 0), None)),
        (("river", "shore"), (0, 0), (("river", 0), None)),
        (("money", ""), (0, 0), (None, ("money", 0))),
        (("crane", ""), (0, 0), (("bank", 0), ("bank", 0))),  # in neither: the one to prefer
        (("crane", "shore"), (0, 0), (("bank", 0), ("bank", 0))),
    ],
)
def test_settle(words: tuple[str, str], numbers: tuple[int, int], found: tuple) -> None:
    settled = settle((A, B), words, numbers, lambda: [("bank", "bank"), ("the", "the")])
    assert tuple(one and (one.word, one.number) for one in settled) == found


def test_a_word_in_neither_gives_way_to_the_best_that_both_have() -> None:
    a, b = there("the crane flew"), there("the cranes broke")
    settled = settle((a, b), ("bank", ""), (0, 0), lambda: [("crane", "cranes"), ("the", "the")])
    assert [one.word for one in settled if one] == ["crane", "cranes"]
    assert settle((a, there("x y")), ("bank", ""), (0, 0), lambda: []) == (None, None)


def test_what_both_have_is_not_asked_while_the_word_is_there() -> None:
    def never() -> list[tuple[str, str]]:
        raise AssertionError("asked")

    assert settle((A, B), ("bank", ""), (0, 0), never)[1] is not None
    assert settle((A, B), ("money", ""), (0, 0), never)[0] is None


def test_a_word_is_found_in_another_form_of_its_own_after_its_own() -> None:
    a, b = there("the bank by two banks"), there("the banks took it")
    assert [p and p.word for p in settle((a, b), ("bank", ""), (0, 0), lambda: [])] == ["bank", "banks"]
    assert [p and p.word for p in settle((a, b), ("Banks", ""), (0, 0), lambda: [])] == ["banks"] * 2
    assert settle((b, b), ("banker", ""), (0, 0), lambda: []) == (None, None)


def test_why_not_names_the_sentence_and_the_word() -> None:
    one = A[0]
    assert why_not(("bank", ""), (one, one)) is None
    assert why_not(("b<", ""), (one, None)) == (
        r"Sentence B has no “b\<”. Choose one of its words, or write it there."
    )
    assert "A has no “river”" in str(why_not(("river", "bank"), (None, one)))
    assert "B has no “shore”" in str(why_not(("river", "shore"), (one, None)))
    assert "share no word" in str(why_not(("bank", ""), (None, None)))


def test_a_shared_sign_that_the_model_does_not_know_is_no_word(minilm: core.Model) -> None:
    both = minilm.trace("I saw a 🦇 in the cave."), minilm.trace("The 🦇 hit the ball.")
    said = str(why_not(("bank", ""), (None, None), both))
    assert said.startswith("“🦇” is no word that this model knows. The two sentences share no word")
    assert "words like “the” do not count" in said
    other = why_not(("bank", ""), (None, None), (both[0], minilm.trace("The 🎣 hit the ball.")))
    assert str(other).startswith("The two sentences")


def test_named_counts_what_stands_several_times() -> None:
    assert [*named(there("a bank a"))] == ["a, occurrence 1 of 2", "bank", "a, occurrence 2 of 2"]


def test_occurrences_are_of_words_that_the_model_knows(minilm: core.Model) -> None:
    trace = minilm.trace("A bank 🎣 银, and. 💰 Bank")
    found = occurrences(trace)
    assert [(p.word, p.number) for p in found] == [("a", 0), ("bank", 0), ("and", 0), ("bank", 1)]
    assert [trace.texts[0][p.start : p.end] for p in found] == ["A", "bank", "and", "Bank"]


# Two sentences, what is typed for A (and B), and the words that are chosen in each.
LANGUAGES = [
    ("l'eau froide", "De l’eau !", "eau", ("eau", "eau")),
    ("Un café noir", "a cafe", "cafe", ("café", "cafe")),
    ("은행에서 돈을 찾았다", "은행은 크다", "은행*", ("은행에서", "은행은")),
    ("은행에서 돈을 찾았다", "은행은 크다", "은행", ("은행에서", "은행은")),
    ("ذهبت إلى البنك", "بنك كبير", "بنك", ("البنك", "بنك")),
    ("the riverbank", "bankers", "*bank*", ("riverbank", "bankers")),
    ("the ﬁne day", "a fine man", "fine", ("ﬁne", "fine")),
    ("私は日本語を話す", "日本語の本", "日本語", ("日本語", "日本語")),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("a", "b", "typed", "chosen"), LANGUAGES, ids=[one[2] for one in LANGUAGES])
def test_a_word_is_chosen_in_its_own_form_in_each_sentence(
    minilm: core.Model, a: str, b: str, typed: str, chosen: tuple[str, str]
) -> None:
    traces = [minilm.trace(text, keep="hidden") for text in (a, b)]
    both = [occurrences(trace, typed) for trace in traces]
    found = settle(both, (typed, ""), (0, 0), lambda: [], minilm.spelling)
    assert [one and one.word for one in found] == [*chosen]
    for trace, one in zip(traces, found, strict=True):
        assert one is not None
        at = trace.find(one.word, one.number)
        assert trace.offsets[at[0]][0] == one.start
        assert trace.offsets[at[-1]][1] == one.end


def test_the_number_of_an_occurrence_counts_among_what_a_star_finds() -> None:
    words = there("bank banks x bank")
    found = settle((words, words), ("bank*", ""), (1, 2), lambda: [])
    assert [(p and p.word, p and p.number) for p in found] == [("banks", 0), ("bank", 1)]


def test_sentences_share_a_word_in_two_spellings_or_with_two_particles(minilm: core.Model) -> None:
    for a, b, words in (
        ("The café closed.", "He bought a cafe.", ("café", "cafe")),
        ("은행에서 돈을 찾았다", "나는 은행에 갔다", ("은행에서", "은행에")),
    ):
        found = shared_words(*(minilm.trace(text, keep="hidden") for text in (a, b)))
        assert words in [(one.a.word, one.b.word) for one in found]
