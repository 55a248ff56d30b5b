"""A picture as an anywidget: the JavaScript of the app, and a trait for each choice."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..figures import Picture, schema
from ..figures.web import bundle
from .picture_view import PictureView, checked, layer_of, plain, words_above

# How many seconds a displayed widget has to answer. Most kernels receive its answer only after the cell
# has ended, unless JupyterLab sends the messages of widgets to a subshell.
PATIENCE = 1.0
# The click events of a module.
_CLICKS = {
    "bars": ["bar"],
    "branches": ["bar"],
    "shaded": ["bar"],
    "nextword": ["bar"],
    "heatmap": ["cell"],
    "lens": ["bar"],
    "overview": ["head"],
}


def widget(
    picture: Picture,
    *,
    said: Sequence[str] = (),
    layer: int | None = None,
    of_layer: Callable[[int], Picture] | None = None,
) -> PictureView:
    """The widget of a picture.

    Args:
        picture: the picture.
        said: the sentences above it (Markdown).
        layer: which layer it shows, if `of_layer` makes those of other layers.
        of_layer: makes the picture of another layer.
    """
    made: PictureView = _class(picture.module)(picture, said=said, layer=layer, of_layer=of_layer)
    return made


class WidgetView(PictureView, anywidget.AnyWidget):
    """The common part of all widgets; `_class` adds the traits of one kind of picture.

    A value that the picture does not have raises a `traitlets.TraitError`. `clicked` is the item that
    was clicked last, such as `{"layer": 2, "head": 5}`, from 0.
    """

    _numbers = traitlets.Bytes().tag(sync=True)
    _height = traitlets.Int().tag(sync=True)
    _autoplay = traitlets.Bool(False).tag(sync=True)
    _words = traitlets.Unicode("").tag(sync=True)
    _library = traitlets.Unicode("").tag(sync=True)
    _fields = traitlets.List(traitlets.Unicode()).tag(sync=True)
    _clicks = traitlets.List(traitlets.Unicode()).tag(sync=True)
    clicked = traitlets.Dict(None, allow_none=True, default_value=None).tag(sync=True)
    layer = traitlets.Any(None)

    def __init__(
        self,
        picture: Picture,
        *,
        said: Sequence[str],
        layer: int | None,
        of_layer: Callable[[int], Picture] | None,
    ) -> None:
        self._picture, self._of_layer, self._said = picture, of_layer, tuple(said)
        self._shown_layer, self._of_chosen_layer = layer, picture
        self._displayed = 0
        self._answers: dict[int, bytes | None] = {}  # None: it could not be drawn
        self._waits_for: int | None = None
        self._late: dict[int, Path] = {}
        self._asked = 0
        self._answered = threading.Condition()
        library = bundle.library(picture.module)
        super().__init__(
            layer=layer,
            _numbers=picture.numbers().content,
            _height=picture.height,
            _autoplay=bool(picture.header.get("autoplay")),
            _words=words_above(said),
            _library="" if library is None else bundle.packed(library),
            _fields=list(schema.STATES.get(picture.module, {}) and schema.state(picture.module)),
            _clicks=_CLICKS.get(picture.module, []),
            **plain(picture.state),
        )
        self.on_msg(self._receive)

    def _choices(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in self._fields}

    @traitlets.validate("layer")
    def _check_layer(self, proposal: Any) -> Any:
        if self._of_layer is None:
            if proposal.value is not None:
                raise traitlets.TraitError("This picture shows no single layer.")
            return None
        if proposal.value is not True and proposal.value == self._shown_layer:
            return self._shown_layer
        try:
            self._of_chosen_layer = layer_of(self._of_layer, proposal.value)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error
        return operator.index(proposal.value)

    @traitlets.observe("layer")
    def _show_layer(self, change: Any) -> None:
        if self._of_layer is None or change.old is None or change.new is None:
            return
        picture = self._of_chosen_layer.choosing(self._choices())
        self._picture, self._shown_layer = picture, change.new
        with self.hold_sync():
            self._numbers, self._height = picture.numbers().content, picture.height
            self.set_trait_values(plain(picture.state))

    def set_trait_values(self, values: Mapping[str, Any]) -> None:
        """Set several traits, and check them together."""
        with self.hold_trait_notifications():
            for name, value in values.items():
                setattr(self, name, value)

    def _from_widget(self, kind: str) -> bytes | None:
        if not self._displayed:
            return None
        with self._answered:
            self._asked += 1
            number = self._waits_for = self._asked
            self.send({"save": kind, "id": number})
            self._answered.wait_for(lambda: number in self._answers, PATIENCE)
            self._waits_for = None
            return self._answers.pop(number, None)

    def _write_later(self, path: Path) -> bool:
        if not self._displayed:
            return False
        self._late[self._asked] = path
        return True

    def _receive(self, _: Any, content: Mapping[str, Any], buffers: list[Any]) -> None:
        """Handle a message from the displayed widget."""
        if "displayed" in content:
            self._displayed = max(0, self._displayed + (1 if content["displayed"] else -1))
        number = content.get("saved", content.get("failed"))
        if number is None:
            return
        file = bytes(buffers[0]) if buffers else None
        with self._answered:
            path = self._late.pop(number, None)
            if number == self._waits_for:
                self._answers[number] = file
                self._answered.notify_all()
        if path is not None and file is not None:
            path.write_bytes(file)

    def __repr__(self) -> str:
        return f"<polysee picture: {self._picture.sentence}>"


@cache
def _class(module: str) -> type[WidgetView]:
    """The class of one kind of picture: its JavaScript, and a trait for each of its choices."""
    fields = list(schema.state(module)) if module in schema.STATES else []
    own = resources.files(__package__).joinpath("widget.js").read_text("utf-8")
    namespace: dict[str, Any] = {name: traitlets.Any().tag(sync=True) for name in fields}
    namespace |= {
        "_esm": f"{bundle.code(module)}\n{own}",
        "__module__": __name__,
        "__doc__": f"The picture “{module}”. Its choices: {', '.join(fields) or 'none'}.",
    }
    if fields:
        namespace["_check"] = traitlets.validate(*fields)(_check)
    return type(f"{module.title()}View", (WidgetView,), namespace)


def _check(self: WidgetView, proposal: Any) -> Any:
    try:
        return checked(self._picture, proposal.trait.name, proposal.value)
    except ValueError as error:
        raise traitlets.TraitError(str(error)) from error
