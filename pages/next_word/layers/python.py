"""Python code for the numbers of Layer by layer."""

from __future__ import annotations

from pages.next_word.state import NextWordState
from ui import same_in_python


def lines(s: NextWordState, model: str, typed: str, *, fitted: bool, own: bool) -> dict[str, str]:
    """Code for the grid by each lens.

    Args:
        s: the state of the page.
        model: the model shown.
        typed: what is read of the text.
        fitted: whether it has a fitted lens.
        own: whether this visitor has fitted it.
    """
    more = f", more={s.written.get()!r}" if s.written.get() else ""
    word = s.lens_word.get().strip("\n")
    number = word[1:] if word[:1] == "#" and word[1:].isdigit() else ""
    asked = f", word={number or repr(word)}" if word else ""
    code = [
        same_in_python.imports(model),
        "",
        f"model = core.load({model!r})",
        f"text = {typed!r}",
        f"plain = model.lens(text{more}{asked})",
    ]
    last = "plain.to_frame()"
    if fitted and own:
        code += [
            'texts = [open("your text.txt", encoding="utf-8").read()]',
            'lens = model.fit_lens(texts, fitted_on="your text")',
            f"fitted = model.lens(text, fitted=lens{more}{asked})",
        ]
        last = "plain.to_frame(), fitted.to_frame()"
    elif fitted:
        code += [f"fitted = model.lens(text, fitted=True{more}{asked})"]
        last = "plain.to_frame(), fitted.to_frame()"
    return {"Python": "\n".join([*code, last])}
