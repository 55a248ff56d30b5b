"""What the browser's side takes from Python, which says it first: `python -m tools.constants`.

It writes the JSON files of `FILES` into `core/figures/web/src`: constants, what the rules of words know
of languages, and how links are written (`tools/links.py`). A test fails if one is older than what it is
made of. Nothing in them is edited by hand.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from core import markdown, sentences, settings, spreadsheet
from core.comparison import close_ends, judge, moves_by_part, say
from core.comparison import ends as sense_ends
from core.dictionary import unshown
from core.errors import ModelNote
from core.examples import ANCHORS, labelled, words
from core.figures import (
    Picture,
    labels,
    lens,
    logit_parts,
    matrices,
    scales,
    shaded,
    steps,
    style,
    why_parts,
    why_text,
    why_words,
)
from core.figures.attention import layer_state, layer_view, logsum, overview
from core.figures.bars import _AROUND as _AROUND_BARS
from core.figures.bars import _MOST_ROWS as MOST_BARS
from core.figures.bars import _ROW as BAR
from core.figures.branches import _AROUND, _MOST_ROWS, _ROW
from core.figures.cloud import _DIGITS as CLOUD_DIGITS
from core.figures.cloud import _HEIGHT as CLOUD_HEIGHT
from core.figures.cloud import _SHORT as CLOUD_SHORT
from core.figures.cloud import MARKS, MOST_NAMED
from core.figures.forward import _HEIGHT as HEIGHT_OF_PASS
from core.figures.forward import MOST_COLUMNS
from core.figures.lengths import HIGH as HEIGHT_OF_LENGTHS
from core.figures.next_word import _HEIGHT, ENDS, NAMED, SHOWN
from core.figures.trajectories import paths, trajectory
from core.measures import PATTERNS, foreign, rivals
from core.measures.attention.visible_keys import Reach
from core.measures.contributions import by_word, sentence_parts
from core.measures.function_words import FUNCTION_WORDS
from core.measures.senses import meanings, occurrences, sense_map, shares, verdict
from core.own_text import files, learning, ready
from core.own_text import recipe as own_recipe
from core.own_text import writing as own_writing
from core.records import (
    elision,
    finding,
    inflections,
    particles,
    sense_axis,
    spelling,
    unknown,
    unspaced,
)
from core.records import words as words_of_texts
from core.records.contributions import Contributions
from core.records.lens import LensGrid
from core.records.logit_parts import LogitParts
from core.records.trace import SINK
from core.tasks.languages import induction
from core.tasks.languages.vocabulary import PAD_ID
from core.tasks.training import learner, loop, run
from core.tasks.training.batches import UNKNOWABLE
from core.walkthroughs.steps import flow
from core.walkthroughs.steps.decoder_alone import MOST_NEXT
from core.walkthroughs.steps.descriptions import ALONE, STEPS
from core.web import built, inside
from pages.embeddings.state import VIEWS as EMBEDDINGS_VIEWS
from pages.heads import pattern_captions
from pages.next_word import captions, hidden
from pages.next_word import shaded as surprising
from pages.next_word import state as page_state
from pages.next_word.continuing import writing as writing_on
from pages.next_word.layers import captions as lens_captions
from pages.next_word.layers import view as lens_view
from pages.next_word.why import captions as why_captions
from pages.next_word.why import computed as why_computed
from pages.next_word.why import section as why_section
from pages.senses.pictures import ACCURACY_HEIGHT, NO_LABEL
from pages.step_by_step import parts as exchanged
from pages.step_by_step.sentence import MOST_TOKENS
from pages.step_by_step.shown_step import _OTHER_ORDER
from pages.step_by_step.state import SIZES, VIEWS
from pages.step_by_step.views import LARGE
from pages.training.own_text import captions as own_captions
from pages.training.own_text import pictures as own_pictures
from pages.training.own_text import prompt
from tools import links
from ui import text
from ui.models import answers

_SOURCE = Path(__file__).resolve().parents[1] / "core/figures/web/src"
MODEL = "minilm"
BOTH = (MODEL, built.LANGUAGE_MODEL)  # those that run in a browser


def constants() -> dict[str, Any]:
    """All of it, as plain JSON values; the typical scores need the model."""
    return {
        "model": MODEL,
        "sink": SINK,
        "languageModel": built.LANGUAGE_MODEL,
        "style": _style(),
        "overview": {
            name: getattr(overview, f"_{name.upper()}", getattr(overview, name.upper(), None))
            for name in (
                "most_cells",
                "most_bytes",
                "cell",
                "all",
                "least",
                "around",
                "choices",
                "bytes",
                "nothing",
                "least_cells",
            )
        },
        "layer": {
            "thresholds": layer_view.THRESHOLDS,
            "heights": layer_view._HEIGHTS,
            "noProducts": layer_view._NO_PRODUCTS,
            "causal": Reach("causal").sentence,
            "heightOf": (layer_view._AROUND, layer_view._OF_TOKEN),
            "little": logsum._LITTLE,
            "short": layer_state.SHORT,
            "long": layer_state.LONG,
        },
        "nextWord": {
            "shown": SHOWN,
            "named": NAMED,
            "height": _HEIGHT,
            "bars": {"row": BAR, "around": _AROUND_BARS},
            "shaded": {
                "line": shaded._LINE,
                "around": shaded._AROUND,
                "mostLines": shaded._MOST_LINES,
                "signs": shaded._SIGNS,
                "digits": "".join(
                    sign
                    for sign in map(chr, range(0x110000))
                    if sign.isdigit() and not sign.isdecimal()
                ),
            },
            "branches": {"row": _ROW, "around": _AROUND, "mostRows": _MOST_ROWS},
            "sure": captions.SURE,
            "leans": captions.LEANS,
            "mostNamed": captions.MOST_NAMED,
            "mostStops": writing_on.MOST_STOPS,
            "bits": surprising.BITS,
            "atOnce": writing_on.AT_ONCE,
            "mostWritten": page_state.MOST_WRITTEN,
            "mostPaths": page_state.MOST_PATHS,
            "mostSeed": page_state.NextWordState.seed.most,
            "views": page_state.VIEWS,
            "ends": ENDS,
        },
        "lens": _of_lens(),
        "exchanged": {"lengthens": exchanged.LENGTHENS, "height": HEIGHT_OF_LENGTHS},
        "senses": {
            "z": shares._Z,
            "mostLabels": occurrences.MOST_LABELS,
            "marks": MARKS,
            "mostNamed": MOST_NAMED,
            "short": CLOUD_SHORT,
            "digits": CLOUD_DIGITS,
            "height": CLOUD_HEIGHT,
            "accuracyHeight": ACCURACY_HEIGHT,
            "noLabel": NO_LABEL,
        },
        "embeddings": {"views": EMBEDDINGS_VIEWS},
        "steps": {"most": MOST_TOKENS, "next": MOST_NEXT, "large": LARGE},
        "why": _of_why(),
        "hidden": {"word": hidden.WORD, "digits": unshown.DIGITS, "before": hidden._BEFORE},
        "trajectoryHeight": trajectory.HEIGHT,
        "cosines": {
            "lines": paths.COSINES,
            "guides": paths.COSINE_GUIDES,
            "axis": paths.AXIS,
            "height": paths.HEIGHT,
        },
        "trajectorySides": trajectory._STYLES,
        "digits": trajectory.DIGITS,
        "trajectorySum": {
            "digits": trajectory.EXACT,
            "mostMarks": trajectory.MOST_MARKS,
            "hardly": by_word.HARDLY,
            "outstanding": trajectory.OUTSTANDING,
            "ahead": trajectory.AHEAD,
        },
        "leftOut": sentence_parts.LEFT_OUT,
        "names": {
            "beforeLayers": style.BEFORE_LAYERS,
            "mostShort": style.MOST_SHORT,
            "joiners": labels._JOINERS,
            "rightToLeft": markdown.RIGHT_TO_LEFT.pattern,
            "a": say.A,
            "b": say.B,
        },
        "text": {
            "ofWord": sentences.MOST_OF_WORD,
            "ofText": sentences.MOST_OF_TEXT,
            "ofEnd": text.MOST_OF_END,
            "lineEnds": "".join(chr(c) for c in range(0x110000) if len(f"a{chr(c)}b".splitlines()) > 1),
            "stillAlive": markdown._STILL_ALIVE.pattern,
            "wordJoiner": markdown._WORD_JOINER,
        },
        "scale": {"linearUpTo": scales.LINEAR_UP_TO, "titles": scales.WEIGHT_TITLES},
        "spreadsheet": spreadsheet.rules(),
        "unknown": unknown.UNKNOWN,
        "identical": sense_axis._IDENTICAL,
        "nothingAcross": sense_map.NOTHING,
        "patterns": {
            "names": list(pattern_captions.NAMES.values()),
            "thresholds": [settings.PATTERN_THRESHOLDS[name] for name in PATTERNS],
            "mostSimilar": pattern_captions.MOST_SIMILAR,
        },
        "calibrations": {model: _calibration(model) for model in BOTH},
        "kinds": {"few": verdict.FEW, "several": verdict.SEVERAL, "many": verdict.MANY},
        "mostListed": say.MOST_LISTED,
        "frames": sense_axis.FRAMES,
        "framesCausal": sense_axis.ANCHOR_FIRST,
        "beginning": settings.BEGINNING,
        "unmoved": verdict.UNMOVED,
        "sure": meanings.SURE,
        "mostAnchors": settings.MOST_ANCHORS,
        "mostAnchorWords": sense_axis.MOST_ANCHOR_WORDS,
        "mostSentences": sense_axis.MOST_SENTENCES,
        "mostName": sense_ends.MOST_NAME,
        "mostNamed": sense_ends.MOST_NAMED,
        "mostWrittenOut": sense_ends._MOST_WRITTEN_OUT,
        "mostShown": moves_by_part.MOST_SHOWN,
        "closeEnds": close_ends.CLOSE,
        "mostTextBytes": settings.MOST_TEXT_BYTES,
        "articles": sorted(judge.ARTICLES),
        "inflections": {
            "irregular": dict(inflections._IRREGULAR),
            "least": inflections._LEAST,
            "longest": inflections._LONGEST,
            "ending": inflections._ENDING,
            "noPlural": inflections._NO_PLURAL,
            "es": inflections._ES,
        },
        "functionWords": sorted(FUNCTION_WORDS),
        "foreign": {
            "languages": [sorted(small) for small in foreign.LANGUAGES.values()],
            "ambiguous": sorted(foreign._AMBIGUOUS),
            "endings": sorted(foreign._ENGLISH_ENDINGS),
            "least": foreign.LEAST,
            "several": foreign._SEVERAL,
            "withOne": foreign._WITH_ONE,
            "withOnePerhaps": foreign._WITH_ONE_PERHAPS,
            "withNone": foreign._WITH_NONE,
        },
        "inside": {
            "policy": inside.POLICY,
            "piece": inside.PIECE,
            "prefix": inside.PREFIX,
            "blocks": inside.BLOCKS,
        },
        "englishAlone": {
            model: settings.CATALOGUE[model].title.partition(",")[0]
            for model in BOTH
            if settings.CATALOGUE[model].english_alone
        },
    }


def typical() -> dict[str, Any]:
    """How the heads of each model that runs in a browser score in our own sentences."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelNote)
        return {model: _rounded(answers.typical_patterns(model).values.tolist()) for model in BOTH}


