"""What a model reads of a conversation, in sentences (Markdown)."""

from __future__ import annotations

from core.localization import N_, _, decimal
from core.records.chat import Chat
from core.sentences import sentence
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
        return _("The model reads your {tokens} as any other text, and goes on.").format(
            tokens=_tokens(read)
        )
    if not chat.exact:
        return _("The model reads **{tokens}**; its template rewrites what you typed.").format(
            tokens=_tokens(read)
        )
    typed = chat.count("user")
    own = read - typed - chat.count("system") - (chat.count("assistant") - answered)
    others = ""
    if system := chat.count("system"):
        others += _(", {count} of your system message").format(count=system)
    if before := chat.count("assistant") - answered:
        others += _(", {count} of its own earlier answers").format(count=before)
    said = _("You typed {typed}{others}; the model reads **{read}**.").format(
        typed=_tokens(typed), others=others, read=read
    )
    return _("{said} The template adds {own}.").format(said=said, own=_tokens(own))


def added(chat: Chat) -> str:
    """That the template says something on its own; "" if it does not."""
    if not (inserted := chat.inserted):
        return ""
    return _(
        "You never typed *“{words}”*: the template adds it, and the model reads it every "
        "time. Write a system message of your own: does the template leave it out?"
    ).format(words=text.plain(inserted))


def letters(chat: Chat) -> str:
    """That signs in a message are letters; "" where there are none."""
    if not chat.letters:
        return ""
    named = ", ".join(f"`{one.replace('`', '')}`" for one in chat.letters)
    return _(
        "{signs} in a message is read as ordinary letters, tokens without a frame, not as "
        "the sign with which the template begins or ends a message. Nobody can end their own "
        "message and speak as the system."
    ).format(signs=named)


FIRST_TOKENS = N_(
    "These are beginnings: the first token of an answer, such as *The* of a whole "
    "sentence. *Answer* writes the rest."
)

WANDERS = N_(
    "Every token was drawn by chance from all that the model knows, and after one unlikely token it "
    "goes on from that: so an answer wanders off. *Temperature* 0 takes the likeliest each time."
)


def ended(token: str) -> str:
    """Why an answer ends."""
    return _(
        "It stopped: it wrote `{token}`, the sign with which the template ends every "
        "message. To the model, the end of an answer is one more likely token."
    ).format(token=token.replace("`", ""))


def _tokens(count: int) -> str:
    name = "next-word.token" if count == 1 else "next-word.tokens"
    return sentence(name, count=decimal(f"{count:,}"))
