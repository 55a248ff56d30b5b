"""Where in the transformer a page is: the part of it that the small drawing in the sidebar marks.

A page declares it in its `PageState.locations`; `ui.page.transformer_map` draws it. The browser follows
the address by itself, and therefore gets what is declared here in the words of a link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ui.state.fields import Field

Part = Literal["tokens", "embedding", "position", "layers", "layer", "head", "score", "vector"]
Stack = Literal["", "encoder", "decoder"]


@dataclass(frozen=True)
class Location:
    """A part of the transformer, and the choices with which a page is about it.

    Attributes:
        part: the part; "layers" are all of them, "score" is one query–key product.
        when: the values that its fields must have.
        layer: the field that counts its layer, from 1; a page without such a layer is not here.
        head: the field that counts its head, from 1.
        tiny: whether it is a part of the tiny model, which the drawing does not show.
        stack: of the two stacks of an encoder–decoder, the one in which its layer is.
    """

    part: Part
    when: Mapping[Field[Any], Sequence[Any]] = field(default_factory=dict)
    layer: Field[Any] | None = None
    head: Field[Any] | None = None
    tiny: bool = False
    stack: Stack = ""


@dataclass(frozen=True)
class OwnModel:
    """The model of a page that has one of its own, whatever model the other pages show.

    Attributes:
        stacks: the number of layers in each stack that it has.
        heads: the number of heads in a layer; with several stacks, of its self-attention.
        stack: the field that chooses between encoder, decoder and what leads across.
        layer: the field that counts the layers, from 1.
        head: the field of the head, which counts from 1 in a link.
        across: the number of cross-attention heads in a layer; 0 without an encoder and a decoder.
        opened: for each part that the page itself opens, what else its link says.
    """

    stacks: Mapping[Stack, int]
    heads: int
    stack: Field[Any]
    layer: Field[Any]
    head: Field[Any]
    across: int = 0
    opened: Mapping[Part, Mapping[str, str]] = field(default_factory=dict)

    def is_across(self) -> bool:
        """Whether what leads from one stack to the other is shown."""
        return bool(self.across) and self.stack.get() not in ("encoder", "decoder")


def described(locations: Sequence[Location]) -> dict[str, Any]:
    """For JavaScript: the locations, and the values of their fields where a link does not say them.

    Returns:
        `fields`: for each key of a link, the value with which the page opens, and the value that is
        left out of a link with other values; `locations`: each with keys and values as in a link.
    """
    fields = [one for at in locations for one in (*at.when, at.layer, at.head) if one is not None]
    return {
        "fields": {
            one.url: [
                _written(one, one.default),
                _written(one, one.default if one.default_in_link is None else one.default_in_link),
            ]
            for one in fields
        },
        "locations": [
            {
                "part": at.part,
                "when": {
                    one.url: [_written(one, v) for v in values] for one, values in at.when.items()
                },
                "layer": "" if at.layer is None else at.layer.url,
                "head": "" if at.head is None else at.head.url,
                "tiny": at.tiny,
                "stack": at.stack,
            }
            for at in locations
        ],
    }


def _written(one: Field[Any], value: Any) -> str:
    return "" if value is None else one.write(value)
