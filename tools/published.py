"""Compute what the source texts print about published models, and compare: `make published`.

A number in a text can be checked only with the weights that the text used. They come from the model
hub, from its cache, or from a folder (docs/published.md). Each claim is computed by both engines.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import core
from core import settings
from core.examples.first_texts import POEM as RIVER
from core.examples.first_texts import POEM_B as MONEY
from core.measures import sentence_vector
from core.pretrained import EngineName

# The names of the texts in docs/where_the_texts_are_wrong.md.
SCRATCH, HEADS, BOOKLET = (
    "“LLMs from Scratch”, part 3",
    "“Transformers from Scratch”, part 1",
    "“Workshop Booklet”, part 2",
)
FOX = "The quick brown fox jumps over the lazy dog"
ZEBRAS = "How quickly daft jumping zebras vex!"
CAT, KATZE, OTHER = "The cat sleeps.", "Die Katze schläft.", "He paid by cheque."

ENGINES: tuple[EngineName, ...] = ("scratch", "huggingface")
# A number halfway between two printed ones is rounded depending on the order of additions on the
# author's machine; another order may shift it by this much.
ROUNDING = settings.ENGINE_BOUND["cpu"]

Found = str | Sequence[float]


class Numbers(NamedTuple):
    """Numbers as a text prints them: "0.0390 -0.0123 … 0.0238"; "…" stands for omitted ones."""

    printed: str

    @property
    def values(self) -> tuple[float, ...]:
        """The printed numbers."""
        return tuple(float(one) for one in self._parts() if one != "…")

    @property
    def tolerance(self) -> float:
        """Half of the last printed digit, plus the effect of rounding."""
        return 0.5 * 10.0 ** -self._decimals() + ROUNDING

    def holds(self, found: Found) -> bool:
        """Whether these numbers round to the printed ones."""
        own = self.values
        if isinstance(found, str) or len(found) != len(own):
            return False
        return bool(np.abs(np.asarray(found, float) - own).max(initial=0.0) <= self.tolerance)

    def written(self, found: Found) -> str:
        """The computed numbers as the text would print them, with more digits if they differ."""
        if isinstance(found, str):
            return found
        digits = self._decimals() + (0 if self.holds(found) else 2)
        numbers = iter(found)
        if len(found) != len(self.values):
            return " ".join(f"{x:.{digits}f}" for x in found)
        return " ".join("…" if part == "…" else f"{next(numbers):.{digits}f}" for part in self._parts())

    def _parts(self) -> list[str]:
        return self.printed.split()

    def _decimals(self) -> int:
        return max(len(part.partition(".")[2]) for part in self._parts() if part != "…")


class Words(NamedTuple):
    """Words as a text prints them, with spaces between them."""

    printed: str

    def holds(self, found: Found) -> bool:
        """Whether they are the same."""
        return found == self.printed

    def written(self, found: Found) -> str:
        """The computed words."""
        return str(found)


class Within(NamedTuple):
    """A number between two bounds of our own, because no text prints it."""

    least: float
    most: float

    @property
    def printed(self) -> str:
        """The bounds in words."""
        return f"between {self.least:g} and {self.most:g}"

    def holds(self, found: Found) -> bool:
        """Whether the number is within the bounds."""
        return not isinstance(found, str) and all(self.least <= x <= self.most for x in found)

    def written(self, found: Found) -> str:
        """The number."""
        return found if isinstance(found, str) else " ".join(f"{x:.3g}" for x in found)


Find = Callable[[core.Model], Found]
Compare = Callable[[core.Model, core.Model], Found]


@dataclass(frozen=True)
class Claim:
    """A statement of a text, or a property of the model that it uses.

    Attributes:
        text: the text.
        place: the place in the text.
        model: its name in `settings.CATALOGUE`.
        what: what is computed, in words.
        expected: the expected result.
        find: computes it with one model.
        compare: computes it from both engines at once, instead of `find`.
    """

    text: str
    place: str
    model: str
    what: str
    expected: Numbers | Words | Within
    find: Find | None = None
    compare: Compare | None = None

    @property
    def name(self) -> str:
        """A short name for a list."""
        return f"{self.text}, {self.place}: {self.what}"


class Result(NamedTuple):
    """The result of a claim: the engines, the text of the result, and whether it is as expected."""

    claim: Claim
    by: str
    found: str
    holds: bool


def results(claim: Claim, models: dict[EngineName, core.Model]) -> list[Result]:
    """Compute a claim with every available engine.

    Args:
        claim: the claim.
        models: the model in each engine that can run it; at least one.
    """
    if claim.compare is not None:
        if len(models) < 2:
            return []
        by = [(" and ".join(models), claim.compare(*models.values()))]
    else:
        assert claim.find is not None
        by = [(engine, claim.find(model)) for engine, model in models.items()]
    expected = claim.expected
    return [Result(claim, name, expected.written(of), expected.holds(of)) for name, of in by]


def _floats(numbers: Any) -> list[float]:
    return [float(x) for x in numbers]


def _bank(vectors: str, text: str) -> Find:
    """The first five numbers of *bank*: §4.1 prints `[1]` of the word alone, `[11]` of a sentence."""

    def find(model: core.Model) -> Found:
        trace = model.trace(text, keep="hidden")
        (at,) = trace.find("bank")
        return _floats(getattr(trace, vectors)[at, :5])

    return find


def _row(vectors: str, row: int) -> Find:
    """The first and the last three numbers of a row, as PyTorch prints a large tensor."""

    def find(model: core.Model) -> Found:
        numbers = getattr(model.trace(RIVER, keep="hidden"), vectors)[row]
        return _floats([*numbers[:3], *numbers[-3:]])

    return find


def _tokens(text: str) -> Find:
    return lambda model: " ".join(model.trace(text, keep="hidden").tokens)


def _grid(model: core.Model) -> Found:
    trace = model.trace(CAT)
    return " ".join(str(one) for one in (*trace.grid, trace.contextual.shape[1]))


def _apart(*texts: str) -> Compare:
    """The largest difference between the two engines in anything that a trace holds."""

    def compare(ours: core.Model, theirs: core.Model) -> Found:
        a, b = ours.trace(*texts), theirs.trace(*texts)
        assert a.attention is not None
        assert b.attention is not None
        pairs = [
            (getattr(a, name), getattr(b, name))
            for name in ("learned", "embedded", "hidden", "query", "key", "value")
        ]
        pairs.append((a.attention.weights, b.attention.weights))
        return [max(float(np.abs(x - y).max()) for x, y in pairs)]

    return compare


def _neuron_view(layer: int, head: int) -> Find:
    """The difference between a head's weights and the softmax of its q · k / √d, in 64 bits."""

    def find(model: core.Model) -> Found:
        trace = model.trace(FOX)
        assert trace.query is not None
        assert trace.key is not None
        assert trace.attention is not None
        q, k = (x[layer, head].astype(float) for x in (trace.query, trace.key))
        scores = q @ k.T / np.sqrt(q.shape[1])
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights = powers / powers.sum(axis=1, keepdims=True)
        return [float(np.abs(weights - trace.attention.weights[layer, head]).max())]

    return find


