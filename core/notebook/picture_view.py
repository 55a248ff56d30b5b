"""A picture in a notebook: its choices are attributes, and it can save itself."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import NotSupported
from ..figures import Picture, limits, schema, style
from ..figures.saved_page import Part, saved_page
from ..markdown import to_html
from ..records.indices import is_index
from . import saving


def plain(value: Any) -> Any:
    """A value of a header as plain JSON."""
    return json.loads(json.dumps(value, default=dict))


def checked(picture: Picture, name: str, value: Any) -> Any:
    """A choice in a picture, as plain JSON.

    Raises:
        ValueError: the value is invalid for this field, or this picture has no such thing. The message
            says what it has, counted as in Python, from 0.
    """
    field, value = schema.state(picture.module)[name], _of_python(value)

    def fits(value: Any) -> bool:
        if not limits.within(picture, name, value):
            return False
        whole = picture.complete(picture.header, {**picture.state, name: value})
        return bool(plain(whole[name]) == plain(value))

    with suppress(schema.Misfit):
        fitted = schema.fitted(field, value)
        if fits(fitted):
            return plain(fitted)
    shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:59] + "…"
    raise ValueError(f"{name} = {shown}: it takes {limits.options(picture, name, fits)}.")


def _of_python(value: Any) -> Any:
    """Numbers of NumPy as Python's own, in lists too."""
    if isinstance(value, np.generic):
        return value.item()
    return [*map(_of_python, value)] if isinstance(value, list | tuple) else value


def words_above(said: Sequence[str]) -> str:
    """Sentences as HTML that stands above a picture in a notebook; "" if there are none."""
    words = "".join(map(to_html, said))
    for name, colour in (("a", style.SENTENCE_A), ("b", style.SENTENCE_B)):
        words = words.replace(f'<span class="{name}">', f'<span style="color: {colour}">')
    return f'<div class="polysee-words">{words}</div>' if words else ""


def layer_of(picture: Callable[[int], Picture], value: Any) -> Picture:
    """The picture of another layer. Raises ValueError if there is none, or it is no whole number."""
    if not is_index(value):
        raise ValueError(f"layer takes a whole number, counted from 0, not {value!r}.")
    try:
        return picture(operator.index(value))
    except IndexError as error:
        raise ValueError(str(error)) from error


class PictureView:
    """The common part of the views with and without anywidget.

    Attributes:
        picture: the picture, with the current choices.
        said: the sentences above it, as Markdown with `:blue[…]` and `:orange[…]` for A and B.

    Examples:
        >>> import core
        >>> view = core.heads(core.load("minilm").trace("She sat on the bank of the river."))
        >>> view.direction = "from"
        >>> view.picture.state["direction"]
        'from'
    """

    _picture: Picture
    _said: tuple[str, ...]
    _of_layer: Callable[[int], Picture] | None
    # Of next word: the choices of a link to its page, for the model inside a saved file.
    _link: Mapping[str, str] | None = None

    @property
    def picture(self) -> Picture:
        """The picture with the current choices."""
        state = self._choices()
        return self._picture.choosing(state) if state else self._picture

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences above the picture, as Markdown; none above most."""
        return self._said

    def _choices(self) -> Mapping[str, Any]:
        """The current choices, by their names."""
        raise NotImplementedError

    def to_html(self) -> str:
        """The picture as one HTML page that opens offline, with everything that it can do."""
        picture = self.picture
        return saved_page(picture.sentence, [Part("", "".join(map(to_html, self.said)), (picture,))])

    def save(self, path: str | Path, *, model: bool = False) -> Path:
        """Save the picture in its current state.

        HTML is written directly. SVG and PNG are made by JavaScript, exactly as by the picture's menu:
        in the displayed widget, or else in an installed Chromium, Chrome or Edge. Many kernels receive
        the widget's answer only after the cell has ended; without a browser, the file is then written a
        moment later, and a warning says so.

        Args:
            path: a file ending in .html, .svg or .png.
            model: of `core.next_word`, in .html: put the model into the file, 137 MB in all, so that
                it goes on with any text, from a disk and without a network. It needs 1 GB of memory
                while it is open.

        Returns:
            The path.

        Raises:
            NotSupported: another ending; or there is neither a displayed widget that answers nor a
                browser. With `model`: another picture or another model, or it cannot run in a browser
                here.
            OSError: the file cannot be written.

        Examples:
            >>> import core
            >>> trace = core.load("minilm").trace("She sat on the bank of the river.")
            >>> path = core.head(trace, 2, 5).save("head.html")
        """
        if model:
            return saving.save_with_model(self, Path(path))
        return saving.save(self, Path(path))

    def _from_widget(self, kind: str) -> bytes | None:
        """The file as the displayed widget draws it; None if none is displayed, or none answers."""
        return None

    def _write_later(self, path: Path) -> bool:
        """Write the last requested file here once the displayed widget answers; False without one."""
        return False

    def _repr_html_(self) -> str:
        return words_above(self.said) + self.picture.to_html()


class StillView(PictureView):
    """A view without anywidget: a choice takes effect when the picture is next displayed or saved."""

    def __init__(
        self,
        picture: Picture,
        *,
        said: Sequence[str] = (),
        layer: int | None = None,
        of_layer: Callable[[int], Picture] | None = None,
    ) -> None:
        object.__setattr__(self, "_picture", picture)
        object.__setattr__(self, "_said", tuple(said))
        object.__setattr__(self, "_of_layer", of_layer)
        object.__setattr__(self, "_state", dict(plain(picture.state)))
        object.__setattr__(self, "_layer", layer)

    def _choices(self) -> Mapping[str, Any]:
        state: dict[str, Any] = self.__dict__["_state"]
        return state

    def __getattr__(self, name: str) -> Any:
        if name == "layer" and self.__dict__.get("_layer") is not None:
            return self.__dict__["_layer"]
        if name in self.__dict__.get("_state", {}):
            return self.__dict__["_state"][name]
        if name in ("observe", "unobserve", "link"):
            raise NotSupported(
                "Choices made in the picture reach Python only with anywidget: "
                'pip install "polysee[notebook]".'
            )
        raise AttributeError(f"This picture has no {name}. It has: {', '.join(self._names())}.")

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "layer" and self._of_layer is not None:
            object.__setattr__(self, "_picture", layer_of(self._of_layer, value))
            object.__setattr__(self, "_layer", operator.index(value))
            state = self._picture.choosing(self._choices()).state
            object.__setattr__(self, "_state", dict(plain(state)))
        elif name in self._choices():
            self.__dict__["_state"][name] = checked(self._picture, name, value)
        else:
            raise AttributeError(f"This picture has no {name}. It has: {', '.join(self._names())}.")

    def _names(self) -> list[str]:
        return [*self._choices(), *(["layer"] if self._of_layer else [])] or ["no choices"]

    def __repr__(self) -> str:
        return f"<polysee picture: {self._picture.sentence}>"