def _header(made: Picture) -> dict[str, Any]:
    """The header of a picture as it is sent."""
    sent = made.to_bytes()
    header: dict[str, Any] = json.loads(sent[4 : 4 + int.from_bytes(sent[:4], "little")])
    return header


def forward_steps() -> dict[str, Any]:
    """What a picture of the steps through a layer has besides their numbers, and their titles."""
    return {
        "height": HEIGHT_OF_PASS,
        "mostColumns": MOST_COLUMNS,
        "share": steps._SHARE,
        "exact": steps._EXACT,
        "signs": steps._SIGNS,
        "leads": steps._LEADS,
        "ofResult": flow._OF_RESULT,
        "views": VIEWS,
        "sizes": SIZES,
        "like": _OTHER_ORDER,
        "titles": {
            "encoder": {name: words.title for name, words in STEPS.items()},
            "decoder": {name: words.title for name, words in {**STEPS, **ALONE}.items()},
        },
    }


def _of_lens() -> dict[str, Any]:
    """The pictures of *Layer by layer*, without what a text puts into them, and their sizes."""
    ids, shares = np.array([[[0]], [[0]]]), np.array([[[1.0]], [[1.0]]])
    word = (0, np.ones((2, 1)), np.zeros((2, 1)))
    read = ("a",), (0,), ((0, 1),), (0,)
    grid = LensGrid(*read, ids, shares, {0: "a"}, *word, "plain", "", "next", "", "a")
    return {
        "named": lens_captions.MOST_NAMED,
        "last": lens_view.LAST,
        "lenses": page_state.LENSES,
        "row": lens._ROW,
        "around": lens._AROUND,
        "mostRows": lens._MOST_ROWS,
        "grid": _header(lens.lens_grid(grid, sentence="", name="")),
        "ranks": _header(lens_view.ranks(grid, grid)),
    }


