"""The roles of heads: by hand, by brute force, and as shipped."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import core
from core.errors import NotSupported
from core.examples.roles import ROLES, RoleSentence, role_sentences
from core.measures.attention.roles import (
    RoleScores,
    fixed_distances,
    measure_roles,
    shipped_roles,
)
from core.records.trace import Trace

MakeTrace = Callable[..., Trace]
FEW = role_sentences()[:7]


def pieces(sentence: RoleSentence) -> tuple[list[str], list[tuple[int, int]], list[list[int]]]:
    """Tokens, their characters, and the tokens of each word, two if it is longer than five letters."""
    tokens, spans, of_words = ["[CLS]"], [(0, 0)], list[list[int]]()
    for start, end in sentence.spans:
        cuts = [(start, start + 5), (start + 5, end)] if end - start > 5 else [(start, end)]
        of_words.append([len(tokens) + i for i in range(len(cuts))])
        spans += cuts
        tokens += [sentence.text[a:b] for a, b in cuts]
    return [*tokens, "[SEP]"], [*spans, (0, 0)], of_words


def traced(make_trace: MakeTrace, weights: Callable[..., Any] | None = None, **more: Any) -> Any:
    """A function that traces texts, with random weights unless others are given."""
    by_text = {one.text: one for one in role_sentences()}

    def trace(text: str) -> Trace:
        tokens, spans, of_words = pieces(by_text[text])
        given = {} if weights is None else {"weights": weights(by_text[text], len(tokens), of_words)}
        return make_trace(tokens, offsets=tuple(spans), texts=(text,), **given, **more)

    return lambda texts: [trace(text) for text in texts]


def test_heads_made_for_one_role_each_have_it_alone(make_trace: MakeTrace) -> None:
    def made(sentence: RoleSentence, n: int, of_words: list[list[int]]) -> np.ndarray:
        """Head r of the first layer puts 0.75 on the right words of role r, the rest on itself."""
        weights = np.tile(np.eye(n, dtype=np.float32), (2, len(ROLES), 1, 1))
        for role, name in enumerate(ROLES):
            for source, targets in sentence.relations[name]:
                keys = [k for target in targets for k in of_words[target]]
                for query in of_words[source]:
                    weights[0, role, query] = 0
                    weights[0, role, query, query] = 0.25
                    weights[0, role, query, keys] = 0.75 / len(keys)
        return weights

    none = dict.fromkeys(("query", "key", "value"))  # of another number of heads
    found = measure_roles(traced(make_trace, made, **none), "hand", sentences=FEW)
    np.testing.assert_allclose(np.diag(found.scores[0]), 0.75, atol=1e-6)
    assert not found.scores[1].any()
    # rows that other roles share with it have no weight on a determiner's noun
    at = ROLES.index("pronoun-antecedent")
    assert found.scores[0, at, ROLES.index("determiner-noun")] == 0
    assert {(0, role): role for role in range(len(ROLES))}.items() >= found.named().items()
    assert found.named()[0, at] == at


def test_scores_by_brute_force(make_trace: MakeTrace) -> None:
    found = measure_roles(traced(make_trace), "random", sentences=FEW)
    traces = traced(make_trace)([one.text for one in FEW])
    for role, name in enumerate(ROLES):
        weights, uniform, best = [], [], []
        for number, (sentence, trace) in enumerate(zip(FEW, traces, strict=True)):
            of_words, n = pieces(sentence)[2], len(trace.tokens)
            for source, targets in sentence.relations[name]:
                keys = [k for target in targets for k in of_words[target]]
                keys += [0, n - 1] if name == "delimiters" else []
                rows = [trace.attention.weights[:, :, q] for q in of_words[source]]
                sums = [sum(row[..., k].astype(float) for k in keys) for row in rows]
                weights.append(sum(sums) / len(sums))
                uniform.append(len(keys) / n)
                best.append((number, of_words[source][0]))
        np.testing.assert_allclose(found.scores[..., role], np.mean(weights, axis=0), atol=1e-6)
        assert found.uniform[role] == pytest.approx(np.mean(uniform), abs=1e-6)
        assert found.counts[role] == len(weights)
        for layer, head in np.ndindex(2, 3):
            by_head = [float(one[layer, head]) for one in weights]
            first = found.examples[layer, head, role][0]
            assert first.weight == pytest.approx(max(by_head))
            assert (first.sentence, first.query) == best[int(np.argmax(by_head))]
            numbers = [one.sentence for one in found.examples[layer, head, role]]
            assert len({*numbers}) == len(numbers) <= 3


def test_what_a_decoder_cannot_see_has_no_score(make_trace: MakeTrace) -> None:
    def causal(sentence: RoleSentence, n: int, of_words: list[list[int]]) -> np.ndarray:
        even = np.tril(np.ones((n, n))) / np.arange(1, n + 1)[:, None]
        return np.tile(even, (2, 3, 1, 1))

    found = measure_roles(traced(make_trace, causal, causal=True), "decoder", sentences=FEW)
    unseen = [ROLES.index(role) for role in ("subject-verb", "determiner-noun")]
    assert np.isnan(found.scores[..., unseen]).all()
    assert np.isnan(found.uniform[unseen]).all()
    assert np.isnan(found.all_heads(unseen[0])).all()
    # a head that spreads its rows evenly over the visible tokens scores exactly chance
    for role in range(len(ROLES)):
        if role not in unseen:
            np.testing.assert_allclose(found.scores[..., role], found.uniform[role], atol=1e-5)
    assert not {*found.named().values()} & {*unseen}
    again = RoleScores.from_json(found.to_json())
    np.testing.assert_array_equal(np.isnan(again.scores), np.isnan(found.scores))


def test_a_missing_head_has_no_score(make_trace: MakeTrace) -> None:
    def gone(sentence: RoleSentence, n: int, of_words: list[list[int]]) -> np.ndarray:
        weights = np.full((2, 3, n, n), 1 / n, np.float32)
        weights[1] = np.nan
        return weights

    none = dict.fromkeys(("query", "key", "value"))
    found = measure_roles(traced(make_trace, gone, **none), "hybrid", sentences=FEW)
    assert np.isnan(found.scores[1]).all()
    assert np.isfinite(found.scores[0]).all()
    assert {layer for (layer, _, _), some in found.examples.items() if some} == {0}


def test_the_fixed_distance_by_hand() -> None:
    relations = [one.relations["verb-subject"] for one in FEW]
    distances = [target - source for some in relations for source, (target,) in some]
    most = max(distances.count(distance) for distance in distances)
    found = fixed_distances(FEW)
    assert found[ROLES.index("verb-subject")] == pytest.approx(most / len(distances))
    assert found[ROLES.index("previous")] == 1


def test_progress_is_told_and_nothing_read_is_refused(make_trace: MakeTrace) -> None:
    told: list[tuple[int, int]] = []
    measure_roles(traced(make_trace), "m", sentences=FEW, on_sentence=lambda *done: told.append(done))
    assert told == [(7, 7)]
    empty = lambda texts: [make_trace(("[CLS]", "[SEP]")) for _ in texts]  # noqa: E731
    with pytest.raises(NotSupported):
        measure_roles(empty, "m", sentences=FEW)


def test_scores_of_other_roles_are_refused(make_trace: MakeTrace) -> None:
    written = json.loads(measure_roles(traced(make_trace), "m", sentences=FEW).to_json())
    with pytest.raises(ValueError, match="other roles"):
        RoleScores.from_json(json.dumps({**written, "roles": ["else"]}))


def same(one: RoleScores, other: RoleScores) -> None:
    np.testing.assert_allclose(one.scores, other.scores, atol=6e-5)
    np.testing.assert_allclose(one.uniform, other.uniform, atol=6e-5)
    np.testing.assert_allclose(one.fixed, other.fixed, atol=6e-5)
    np.testing.assert_array_equal(one.counts, other.counts)
    assert (one.model, one.sentences) == (other.model, other.sentences)
    for at, some in one.examples.items():
        weights = [example.weight for example in some]
        np.testing.assert_allclose(weights, [e.weight for e in other.examples[at]], atol=2e-4)


def test_the_shipped_scores_point_at_their_examples(minilm: core.Model) -> None:
    known = shipped_roles("minilm")
    assert known is not None
    assert shipped_roles("no such model") is None
    assert known.scores.shape == (6, 12, len(ROLES))
    assert known.sentences == len(role_sentences())
    role = ROLES.index("pronoun-antecedent")
    layer, head = divmod(int(known.scores[..., role].argmax()), 12)
    assert known.named()[layer, head] == role
    example = known.examples[layer, head, role][0]
    trace = minilm.trace(role_sentences()[example.sentence].text)
    assert trace.attention is not None
    weight = trace.attention.weights[layer, head, example.query, example.key]
    assert trace.tokens[example.query] in ("he", "she")
    assert 0 < weight <= example.weight + 1e-4
    same(RoleScores.from_json(known.to_json()), known)


@pytest.mark.fuzz
@pytest.mark.check
def test_minilm_measured_anew_is_what_is_shipped(minilm: core.Model) -> None:
    known = shipped_roles("minilm")
    assert known is not None
    anew = measure_roles(lambda texts: minilm.trace_many(texts, keep="attention"), "minilm")
    same(anew, known)
    assert {at: anew.named()[at] for at in anew.named()} == dict(known.named())
