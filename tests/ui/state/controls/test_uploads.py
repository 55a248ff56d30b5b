"""Uploaded files."""

from __future__ import annotations

from unittest.mock import MagicMock

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec

from tests.ui.state.small_pages import by
from ui import state


def test_a_file_is_taken_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    streamlit = MagicMock(session_state={})
    by(streamlit, monkeypatch)
    heard = list[object]()
    state.upload(
        "file",
        "A file",
        endings=("csv",),
        most_mb=3,
        take=heard.append,
        forget=lambda: heard.append("gone"),
    )
    file = UploadedFile(UploadedFileRec("1", "a.csv", "text/csv", b"a"), FileURLs())
    # One that is not on this server: it was started again after the upload. What was taken stays.
    for now in (file, DeletedFile("2"), None):
        streamlit.session_state["file"] = now
        streamlit.file_uploader.call_args.kwargs["on_change"]()
    assert heard == [file, "gone"]