def _second_begins(model: core.Model) -> Found:
    """`sentence_b_start` of the text: the number of tokens in the first of two sentences."""
    return str(model.trace(FOX, ZEBRAS, keep="hidden").segments.index(1))


def _cosine(one: str, other: str) -> Find:
    def find(model: core.Model) -> Found:
        a, b = (sentence_vector(model.trace(text, keep="hidden")) for text in (one, other))
        return [float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))]

    return find


def _distilbert() -> list[Claim]:
    def scratch_claim(place: str, what: str, printed: str, find: Find) -> Claim:
        return Claim(SCRATCH, place, "distilbert", what, Numbers(printed), find)

    rows = ("[CLS]", "write", "a", "bank", ".", "[SEP]")
    at = (0, 1, 2, -3, -2, -1)
    learned = (
        "0.0390 -0.0123 -0.0208 … 0.0607 0.0230 0.0238",
        "-0.0300 -0.0070 -0.0247 … 0.0203 -0.0566 -0.0264",
        "0.0062 0.0100 0.0071 … -0.0043 -0.0132 0.0166",
        "-0.0261 -0.0571 -0.0934 … -0.0351 -0.0396 -0.0389",
        "-0.0244 -0.0138 -0.0078 … 0.0069 0.0057 -0.0016",
        "-0.0199 -0.0095 -0.0099 … -0.0235 0.0071 -0.0071",
    )
    contextual = (
        "-0.0957 -0.2030 -0.5024 … 0.0490 0.3114 0.1348",
        "0.4535 0.5324 -0.2670 … 0.0583 0.2880 -0.4577",
        "-0.1893 0.1717 -0.4159 … -0.2230 -0.2225 0.0207",
        "0.1536 -0.1616 -0.1735 … -0.3608 -0.3879 -0.1812",
        "-0.0182 -0.4264 -0.6702 … 0.3213 0.5881 -0.5163",
        "0.7911 0.2633 -0.4892 … -0.2303 -0.6364 -0.3311",
    )
    one = "-0.03 -0.06 -0.09 -0.07 -0.03"
    return [
        scratch_claim("§4.1", "the learned vector of bank, alone", one, _bank("learned", "bank")),
        scratch_claim("§4.1", "the same in the river sentence", one, _bank("learned", RIVER)),
        scratch_claim("§4.1", "the same in the money sentence", one, _bank("learned", MONEY)),
        scratch_claim(
            "§4.1",
            "the contextual vector of bank in the river sentence",
            "0.15 -0.16 -0.17 -0.08 0.44",
            _bank("contextual", RIVER),
        ),
        scratch_claim(
            "§4.1",
            "the contextual vector of bank in the money sentence",
            "0.27 -0.23 -0.23 -0.21 0.79",
            _bank("contextual", MONEY),
        ),
        *(
            scratch_claim("§4.6", f"the learned row of {name}", printed, _row("learned", i))
            for name, printed, i in zip(rows, learned, at, strict=True)
        ),
        *(
            scratch_claim("§4.7", f"the contextual row of {name}", printed, _row("contextual", i))
            for name, printed, i in zip(rows, contextual, at, strict=True)
        ),
        Claim(
            SCRATCH,
            "§4.8",
            "distilbert",
            "the tokens of the river sentence",
            Words("[CLS] write a poem about a man fishing on a river bank . [SEP]"),
            _tokens(RIVER),
        ),
        *(_engines(SCRATCH, "§4", "distilbert", text) for text in (RIVER, MONEY)),
    ]


