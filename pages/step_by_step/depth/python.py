"""Python code for the curves over depth."""

from __future__ import annotations

from collections.abc import Collection

from pages.step_by_step.depth.results import PARTS, Stack
from ui import same_in_python


def lines(stack: Stack, missing: Collection[str], model: str | None, text: str) -> dict[str, str]:
    """Code for the similarity and the gradient after 0, 1, … layers.

    Args:
        stack: the stack of layers.
        missing: the omitted parts.
        model: the model that tokenizes the text; None for ids of the tiny model.
        text: the text.
    """
    arguments = ", ".join(f"{part}=True" for part in PARTS if part in missing)
    code = ["from core.walkthroughs import depth", ""]
    if model is None:
        code.append(f"ids = {[*stack.ids]!r}  # indices in tiny_numbers.WORDS")
    else:
        code = [same_in_python.imports(model), *code, f"model = core.load({model!r})"]
        code.append(f"tokens = model.read({text!r})")
    code.append(f"without = depth.Without({arguments})")
    ids = "ids" if model is None else "tokens.ids"
    if stack.kind == "trained":
        call = "depth.of_encoder(model.scratch_encoder, tokens.ids, tokens.types, without)"
    elif stack.kind == "paper":
        call = f"depth.of_paper({ids}, without)"
    else:
        first = ", norm_first=True" if stack.norm_first else ""
        call = f"depth.fresh({ids}, {stack.n_layers}, without{first})"
    return {"Python": "\n".join([*code, f"curves = {call}", "curves.similarity, curves.gradient"])}
