"""The content of a Streamlit page, assembled from the server's messages as in a browser."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tools.streamlit_widgets import as_drawn, text_box

# Differs between visits: the address of a file to save; the position of a sentence shown while waiting;
# the addresses of a file and of a picture's file; and a text box's name for the session.
_OF_A_VISIT = ("download_button", "page_link", "empty")
_NAMED = re.compile(rb'/media/[\w.-]+|/files/[\w-]+/\w+|"visit": ?"\w+"')
_WITH_A_BODY = ("markdown", "alert", "heading", "html")
DeltaPath = tuple[int, ...]


class Broken(Exception):
    """The server sent something that a visitor should not see."""


@dataclass
class Page:
    """One open page.

    Attributes:
        query: the part of its link after the question mark.
        script: the server's name for it; "" until it is known.
        shown: the position of each element -> the element, and the fragment that drew it.
        cached: large messages by their hash, which the server may name instead of sending them again.
        states: the value of each control, by its id.
    """

    query: str = ""
    script: str = ""
    shown: dict[DeltaPath, tuple[Any, str]] = field(default_factory=dict)
    cached: dict[str, ForwardMsg] = field(default_factory=dict)
    states: dict[str, WidgetState] = field(default_factory=dict)
    _drawn: set[DeltaPath] = field(default_factory=set)

    def take(self, message: ForwardMsg) -> bool:
        """Store the content of one message; returns whether it ends the run.

        Raises:
            Broken: if it is an error that is not meant for a visitor.
        """
        path = tuple(message.metadata.delta_path)
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            message = self.cached[message.ref_hash]
            kind = message.WhichOneof("type")
        elif message.metadata.cacheable:
            self.cached[message.hash] = message
        if kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "session_event" and message.session_event.HasField("script_compilation_exception"):
            raise Broken(message.session_event.script_compilation_exception.message)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._draw(path, message.delta.new_element, message.delta.fragment_id)
        elif kind == "script_finished":
            return bool(message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
        return False

    def _draw(self, path: DeltaPath, element: Any, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise Broken(element.exception.message)
        self.shown[path] = (element, fragment)
        self._drawn.add(path)
        widget = getattr(element, kind)
        name = getattr(widget, "id", "")
        # The next message reports the value of a control that is new, or that the page sets.
        if name and (name not in self.states or getattr(widget, "set_value", False)):
            state = as_drawn(kind, widget)
            if state is not None:
                self.states[name] = state

    def end(self, fragment: str) -> None:
        """After a run, of the page or of one fragment, remove what it did not draw again."""
        same = takewhile(lambda steps: len(set(steps)) == 1, zip(*self._drawn, strict=False))
        within = tuple(steps[0] for steps in same)  # fragments inside a fragment go with it

        def stays(path: DeltaPath, of: str) -> bool:
            inside = len(within) > 1 and path[: len(within)] == within
            return path in self._drawn or bool(fragment and of != fragment and not inside)

        self.shown = {path: element for path, element in self.shown.items() if stays(path, element[1])}
        self._drawn.clear()
        there = {widget.id for _, widget, _ in self.widgets()}
        self.states = {name: state for name, state in self.states.items() if name in there}

    def widgets(self) -> list[tuple[str, Any, str]]:
        """Everything that a visitor can set: the kind, message and fragment of each."""
        settable = []
        for element, fragment in self.shown.values():
            kind = element.WhichOneof("type")
            if getattr(getattr(element, kind), "id", ""):
                settable.append((kind, getattr(element, kind), fragment))
        return settable

    def box(self, label: str) -> tuple[Any, str]:
        """The control with a label, and its fragment. KeyError: if there is none."""
        for _, widget, fragment in self.widgets():
            if text_box(widget).get("label", getattr(widget, "label", None)) == label:
                return widget, fragment
        raise KeyError(label)

    def picture(self, key: str) -> tuple[Any, str]:
        """The picture with a name, and its fragment. KeyError: if there is none."""
        for kind, widget, fragment in self.widgets():
            if kind == "bidi_component" and widget.id.endswith(f"-{key}"):
                return widget, fragment
        raise KeyError(key)

    def sentences(self) -> str:
        """All its sentences, in order."""
        bodies = []
        for path in sorted(self.shown):
            element = self.shown[path][0]
            kind = element.WhichOneof("type")
            if kind in _WITH_A_BODY:
                bodies.append(str(getattr(element, kind).body))
        return "\n".join(bodies)

    def digest(self) -> str:
        """A digest of its content and its link; equal for two visitors who see the same."""
        digest = hashlib.sha256(self.query.encode())
        for path in sorted(self.shown):
            element = self.shown[path][0]
            kind = element.WhichOneof("type")
            if kind in _OF_A_VISIT:
                continue
            message = getattr(element, kind)
            digest.update(kind.encode())
            digest.update(_NAMED.sub(b"", message.SerializeToString(deterministic=True)))
        return digest.hexdigest()
