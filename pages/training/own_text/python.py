"""Python code that learns the same text with the same recipe, and returns the numbers of a pause."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

from core import own_text
from core.own_text import TextRecipe
from ui.models.session_models import OWN_TEXT


class Code(NamedTuple):
    """What the lines are about: the name of a text, a recipe, and the number of a pause."""

    source: str
    recipe: TextRecipe
    pause: int


def lines(code: Code) -> dict[str, str]:
    """Code for bits a letter, the 5-gram beside them, and what the model writes."""
    usual = asdict(TextRecipe())
    apart = [f"{key}={value!r}" for key, value in asdict(code.recipe).items() if value != usual[key]]
    made = [
        "from core import own_text",
        "",
        *_text(code.source),
        f"learned = own_text.learn(text, own_text.TextRecipe({', '.join(apart)}))",
        f"pause = learned.pauses[{code.pause}]",
        "cut = len(text) - max(1, int(0.1 * len(text)))",
        "pause.bits, pause.held, own_text.bits_per_letter(text[:cut], text[cut:]), pause.sample",
        'model = own_text.opened(learned)  # as any model: model.trace("In the morning")',
    ]
    return {"Python": "\n".join(made)}


def _text(source: str) -> list[str]:
    if source in own_text.ready():
        return [f"text = own_text.ready()[{source!r}].text"]
    if source == OWN_TEXT:
        return ['text = open("your_text.txt", encoding="utf-8").read()  # your text']
    name = source.removeprefix("corpus-")
    module = {"written": "written", "python": "python_docs"}.get(name)
    if module is None:
        return [f'text = core.corpus.Corpus("corpora/{name}").beginning(300_000)']
    return [
        f"from core.corpus import {module}",
        f'text = "\\n".join(one["text"] for one in {module}.passages())[:300_000]',
    ]
