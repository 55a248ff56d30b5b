"""The messages of the screen, and the catalogues that translate them: `python -m tools.messages`.

It finds every message marked in the code, in the words of the pages (`page.md`) and in the table
of shared sentences, and brings each `core/localization/locales/*.po` up to date: new messages get an
empty translation, those that are gone go. `python -m tools.messages fr` begins a catalogue for French.
What is left to translate it prints; a translator opens the file in any editor for such catalogues.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from core import own_text, sentences
from core.examples import CUE_FIRST, PRESETS, presets
from core.localization.catalogues import FOLDER
from core.own_text import texts
from ui import navigation
from ui.page import prose

ROOT = Path(__file__).resolve().parents[1]
# Errors that reach a screen: a class of `core.errors`, its message first. Those of commands and of
# notebooks are for programs, in English.
ERRORS = (
    *("Filled", "ModelBroken", "ModelNotFound", "NotSupported", "SettingError", "TooLarge"),
    *("CorpusError", "RoomError", "TooMany", "WordNotFound"),
)
FAILING = (
    *("core/chat", "core/classroom", "core/corpus/marking", "core/corpus/querying"),
    *("core/corpus/storage", "core/corpus/word_map", "core/dictionary", "core/language"),
    *("core/lessons", "core/measures", "core/own_text", "core/pretrained", "core/reading"),
    *("core/records", "core/settings", "core/tasks", "core/walkthroughs", "ui/models"),
)
PARTS = ("core", "ui", "pages", "app.py")
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
_MARKS = re.compile(r"^ *from [a-z.]*localization import ", re.MULTILINE)
# Of the shared table, the names that begin so: not those of pages whose content is English.
SENTENCES = (
    *(
        "layer.",
        "heads.",
        "label.",
        "list.",
        "verdict.",
        "reason.",
        "the-sentence",
        "standing",
        "ends.",
    ),
    *("axis.", "word.", "text.", "trajectory.", "lines.", "look-for", "legend.", "tab.", "lesson."),
    *("saved.", "typed.", "next-word.", "lens.", "why.", "senses.", "static.", "embed."),
    *("own-text.", "steps.", "embeddings."),
)
SCRIPTS = ROOT / "core/figures/web/src"
OWN_SCRIPTS = (ROOT / "ui/page/transformer_map/map.js",)  # of components, each with its own `m`
IN_SCRIPTS = {"m": None, "N_": None, "mn": (1, 2)}
_SPEAKS = re.compile(r"^import .*runtime/language.js|^import .*./language.js", re.MULTILINE)
WIDTH = 104


class Message(NamedTuple):
    """A message.

    Attributes:
        text: as it stands in the code; of one with a count, its singular.
        plural: its plural; "" for none.
        place: the file, from the root.
        context: which of several meanings it has; "" for none.
    """

    text: str
    plural: str
    place: str
    context: str = ""


@cache
def messages() -> tuple[Message, ...]:
    """Every message, in the order of the files; one that stands in several places comes again."""
    return (
        *_of_code(),
        *_of_errors(),
        *_of_scripts(),
        *_of_pages(),
        *_of_presets(),
        *_of_texts(),
        *_of_sentences(),
    )


def _of_scripts() -> Iterator[Message]:
    for path in speaking():
        with path.open("rb") as file:
            for _line, found, _comments, _context in extract("javascript", file, keywords=IN_SCRIPTS):
                one, many = (found, "") if isinstance(found, str) else found[:2]
                yield Message(str(one), str(many), _place(path))


def speaking() -> Iterator[Path]:
    """The scripts that mark messages."""
    yield from OWN_SCRIPTS
    for path in sorted(SCRIPTS.rglob("*.js")):
        if _SPEAKS.search(path.read_text("utf-8")):
            yield path


def _of_presets() -> Iterator[Message]:
    for one in (*PRESETS, *CUE_FIRST):
        for said in (one.label, one.look_for):
            yield Message(said, "", _place(Path(presets.__file__)))


def _of_texts() -> Iterator[Message]:
    for name, one in own_text.ready().items():
        yield Message(one.title, "", f"{_place(texts.FOLDER)}/{name}.txt")


def _of_sentences() -> Iterator[Message]:
    for name, template in json.loads(sentences.FILE.read_text("utf-8")).items():
        if name.startswith(SENTENCES):
            yield Message(template, "", _place(sentences.FILE))


def _of_code() -> Iterator[Message]:
    for path in marked():
        with path.open("rb") as file:
            for _line, found, _comments, context in extract("python", file, keywords=KEYWORDS):
                one, many = (found, "") if isinstance(found, str) else found[:2]
                yield Message(str(one), str(many), _place(path), context or "")


def _of_errors() -> Iterator[Message]:
    for part in PARTS[:2]:
        for path in sorted((ROOT / part).rglob("*.py")):
            if _place(path).startswith(FAILING):
                yield from (Message(one, "", _place(path)) for one in _errors_in(path))


def _errors_in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and node.args and getattr(node.func, "id", "") in ERRORS:
            said = node.args[0]
            if isinstance(said, ast.Constant) and isinstance(said.value, str) and said.value:
                yield said.value


def marked() -> Iterator[Path]:
    """The sources that mark messages."""
    for part in PARTS:
        for path in [ROOT / part] if part.endswith(".py") else sorted((ROOT / part).rglob("*.py")):
            if _MARKS.search(path.read_text("utf-8")):
                yield path


def _of_pages() -> Iterator[Message]:
    for path in sorted((ROOT / "pages").glob("*/page*.md")):
        if path.name == "page.md":
            yield Message(navigation.declared(path.with_suffix(".py")).title, "", _place(path))
        _, _, variant = path.stem.partition(".")
        words = prose.in_english(str(path.with_name("page.py")), variant)
        said = [words.title, words.point, words.limitations]
        for one in (*words.tries, *words.more):
            said += [one.label, one.look_for, one.elsewhere or ""]
        said += [one for one in words.computed.split("\n\n") if not one.startswith("$$")]
        yield from (Message(one, "", _place(path)) for one in said if one)


def _place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def updated(code: str, before: Catalog | None = None) -> Catalog:
    """The catalogue of a language, with exactly the messages of the code.

    Args:
        code: the language.
        before: the catalogue so far.
    """
    catalog = Catalog(locale=code, project="Polysee", fuzzy=False, charset="utf-8")
    for one in messages():
        key = (one.text, one.plural) if one.plural else one.text
        context = one.context or None
        old = before.get(one.text, context) if before is not None else None
        same = old is not None and old.id == key
        string = old.string if same and old else None
        catalog.add(key, string, locations=[(one.place, 0)], context=context)
    return catalog


def read(code: str) -> Catalog:
    """The catalogue of a language as it is."""
    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def written(code: str, catalog: Catalog) -> bytes:
    """The file of a language's catalogue, without dates: only what somebody changes differs."""
    file = BytesIO()
    head = (
        f"# The screen of Polysee in “{code}”. `python -m tools.messages` adds what is new.",
        'msgid ""',
        'msgstr ""',
        f'"Language: {code}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Plural-Forms: {catalog.plural_forms}\\n"',
        "",
        "",
    )
    file.write("\n".join(head).encode())
    write_po(file, catalog, width=WIDTH, omit_header=True, include_lineno=False)
    return file.getvalue()


def write(code: str, catalog: Catalog) -> None:
    """Write the catalogue of a language."""
    (FOLDER / f"{code}.po").write_bytes(written(code, catalog))


def main() -> int:
    """Update every catalogue; returns 1 if anything is left to translate."""
    codes = sorted({path.stem for path in FOLDER.glob("*.po")} | set(sys.argv[1:]))
    left = 0
    for code in codes:
        catalog = updated(code, read(code) if (FOLDER / f"{code}.po").exists() else None)
        write(code, catalog)
        for one in catalog:
            strings = one.string if isinstance(one.string, tuple | list) else (one.string,)
            if one.id and not all(strings):
                left += 1
                print(f"{code}: {one.id}")
    print(f"{left} messages to translate in {', '.join(codes)}")
    return int(left > 0)


if __name__ == "__main__":
    raise SystemExit(main())
