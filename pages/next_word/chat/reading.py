"""What the model reads of a conversation, and what it expects at each point; cached by strings."""

from __future__ import annotations

from core.errors import NotSupported
from core.localization import _
from core.memory import cached
from core.pretrained import Model
from core.records.chat import Chat
from core.records.prediction import Expectation
from pages.next_word.conversation import Turns, messages, plain
from ui.models import model_cache

Said = tuple[str, Turns, str]  # the system message, the turns before, the message


def reader(model: str) -> Model:
    """The model, which can read a conversation.

    Raises:
        NotSupported: it was trained in this session, on single sentences.
    """
    loaded = model_cache.model(model)
    if not isinstance(loaded, Model):
        raise NotSupported(_("A model that you trained here reads single texts, no conversation."))
    return loaded.untraced  # nothing here needs a trace, whose memory would limit a conversation


def chat(model: str, said: Said, answer: tuple[int, ...]) -> Chat:
    """The conversation as the model reads it; as a plain text where it has no template.

    Raises:
        PolyseeError: see `Model.chat`.
    """
    reader(model)  # first, so that its progress is drawn for this visitor
    return _chat(model, said, answer)


@cached()
def _chat(model: str, said: Said, answer: tuple[int, ...]) -> Chat:
    loaded = reader(model)
    given = messages(*said)
    if loaded.has_template:
        return loaded.chat(given, more=answer)
    return loaded.plain_chat(plain(given), more=answer)


def expects(model: str, said: Said, answer: tuple[int, ...], at: int) -> Expectation:
    """What the model expects behind the token `at`.

    Raises:
        PolyseeError: see `Model.chat` and `Model.expects`.
    """
    reader(model)
    return _expects(model, said, answer, at)


@cached()
def _expects(model: str, said: Said, answer: tuple[int, ...], at: int) -> Expectation:
    whole = chat(model, said, answer)
    (found,) = reader(model).expects(whole.first(at + 1))
    return found
