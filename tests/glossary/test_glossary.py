"""The terms of the field: complete, unique, and consistent with the code."""

from __future__ import annotations

import importlib
import math
import re
from functools import reduce

import numpy as np
import pytest

import core
from core import glossary
from core.comparison import Chosen, Ends
from core.comparison.moves_by_part import shown_parts
from core.comparison.source import Direct
from core.examples import known_ends
from core.glossary import Term
from core.language import Sampling, shaped
from core.measures import copies, sink
from core.measures.similarity import cosine
from core.records.interventions import Ablate
from tests import left_to_right

TERMS = glossary.terms()


def test_a_term_is_read_whole() -> None:
    one = glossary.find("attention-weight")
    assert one == Term(
        name="attention weight",
        subject="Attention",
        also=("attention weights",),
        meaning="The share of its attention that a query gives to a key. The weights of one query lie "
        "between 0 and 1 and add up to 1.",
        formula=r"a_{ij} = \frac{e^{s_{ij}}}{\sum_{j'} e^{s_{ij'}}}",
        example="In head 7 of layer 6, *bank* gives *fishing* a weight of 0.63: nearly two thirds of "
        "its attention. [See it](heads?t=A+man+is+fishing+on+the+river+bank.&l=6&h=7&r=token&q=9&k=5)",
        see="heads?t=A+man+is+fishing+on+the+river+bank.&l=6&h=7&r=token&q=9&k=5",
        paper="Vaswani et al. 2017, §3.2.1",
        code="core.records.attention.Attention",
    )
    assert one.in_a_line == "The share of its attention that a query gives to a key."
    assert one.further == "The weights of one query lie between 0 and 1 and add up to 1."
    assert one.shown_by.endswith("nearly two thirds of its attention.")
    assert one.forms == ("attention weight", "attention weights")
    assert glossary.find("no-such-term") is None


@pytest.mark.parametrize(
    "name",
    [
        *("attention weight", "residual connection", "logit", "ablation", "PCA", "learned vector"),
        *("not clear", "alone", "end of an axis", "position", "adds", "cut"),
        *("top-p sampling", "min-p sampling", "logit lens", "patching", "induction head"),
        *("attention sink", "surprise", "perplexity", "KV cache", "branch", "temperature"),
        *("overfitting", "held-out", "learning rate", "seed", "n-gram", "one-hot vector"),
        *("lemma", "logDice"),
    ],
)
def test_what_was_asked_for_is_there(name: str) -> None:
    assert name in {one.name for one in TERMS}


@pytest.mark.parametrize("one", TERMS, ids=lambda one: one.anchor)
def test_an_entry_is_whole(one: Term) -> None:
    assert one.subject
    assert one.paper
    assert one.meaning.endswith((".", "##."))
    assert len(one.meaning) <= 240, "two lines"
    assert 20 < len(one.in_a_line) <= 135
    assert f"{one.in_a_line} {one.further}".strip() == one.meaning
    assert one.see
    assert one.example.endswith((".", ")", "0"))
    assert len(one.example.partition(" [")[0]) <= 240
    assert one.formula.count("{") == one.formula.count("}")
    # A meaning is between quotes in a link, and must be plain text.
    assert not set('"$*`<>\\') & set(one.meaning)


@pytest.mark.parametrize("one", TERMS, ids=lambda one: one.anchor)
def test_its_code_is_there(one: Term) -> None:
    parts = one.code.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        assert reduce(getattr, parts[length:], module) is not None
        return
    pytest.fail(f"{one.code} cannot be imported")


def test_no_form_means_two_terms() -> None:
    forms = [form.casefold() for one in TERMS for form in one.forms]
    assert len(forms) == len(set(forms))
    assert len({one.anchor for one in TERMS}) == len(TERMS) > 40


def test_what_is_typed_finds_forms_before_meanings() -> None:
    found = [one.name for one in glossary.matching("  Causal   MASK ")]
    assert found == ["causal mask", "padding mask"]
    assert glossary.matching("") == TERMS
    assert glossary.matching("word2vec")[0].name == "skip-gram"
    assert glossary.matching("\u2603") == ()