def _of_why() -> dict[str, Any]:
    """The same of *Why this word*."""
    by_head = np.ones((1, 1, 1))
    depths = np.ones((2, 1)), np.zeros(2), by_head, by_head
    sources = Contributions(("a",), (0,), 0, np.ones(1), 1.0, *depths)
    parts = np.ones((1, 1, 1)), np.ones(1), np.zeros(1)
    one = LogitParts("a", None, sources, -1.0, *parts, 0.0, (1.0,))
    words, matrix = (_header(made) for made in (why_words(one, ["a"]), why_parts(one)))
    return {
        "rivals": rivals.RIVALS,
        "offered": why_section.OFFERED,
        "nothing": why_computed.NOTHING,
        "punctuation": rivals.PUNCTUATION,
        "little": logit_parts.LITTLE,
        "strongest": logit_parts.STRONGEST,
        "named": why_captions.NAMED,
        "near": why_captions.NEAR,
        "words": words,
        "parts": matrix,
        "text": _header(why_text(one, ["a"])),
        "bar": BAR,
        "mostBars": MOST_BARS,
        "row": matrices._ROW,
        "most": matrices._MOST,
    }


def writing() -> dict[str, Any]:
    """What the rules of words know of languages: elided words, particles, scripts without spaces."""
    return {
        "elided": sorted(elision.ELIDED),
        "starts": sorted(elision.STARTS),
        "never": sorted(elision.NEVER),
        "english": sorted(elision.ENGLISH),
        "korean": particles.KOREAN,
        "arabic": particles.ARABIC,
        "arabicLetters": particles.ARABIC_LETTERS,
        "article": particles.ARTICLE,
        "hebrew": particles.HEBREW,
        "least": particles.LEAST,
        "most": particles.MOST,
        "hangul": particles._HANGUL,
        "arabicScript": particles._ARABIC,
        "hebrewScript": particles._LETTERS_OF_HEBREW,
        "mostElided": elision.MOST,
        "word": _compact(words_of_texts.OF_LETTERS),
        "unspaced": unspaced.LETTERS,
        "hides": unspaced._HIDES.pattern,
        "styles": unspaced._INVISIBLE.pattern,
        "withSigns": unspaced._WITH_SIGNS.pattern,
        "piece": unspaced._PIECE,
        "sure": unspaced._SURE,
        "invisible": spelling._INVISIBLE.pattern,
        "shaped": spelling._SHAPED.pattern,
        "points": spelling._POINTS.pattern,
        "spaces": "".join(chr(code) for code in range(0x110000) if chr(code).isspace()),
        "star": finding.STAR,
        "quotes": finding.QUOTES,
        "mostItems": finding.MOST_ITEMS,
        "room": finding._ROOM,
        "longer": finding._LONGER,
    }


