"""Record what the model of Next word says of the page's examples: `python -m tools.recorded_answers`.

The page shows it for as long as the model is being fetched or read, or where it cannot be had.
"""

from __future__ import annotations

import json
from typing import Any

import core
from pages.next_word.recorded import FILE
from pages.next_word.state import MODEL_NAME, OPENING
from ui.page import prose

TOKENS = 20  # that are written
SHOWN = 10
DIGITS = 7


def texts() -> tuple[str, ...]:
    """The opening text, and those of the page's examples."""
    words = prose.read(str(FILE.with_name("page.py")))
    given = (dict(one.state).get("t", OPENING) for one in (*words.tries, *words.more))
    return tuple(dict.fromkeys((OPENING, *given)))


def recorded(model: core.TextModel, text: str) -> dict[str, Any]:
    """The answer of a model to a text, as the page reads it."""
    found = model.next_token(text)
    assert found.score is not None
    top = found.top(SHOWN)
    bits = [
        round(float(one), DIGITS) if rank >= 0 else None
        for one, rank in zip(found.score.bits, found.score.ranks, strict=True)
    ]
    return {
        "text": text,
        "pieces": found.score.pieces,
        "bits": bits,
        "ids": top.ids,
        "tokens": top.tokens,
        "texts": top.texts,
        "shares": [round(float(one), DIGITS) for one in top.probabilities],
        "others": model.n_vocabulary - len(top.ids),
        "entropy": round(top.entropy, DIGITS),
        "written": "".join(one.added for one in model.generate(text, TOKENS, temperature=0)),
    }


def main() -> None:
    """Write the file."""
    model = core.load(MODEL_NAME)
    rows = [recorded(model, text) for text in texts()]
    FILE.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{FILE}: {len(rows)} answers, {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