def numbers_of(example: str) -> list[str]:
    """The numbers of an example as English writes them, without groups of digits."""
    said = example.partition("](")[0].replace("\u202f", "")
    return sorted(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3}\b)", "", said)))


@pytest.mark.parametrize("own", glossary.terms("de"), ids=lambda one: one.anchor)
def test_a_term_in_german_says_the_same(own: Term) -> None:
    """Its code, its link and its numbers, with a comma before decimals."""
    one = glossary.find(own.anchor)
    assert one is not None
    assert own.name
    assert own.meaning != one.meaning
    assert not set('"$*`<>\\') & set(own.meaning)
    assert own.code == one.code
    assert own.paper
    assert own.example.partition("](")[2] == one.example.partition("](")[2]
    said = re.sub(r"(?<=\d),(?=\d)", ".", own.example.partition("](")[0])
    assert numbers_of(said) == numbers_of(one.example)


def test_the_terms_of_a_language_are_all_there_in_its_order() -> None:
    german = glossary.terms("de")
    assert [one.anchor for one in german] == [one.anchor for one in TERMS]
    forms = [form.casefold() for one in german for form in one.forms]
    assert len(forms) == len(set(forms))
    assert len({one.subject for one in german}) == len({one.subject for one in TERMS})
    assert glossary.find("layer", "de") == glossary.matching("Schicht", "de")[0]
    assert glossary.matching("residual connection", "de")[0].name == "Residual-Verbindung"
    assert glossary.terms("xx") == TERMS  # without a file, English


FISHING, MONEY = "A man is fishing on the river bank.", "A man is withdrawing money from the bank."


def printed(name: str) -> list[float]:
    """The numbers with decimals in the example of a term."""
    one = glossary.find(name)
    assert one is not None
    said = one.example.partition("](")[0].replace("−", "-")
    return [float(n) for n in re.findall(r"-?\d+\.\d+", said)]


def near(*wanted: float) -> object:
    return pytest.approx(list(wanted), abs=0.005001)


def softmax(*scores: float) -> list[float]:
    shares = np.exp(scores)
    return [float(x) for x in shares / shares.sum()]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("softmax", softmax(1, 2, 3)),
        ("logit", softmax(2, 1, 0)),
        ("temperature", [*softmax(2, 1), *softmax(4, 2), 0.5]),
        ("top-k-sampling", [0.6, 0.3, 0.1, 0.6 / 0.9, 0.3 / 0.9]),
        ("top-p-sampling", [0.8, 0.6, 0.3, 0.1, 0.6 / 0.9, 0.3 / 0.9, 0.9]),
        ("min-p-sampling", [0.4, 0.6, 0.3, 0.1, 0.4, 0.6, 0.4 * 0.6, 0.6 / 0.9, 0.3 / 0.9]),
        ("perplexity", [2 ** ((1 + 2 + 3) / 3)]),
        ("surprise", [2.0**-2, 2.0**-1]),
        ("entropy", [math.log(2), math.log(11)]),
        ("cross-entropy", [0.25, 0.25, -math.log(0.25), 0.9, -math.log(0.9)]),
        ("cosine-similarity", [1 / math.sqrt(2), 1 / math.sqrt(2)]),
        ("layer-normalization", [math.sqrt(2 / 3), -math.sqrt(1.5), math.sqrt(1.5)]),
        ("sinusoidal-positions", [math.sin(1), math.cos(1), math.sin(2), math.cos(2)]),
        ("rotary-positions", [math.cos(1), math.sin(1)]),
        ("k-means", [1.5, 9.5]),
        ("gradient", [0.1, 3 - 0.1 * 6]),
        ("learning-rate", [0.1, 3 - 0.1 * 6]),
        ("attention", [0.75, 0.25]),
        ("rank-collapse", [1.5, 2.5, 2.5, 1.5]),
        ("residual-connection", [0.5, 2.5]),
    ],
)
def test_the_numbers_of_an_example_are_right(name: str, numbers: list[float]) -> None:
    assert printed(name) == near(*numbers)
    rest = np.array([[0.75, 0.25], [0.25, 0.75]]) @ [[0, 4], [4, 0]]  # of rank collapse
    np.testing.assert_array_equal(rest, [[1, 3], [3, 1]])


