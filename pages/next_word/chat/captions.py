"""What a model reads of a conversation, in sentences (Markdown)."""

from __future__ import annotations

from core.records.chat import Chat
from ui import text


def headline(chat: Chat, answered: int, *, template: bool) -> str:
    """How much of what the model reads was typed.

    Args:
        chat: the conversation, with the answer.
        answered: how many tokens of it the model has just written.
        template: whether the model has a template.
    """
    read = len(chat) - answered
    if not template:
        return f"The model reads your {_tokens(read)} as any other text, and goes on."
    if not chat.exact:
        return f"The model reads **{_tokens(read)}**; its template rewrites what you typed."
    typed = chat.count("user")
    own = read - typed - chat.count("system") - (chat.count("assistant") - answered)
    others = ""
    if system := chat.count("system"):
        others += f", {system} of your system message"
    if before := chat.count("assistant") - answered:
        others += f", {before} of its own earlier answers"
    said = f"You typed {_tokens(typed)}{others}; the model reads **{read}**."
    return f"{said} The template adds {_tokens(own)}."


def added(chat: Chat) -> str:
    """That the template says something on its own; "" if it does not."""
    if not (inserted := chat.inserted):
        return ""
    return (
        f"You never typed *“{text.plain(inserted)}”*: the template adds it, and the model "
        "reads it every time. Write a system message of your own: does the template leave it out?"
    )


def letters(chat: Chat) -> str:
    """That signs in a message are letters; "" where there are none."""
    if not chat.letters:
        return ""
    named = ", ".join(f"`{one.replace('`', '')}`" for one in chat.letters)
    return (
        f"{named} in a message is read as ordinary letters, tokens without a frame, not as the sign "
        "with which the template begins or ends a message. Nobody can end their own message and speak "
        "as the system."
    )


FIRST_TOKENS = (
    "These are beginnings: the first token of an answer, such as *The* of a whole sentence. *Answer* "
    "writes the rest."
)


def ended(token: str) -> str:
    """Why an answer ends."""
    return (
        f"It stopped: it wrote `{token.replace('`', '')}`, the sign with which the template ends every "
        "message. To the model, the end of an answer is one more likely token."
    )


def _tokens(count: int) -> str:
    return f"{count:,} token" + "s" * (count != 1)