def characters() -> dict[str, Any]:
    """What each character is to a byte-level BPE that cuts like SmolLM2's, asked of the library.

    Its expressions and its digits know different versions of Unicode, and a browser a third. For each
    kind, where its runs begin and end, as steps from the one before, in base 36.
    """
    from tokenizers import pre_tokenizers

    cut = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str
    digits = pre_tokenizers.Digits(individual_digits=True).pre_tokenize_str
    # Above the third plane, Unicode has no letters, spaces and digits.
    every = "".join(chr(c) for c in range(0x40000) if not 0xD800 <= c < 0xE000)
    kinds: dict[str, list[int]] = {"letters": [], "spaces": [], "digits": []}
    for _, (start, end) in digits(every):  # each digit stands alone
        if end - start == 1 and len(digits(f"a{every[start]}a")) == 3:
            _put(kinds["digits"], every, start, end)
            continue
        part = every[start:end]
        for _, (first, last) in cut(part):
            # A run may begin with the space before it, and with nothing else of another kind.
            own = first + (part[first] == " " and last - first > 1)
            for at, to in ((first, own), (own, last)):
                if at < to and (kind := _kind(cut, part[at])):
                    _put(kinds[kind], every, start + at, start + to)
    return {name: " ".join(_steps(ends)) for name, ends in kinds.items()}


