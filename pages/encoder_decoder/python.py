"""Python code that writes the same translation, and returns the probabilities of its words."""

from __future__ import annotations

from pages.encoder_decoder import sources
from pages.encoder_decoder.state import SHIPPED, TO_ENGLISH
from pages.encoder_decoder.steps import SHOWN
from pages.encoder_decoder.translator import TranslationQuery, is_published


def lines(
    query: TranslationQuery,
    step: int,
    temperature: float,
    other: int | None = None,
    lens: bool = False,
    patched: sources.Query | None = None,
) -> dict[str, str]:
    """Code for the bars of a step.

    Args:
        query: the query.
        step: from 0.
        temperature: the temperature of the softmax.
        other: the word with which the written one is compared, where the page says why.
        lens: whether the page shows what each layer of the decoder would write.
        patched: what two sources exchange, where the page shows it.
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
    empty = '"", ' if is_published(query.name) else ""  # no target but what was written
    if lens:
        read = "more=decoding.ids[:-1]" if is_published(query.name) else "decoding.ids[:-1]"
        code.append(f"model.pair_lens({query.text!r}, {empty}{read}).to_frame()")
    if patched is not None:
        read = f"more=decoding.ids[:{step}]" if is_published(query.name) else f"decoding.ids[:{step}]"
        code += [
            f"found = model.patch_pair({query.text!r}, {patched.other!r}, {empty}{read},",
            f"    block={patched.block!r}, answers={patched.answers!r})",
            "found.recovered",
        ]
    return {"Python": "\n".join(code)}
