"""Lines of a concordance as a document: a table, the word in its middle, to print and annotate."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ..errors import NotSupported
from ..untrusted import normalized
from .querying.results import LEFT, RIGHT, WORD

if TYPE_CHECKING:
    import pandas as pd

MOST = 1_000  # lines: a word processor takes minutes for tables of many thousands
CONTEXT = 60  # characters on each side
_SIZE = 8.5  # points


def lines(table: pd.DataFrame, title: str) -> bytes:
    """A .docx file with the first `MOST` lines of a table.

    Args:
        table: has the columns left, word and right, and may have group and mark.
        title: the heading.

    Raises:
        NotSupported: python-docx is not installed.
    """
    try:
        from docx import Document
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.shared import Pt
    except ImportError as error:
        raise NotSupported(
            "A document needs the package python-docx, which is not installed. Get it with: "
            'pip install "polysee[files]"'
        ) from error

    document: Any = Document()
    document.add_heading(_clean(title), level=1)
    rows = table.head(MOST)
    if len(rows) < len(table):
        document.add_paragraph(f"The first {len(rows):,} of {len(table):,} lines.")
    more = [name for name in ("group", "mark") if name in table]
    written = document.add_table(rows=0, cols=3 + len(more))
    for row in rows.to_dict("records"):
        cells = written.add_row().cells
        texts = [
            " ".join(str(row[LEFT]).split())[-CONTEXT:],
            str(row[WORD]),
            " ".join(str(row[RIGHT]).split())[:CONTEXT],
            *(str(row[name]) for name in more),
        ]
        for place, (cell, said) in enumerate(zip(cells, texts, strict=True)):
            run = cell.paragraphs[0].add_run(_clean(said))
            run.font.size = Pt(_SIZE)
            run.bold = place == 1
        cells[0].paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
        cells[1].paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.CENTER
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _clean(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return "".join(sign for sign in normalized("NFC", text) if sign.isprintable() or sign in "\t ")
