"""The controls of the Positions page: numbers within their bounds, vectors that one types, presets."""

from __future__ import annotations

import streamlit as st

from ui import permalink, widgets

WIDE = 136  # pixels of a number; narrower ones lose their buttons
PRESETS = {"5 × 3": (5, 3), "50 × 128": (50, 128), "100 × 400": (100, 400), "100 × 512": (100, 512)}


def numbers(typed: str) -> tuple[float, ...]:
    """A query or a key as one types it: an even count of numbers, 2 to 16, none beyond ±100.

    Raises:
        ValueError: it is none.
    """
    found = tuple(float(part.replace("−", "-")) for part in typed.split(","))
    if len(found) % 2 or len(found) > 16 or not all(abs(x) <= 100 for x in found):
        raise ValueError(typed)
    return found


def typed_numbers(typed: str) -> str:
    """Reads what `numbers` can read, and refuses anything else."""
    numbers(typed)
    return typed


def number(
    name: str, parameter: permalink.Parameter, least: int, most: int, *, step: int = 1, about: str = ""
) -> int:
    """A whole number; one beyond its bounds, as of a table larger than this, becomes the last."""
    kept = min(max(int(st.session_state[parameter.key]), least), most)
    widgets.keep(parameter.key, kept, (least, most))
    found = st.number_input(
        name, least, max(most, least), step=step, key=parameter.key, help=about or None, width=WIDE
    )
    return int(found if found is not None else parameter.default)


def place(name: str, parameter: permalink.Parameter, most: int) -> int:
    """A place, by a slider."""
    widgets.keep(parameter.key, min(int(st.session_state[parameter.key]), most), most)
    return int(st.slider(name, 0, max(1, most), key=parameter.key, width=120))


def vectors(query: permalink.Parameter, key: permalink.Parameter) -> tuple[tuple[float, ...], ...]:
    """The query and the key as they are typed, of one width; what cannot be read is said."""
    found = []
    for name, parameter in (("Query q", query), ("Key k", key)):
        typed = st.text_input(name, key=parameter.key, max_chars=200, width=176)
        try:
            found.append(numbers(typed))
        except ValueError:
            found.append(numbers(parameter.default))
            st.warning(
                f"{name} takes an even count of numbers with commas between them, 2 to 16, none "
                f"beyond ±100. Showing {parameter.default}."
            )
    width = min(map(len, found))
    if width < max(map(len, found)):
        st.info(f"Query and key need one width: the first {width} numbers of both are shown.")
    return tuple(vector[:width] for vector in found)


def choose_preset(
    length: permalink.Parameter, width: permalink.Parameter, base: permalink.Parameter
) -> None:
    """Sizes that are often shown; choosing some sets the base to its default."""
    now = st.session_state[length.key], st.session_state[width.key]
    # Other sizes have another box: one that a browser still shows may answer late, with the old sizes.
    key = f"positions preset {now}"

    def go() -> None:
        sizes = PRESETS.get(str(st.session_state[key]))
        if sizes not in (None, now):  # a box that has gone meanwhile says again what it began with
            permalink.go(
                (length, width, base), {length.short: str(sizes[0]), width.short: str(sizes[1])}
            )

    st.selectbox(
        "Sizes",
        [*PRESETS],
        index=next((i for i, of in enumerate(PRESETS.values()) if of == now), None),
        key=key,
        placeholder="own",
        on_change=go,
        width=WIDE + 20,
    )
