"""The folder for any web space: `python -m tools.static` writes `build/static`, and `make static` calls it.

Compare, Heads and the lessons on the embedded model, computed in a visitor's own tab: no Streamlit, no
Python. The pictures are the app's own, from `dist/`; graph, run-time and vocabulary are those of `make
web`, and the weights are copied from the installed model package. What a page says, its fields, and the
answers of the lessons are written here once, from the same Python as the app's. All addresses in the
folder are relative, so that it works in any subfolder.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.examples import PRESETS
from core.figures.web.bundle import MODULES, code
from core.lessons import Choice, Click, Lesson, Number, Step, readable
from pages import compare, heads, lessons
from pages.compare.state import CompareState
from pages.heads.state import HeadsState
from pages.lessons.state import LessonsState
from tools import node
from ui import permalink
from ui.models import lesson_records
from ui.page import prose
from ui.state import PageState
from ui.state.fields import Bounded, Choice as ChoiceField, Field, Real, Switch

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "static"
ENGINE = ROOT / "build" / "web"
SOURCE = node.WEB / "src" / "static"
PICTURES = ("trajectory", "lines", "overview", "layer")
LIVE = {"compare": CompareState, "heads": HeadsState}
# Pages that only the full app has: their links get a sentence here, and no error.
OTHERS = {
    "embeddings": "Embeddings",
    "senses": "Senses",
    "step-by-step": "Step by step",
    "positions": "Positions",
    "encoder-decoder": "Encoder–decoder",
    "training": "Training",
    "glossary": "Glossary",
}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)
_MATH = re.compile(r"\$[^$]+\$")


def content(model: Mapping[str, Any]) -> dict[str, Any]:
    """All words, fields and answers of the folder, as plain JSON values.

    Args:
        model: the name, the number of bytes and the file of the weights.
    """
    every, wrong = readable()
    if wrong:
        raise SystemExit("\n".join(wrong))
    return {
        "model": dict(model),
        "pages": {
            "compare": _page(compare.__file__, CompareState, CompareState().lesson),
            "heads": _page(heads.__file__, HeadsState, HeadsState.examples()),
            "lessons": _page(lessons.__file__, LessonsState, ()),
        },
        "others": OTHERS,
        "presets": [
            {"label": p.label, "a": p.text_a, "b": p.text_b, "w": p.word, "look": p.look_for}
            for p in PRESETS
        ],
        "lessons": [_lesson(one) for one in every],
    }


def _page(package: str | None, state: type[PageState], example: permalink.Fields) -> dict[str, Any]:
    assert package is not None
    words = prose.read(str(Path(package).with_name("page.py")))
    return {
        "title": words.title,
        "point": words.point,
        "tries": [
            {"label": one.label, "look": one.look_for, "state": dict(one.state)} for one in words.tries
        ],
        "limitations": _MATH.sub("", words.limitations),
        "fields": [field_of(one) for one in state.link()],
        "example": [one.url for one in example],
    }


def field_of(field: Field[Any]) -> dict[str, Any]:
    """A field of a link for JavaScript: values as they stand in a link."""

    def written(value: Any) -> str:
        return "" if value is None else field.write(value)

    left_out = field.default if field.default_in_link is None else field.default_in_link
    earlier = left_out if field.default_in_v1 is None else field.default_in_v1
    found: dict[str, Any] = {
        "url": field.url,
        "start": written(field.default),
        "leftOut": written(left_out),
        "earlier": written(earlier),
        "kind": "text",
    }
    if isinstance(field, Switch):
        found["kind"] = "switch"
    if isinstance(field, Bounded):
        found["kind"] = "real" if isinstance(field, Real) else "whole"
        found["bounds"] = [field.least, field.most]
    if isinstance(field, ChoiceField):
        found["words"] = list(field.words)
    return found


def _lesson(one: Lesson) -> dict[str, Any]:
    own, second = dict(one.texts), {**one.texts, **one.second}
    return {
        **{"name": one.name, "number": one.number, "title": one.title, "aim": one.aim},
        **{"minutes": one.minutes, "texts": own, "second": dict(one.second)},
        "steps": [
            {
                **{"title": step.title, "called": step.called, "page": step.page},
                **{"state": step.state, "text": step.text, "question": step.question},
                "prediction": _prediction(step),
                "covers": step.covers,
                "answers": [_answer(one, i, texts) for texts in (own, second)]
                if _is_live(one, step)
                else None,
            }
            for i, step in enumerate(one.steps)
        ],
    }


def _is_live(lesson: Lesson, step: Step) -> bool:
    """Whether a step is about a page and a model that the folder has."""
    shown = dict(step.state)
    return step.page in LIVE and lesson.model == "minilm" and not {"m", "m2", "t2", "fi"} & set(shown)


def _prediction(step: Step) -> dict[str, Any]:
    kind = step.prediction
    if isinstance(kind, Choice):
        return {"choices": kind.options}
    if isinstance(kind, Number):
        return {"tolerance": kind.tolerance}
    assert isinstance(kind, Click)
    return {"click": kind.keys}


def _answer(lesson: Lesson, step: int, texts: Mapping[str, str]) -> dict[str, Any]:
    """The answer that the model gives for the lesson's own texts."""
    found = lesson_records.answer_of(lesson.name, step, lesson.model, tuple(texts.items()))
    return {"key": found.in_words, "value": found.key, "reveal": found.reveal}


