"""What the browser's side knows of MiniLM and of the look, written from the Python that says it first.

`python -m tools.known` writes `core/figures/web/src/fromtrace/known.json`, and `engine/writing.json`:
what the rules of words know of languages. A test fails if one is older than what it is made of. Nothing
in them is edited by hand.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core import settings
from core.comparison import ends as sense_ends
from core.comparison import judge, parts, say
from core.examples import known_ends, words
from core.figures import style
from core.figures.attention import layer_view, overview
from core.figures.trajectories import paths, trajectory
from core.measures import PATTERNS, foreign
from core.measures.function_words import FUNCTION_WORDS
from core.measures.senses import verdict
from core.records import elision, inflections, particles, sense_axis, unspaced
from pages.heads import pattern_captions
from ui.models import answers

_SOURCE = Path(__file__).resolve().parents[1] / "core/figures/web/src"
FILE = _SOURCE / "fromtrace/known.json"
WRITING = _SOURCE / "engine/writing.json"
MODEL = "minilm"
_OVERVIEW = ("most_cells", "most_bytes", "cell", "all", "least", "around", "choices", "bytes")


def known() -> dict[str, Any]:
    """All of it, as plain JSON values; the typical scores need the model."""
    return {
        "model": MODEL,
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
            )
        },
        "layer": {
            "thresholds": layer_view.THRESHOLDS,
            "heights": layer_view._HEIGHTS,
            "noProducts": layer_view._NO_PRODUCTS,
        },
        "trajectoryHeight": trajectory.HEIGHT,
        "linesHeight": paths.HEIGHT,
        "patterns": {
            "names": list(pattern_captions.NAMES.values()),
            "thresholds": [settings.PATTERN_THRESHOLDS[name] for name in PATTERNS],
            "typical": _rounded(answers.typical_patterns(MODEL).values.tolist()),
            "mostSimilar": pattern_captions.MOST_SIMILAR,
        },
        "calibration": _calibration(),
        "kinds": {"few": verdict.FEW, "several": verdict.SEVERAL, "many": verdict.MANY},
        "mostListed": say.MOST_LISTED,
        "frames": sense_axis.FRAMES,
        "anchorFrame": settings.ANCHOR_FRAME,
        "mostAnchors": settings.MOST_ANCHORS,
        "mostAnchorWords": sense_axis.MOST_ANCHOR_WORDS,
        "mostSentences": sense_axis.MOST_SENTENCES,
        "mostName": sense_ends.MOST_NAME,
        "mostShown": parts.MOST_SHOWN,
        "mostTextBytes": settings.MOST_TEXT_BYTES,
        "articles": sorted(judge.ARTICLES),
        "ends": {
            word: {"names": ends.names, "low": ends.low, "high": ends.high}
            for word in words()
            if (ends := known_ends(word)) is not None
        },
        "inflections": {"irregular": dict(inflections._IRREGULAR), "least": inflections._LEAST},
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
        "englishAlone": settings.CATALOGUE[MODEL].title.partition(",")[0],
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
        "noSpaces": unspaced.NO_SPACES,
    }


def _style() -> dict[str, Any]:
    return {
        "a": style.SENTENCE_A,
        "b": style.SENTENCE_B,
        "learned": style.LEARNED,
        "hue": style.WEIGHT_HUE,
        "signed": {"light": style.SIGNED_ON_LIGHT, "dark": style.SIGNED_ON_DARK},
        "heads": {"light": style.HEADS_ON_LIGHT, "dark": style.HEADS_ON_DARK},
    }


def _calibration() -> dict[str, Any]:
    own = verdict.shipped(MODEL)
    assert own is not None
    return {
        kind: {
            name: None if math.isinf(value := getattr(bounds, name)) else value
            for name in ("one", "two", "distance", "near")
        }
        for kind, bounds in own.bounds.items()
    }


def _rounded(values: Any) -> Any:
    """As `core.figures.attention.ordering` rounds scores."""
    if isinstance(values, list):
        return [_rounded(one) for one in values]
    return None if math.isnan(values) else round(min(values, 1.0), 4)


def written(content: Mapping[str, Any] | None = None) -> str:
    """The content of a file; by default, of `known.json`."""
    given = known() if content is None else content
    return json.dumps(given, ensure_ascii=False, separators=(",", ":")).replace('],"', '],\n"') + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(written(), "utf-8")
    WRITING.write_text(written(writing()), "utf-8")
