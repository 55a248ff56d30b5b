"""What a model that speaks expects next, what it writes, and which words of the text speak for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...errors import NotSupported
from ...measures.rivals import rival
from ...records.frozen import Array
from ...records.interventions import Ablate, Change, Cut, Replace
from ...records.logit_parts import LogitParts
from ...records.pieces import pieces_of
from ...records.prediction import Expectation, probabilities
from ..expressions import BadExpression, Operation
from ..model_records import Records, named, tokens_of
from .arguments import IN_HEAD, TEXT, Given, from_zero, head_of, layer_of, parameters, trace_of

MOST_WRITTEN = 40  # tokens
_PAIR = ("word: string", "other: string")
_ANY_PAIR = ("word: string?", "other: string?")


def _words(expected: Expectation) -> tuple[str, ...]:
    blank = str.maketrans({" ": "␣", "\n": "↵"})
    return tuple(one.strip() or one.translate(blank) for one in expected.texts[:10])


def _share(logits: Array, token: int, temperature: float) -> float:
    if not 0.01 <= temperature <= 100:
        raise BadExpression("A temperature must be from 0.01 to 100.")
    return float(probabilities(logits, temperature)[token])


def _token(records: Records, given: Given, expected: Expectation) -> int:
    word = given.get("word")
    return expected.ids[0] if word is None else records.first_token(word)


def _probability(records: Records, given: Given) -> float:
    expected = records.expects(given["text"])
    return _share(expected.logits, _token(records, given, expected), given.get("temperature", 1.0))


def _written(records: Records, given: Given) -> str:
    count = given["many"]
    if not 1 <= count <= MOST_WRITTEN:
        raise BadExpression(f"A lesson lets a model write 1 to {MOST_WRITTEN} tokens.")
    temperature = given.get("temperature", 1.0)
    if not 0 <= temperature <= 100:
        raise BadExpression("A temperature must be from 0 to 100.")
    seed = int(given.get("seed", 0))
    return " ".join(records.written(given["text"], int(count), temperature, seed).split())


def _gap(records: Records, given: Given, expected: Expectation) -> float:
    """How far one next word stands above another, in logits."""
    ids = [records.first_token(given[name]) for name in ("word", "other")]
    one, other = (float(expected.logits[i]) for i in ids)
    return one - other


def _lead(*changes: Callable[[Records, Given], list[Change]]) -> Callable[[Records, Given], float]:
    def read(records: Records, given: Given) -> float:
        made = [change for of in changes for change in of(records, given)]
        return _gap(records, given, records.expects(given["text"], tuple(made)))

    return read


def _cuts(records: Records, given: Given) -> list[Change]:
    trace = trace_of(records, given)
    return [Cut(len(trace.tokens) - 1, int(key)) for key in tokens_of(trace, given["by"])]


def _ablation(records: Records, given: Given) -> list[Change]:
    trace = trace_of(records, given)
    return [Ablate(layer_of(trace, given), head_of(trace, given))]


def _replacement(records: Records, given: Given) -> list[Change]:
    word, number = named(given["by"])
    return [Replace(word, given["instead"], number)]


def _ids(records: Records, given: Given) -> tuple[int, int]:
    """The two next words; by default the likeliest, and its rival as on the page."""
    expected = records.expects(given["text"])
    first = _token(records, given, expected)
    if (other := given.get("other")) is None:
        return first, rival(given["text"], expected, first)
    return first, records.first_token(other)


def _parts(records: Records, given: Given) -> LogitParts:
    return records.leads(given["text"], *_ids(records, given))


def _rival(records: Records, given: Given) -> str:
    expected = records.expects(given["text"])
    other = rival(given["text"], expected, expected.ids[0])
    return expected.texts[expected.ids.index(other)].strip()


def _bits_a_word(records: Records, given: Given) -> float:
    """The surprise at a text, or at what stands in it behind a beginning, by its words."""
    text, behind = given["text"], given.get("behind", "")
    if not text.startswith(behind):
        raise BadExpression("The beginning behind which surprise is measured is not that of the text.")
    score, start = records.score(text), len(behind)
    places = [i for i, (begin, end) in enumerate(score.offsets) if end > start and score.ranks[i] >= 0]
    words = len(text[max(start, score.first_scored) :].split())
    if not places or not words:
        raise NotSupported("The text is too short: its first token surprises nobody.")
    return float(np.nansum(score.bits[places], dtype=np.float64)) / words


def _speaks(records: Records, given: Given) -> float:
    parts = _parts(records, given)
    keys = tokens_of(trace_of(records, given), given["by"])
    return float(parts.sources.by_depth[0, keys].sum(dtype=np.float64))


def _most(records: Records, given: Given) -> list[int]:
    """The tokens of the word that adds most to the lead, all its pieces together; none for no word."""
    own = _parts(records, given).sources.by_depth[0]
    by_word: dict[int, list[int]] = {}
    for token, word in enumerate(trace_of(records, given).word_ids):
        if word is not None and token:  # the first token draws attention whatever it is
            by_word.setdefault(word, []).append(token)
    return max(by_word.values(), key=lambda some: float(own[some].sum()), default=[])


def _speaks_most(records: Records, given: Given) -> str:
    trace = trace_of(records, given)
    pieces = pieces_of(given["text"], trace.tokens, trace.offsets)
    return "".join(pieces[i] for i in _most(records, given)).strip()


def _speaks_most_at(records: Records, given: Given) -> float:
    return float(max(_most(records, given), default=-1) + 1)


def _head_speaks(records: Records, given: Given) -> float:
    parts = _parts(records, given)
    trace = trace_of(records, given)
    return float(parts.by_head[layer_of(trace, given), head_of(trace, given)])


def _head_speaks_most(records: Records, given: Given) -> tuple[float, float]:
    added = _parts(records, given).by_head
    best = int(added.argmax())
    return float(best // added.shape[1] + 1), float(best % added.shape[1] + 1)


def _comes_back(records: Records, given: Given) -> float:
    a, b = given["text"], given["other text"]
    trace = records.trace(a)
    (position, *more) = (int(one) for one in tokens_of(trace, given["at"]))
    if more:
        raise NotSupported(f"“{given['at']}” is more than one token.")
    layer = given["layer"]
    depth = 0 if layer == 0 else from_zero("layer", layer, trace.grid[0]) + 1
    before, after, patched = (
        _gap(records, given, one)
        for one in (
            records.expects(b),
            records.expects(a),
            records.with_state_of(a, b, depth, position),
        )
    )
    if abs(after - before) < 1e-6:
        raise NotSupported("Both prompts have the same answer: nothing can come back.")
    return (patched - before) / (after - before)


def _to_first(records: Records, given: Given) -> float:
    return float(records.sink(given["text"]).attention.mean(dtype=np.float64))


def _from_first(records: Records, given: Given) -> float:
    return records.sink(given["text"]).total_share


def _without_first(records: Records, given: Given) -> float:
    before = records.expects(given["text"])
    after = records.without_first(given["text"])
    return _share(after.logits, _token(records, given, before), 1.0)


OPERATIONS = (
    Operation(
        "next words",
        parameters(TEXT),
        "The ten most probable next words after a text, or their first pieces.",
        lambda r, g: _words(r.expects(g["text"])),
    ),
    Operation(
        "rival",
        parameters(TEXT),
        "The word with which Why this word compares the most probable one.",
        _rival,
    ),
    Operation(
        "next probability",
        parameters(TEXT, "word: string?", "temperature: number?"),
        "The probability of a next word; by default, of the most probable one, at temperature 1.",
        _probability,
    ),
    Operation(
        "writes",
        parameters(TEXT, "many: whole", "temperature: number?", "seed: whole?"),
        "What the model writes after a text: so many tokens, drawn at a temperature, 1 by default.",
        _written,
    ),
    Operation(
        "bits a word",
        parameters(TEXT, "behind: string?"),
        "The surprise at the words of a text, in bits, the mean; or at those behind its beginning.",
        _bits_a_word,
    ),
    Operation(
        "lead",
        parameters(TEXT, *_PAIR),
        "How far one next word stands above another, in logits: e to its power is how many times.",
        _lead(),
    ),
    Operation(
        "lead without word",
        parameters(TEXT, *_PAIR, "by: word"),
        "The lead of a next word if the last token attends to a word in no layer.",
        _lead(_cuts),
    ),
    Operation(
        "lead without head",
        parameters(TEXT, *_PAIR, *IN_HEAD),
        "The lead of a next word if one head is ablated.",
        _lead(_ablation),
    ),
    Operation(
        "lead with word",
        parameters(TEXT, *_PAIR, "by: string", "instead: string"),
        "The lead of a next word if another word stands in the place of one.",
        _lead(_replacement),
    ),
    Operation(
        "speaks",
        parameters(TEXT, *_PAIR, "by: word"),
        "What a word of the text adds to the lead of a next word, in an exact sum over all words.",
        _speaks,
    ),
    Operation(
        "speaks most",
        parameters(TEXT, *_ANY_PAIR),
        "The word of a text that adds most to the lead of a next word, the first token apart; by "
        "default, of the most probable one over its rival.",
        _speaks_most,
    ),
    Operation(
        "speaks most at",
        parameters(TEXT, *_ANY_PAIR),
        "The position of that word’s last token in the text; 0 if there is none.",
        _speaks_most_at,
    ),
    Operation(
        "head speaks",
        parameters(TEXT, *_PAIR, *IN_HEAD),
        "What one head adds directly to the lead of a next word.",
        _head_speaks,
    ),
    Operation(
        "head speaks most",
        parameters(TEXT, *_PAIR),
        "The [layer, head] that adds most directly to the lead of a next word.",
        _head_speaks_most,
    ),
    Operation(
        "comes back",
        parameters(TEXT, "other text: string", *_PAIR, "at: word", "layer: whole"),
        "How much of the lead comes back in the other text with one state of this one: 0 none, 1 all.",
        _comes_back,
    ),
    Operation(
        "to the first",
        parameters(TEXT),
        "The share of all attention that goes to the first token of a text.",
        _to_first,
    ),
    Operation(
        "from the first",
        parameters(TEXT),
        "The share of what all heads write that comes from the first token of a text.",
        _from_first,
    ),
    Operation(
        "probability without the first",
        parameters(TEXT, "word: string?"),
        "The probability of a next word if no other token attends to the first one.",
        _without_first,
    ),
)
