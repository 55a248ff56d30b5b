"""Python code for the numbers of the view."""

from __future__ import annotations

from pages.next_word.state import NextWordState
from ui import same_in_python


def lines(s: NextWordState, model: str) -> dict[str, str]:
    """Code for the surprise in both halves, the heads, and the ablation."""
    length = s.copied_length.get()
    code = [
        same_in_python.imports(model),
        "from core.language.repetition import repeated",
        "from core.measures import copying_heads",
        "",
        f"model = core.load({model!r})",
        f"text = repeated(lambda text: model.read(text).ids, {length}, {s.copied_seed.get()})",
        "bits = model.score(text).bits",
        f"heads = copying_heads(model.trace(text, keep='attention').attention.weights, {length})",
        f"best = [core.Ablate(*one) for one in heads.ranked()[:{s.copied_without.get()}]]",
        "after = model.score_changed(text, *best).bits",
        f"bits[{-2 * length}:{-length}].mean(), bits[{-length}:].mean(), after[{-length}:].mean()",
    ]
    return {"Python": "\n".join(code)}
