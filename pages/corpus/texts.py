"""The texts of a corpus: how each file was read, and what was left out of it."""

from __future__ import annotations

from pathlib import PurePath

import pandas as pd
import streamlit as st

from core.corpus import Manifest
from core.reading import describe
from ui.text import plain

_FILES = 200  # that are listed
_REASONS, _PLACES = 10, 3


def draw(manifest: Manifest) -> None:
    """How the files were read, folded."""
    if not manifest.readings and not manifest.skipped_count:
        return
    files = f"{len(manifest.sources):,} file{'s' * (len(manifest.sources) != 1)}"
    count = manifest.skipped_count
    left = f", {count:,} thing{'s' * (count > 1)} left out" if count else ""
    with st.expander(f"How the texts were read: {files}{left}"):
        if manifest.readings:
            rows = list(manifest.readings.items())[:_FILES]
            st.dataframe(
                pd.DataFrame(
                    {"file": [_name(name) for name, _ in rows], "read as": [how for _, how in rows]}
                ),
                hide_index=True,
                width="stretch",
            )
        if len(manifest.readings) > _FILES:
            st.caption(f"The first {_FILES:,} files.")
        for why, places in _reasons(manifest):
            at = ", ".join(places[:_PLACES])
            more = f" and {len(places) - _PLACES:,} more" if len(places) > _PLACES else ""
            st.markdown(f"- {plain(why)} ({plain(at)}{more})")
        if manifest.skipped_count > len(manifest.skipped):
            st.caption(f"Of what was left out, the first {len(manifest.skipped):,}.")


def _reasons(manifest: Manifest) -> list[tuple[str, list[str]]]:
    named = {
        (one.source, one.where): f"{_name(one.source)}{f', {one.where}' if one.where else ''}"
        for one in manifest.skipped
    }
    places: dict[str, list[str]] = {}
    for one in manifest.skipped:
        places.setdefault(one.why, []).append(named[one.source, one.where])
    order = [why for why, _ in describe.reasons(manifest.skipped)]
    return [(why, places[why]) for why in order[:_REASONS]]


def _name(source: str) -> str:
    """The name of a file; of a path on the server, only its end."""
    return PurePath(source).name if PurePath(source).is_absolute() else source