def _engines(text: str, place: str, model: str, *texts: str) -> Claim:
    shown = " / ".join(texts)
    return Claim(
        text,
        place,
        model,
        f"how far our transformer and the reference lie apart on “{shown}”",
        Within(0, ROUNDING),
        compare=_apart(*texts),
    )


def _bert() -> list[Claim]:
    """The text shows layer 0, head 8 as an animation: it prints no number to compare with."""
    neuron, pair = "neuron view", "head view"
    return [
        Claim(
            HEADS,
            neuron,
            "bert",
            "the tokens of the fox sentence",
            Words("[CLS] the quick brown fox jumps over the lazy dog [SEP]"),
            _tokens(FOX),
        ),
        Claim(
            HEADS,
            neuron,
            "bert",
            "how far the weights of layer 0, head 8 lie from the softmax of q · k / √64",
            Within(0, ROUNDING),
            _neuron_view(0, 8),
        ),
        _engines(HEADS, neuron, "bert", FOX),
        Claim(HEADS, pair, "bert", "where the second sentence begins", Words("11"), _second_begins),
        _engines(HEADS, pair, "bert", FOX, ZEBRAS),
    ]


def _multilingual() -> list[Claim]:
    """The booklet prints no number; these are our own bounds."""
    place = "multilingual sentence embeddings"

    def cosine(one: str, other: str, least: float, most: float) -> Claim:
        what = f"the cosine similarity of “{one}” and “{other}”"
        return Claim(BOOKLET, place, "multilingual", what, Within(least, most), _cosine(one, other))

    return [
        Claim(BOOKLET, place, "multilingual", "layers, heads and width", Words("12 12 384"), _grid),
        cosine(CAT, KATZE, 0.8, 1.0),
        cosine(CAT, OTHER, -1.0, 0.4),
        _engines(BOOKLET, place, "multilingual", CAT),
        _engines(BOOKLET, place, "multilingual", KATZE),
    ]