def _kind(cut: Callable[[str], Any], sign: str) -> str:
    if len(cut(f"a{sign}")) == 1:
        return "letters"
    return "spaces" if len(cut(f"!{sign}!")) > 1 else ""


def _put(ends: list[int], every: str, start: int, end: int) -> None:
    first, last = ord(every[start]), ord(every[end - 1]) + 1
    if ends and ends[-1] == first:
        ends[-1] = last
    else:
        ends += [first, last]


def _steps(ends: Sequence[int]) -> Iterator[str]:
    for before, end in pairwise((0, *ends)):
        yield np.base_repr(end - before, 36).lower()


def _compact(pattern: str) -> str:
    """A verbose pattern without its blanks, which stand in no set of characters."""
    return "".join(pattern.split())


def _style() -> dict[str, Any]:
    return {
        "a": style.SENTENCE_A,
        "b": style.SENTENCE_B,
        "learned": style.LEARNED,
        "hue": style.WEIGHT_HUE,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
        "heads": {"light": style.HEADS_ON_LIGHT, "dark": style.HEADS_ON_DARK},
    }


def _calibration(model: str) -> dict[str, Any]:
    own = verdict.shipped(model)
    assert own is not None
    bounds = {
        kind: {
            name: None if math.isinf(value := getattr(bounds, name)) else value
            for name in ("one", "two", "distance", "near", "fits")
        }
        for kind, bounds in own.bounds.items()
    }
    return {"layer": own.layer, "bounds": bounds}


def ends() -> dict[str, Any]:
    """The two ends of each labelled word: sentences that the code of a model's worker need not hold."""
    return {word: _ends(word) for word in words()}


def _ends(word: str) -> dict[str, Any]:
    """The two ends of a labelled word; their sentences for both kinds of models."""
    groups = ANCHORS[word]

    def labelled_as(*, causal: bool) -> list[list[str]]:
        every = labelled(word, causal=causal)
        return [[one.text for one in every if one.sense == group.name] for group in groups]

    return {
        "names": [group.name for group in groups],
        "words": [group.words for group in groups],
        "sentences": labelled_as(causal=False),
        "causal": labelled_as(causal=True),
    }


