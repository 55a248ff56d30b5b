"""The texts of a corpus: how each file was read, and what was left out of it."""

from __future__ import annotations

from pathlib import PurePath

import pandas as pd
import streamlit as st

from core.corpus import Manifest
from core.localization import _, decimal, gettext, ngettext
from core.reading import describe
from pages.corpus import headings
from ui.text import plain

_FILES = 200  # that are listed
_REASONS, _PLACES = 10, 3


def draw(manifest: Manifest) -> None:
    """How the files were read, folded."""
    if not manifest.readings and not manifest.skipped_count:
        return
    files, count = len(manifest.sources), manifest.skipped_count
    said = ngettext(
        "How the texts were read: {files} file", "How the texts were read: {files} files", files
    ).format(files=decimal(f"{files:,}"))
    if count:
        left = ngettext("{count} thing left out", "{count} things left out", count)
        said = f"{said}, {left.format(count=decimal(f'{count:,}'))}"
    with st.expander(said):
        if manifest.readings:
            rows = list(manifest.readings.items())[:_FILES]
            headings.draw(
                pd.DataFrame(
                    {
                        "file": [_name(name) for name, _how in rows],
                        "read as": [how for _of, how in rows],
                    }
                )
            )
        if len(manifest.readings) > _FILES:
            st.caption(_("The first {count} files.").format(count=_FILES))
        for why, places in _reasons(manifest):
            at = ", ".join(places[:_PLACES])
            if len(places) > _PLACES:
                at += _(" and {count} more").format(count=decimal(f"{len(places) - _PLACES:,}"))
            st.markdown(f"- {plain(gettext(why))} ({plain(at)})")
        if count > len(manifest.skipped):
            st.caption(
                _("Of what was left out, the first {count}.").format(
                    count=decimal(f"{len(manifest.skipped):,}")
                )
            )


def _reasons(manifest: Manifest) -> list[tuple[str, list[str]]]:
    named = {
        (one.source, one.where): f"{_name(one.source)}{f', {one.where}' if one.where else ''}"
        for one in manifest.skipped
    }
    places: dict[str, list[str]] = {}
    for one in manifest.skipped:
        places.setdefault(one.why, []).append(named[one.source, one.where])
    order = [why for why, _count in describe.reasons(manifest.skipped)]
    return [(why, places[why]) for why in order[:_REASONS]]


def _name(source: str) -> str:
    """The name of a file; of a path on the server, only its end."""
    return PurePath(source).name if PurePath(source).is_absolute() else source
