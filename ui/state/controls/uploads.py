"""A control to upload a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ui import session


def upload(
    key: str,
    label: str,
    *,
    endings: Sequence[str] | None,
    most_mb: int,
    take: Callable[[UploadedFile], None],
    forget: Callable[[], None] | None = None,
) -> UploadedFile | None:
    """A control to upload a file.

    Args:
        key: the name of the control.
        label: the label above it.
        endings: the permitted file extensions; None for all.
        most_mb: the largest permitted size, in MB.
        take: called once with each new file, before the next run.
        forget: called when a visitor removes the file.
    """

    def changed() -> None:
        file = session.reported(key)
        if isinstance(file, UploadedFile):
            take(file)
        elif file is None and forget is not None:
            forget()
        # Else it is a file that this server does not have: it was started again since the upload.

    return st.file_uploader(label, type=endings, key=key, on_change=changed, max_upload_size=most_mb)
