"""Python code for the numbers of Next word."""

from __future__ import annotations

from pages.next_word import ending
from pages.next_word.continuing.writing import stops as stop_words
from pages.next_word.state import NextWordState
from ui import same_in_python


def lines(s: NextWordState, model: str) -> dict[str, str]:
    """Code for the bars, for the text as it goes on, and for its surprise.

    Args:
        s: the state of the page.
        model: the model shown.
    """
    more = f", more={s.written.get()!r}" if s.written.get() else ""
    way = {"temperature": s.temperature.get(), "top_k": s.top_k.get() or None}
    way["top_p"] = s.top_p.get() if s.top_p.get() < 1 else None
    way["min_p"] = s.min_p.get() or None
    chosen = ", ".join(f"{name}={value!r}" for name, value in way.items() if value is not None)
    stops = stop_words(s.stop.get())
    stop = f", stop={stops!r}" if stops else ""
    code = [
        same_in_python.imports(model),
        "",
        f"model = core.load({model!r})",
        f"text = {ending.read_of(s, model)!r}",
        f"found = model.next_token(text{more})",
        "next_word, surprise = found.top(10), found.score",
        "written = list(",
        f"    model.generate(text, 20{more}, {chosen}, seed={s.seed.get()}{stop})",
        ")",
        "said = ''.join(one.added for one in written)",
        "next_word.texts, next_word.probabilities, said, surprise.per_token",
    ]
    return {"Python": "\n".join(code)}
