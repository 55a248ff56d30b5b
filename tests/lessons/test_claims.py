"""What a lesson says is what its model shows: each number in its words, and what lessons 1 and 3 claim.

A number in a lesson's words comes out of an expression, names something that exists (layer 1, step 3),
or stands in `CLAIMS` with the check that computes it. One without a place there fails.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np
import pytest

import core
from core.examples import labelled
from core.lessons import (
    Choice,
    Lesson,
    OfModel,
    Records,
    TaskRecords,
    TranslatorRecords,
    Value,
    evaluate,
    lessons,
    parse,
)
from core.measures import shipped
from core.tasks import shipped as shipped_translator
from core.tasks.languages import senses
from core.tasks.training import recipe_code
from tests import left_to_right

OURS = {one.name: one for one in lessons()}
EACH = pytest.mark.parametrize("lesson", OURS.values(), ids=lambda one: one.name)
WORDS = ["six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twelfth", "hundreds", "thousands"]
NUMBER = re.compile(rf"(?<![\w{{:])[−-]?\d[\d.,]*|\b(?:{'|'.join(WORDS)})\b")
NAMED = re.compile(r"\b(lesson|step|steps|layer|head|position|temperature) (\d+)\b", re.IGNORECASE)
FILLED = re.compile(r"\{[^}]*\}")

Ask = Callable[[str], Value]  # computes an expression with the lesson's texts


def said(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """All words of a lesson, with where they stand; what is filled in is left out."""
    yield "head", f"{lesson.title} {lesson.aim}"
    if lesson.check is not None:
        yield "check", " ".join((lesson.check.question, *lesson.check.answers, lesson.check.because))
    for i, step in enumerate(lesson.steps, 1):
        options = step.prediction.options if isinstance(step.prediction, Choice) else ()
        marks = (one.name for one in step.scale)
        words = " ".join((step.title, step.text, step.question, step.reveal, *options, *marks))
        yield f"step {i}", " ".join(FILLED.sub("{}", words).split())


def close(ask: Ask, tree: str, least: float, most: float) -> bool:
    return least <= number(ask, tree) <= most


def close_to(value: float, other: float) -> bool:
    return math.isclose(value, other, abs_tol=0.5)


def by_definition(_: Ask) -> bool:
    return (
        math.isclose(math.e**1, 2.72, abs_tol=0.005)
        and math.isclose(math.sqrt(32), 5.66, abs_tol=0.005)
        and math.isclose(math.log2(math.e), 1.44, abs_tol=0.005)
        and math.isclose(math.log(173), 5.15, abs_tol=0.005)
        and math.isclose(np.linalg.norm(np.eye(3)[0] - np.eye(3)[1]), math.sqrt(2))
        and math.exp(-math.inf) == 0
    )


def number(ask: Ask, tree: str) -> float:
    value = ask(tree)
    assert isinstance(value, float)
    return value


_SUM = '{"sum": {"weights": ["{a}", "{word}", 6, 12]}}'
_ALTERNATING = '{"list": [1, 0, 1, 0, 1, 0, 1, 0]}'
# Of each lesson: the words, and what makes them true, for both of its texts.
CLAIMS: Mapping[str, Mapping[str, Callable[[Ask], bool]]] = {
    "one-vector": {
        "six layers": lambda ask: ask('{"layers": "{a}"}') == 6,
        "twelve in each of six layers": lambda ask: (
            (ask('{"heads": "{a}"}'), ask('{"layers": "{a}"}')) == (12, 6)
        ),
        # The ends of the axis, by definition.
        "−1 stands for {}, +1 for {}": lambda ask: close(ask, '{"on axis": ["{a}", "{word}"]}', -3, 3),
        "a row of shares that add up to 1": lambda ask: close(
            ask, '{"sum": {"weights": ["{a}", "{word}", 6, 7]}}', 0.9999, 1.0001
        ),
    },
    "tokens": {
        "One 1 among zeros": by_definition,
        "a 1 at its own index, 0 elsewhere": by_definition,
        "√2 apart": by_definition,
    },
    "nearness": {
        "hundreds of numbers": lambda ask: close(
            ask, '{"count": {"learned": ["{t}", "{w}"]}}', 200, 999
        ),
        "it is 1 for the same direction and 0 for a right angle": lambda ask: (
            close(ask, '{"cosine": [{"list": [1, 2]}, {"list": [2, 4]}]}', 0.9999, 1.0001)
            and close(ask, '{"cosine": [{"list": [1, 0]}, {"list": [0, 3]}]}', -1e-9, 1e-9)
        ),
    },
    "position": {
        "anything below 0.001 is rounding": lambda ask: close(
            ask, '{"order": {"text": "{a}", "other": "{b}", "layer": 6, "positions": false}}', 0, 1e-3
        ),
        "All numbers stay between −1 and 1": lambda ask: close(
            ask, '{"max": {"sinusoid": [{"number": "{n}"}, 128]}}', -1, 1
        ),
        "Move both positions on by ten": lambda ask: close(
            ask,
            '{"-": [{"cosine": [{"sinusoid": [3, 128]}, {"sinusoid": [7, 128]}]},'
            ' {"cosine": [{"sinusoid": [13, 128]}, {"sinusoid": [17, 128]}]}]}',
            -1e-9,
            1e-9,
        ),
        "both are 1, 0, 1, 0, 1, 0, 1, 0": lambda ask: (
            ask(f'{{"dot": [{_ALTERNATING}, {_ALTERNATING}]}}') == 4
        ),
        "their dot product is 4": lambda ask: ask(f'{{"dot": [{_ALTERNATING}, {_ALTERNATING}]}}') == 4,
        "How much of the 4 is left": lambda ask: (
            ask(f'{{"dot": [{_ALTERNATING}, {_ALTERNATING}]}}') == 4
        ),
        "from 0 to 49": lambda ask: dict(OURS["position"].steps[-1].state)["pl"] == "50",
        "It does not fall to 0": lambda ask: all(
            close(
                ask, f'{{"cosine": [{{"sinusoid": [0, 128]}}, {{"sinusoid": [{i}, 128]}}]}}', 0.3, 1.001
            )
            for i in range(50)
        ),
    },
    "qkv": {
        "shares that add up to 1": lambda ask: close(
            ask, '{"sum": {"weights": ["{a}", "{word}", 1, 1]}}', 0.9999, 1.0001
        ),
    },
    "softmax": {
        "to make the shares of each row add up to 1": by_definition,  # a wrong answer
        "A row that adds up to 1": lambda ask: close(ask, _SUM, 0.9999, 1.0001),
        "shares between 0 and 1": lambda ask: close(
            ask, '{"min": {"weights": ["{a}", "{word}", 6, 12]}}', 1e-12, 1
        ),
        "larger by 1, its share is 2.72 times as large": by_definition,
        "No share is exactly 0": lambda ask: close(
            ask, '{"min": {"weights": ["{a}", "{word}", 6, 12]}}', 1e-12, 1
        ),
        "has 32 dimensions": lambda ask: ask('{"count": {"query": ["{a}", "{word}", 6, 12]}}') == 32,
        "√32 = 5.66": by_definition,
        "its gradients are near 0": lambda ask: (
            close(  # p(1 − p) of its largest share, if it is too sharp
                ask, '{"max": {"softmax": {"list": [9, 1, 0]}}}', 0.999, 1
            )
        ),
        "1 if one token gets everything, 9 if nine tokens get equal shares": lambda ask: close(
            ask,
            '{"exp": {"entropy": {"softmax": {"list": [1, 1, 1, 1, 1, 1, 1, 1, 1]}}}}',
            8.999,
            9.001,
        ),
    },
    "heads": {
        "twelve *heads*": lambda ask: ask('{"heads": "{a}"}') == 12,
        "a twelfth of the width": lambda ask: (
            ask('{"count": {"vector": ["{a}", "it"]}}')
            == 12 * number(ask, '{"count": {"query": ["{a}", "it", 1, 1]}}')
        ),
        "Here are all 72": lambda ask: (
            number(ask, '{"heads": "{a}"}') * number(ask, '{"layers": "{a}"}') == 72
        ),
        "One head of 72": lambda ask: ask('{"heads": "{a}"}') == 12,
        "One head out of 72": lambda ask: ask('{"layers": "{a}"}') == 6,
        "is rarely decisive": lambda ask: (  # here it is not
            ask('{"side": ["{c}", "{word}"]}')
            == ask('{"if": [{">": [{"without head": ["{c}", "{word}", 1, 4]}, 0]}, "{high}", "{low}"]}')
        ),
    },
    "layer": {
        "about 12 to 13": lambda ask: close(
            ask, '{"length": {"step row": ["{t}", "residual", "{word}"]}}', 12, 13
        ),
        "into numbers near 0": lambda ask: close(
            ask, '{"min": {"step row": ["{t}", "activation", "{word}"]}}', -0.2, 0
        ),
        "the others are near 0": lambda ask: close(
            ask, '{"min": {"step row": ["{t}", "activation", "{word}"]}}', -0.2, 0
        ),
        "four times its size": lambda ask: (
            ask('{"count": {"step row": ["{t}", "activation", "{word}"]}}') == 4 * 384
        ),
        "Of the 1,536 numbers": lambda ask: (
            ask('{"count": {"step row": ["{t}", "activation", "{word}"]}}') == 1536
        ),
        "six such layers of width 512": lambda ask: True,  # the original transformer, section 3.1
        "MiniLM stacks six of width 384": lambda ask: (
            ask('{"count": {"vector": ["{t}", "{word}"]}}') == 384 and ask('{"layers": "{t}"}') == 6
        ),
        "from the others six times": lambda ask: ask('{"layers": "{t}"}') == 6,
    },
    "translation": {
        "Their weights become 0, since e to the power of −∞ is 0": by_definition,
        "The weight of every later word is exactly 0": lambda ask: (
            ask('{"count above": [{"decoder weights": ["{t}", {"number": "{s}"}, 1, 1]}, 0]}')
            == ask('{"number": "{s}"}')
        ),
        "Above 1 it makes the probabilities more even, below 1 less even": lambda ask: (
            number(ask, '{"probability": {"text": "{t}", "step": 2, "temperature": 3}}')
            < number(ask, '{"probability": {"text": "{t}", "step": 2}}')
        ),
        "from 0 to 1": by_definition,
        "only 331 words": lambda ask: len(shipped_translator().target) == 331,
    },
    "training": {
        "among 173 words": lambda ask: (
            len(senses.vocabulary()) == 173 - 4
        ),  # and four signs such as [MASK]
        "ln 173 = 5.15": by_definition,
        "About nine tokens share each row": lambda ask: close(
            ask, '{"count": {"tokens": ["{t}", 0]}}', 9, 10
        ),
        "After 200 steps": lambda ask: recipe_code.read("bank~n200~lr0.006~wu50").steps == 200,
        "sees 64 sentences": lambda ask: recipe_code.read("bank~n200~lr0.006~wu50").batch == 64,
        "after 100 steps": lambda ask: recipe_code.read("bank~n200~lr0.006~wu50").steps == 2 * 100,
        "After 40 steps it was {}, and after 200 it is {}": lambda ask: (
            number(ask, '{"found": 40}') < number(ask, '{"found": 100}') < number(ask, '{"found": 200}')
        ),
    },
    "next-word": {
        "from 0 to 1": by_definition,
        "together have 100 %": lambda ask: close(
            ask, '{"next probability": {"text": "{t}", "temperature": 100}}', 1e-9, 1e-4
        ),  # nearly even: of 49,152 tokens each has its share
        "At 1 they stay as they are": by_definition,
        "The order of the words never changes": lambda ask: (
            number(ask, '{"next probability": {"text": "{t}", "temperature": 0.5}}')
            > number(ask, '{"next probability": "{t}"}')
            > number(ask, '{"next probability": {"text": "{t}", "temperature": 2}}')
        ),
    },
    "why-this-word": {
        "Many heads attend to the first word of a text, whatever it is": lambda ask: close(
            ask, '{"to the first": "{t}"}', 0.5, 0.6
        ),
        "from 0 to 1": by_definition,
        "the model’s 270 heads": lambda ask: (
            number(ask, '{"layers": "{t}"}') * number(ask, '{"heads": "{t}"}') == 270
        ),
        "the head had added {}, more than any": lambda ask: (
            ask('{"head speaks most": ["{t}", "{word}", "{other}"]}')
            == ask('{"list": [{"number": "{l}"}, {"number": "{h}"}]}')
        ),
        "The head attends to the second *{}*": lambda ask: close(
            ask, '{"weight": ["{t}", "{end}", "{again}", {"number": "{l}"}, {"number": "{h}"}]}', 0.5, 1
        ),
        "must add up to 1": lambda ask: close(
            ask, '{"sum": {"weights": ["{t}", "{word}", 24, 4]}}', 0.9999, 1.0001
        ),
        "*When* is the first word of this text": lambda ask: ask('{"position": ["{t}", "When"]}') == 1,
        "about 2.7 times": by_definition,  # as probable, for each logit
        "e = 2.7": by_definition,
        "With a lead of 1": by_definition,
        "with a lead of 2 about 2.7 × 2.7 times": by_definition,
        "the word that spoke for *{}* in step 1": lambda ask: close(
            ask, '{"speaks": ["{t}", "{word}", "{other}", "{again}"]}', 1, 10
        ),
        "The two differ": lambda ask: (
            number(ask, '{"lead": ["{t}", "{word}", "{other}"]}')
            - number(ask, '{"lead without word": ["{t}", "{word}", "{other}", "{word}"]}')
            - number(ask, '{"speaks": ["{t}", "{word}", "{other}", "{word}"]}')
            > 1
        ),
        "falls from {} to {}: all this attention then goes to other words": lambda ask: close(
            ask, '{"probability without the first": "{t}"}', 0, 0.1
        ),
        "above 100 %, it overshoots": by_definition,
        "no matter which: with *While*": lambda ask: close(
            ask, '{"next probability": ["{q}", "{word}"]}', 0.8, 1
        ),
        "the vector of the country holds the answer, then that of *is*": lambda ask: all(
            close(
                ask,
                f'{{"comes back": ["{{a}}", "{{b}}", "{{x}}", "{{y}}", "{word}", {layer}]}}',
                least,
                least + 0.5,
            )
            for layer, word, least in (
                (22, "{place}", 0.75),
                (22, "is", -0.2),
                (24, "{place}", -0.2),
                (24, "is", 0.75),
            )
        ),
    },
    "it-copies": {
        "1 bit if the word had the probability of a coin": lambda ask: math.log2(1 / 2) == -1,
        "10 bits are about one in a thousand": lambda ask: (
            math.log2(2) == 1 and math.isclose(math.log2(1000), 10, abs_tol=0.05)
        ),
        "more than 13 bits": lambda ask: close(
            ask, '{"surprise": [{"number": "{n}"}, {"number": "{z}"}, 1]}', 13, 14
        ),
        "surprised by less than 3 bits": lambda ask: close(
            ask, '{"surprise": [{"number": "{n}"}, {"number": "{z}"}, 2]}', 1.9, 3
        ),
        "one of the first by more than 13": lambda ask: close(
            ask, '{"surprise": [{"number": "{n}"}, {"number": "{z}"}, 1]}', 13, 14
        ),
        "one in 65,536": lambda ask: math.log2(65_536) == 16,
        "one in 16,384": lambda ask: math.log2(16_384) == 14,
        "from 0 to 1": by_definition,
        "set to 0": by_definition,
        "Three of 270 heads (30 layers of 9 heads) carry much of it, and not all": lambda ask: (
            (ask('{"layers": "{own}"}'), ask('{"heads": "{own}"}')) == (30, 9)
            and number(ask, '{"surprise": [{"number": "{n}"}, {"number": "{z}"}, 2]}') + 3
            < number(ask, '{"surprise": [{"number": "{n}"}, {"number": "{z}"}, 2, 3]}')
            < number(ask, '{"surprise": [{"number": "{n}"}, {"number": "{z}"}, 1]}') - 3
        ),
        "after 300 steps": lambda ask: recipe_code.read("induction~n300").steps == 300,
        "1 nat is 1.44 bits": by_definition,
        "their loss in the second half is about 4 nats": lambda ask: close_to(
            TaskRecords("induction~n300").snapshot(0).loss, 4.3
        ),
        "one letter back": by_definition,
    },
    "paper-to-today": {
        "since 2017": lambda ask: True,  # Vaswani et al. (2017)
        "top ten": by_definition,
        "from 0 to 1": by_definition,
        "one part of 2017": lambda ask: True,  # the same
        "*Attention Is All You Need*, 2017": lambda ask: True,
        # Xiong et al. (2020), theorem 1, and section 3.3: the gradients near the output.
        "Norms before the parts make a large model easier to train": lambda ask: True,
        "ReLU sets every negative number to 0": by_definition,
        "is about 3 long": lambda ask: close(
            ask, '{"state length": {"text": "{t}", "layer": 0}}', 2.5, 3.5
        ),
        "The exchange of step 2 changes far more": lambda ask: all(
            abs(number(ask, '{"probability with part": ["{t}", "order"]}') - own)
            > 4 * abs(number(ask, '{"probability with part": ["{t}", "norm"]}') - own)
            for own in (number(ask, '{"next probability": "{t}"}'),)
        ),
        "the decoder’s own text, and its words attend to those before them": lambda ask: (
            ask('{"item": [{"next words": "{s} {z}"}, 1]}') == ask('{"join": [{"list": ["{y}"]}, ""]}')
            and close(ask, '{"next probability": ["{z}", "{y}"]}', 0, 0.02)
            and close(ask, '{"next probability": ["{s} {z}", "{y}"]}', 0.25, 1)
        ),
        "In the paper each of eight heads has its own": lambda ask: True,  # section 3.2.2
        "With the mask for that word alone": lambda ask: all(
            close(ask, f'{{"place with part": ["{{{one}}}", "mask but first"]}}', 1, 4)
            for one in ("t", "own")
        ),
        "Here nine heads *share* three sets of them": lambda ask: (
            ask('{"heads": "{t}"}') == 9
            and number(ask, '{"keeps": "heads"}') == 3 * number(ask, '{"keeps": []}')
        ),
        "We give each of the nine a copy": lambda ask: ask('{"heads": "{t}"}') == 9,
        "Each of nine heads gets keys and values of its own": lambda ask: (
            ask('{"heads": "{t}"}') == 9
            and (ask('{"keeps": []}'), ask('{"keeps": "heads"}')) == (11520, 34560)
        ),
        "Shared keys are for memory alone": lambda ask: close(
            ask,
            '{"-": [{"probability with part": ["{t}", "heads"]}, {"next probability": "{t}"}]}',
            -1e-4,
            1e-4,
        ),
    },
}


def without_claims(lesson: Lesson, words: str) -> str:
    for claim in sorted(CLAIMS.get(lesson.name, {}), key=len, reverse=True):
        words = words.replace(claim, " ")
    return words


@EACH
def test_every_number_in_the_words_is_computed_or_checked(lesson: Lesson) -> None:
    everything = " ".join(words for _, words in said(lesson))
    for claim in CLAIMS.get(lesson.name, {}):
        assert claim in everything, f"the lesson no longer says “{claim}”"
    for where, words in said(lesson):
        left = NAMED.sub(" ", without_claims(lesson, words))
        assert not NUMBER.findall(left), (where, NUMBER.findall(left), left)


@EACH
def test_a_lesson_or_a_step_that_is_named_exists(lesson: Lesson) -> None:
    for where, words in said(lesson):
        for kind, number in NAMED.findall(without_claims(lesson, words)):
            if kind.lower() == "lesson":
                assert 1 <= int(number) <= len(OURS), where
            if kind.lower() == "step" and lesson.model in ("minilm", "smollm2"):
                assert 1 <= int(number) <= len(lesson.steps), where


@EACH
def test_a_lesson_ends_with_a_text_of_the_visitors_own(lesson: Lesson) -> None:
    assert [bool(one.own) for one in lesson.steps] == [False] * (len(lesson.steps) - 1) + [True]
    assert lesson.check is not None


@cache
def _task(model: str) -> Records:
    return TaskRecords(model.removeprefix("task "))


@cache
def _speaks() -> Records:
    model = left_to_right.real()
    return OfModel(lambda: model, "SmolLM2")


def _records(lesson: Lesson, minilm: core.Model) -> Records:
    if lesson.model == "smollm2":
        return _speaks()
    if lesson.model == "translator":
        return TranslatorRecords(shipped_translator())
    if lesson.model.startswith("task "):
        return _task(lesson.model)
    return OfModel(lambda: minilm, "MiniLM", shipped("minilm"))


def asking(lesson: Lesson, minilm: core.Model, *, second: bool = False) -> Ask:
    """A function that computes an expression with the first or the second texts of a lesson."""
    records, texts = _records(lesson, minilm), lesson.with_second() if second else lesson.texts
    return lambda tree: evaluate(parse(tree), records, dict(texts))


@pytest.mark.check
@EACH
def test_the_claims_are_true(lesson: Lesson, minilm: core.Model) -> None:
    for second in (False, True):
        ask = asking(lesson, minilm, second=second)
        for claim, holds in CLAIMS.get(lesson.name, {}).items():
            assert holds(ask), (claim, second)


@pytest.mark.check
@pytest.mark.parametrize("second", [False, True])
def test_lesson_1_tells_how_attention_moves_the_word(minilm: core.Model, second: bool) -> None:
    lesson = OURS["one-vector"]
    texts = lesson.with_second() if second else lesson.texts
    ask = asking(lesson, minilm, second=second)
    about = '"{a}", "{word}"'
    # The head that step 4 opens is the one that carries most of the cue over, and the word attends most
    # to the cue there.
    assert ask(f'{{"head adds most": [{about}, "{{cue}}"]}}') == (float(texts["l"]), float(texts["h"]))
    assert ask(f'{{"adds most": [{about}]}}') == texts["cue"]
    part, alone = (
        number(ask, f'{{"adds": [{about}, "{{cue}}"]}}'),
        number(ask, f'{{"alone": [{about}]}}'),
    )
    direct = number(ask, f'{{"head adds": [{about}, "{{cue}}", {texts["l"]}, {texts["h"]}]}}')
    assert 0 < direct < part  # “the rest comes through other heads”
    last = number(ask, f'{{"on axis": [{about}]}}')
    cut = number(ask, f'{{"without word": [{about}, "{{cue}}"]}}')
    assert cut < last  # the cut takes something away, and not what the word had added
    assert abs((last - cut) - part) > 0.1
    assert alone < 0 < last
    # The parts add up: alone, each word, its own vector, special tokens and biases.
    moved = OfModel(lambda: minilm, "MiniLM").moved(texts["a"], texts["word"])
    assert moved.alone == pytest.approx(alone)
    assert dict(moved.others)[texts["cue"]] == pytest.approx(part)


def test_no_text_of_lesson_1_names_an_end_of_its_axis() -> None:
    lesson = OURS["one-vector"]
    for texts in (lesson.texts, lesson.with_second()):
        for name in ("a", "b", "own"):
            words = texts[name].casefold().strip(".").split()
            assert texts["low"] not in words
            assert texts["high"] not in words


@EACH
def test_the_lesson_and_compare_measure_on_one_axis(lesson: Lesson) -> None:
    """Labelled sentences are left out of the ends, so that one of them would have two axes."""
    known = {one.text for word in ("bank", "bat") for one in labelled(word)}
    assert not known & {*lesson.texts.values(), *lesson.second.values()}
    if lesson.name == "one-vector":  # Embeddings has an axis of its own, with other numbers
        assert {step.page for step in lesson.steps} <= {"compare", "", "heads"}


@pytest.mark.check
@pytest.mark.parametrize("second", [False, True])
def test_lesson_3_shows_that_the_measures_disagree(minilm: core.Model, second: bool) -> None:
    lesson = OURS["nearness"]
    ask = asking(lesson, minilm, second=second)

    def measured(kind: str, text: str, one: str, other: str) -> float:
        pair = ", ".join(f'{{"learned": ["{{{text}}}", "{{{word}}}"]}}' for word in (one, other))
        return number(ask, f'{{"{kind}": [{pair}]}}')

    assert measured("cosine", "t", "w", "y") > measured("cosine", "t", "w", "x")
    assert measured("distance", "t", "w", "x") < measured("distance", "t", "w", "y")
    # “By cosine, {n} is nearer to {v} than {o} is.”
    assert measured("cosine", "u", "v", "n") > measured("cosine", "u", "v", "o")
    assert measured("dot", "u", "v", "n") < measured("dot", "u", "v", "o")

    def length(text: str, word: str) -> float:
        return number(ask, f'{{"length": {{"learned": ["{{{text}}}", "{{{word}}}"]}}}}')

    assert length("t", "x") < length("t", "y")  # “a short arrow may end nearby”
    pair = [f'{{"cosine": [{{"sentence": "{{p1}}"}}, {{"sentence": "{{p{i}}}"}}]}}' for i in (2, 3)]
    assert number(ask, pair[0]) > number(ask, pair[1])  # the opposite is nearer