def shell(page: str, title: str) -> str:
    """The HTML of a page; `page` is its folder, "" for the first."""
    root = "../" if page else "./"
    made = (SOURCE / "index.html").read_text("utf-8")
    for name, value in (("ROOT", root), ("TITLE", f"{title} · Polysee"), ("POLICY", POLICY)):
        made = made.replace(f"%{name}%", html.escape(value))
    return made


def bundled(entry: Path, out: Path) -> None:
    """One module from an entry and all that it imports."""
    if node.install():
        raise SystemExit(1)
    subprocess.run([node.NODE / "node", node.WEB / "module.js", entry, out], check=True)


def build(out: Path = OUT, engine: Path = ENGINE) -> Path:
    """Write the whole folder, and return it.

    Args:
        out: where; what was there before is removed.
        engine: what `make web` has built.
    """
    if not engine.is_dir():
        raise SystemExit("Polysee: the engine is missing: call `make web` first.")
    shutil.rmtree(out, ignore_errors=True)
    (out / "pictures").mkdir(parents=True)
    model = copied_engine(engine, out / "engine")
    for name in PICTURES:
        assert name in MODULES
        (out / "pictures" / f"{name}.js").write_text(f"{code(name)}\nexport {{ render }};\n", "utf-8")
    bundled(SOURCE / "main.js", out / "static.js")
    shutil.copy(SOURCE / "static.css", out / "static.css")
    for name in ("logo.svg", "icon.svg"):
        shutil.copy(ROOT / "ui" / "page" / name, out / name)
    made = content(model)
    (out / "content.json").write_text(json.dumps(made, ensure_ascii=False), "utf-8")
    titles = {name: page["title"] for name, page in made["pages"].items()} | OTHERS
    for page, title in {"": titles["compare"], **titles}.items():
        (out / page).mkdir(exist_ok=True)
        (out / page / "index.html").write_text(shell(page, title), "utf-8")
    _service_worker(out, [*titles], model["name"])
    return out


def _service_worker(out: Path, pages: list[str], model: str) -> None:
    """The service worker, with the names of all that it stores, and an edition that their content decides."""
    files = [p for p in sorted(out.rglob("*")) if p.is_file() and p.parent.name != "engine"]
    paths = [p.relative_to(out).as_posix() for p in files]
    digest = hashlib.sha256()
    for path, file in zip(paths, files, strict=True):
        digest.update(path.encode() + file.read_bytes())
    stored = ["", *(f"{page}/" for page in pages), *(p for p in paths if not p.endswith("index.html"))]
    text = (SOURCE / "sw.js").read_text("utf-8")
    for name, value in (
        ("EDITION", digest.hexdigest()[:16]),
        ("SHELL", stored),
        ("MODEL", model),
    ):
        text = text.replace(f'"%{name}%"', json.dumps(value))
    (out / "sw.js").write_text(text, "utf-8")


def copied_engine(engine: Path, out: Path) -> dict[str, Any]:
    """Copy what `make web` built and the weights of the model package; returns what the pages need of it."""
    raise NotImplementedError


if __name__ == "__main__":
    made = build()
    size = sum(path.stat().st_size for path in made.rglob("*") if path.is_file()) / 1e6
    print(f"{made.relative_to(ROOT)}: {size:.0f} MB. Put it on any web server.")
    sys.exit()
