"""What a page of Streamlit shows, out of the messages of its server, as a browser keeps it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tools.streamlit_widgets import as_drawn, text_box

# Made for one visit: the address of a file to be saved, and where a sentence stood while one waited;
# a file's own address and that of a picture's, and what a text box of ours calls the visit.
_OF_A_VISIT = ("download_button", "page_link", "empty")
_NAMED = re.compile(rb'/media/[\w.-]+|/files/[\w-]+/\w+|"visit": ?"\w+"')
_WITH_A_BODY = ("markdown", "alert", "heading", "html")
DeltaPath = tuple[int, ...]


class Broken(Exception):
    """The server said something that a visitor should not see."""


@dataclass
class Page:
    """One open page.

    Attributes:
        query: what stands behind the question mark in its link.
        script: how the server calls it; "" before it has said so.
        shown: the place of each element -> the element, and the fragment that drew it.
        cached: large messages by their hash, which the server may name instead of sending them again.
        states: what each box is set to, by its id.
    """

    query: str = ""
    script: str = ""
    shown: dict[DeltaPath, tuple[Any, str]] = field(default_factory=dict)
    cached: dict[str, ForwardMsg] = field(default_factory=dict)
    states: dict[str, WidgetState] = field(default_factory=dict)
    _drawn: set[DeltaPath] = field(default_factory=set)

    def take(self, message: ForwardMsg) -> bool:
        """Keep what one message says; whether it ends the run.

        Raises:
            Broken: it is an error that was not meant for a visitor.
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
        # A box that is new, or that the page sets, has a value that the next question tells.
        if name and (name not in self.states or getattr(widget, "set_value", False)):
            state = as_drawn(kind, widget)
            if state is not None:
                self.states[name] = state

    def end(self, fragment: str) -> None:
        """After a run, of the page or of one fragment: what it did not draw again is gone."""
        same = takewhile(lambda steps: len(set(steps)) == 1, zip(*self._drawn, strict=False))
        within = tuple(steps[0] for steps in same)  # fragments inside of a fragment go with it

        def stays(path: DeltaPath, of: str) -> bool:
            inside = len(within) > 1 and path[: len(within)] == within
            return path in self._drawn or bool(fragment and of != fragment and not inside)

        self.shown = {path: element for path, element in self.shown.items() if stays(path, element[1])}
        self._drawn.clear()
        there = {widget.id for _, widget, _ in self.widgets()}
        self.states = {name: state for name, state in self.states.items() if name in there}

    def widgets(self) -> list[tuple[str, Any, str]]:
        """All that a visitor may set: kind, message and fragment of each."""
        settable = []
        for element, fragment in self.shown.values():
            kind = element.WhichOneof("type")
            if getattr(getattr(element, kind), "id", ""):
                settable.append((kind, getattr(element, kind), fragment))
        return settable

    def box(self, label: str) -> tuple[Any, str]:
        """The box under a label, and its fragment. KeyError: there is none."""
        for _, widget, fragment in self.widgets():
            if text_box(widget).get("label", getattr(widget, "label", None)) == label:
                return widget, fragment
        raise KeyError(label)

    def picture(self, key: str) -> tuple[Any, str]:
        """The picture of a name, and its fragment. KeyError: there is none."""
        for kind, widget, fragment in self.widgets():
            if kind == "bidi_component" and widget.id.endswith(f"-{key}"):
                return widget, fragment
        raise KeyError(key)

    def sentences(self) -> str:
        """All its sentences, in their order."""
        bodies = []
        for path in sorted(self.shown):
            element = self.shown[path][0]
            kind = element.WhichOneof("type")
            if kind in _WITH_A_BODY:
                bodies.append(str(getattr(element, kind).body))
        return "\n".join(bodies)

    def digest(self) -> str:
        """Of all that it shows, and of its link; the same for two visitors who see the same."""
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
