"""How a file was read, in words: for the screen, the command line and the manifest of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..localization import N_, _, decimal, gettext, ngettext, pgettext
from . import encodings, formats
from .tables.delimited import DELIMITERS
from .understood import Skipped, Understood

_WITH_UNITS = {
    **dict.fromkeys(formats.TABLES, N_("row")),
    **dict.fromkeys(("text",), N_("line")),
    **dict.fromkeys(("srt", "vtt"), N_("cue")),
    "conllu": N_("sentence"),
}
_OTHER = N_("paragraph")
# Names of encodings, formats and separators, marked here: what reads a file in a process of its own is
# to start quickly, without the catalogues.
NAMED = (
    N_("Western European (Windows-1252)"),
    N_("Western European (ISO 8859-15)"),
    N_("Western European (Mac)"),
    N_("Western European (DOS, 437)"),
    N_("Western European (DOS, 850)"),
    N_("Central European (Windows-1250)"),
    N_("Central European (ISO 8859-2)"),
    N_("Baltic (Windows-1257)"),
    N_("Turkish (Windows-1254)"),
    N_("Vietnamese (Windows-1258)"),
    N_("Cyrillic (Windows-1251)"),
    N_("Cyrillic (KOI8-R)"),
    N_("Cyrillic (KOI8-U)"),
    N_("Cyrillic (DOS, 866)"),
    N_("Cyrillic (ISO 8859-5)"),
    N_("Greek (Windows-1253)"),
    N_("Greek (ISO 8859-7)"),
    N_("Hebrew (Windows-1255)"),
    N_("Arabic (Windows-1256)"),
    N_("Thai (TIS-620)"),
    N_("Chinese, simplified (GBK, GB 18030)"),
    N_("Chinese, traditional (Big5)"),
    N_("Japanese (Shift-JIS)"),
    N_("Japanese (EUC-JP)"),
    N_("Japanese (ISO-2022-JP)"),
    N_("Korean (EUC-KR, CP949)"),
    N_("plain text"),
    N_("a table (CSV)"),
    N_("JSON lines"),
    N_("Arrow (a stream)"),
    N_("Feather (version 1)"),
    N_("a table (HTML)"),
    N_("subtitles (SubRip)"),
    N_("subtitles (WebVTT)"),
    N_("comma"),
    N_("semicolon"),
    N_("tab"),
    N_("bar"),
)
_SEPARATED = {
    "comma": N_("separated by commas"),
    "semicolon": N_("separated by semicolons"),
    "tab": N_("separated by tabs"),
    "bar": N_("separated by bars"),
}


def unit(found: Understood) -> str:
    """What a file consists of: "row", "line", "paragraph", "cue" or "sentence"."""
    return gettext(_WITH_UNITS.get(found.format, _OTHER))


def many_units(found: Understood, count: int) -> str:
    """So many of them: "3 rows"."""
    return {
        "row": ngettext("{count} row", "{count} rows", count),
        "line": ngettext("{count} line", "{count} lines", count),
        "cue": ngettext("{count} cue", "{count} cues", count),
        "sentence": ngettext("{count} sentence", "{count} sentences", count),
        "paragraph": ngettext("{count} paragraph", "{count} paragraphs", count),
    }[_WITH_UNITS.get(found.format, _OTHER)].format(count=decimal(f"{count:,}"))


def parts(found: Understood) -> list[tuple[str, str]]:
    """What a file was read as: (what is said, its value), in the order in which it was found out."""
    packed = f", {found.packed}" if found.packed else ""
    made = [("format", gettext(formats.NAMES[found.format]) + packed)]
    if found.encoding:
        made.append(("encoding", gettext(encodings.NAMES.get(found.encoding, found.encoding))))
    if found.dialect is not None:
        sign = found.dialect.delimiter
        named = DELIMITERS.get(sign, sign)
        separated = gettext(_SEPARATED.get(named, f"separated by {named}s"))
        made.append(("columns", separated if sign else _("one, without a separator")))
    if found.columns and not (found.dialect is not None and found.dialect.marked):
        if found.header is not None:
            made.append(
                ("header", _("the first row") if found.header else pgettext("of a table", "none"))
            )
        made.append(("texts", _("“{word}”").format(word=found.text)))
        label = _("“{word}”").format(word=found.label)
        made.append(("labels", label if found.label else pgettext("of a table", "none")))
    made.append(("units", units(found)))
    return made


def units(found: Understood) -> str:
    """Whether its texts are split, as a clause."""
    if found.running:
        return _("running text, split into sentences")
    if found.format == "conllu":
        return _("divided into sentences")
    return _("one sentence a {unit}").format(unit=unit(found))


def summary(found: Understood) -> str:
    """How a file was read, in one line."""
    told = dict(parts(found))
    said = [told["format"]]
    if found.encoding:
        said.append(told["encoding"])
    if "columns" in told:
        said.append(_("columns {how}").format(how=told["columns"]))
    if "header" in told:
        said.append(_("with a header") if found.header else _("without a header"))
    if "texts" in told:
        said.append(_("texts in {column}").format(column=told["texts"]))
    if found.label:
        said.append(
            _("labels in {column}").format(column=told["labels"])
            if "labels" in told
            else _("labels before a bar")
        )
    return f"{'; '.join([*said, told['units']])}"


def reasons(skipped: Iterable[Skipped]) -> list[tuple[str, list[str]]]:
    """What was left out, by its reason, the commonest first: each reason with its places."""
    places: dict[str, list[str]] = {}
    for one in skipped:
        places.setdefault(one.why, []).append(one.where)
    counts = Counter({why: len(at) for why, at in places.items()})
    return [(why, places[why]) for why, _ in counts.most_common()]