CLAIMS: tuple[Claim, ...] = (*_distilbert(), *_bert(), *_multilingual())


def load(name: str) -> dict[EngineName, core.Model]:
    """A model in each engine that can run it.

    Raises:
        PolyseeError: see `core.load`; NotSupported only if no engine can run it.
    """
    models: dict[EngineName, core.Model] = {}
    for engine in ENGINES:
        try:
            models[engine] = core.load(name, engine=engine)
        except core.NotSupported:
            if engine == ENGINES[-1] and not models:
                raise
    return models


@dataclass
class Tally:
    """How many results are as expected, how many differ, and which models could not be loaded."""

    held: int = 0
    differ: int = 0
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """1: something differs; 2: something could not be checked, and nothing differs; else 0."""
        return 1 if self.differ else 2 if self.missing else 0

    def sentences(self) -> list[str]:
        """The summary."""
        sentences = []
        if self.missing:
            names = ", ".join(settings.CATALOGUE[name].hub_id for name in self.missing)
            sentences.append(
                f"The model hub does not answer from here, or may not be asked, and {names} "
                "cannot be found on this machine: their figures were not checked. "
                "docs/published.md says what to do."
            )
        if self.differ:
            sentences.append(
                f"{self.differ} of {self.held + self.differ} results differ from the text."
            )
        elif self.held:
            sentences.append(f"All {self.held} results are as expected.")
        return sentences


def check(claims: Iterable[Claim], say: Callable[[str], None]) -> Tally:
    """Load each model once, compute its claims, and print the expected and the computed results."""
    tally, by_model = Tally(), dict[str, list[Claim]]()
    for claim in claims:
        by_model.setdefault(claim.model, []).append(claim)
    for name, own in by_model.items():
        say(f"{settings.CATALOGUE[name].title}: {settings.CATALOGUE[name].hub_id}")
        try:
            models = load(name)
        except core.ModelNotFound as error:
            tally.missing[name] = str(error)
            say(f"  not checked: {error}")
            continue
        except core.PolyseeError as error:
            tally.differ += 1
            say(f"  DIFFERS  cannot be read: {error}")
            continue
        for claim in own:
            _say(claim, results(claim, models), tally, say)
    return tally


def _say(claim: Claim, done: Sequence[Result], tally: Tally, say: Callable[[str], None]) -> None:
    held = all(one.holds for one in done)
    tally.held += sum(one.holds for one in done)
    tally.differ += sum(not one.holds for one in done)
    say(f"  {'as expected' if held else 'DIFFERS    '}  {claim.name}")
    say(f"    expected  {claim.expected.printed}")
    for one in done:
        say(f"    found     {one.found}  ({one.by}{'' if one.holds else ': differs'})")


def main() -> int:
    """Check everything that the texts print: 0 if all is as expected, 1 if not, 2 if unknown."""
    from transformers.utils import logging

    logging.set_verbosity_error()
    tally = check(CLAIMS, lambda line: print(line, flush=True))
    print("\n".join(tally.sentences()))
    return tally.status


if __name__ == "__main__":
    sys.exit(main())