@pytest.mark.check
def test_the_numbers_of_a_model_are_those_of_minilm(minilm: core.Model) -> None:
    a, b = minilm.trace(FISHING), minilm.trace(MONEY)
    (bank,), (fishing,), (man,) = a.find("bank"), a.find("fishing"), a.find("man")
    assert a.hidden is not None
    assert b.hidden is not None
    assert a.attention is not None
    last = cosine(a.hidden[-1][[bank]], b.hidden[-1][b.find("bank")])
    assert printed("contextual-vector") == near(float(last[0, 0]))
    words = [
        one.learned[one.find(w)[0]] for w in ("river", "lake", "money") if (one := minilm.trace(w))
    ]
    river, lake, money = words
    both = cosine(river[None], np.stack([lake, money]))[0]
    assert printed("learned-vector") == near(*map(float, both))
    weight = float(a.attention.weights[5, 6, bank, fishing])
    assert printed("attention-weight") == near(weight)
    assert a.query is not None
    assert a.key is not None
    scores = a.query[5, 6, bank] @ a.key[5, 6].T / math.sqrt(32)
    assert printed("key") == near(float(scores[fishing]), float(scores[man]))
    assert scores.argmax() == fishing
    known = known_ends("bank", (FISHING, MONEY), minilm.spelling)
    assert known is not None
    axis = minilm.sense_axis("bank", known.low, known.high)
    at = [axis.coordinates(one, one.find("bank")) for one in (a, b)]
    assert printed("sense-axis") == near(at[0][-1], at[1][-1])
    assert printed("layer") == near(at[0][0], at[1][0])
    (without,) = minilm.changed(FISHING, [[Ablate(5, 6)]], keep="hidden")
    assert printed("ablation") == near(axis.coordinates(without, without.find("bank"))[-1], at[0][-1])
    assert (len(a.tokens), minilm.n_vocabulary) == (11, 30522)
    assert minilm.trace("embeddings").tokens[1:-1] == ("em", "##bed", "##ding", "##s")
    assert printed("position") == near(at[0][-1])
    alone = minilm.trace("bank")
    assert printed("alone") == near(axis.coordinates(alone, alone.find("bank"))[-1])
    side, ends = Chosen(FISHING, "bank", 0), Ends(known.names, known.low, known.high)
    source = Direct(minilm)
    shown, _ = shown_parts(a, side)
    parts = source.added(side, ends).parts[-1]
    added = {part.text: float(x) for part, x in zip(shown, parts, strict=True)}
    assert printed("adds") == near(added["river"], added["fishing"])
    (cut,) = minilm.changed(FISHING, [[core.Cut(bank, fishing)]], keep="hidden")
    moved = at[0][-1] - axis.coordinates(cut, cut.find("bank"))[-1]
    assert printed("cut") == near(float(moved), added["fishing"])


def test_the_cuts_of_an_example_are_those_of_the_code() -> None:
    logits = np.log([0.6, 0.3, 0.1])
    for cut in (Sampling(top_k=2), Sampling(top_p=0.8), Sampling(min_p=0.4)):
        np.testing.assert_allclose(shaped(logits, cut).drawable, [2 / 3, 1 / 3], rtol=1e-6)


@pytest.mark.check
def test_the_numbers_of_a_language_model_are_those_of_smollm2() -> None:
    model = left_to_right.real()
    found = copies(model, ablate=0).heads
    assert found is not None
    assert found.ranked()[0] == (18, 6)
    assert printed("induction-head") == near(float(found.induction[18, 6]))
    text = "When Mary and John went to the store, John gave a drink to"
    assert printed("attention-sink") == near(float(sink(model.trace(text)).attention.mean()))
    one, cost = glossary.find("kv-cache"), model.cache_cost()
    assert one is not None
    assert f"{cost.kept:,}" in one.example
    assert model.next_token("The capital of France is").texts[0] == " Paris"
    false = model.next_token("The capital of Australia is")
    assert false.texts[:2] == (" Sydney", " Canberra")
    said = glossary.find("hallucination")
    assert said is not None
    shares = shaped(false.logits, Sampling()).probabilities[:2]
    assert re.findall(r"(\d+) %", said.example) == [f"{100 * share:.0f}" for share in shares]
