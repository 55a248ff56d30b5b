"""Python code for the numbers of Chat."""

from __future__ import annotations

from pages.next_word.conversation import messages, plain
from pages.next_word.state import NextWordState
from ui import same_in_python


def lines(s: NextWordState, model: str, template: bool) -> dict[str, str]:
    """Code for the tokens with their roles, and for the answer.

    Args:
        s: the state of the page.
        model: the model shown.
        template: whether it has a chat template.
    """
    given = messages(s.chat_system.get(), s.chat_turns.get(), s.chat_message.get())
    way = {"temperature": s.temperature.get(), "top_k": s.top_k.get() or None}
    way["top_p"] = s.top_p.get() if s.top_p.get() < 1 else None
    way["min_p"] = s.min_p.get() or None
    chosen = ", ".join(f"{name}={value!r}" for name, value in way.items() if value is not None)
    said = ["messages = ["] + [f"    {one!r}," for one in given] + ["]", "chat = model.chat(messages)"]
    code = [
        same_in_python.imports(model),
        "",
        f"model = core.load({model!r})",
        *(said if template else [f"chat = model.plain_chat({plain(given)!r})"]),
        f"answer = list(model.generate(chat, 120, {chosen}, seed={s.seed.get()}))",
        "said = ''.join(one.added for one in answer)",
        "(next_word,) = model.predict(chat, top_k=10)",
        "chat.tokens, chat.roles, said, next_word.texts",
    ]
    return {"Python": "\n".join(code)}
