"""The sentences with known roles keep the promises of their grammar."""

from __future__ import annotations

import numpy as np

from core.examples.roles import _HE, _SHE, ROLES, SENTENCES, role_sentences

MARKS = (",", ".")
DETERMINERS = {"the", "this", "that", "every", "a", "an", "my", "our", "another"}


def test_there_are_a_few_hundred_all_different() -> None:
    sentences = role_sentences()
    assert len(sentences) == len({one.text for one in sentences}) == SENTENCES
    assert sentences is role_sentences()
    assert all({*one.relations} == {*ROLES} for one in sentences)
    for role in ROLES:
        assert sum(len(one.relations[role]) for one in sentences) >= 150, role


def test_the_spans_are_the_words_of_the_text() -> None:
    for one in role_sentences():
        rebuilt = "".join(word if word in MARKS else f" {word}" for word in one.words).strip()
        assert rebuilt == one.text
        assert one.text[0].isupper()
        assert one.words[-1] == "."


def test_every_relation_is_what_its_role_says() -> None:
    for one in role_sentences():
        words = [word.casefold() for word in one.words]
        for role in ROLES:
            for source, targets in one.relations[role]:
                assert source not in targets
                assert all(0 <= at < len(words) for at in (source, *targets))
                assert words[source] not in MARKS
                if role == "previous":
                    assert targets == (source - 1,)
                elif role == "same":
                    others = [
                        i for i, word in enumerate(words) if word == words[source] and i != source
                    ]
                    assert [*targets] == others
                elif role == "delimiters":
                    assert [*targets] == [i for i, word in enumerate(words) if word in MARKS]
                elif role == "determiner-noun":
                    assert words[source] in DETERMINERS
                    assert source < targets[0]
                    assert not DETERMINERS & {*words[source + 1 : targets[0]]}
                elif role == "pronoun-antecedent":
                    assert words[targets[0]] in {"he": _HE, "she": _SHE}[words[source]]
                    # no other noun of this gender comes before: the antecedent is certain
                    before = [w for w in words[:source] if w in {"he": _HE, "she": _SHE}[words[source]]]
                    assert before == [words[targets[0]]]


def test_two_roles_are_each_other_turned_around() -> None:
    for one in role_sentences():
        for role, turned in (("verb-subject", "subject-verb"), ("noun-determiner", "determiner-noun")):
            pairs = {(source, *targets) for source, targets in one.relations[role]}
            assert pairs == {(*targets, source) for source, targets in one.relations[turned]}


def test_an_article_fits_the_word_after_it() -> None:
    for one in role_sentences():
        for first, second in zip(one.words, one.words[1:], strict=False):
            if first.casefold() in ("a", "an"):
                assert (first.casefold() == "an") == (second[0] in "aeiou")


def test_no_distance_gives_most_answers_away() -> None:
    for role in ("verb-subject", "pronoun-antecedent", "determiner-noun", "same"):
        distances = [
            relation.targets[0] - relation.source
            for one in role_sentences()
            for relation in one.relations[role]
        ]
        assert np.unique(distances, return_counts=True)[1].max() < len(distances) / 2
