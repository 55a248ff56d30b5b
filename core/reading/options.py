"""The options of the command line that say how files are to be read."""

from __future__ import annotations

import argparse

from ..errors import SettingError
from . import encodings
from .tables.delimited import DELIMITERS
from .understood import Choices

_SIGNS = {name: sign for sign, name in DELIMITERS.items()} | {"\\t": "\t", "none": ""}


def add_to(parser: argparse.ArgumentParser, *, labels: bool) -> None:
    """Add the options.

    Args:
        parser: of a command that reads files.
        labels: whether the command knows labels.
    """
    group = parser.add_argument_group("how the texts are read (guessed, and said, without these)")
    group.add_argument(
        "--encoding", metavar="NAME", help="of all files, as Python names it: utf-8, cp1252, gbk …"
    )
    group.add_argument(
        "--delimiter",
        metavar="SIGN",
        help="between the columns of tables: comma, semicolon, tab, bar, the sign itself, or none",
    )
    group.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first row of tables names their columns",
    )
    group.add_argument(
        "--text", metavar="COLUMN", help="the column of texts, by its name or its number from 1"
    )
    if labels:
        group.add_argument("--label", metavar="COLUMN", help="the column of labels; none for no labels")
    group.add_argument(
        "--names", default="", metavar="A,B,C", help="the columns of tables without a header"
    )
    split = group.add_mutually_exclusive_group()
    split.add_argument(
        "--running",
        action="store_const",
        const=True,
        dest="running",
        help="texts are running text, to be split into sentences",
    )
    split.add_argument(
        "--one-a-line",
        action="store_const",
        const=False,
        dest="running",
        help="each line, row or paragraph is one sentence",
    )
    group.add_argument(
        "--language", default="en", metavar="CODE", help="whose rules split sentences (en)"
    )


def choices(options: argparse.Namespace) -> Choices:
    """What the options say.

    Raises:
        SettingError: there is no such encoding, or the delimiter is more than one sign.
    """
    encoding = options.encoding
    if encoding is not None and encodings.known(encoding) is None:
        raise SettingError(
            "There is no encoding “{encoding}”. Some that there are: {names}.",
            encoding=encoding,
            names=", ".join(encodings.NAMES),
        )
    delimiter = options.delimiter
    if delimiter is not None:
        delimiter = _SIGNS.get(delimiter.lower(), delimiter)
        if len(delimiter) > 1 or delimiter in ("\n", "\r", '"'):
            raise SettingError(
                "“{delimiter}” cannot be between columns. Take one sign, or one of {signs}.",
                delimiter=options.delimiter,
                signs=", ".join(_SIGNS),
            )
    label = getattr(options, "label", "")
    return Choices(
        encoding=encoding,
        delimiter=delimiter,
        header=options.header,
        text=options.text,
        label="" if label == "none" else label,
        names=tuple(one.strip() for one in options.names.split(",") if one.strip()),
        running=options.running,
        language=options.language,
    )
