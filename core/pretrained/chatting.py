"""The part of a model that reads a conversation: its template's text as tokens, each with its role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .. import settings
from ..chat import authors
from ..chat.render import render
from ..errors import NotSupported, SettingError, TooLarge
from ..records import words
from ..records.chat import Chat, Message, Role
from . import token_edits
from .engines.batches import refuse_empty
from .engines.families import Kind
from .tokenizer.reader import Encoded, Numbers, TextReader

MOST_MESSAGES = 64
_ROLES = ("system", "user", "assistant")
_A_SENTENCE = 3  # words in a line of the template's own, from which on it says something


class Chatting:
    """The part of a model that reads conversations."""

    name: str
    kind: Kind
    max_tokens: int
    _reader: TextReader

    @property
    def has_template(self) -> bool:
        """Whether it comes with a chat template."""
        return self._reader.template is not None

    @property
    def template(self) -> str | None:
        """Its chat template, a program in Jinja; None if it has none."""
        return self._reader.template

    def chat(
        self,
        messages: Iterable[Mapping[str, str] | Message],
        *,
        answer: bool = True,
        more: Numbers = (),
    ) -> Chat:
        """A conversation as the model reads it: its template's text, in tokens with roles.

        The result goes wherever a text goes: `model.generate(model.chat([…]), 40)`.

        The template is a stranger's program: it runs in a sandbox, in a process of its own, with limits
        of time and memory (SECURITY.md). The tokens are those of `apply_chat_template` in
        `transformers`, but for a sign such as "<|im_end|>" that stands in a message: it stays letters,
        and cannot end the message.

        Args:
            messages: {"role": "system", "user" or "assistant", "content": a text}, the oldest first;
                64 at most.
            answer: whether the text goes on with the sign at which the model begins to answer.
            more: ids of tokens that the model has answered so far, as `generate` returns them.

        Raises:
            NotSupported: the model is no decoder, or has no template; the template refuses the
                conversation; or this tokenizer cannot read a sign in a message as letters.
            SettingError: there is no message, or one is of another kind.
            TooLarge: the messages are too long; the conversation has more tokens than the model
                reads; or its template takes too much time or memory.
            ModelBroken: the template is damaged, or forbidden to do what it does.

        Examples:
            >>> import core
            >>> model = core.load("smollm2")
            >>> chat = model.chat([{"role": "user", "content": "Hi"}])
            >>> chat.tokens[0], chat.roles[0], chat.count("user")
            ('<|im_start|>', 'template', 1)
            >>> chat.inserted
            'You are a helpful AI assistant named SmolLM, trained by Hugging Face'
        """
        given = _checked(messages)
        template = self._reader.template
        if self.kind != "decoder":
            raise NotSupported(
                "“{name}” is no decoder: it does not read a text from left to right and go on.",
                name=self.name,
            )
        if template is None:
            raise NotSupported(
                f"“{self.name}” has no chat template: it was not made for conversations, or its "
                "template did not come with it. It goes on with any text: see `plain_chat`."
            )
        contents = [one.content for one in given]
        chosen = authors.marks(contents, template)
        names = {**self._reader.template_names, "add_generation_prompt": bool(answer)}
        conversations = [[{"role": one.role, "content": one.content} for one in given]]
        if chosen is not None:
            marked = authors.marked(contents, chosen)
            pairs = zip(given, marked, strict=True)
            conversations.append([{"role": one.role, "content": text} for one, text in pairs])
        text, *others = render(template, conversations, names, self.name)
        owners = None
        if chosen is not None:
            owners = authors.authors(text, others[0], contents, chosen)
        return self._answered(self._in_tokens(given, text, owners), more)

    def plain_chat(self, text: str, *, more: Numbers = ()) -> Chat:
        """A text as it is, without any template, as a message of the user's: what a bare model reads.

        Args:
            text: the text.
            more: see `chat`.

        Raises:
            NotSupported, TooLarge, SettingError: see `chat`.
        """
        given = _checked([Message("user", text)])
        encoded = token_edits.opened(self._read(given[0].content))
        refuse_empty(encoded, self.name)
        if encoded.left_out_by_text[0]:
            raise TooLarge(
                "The text has more tokens than the {max_tokens:,} of “{name}”.",
                max_tokens=self.max_tokens,
                name=self.name,
            )
        n = len(encoded)
        roles: tuple[Role, ...] = tuple("template" if one else "user" for one in encoded.special)
        return self._answered(
            Chat(
                self.name,
                given,
                encoded.texts[0],
                encoded.ids,
                encoded.tokens,
                encoded.offsets,
                roles,
                encoded.special,
                (False,) * n,
            ),
            more,
        )

    def _answered(self, chat: Chat, more: Numbers) -> Chat:
        if not len(more):
            return chat
        whole = self._with(self._encoded_chat(chat), more)
        n = len(whole) - len(chat)
        assistant: list[Role] = ["assistant"] * n
        return replace(
            chat,
            text=whole.texts[0],
            ids=whole.ids,
            tokens=whole.tokens,
            offsets=whole.offsets,
            roles=(*chat.roles, *assistant),
            special=whole.special,
            added=chat.added + (False,) * n,
        )

    def _read(self, text: str | Chat, second: str | None = None) -> Encoded:
        """The tokens of a text."""
        raise NotImplementedError

    def _with(self, encoded: Encoded, more: Numbers) -> Encoded:
        """`encoded` with more tokens appended."""
        raise NotImplementedError

    def _in_tokens(
        self, given: tuple[Message, ...], text: str, owners: Sequence[int | None] | None
    ) -> Chat:
        typed = [False] * len(text) if owners is None else [owner is not None for owner in owners]
        ids, offsets, signs, letters = self._reader.rendered(text, typed)
        if owners is None and (there := self._reader.signs_in(one.content for one in given)):
            raise NotSupported(
                "A message has “{there}”, and the chat template of “{name}” rewrites messages "
                "in a way that hides where they end: the sign could not be told from the "
                "template’s.",
                there=there[0],
                name=self.name,
            )
        if len(ids) > self.max_tokens:
            raise TooLarge(
                "The conversation has {n_ids:,} tokens, and “{name}” reads {max_tokens:,}. "
                "Leave out its first messages.",
                n_ids=len(ids),
                name=self.name,
                max_tokens=self.max_tokens,
            )
        roles: list[Role] = []
        for start, end in offsets:
            of = None if owners is None else next((o for o in owners[start:end] if o is not None), None)
            roles.append("template" if of is None else given[of].role)
        sentence = _sentences(text, typed, signs, offsets)
        return Chat(
            self.name,
            given,
            text,
            ids,
            tuple(self._reader.name(number) for number in ids),
            offsets,
            tuple(roles),
            signs,
            tuple(
                role == "template" and not sign and any(sentence[start:end])
                for role, sign, (start, end) in zip(roles, signs, offsets, strict=True)
            ),
            letters,
            exact=owners is not None,
        )

    def _encoded_chat(self, chat: Chat) -> Encoded:
        """A conversation as a read text. Raises SettingError if another model has read it."""
        if chat.model != self.name:
            raise SettingError(
                f"This conversation is in the tokens of “{chat.model}”. Let “{self.name}” read it: "
                "model.chat(chat.messages)."
            )
        n = len(chat.ids)
        return Encoded(
            texts=(chat.text,),
            ids=chat.ids,
            tokens=chat.tokens,
            segments=(0,) * n,
            types=(0,) * n,
            offsets=chat.offsets,
            special=chat.special,
            left_out_by_text=(None,),
        )


def _checked(messages: Iterable[Mapping[str, str] | Message]) -> tuple[Message, ...]:
    if isinstance(messages, str | Mapping) or not isinstance(messages, Iterable):
        raise SettingError('A conversation is a list of messages: [{"role": "user", "content": "Hi"}].')
    given: list[Message] = []
    for one in messages:
        if len(given) == MOST_MESSAGES:
            raise SettingError(
                "A conversation has {most_messages} messages at most.",
                most_messages=MOST_MESSAGES,
            )
        given.append(one if isinstance(one, Message) else _message(one))
    if not given:
        raise SettingError("A conversation has at least one message.")
    size = sum(len(one.content.encode("utf-8", "replace")) for one in given)
    if size > settings.MOST_TEXT_BYTES:
        raise TooLarge(
            "The messages have {size:,} bytes together; Polysee reads {most_text_bytes:,}.",
            size=size,
            most_text_bytes=settings.MOST_TEXT_BYTES,
        )
    return tuple(given)


def _message(one: Any) -> Message:
    role = one.get("role") if isinstance(one, Mapping) else None
    content = one.get("content") if isinstance(one, Mapping) else None
    if role not in _ROLES or not isinstance(content, str):
        raise SettingError(
            'A message is {"role": "system", "user" or "assistant", "content": a text}, not '
            f"{str(one)[:60]}."
        )
    # Half of a surrogate pair is not a character; tokenizers and processes reject it.
    return Message(role, content.encode("utf-8", "replace").decode())


def _sentences(
    text: str,
    typed: Sequence[bool],
    signs: Sequence[bool],
    offsets: Sequence[tuple[int, int]],
) -> list[bool]:
    """For each character, whether it belongs to a sentence that only the template says.

    A line of several words: names of roles, and what stands around messages, are shorter.
    """
    own = [not one for one in typed]
    for sign, (start, end) in zip(signs, offsets, strict=True):
        if sign:
            own[start:end] = [False] * (end - start)
    found = [False] * len(text)
    start = 0
    for end in range(len(text) + 1):
        if end < len(text) and own[end] and text[end] != "\n":
            continue
        if len(words.split(text[start:end])) >= _A_SENTENCE:
            found[start:end] = [True] * (end - start)
        start = end + 1
    return found
