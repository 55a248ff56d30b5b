"""Python code that writes the same translation, and returns the probabilities of its words."""

from __future__ import annotations

from pages.encoder_decoder.state import SHIPPED, TO_ENGLISH
from pages.encoder_decoder.steps import SHOWN
from pages.encoder_decoder.translator import TranslationQuery, is_published


def lines(
    query: TranslationQuery, step: int, temperature: float, other: int | None = None
) -> dict[str, str]:
    """Code for the bars of a step.

    Args:
        query: the query.
        step: from 0.
        temperature: the temperature of the softmax.
        other: the word with which the written one is compared, where the page says why.
    """
    if is_published(query.name):
        model = ["import core", "", f"model = core.load({query.name!r})"]
    elif query.name in (SHIPPED, TO_ENGLISH):
        which = "" if query.name == SHIPPED else repr("to-english")
        model = ["from core.tasks import shipped", "", f"model = shipped({which})"]
    else:
        model = [
            "from pathlib import Path",
            "from core.tasks import load",
            "",
            "# the file that the page Training saves:",
            'model = load(Path("model.safetensors").read_bytes())',
        ]
    chosen: dict[int, object] = dict(query.forced)
    if is_published(query.name):  # tokens by their ids
        chosen = {at: int(word[1:]) for at, word in query.forced}
    forced = f", {chosen!r}" if chosen else ""
    code = [
        *model,
        f"decoding = model.decode({query.text!r}{forced})",
        "print(*decoding.tokens)",
        f"best = decoding.expectations[{step}].top({SHOWN}, {temperature!r})",
        f"dict(zip(best.tokens, best.probabilities))  # step {step + 1}",
    ]
    if other is not None:
        read = f"decoding.ids[:{step}]"
        arguments = f'"", decoding.ids[{step}], {other}, more={read}'
        if not is_published(query.name):
            arguments = f"{read}, decoding.ids[{step}], {other}"
        code += [
            f"owed = model.pair_logit_contributions({query.text!r}, {arguments})",
            "dict(zip(owed.source, owed.by_source_token)), owed.bias",
        ]
    return {"Python": "\n".join(code)}