def _rounded(values: Any) -> Any:
    """As `core.figures.attention.ordering` rounds scores."""
    if isinstance(values, list):
        return [_rounded(one) for one in values]
    return None if math.isnan(values) else round(min(values, 1.0), 4)


def of_own_text() -> dict[str, Any]:
    """What a model of one's own text is trained with, on a server and in a tab."""
    return {
        "usual": asdict(own_recipe.TextRecipe()),
        "bounds": {**own_recipe.BOUNDS},
        "leastText": own_recipe.LEAST_TEXT,
        "mostText": own_recipe.MOST_TEXT,
        "held": own_recipe.HELD,
        "betas": learning.BETAS,
        "decay": learning.DECAY,
        "warmUp": learning.WARM_UP,
        "measured": learning.MEASURED,
        "writes": learning.WRITES,
        "pauses": learning.PAUSES,
        "temperature": own_writing.TEMPERATURE,
        "starts": own_writing.STARTS,
        "often": own_writing._OFTEN,
        "mostPrompt": prompt.MOST_PROMPT,
        "same": own_captions._SAME,
        "can": {
            "knows": own_captions._KNOWS,
            "letters": own_captions._LETTERS,
            "known": own_captions._KNOWN,
            "copied": own_captions._COPIED,
            "byHeart": own_captions._BY_HEART,
            "memory": own_captions._MEMORY,
        },
        "worse": own_captions._WORSE,
        "high": own_pictures._HIGH,
        "apart": own_pictures._APART,
        "kinds": {
            "light": style.KINDS_ON_LIGHT[:3],
            "dark": style.KINDS_ON_DARK[:3],
        },
        "file": {"key": files._KEY, "format": files._FORMAT, "most": files.MOST_BYTES},
    }


def of_copying() -> dict[str, Any]:
    """The task of repeated letters, as a tab learns it; its held-out words are the server's."""
    task = induction.INDUCTION
    held = task.held_out(loop.HELD_OUT)
    return {
        "signs": "".join(induction.SIGNS.known),
        "first": induction.SIGNS.ids(induction.SIGNS.known[0])[0],
        "pad": PAD_ID,
        "vocabulary": len(induction.SIGNS),
        "shortest": induction.SHORTEST,
        "longest": induction.LONGEST,
        "unknowable": UNKNOWABLE,
        "probe": induction._PROBE,
        "heldOutOf": induction._HELD_OUT_OF,
        "heldOut": [
            "".join(induction.SIGNS.words[i] for i in one.reads[: (len(one.reads) + 1) // 2])
            for one in held
        ],
        "betas": learner.BETAS,
        "weightDecay": learner.WEIGHT_DECAY,
        "every": run.every(task.recipe.steps),
    }


def own_texts() -> dict[str, Any]:
    """The ready texts of a model of one's own: the script that trains in a tab has them inside."""
    return {name: [one.title, one.text] for name, one in ready().items()}


FILES: Mapping[Path, Callable[[], Mapping[str, Any]]] = {
    _SOURCE / "derive/constants.json": constants,
    _SOURCE / "derive/ends.json": ends,
    _SOURCE / "derive/typical.json": typical,
    _SOURCE / "forward/steps.json": forward_steps,
    _SOURCE / "engine/writing.json": writing,
    _SOURCE / "engine/characters.json": characters,
    _SOURCE / "owntext/constants.json": of_own_text,
    _SOURCE / "owntext/texts.json": own_texts,
    _SOURCE / "copying/task.json": of_copying,
    _SOURCE / "links/limits.json": links.limits,
    _SOURCE / "links/fields.json": links.fields,
}


def written(file: Path) -> str:
    """The content that one of `FILES` should have."""
    text = json.dumps(FILES[file](), ensure_ascii=False, separators=(",", ":"))
    return text.replace('],"', '],\n"').replace('},{"url', '},\n{"url') + "\n"


if __name__ == "__main__":
    for file in FILES:
        file.parent.mkdir(exist_ok=True)
        file.write_text(written(file), "utf-8")
