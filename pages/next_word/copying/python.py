"""Python code for the numbers of the view."""

from __future__ import annotations

from pages.next_word.copying import computed
from pages.next_word.state import NextWordState
from ui import same_in_python


def lines(s: NextWordState, model: str, *, own: bool) -> dict[str, str]:
    """Code for the surprise in both halves, the heads, the ablation, and the sink.

    Args:
        s: the page's state.
        model: the model.
        own: whether the tokens are of the model's whole vocabulary.
    """
    length, seed, count = s.copied_length.get(), s.copied_seed.get(), s.copied_without.get()
    vocabulary = ", vocabulary=True" * own
    code = [
        same_in_python.imports(model),
        "",
        f"model = core.load({model!r})",
        f"found = core.measures.copies(model, length={length}, seed={seed}, ablate={count}, "
        f"draws={computed.DRAWS}{vocabulary})",
    ]
    last = f"found.halves(), found.heads.ranked({s.copied_measure.get()!r})[:3]"
    if count:
        last += ", found.halves(found.without), found.control()"
    if s.copied_sink.get():
        code.append(f"trace = model.trace({s.text.get()!r})")
        code.append("sink = core.measures.sink(trace, model.output_gram())")
        last += ", sink.attention.mean(), sink.total_share"
    return {"Python": "\n".join([*code, last])}
