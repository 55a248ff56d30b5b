"""`make static`: write the folder for any web space, build/static.

Compare, Heads and the lessons on the embedded model, Next word on the one that speaks, and a model that
learns a text, computed in a visitor's own tab: no Streamlit, no Python. The pictures are the app's own,
from `dist/`; the engine is that of `make web`, with the weights of the installed model packages
(`core.web`). What a page says and the answers of the lessons are written here, once for each language,
from the app's Python; which language it is, the folder's first script decides
(`embed/language.js`). All addresses in the folder are relative, so that it works in any subfolder.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core import localization, settings, spreadsheet
from core.classroom import MOST_WHY
from core.dictionary import unshown
from core.examples import CUE_FIRST, PRESETS
from core.examples import words as words_of_examples
from core.figures import forward
from core.figures.web.bundle import code
from core.glossary import Term, terms
from core.lessons import Choice, Click, Lesson, Number, Step, courses, keys, readable
from core.lessons.expressions import Expression, Literally, filled, shown
from core.localization import browser, gettext, spoken
from core.measures import control_heads, copying_heads, random_text
from core.measures.attention.require_attention import weights_of
from core.sentences import sentence
from core.tasks import TASKS
from core.tasks.training import recipe_code
from core.walkthroughs.steps.descriptions import ALONE, STEPS
from core.walkthroughs.steps.spoken import spoken as step_spoken
from core.walkthroughs.steps.spoken import spoken_formula
from core.web import built
from pages import (
    compare,
    embeddings,
    glossary,
    heads,
    lessons,
    next_word,
    senses,
    step_by_step,
    training,
)
from pages.compare.state import CompareState
from pages.embeddings.state import EmbeddingsState
from pages.heads.state import HeadsState
from pages.next_word.copying.computed import DRAWS
from pages.next_word.state import NextWordState
from pages.senses.state import SensesState, lines_of
from pages.step_by_step import computed
from pages.step_by_step.forward import tiny_numbers_of
from pages.step_by_step.shown_step import in_words
from pages.step_by_step.state import StepsState
from pages.training.state import TrainingState
from tools import links, node, web
from tools.mathml import mathml
from ui import navigation, permalink
from ui.lessons import drawn, progress
from ui.lessons.link_keys import called
from ui.models import lesson_records, model_cache
from ui.page import prose
from ui.paper import links as printed
from ui.paper import served
from ui.paper.markdown_html import text_of
from ui.paper.without_buttons import for_paper
from ui.state import MODEL

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "static"
SOURCE = node.WEB / "src" / "static"
PICTURES = (
    *("trajectory", "lines", "overview", "layer", "nextword", "shaded", "branches"),
    *("lens", "bars", "heatmap", "forward", "cloud"),
)
# What a page loads: a start, and then the page itself, or less where it is embedded in another one.
SCRIPTS = {
    "start": "embed/start.js",
    "embed": "embed/embed.js",
    "static": "static/main.js",
    "show": "embed/show.js",  # for a page of somebody else
}
LIVE = links.PAGES
OWN_TEXT = ("owntext.js", "ownworker.js", "jax-js.txt")  # the view that trains, and its engine
TOLD = ("lessons", "glossary")  # pages that compute nothing themselves
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
MOST_TRIES = 3  # examples on a page
VIEWS = ("layers", "why")  # of Next word, besides the first
# What a link to Next word can ask for and is not here: a word replaced, a second text, the cache.
ELSEWHERE = {"wr", "bd", "kp"}
# What a recipe of repeated letters may change and still be trained in a tab.
IN_TAB = (
    *("steps", "batch", "learning_rate", "warm_up", "decay"),
    *("n_decoder_layers", "n_heads", "d_model", "seed"),
)
COPYING = NextWordState.copied_length.url, NextWordState.copied_seed.url
CLUSTERS = {"c", "f", "s3"}  # the same of Senses
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)$")  # the last thing in an example
_MATH = re.compile(r"\$[^$]+\$")


def others() -> dict[str, str]:
    """The titles of pages that only the full app has: their links get a sentence here, and no error."""
    return {
        page.address: gettext(page.title)
        for page in navigation.pages().values()
        if page.address not in (*LIVE, *TOLD)
    }


def content(engine: built.Built) -> dict[str, Any]:
    """All words and answers of the folder in the language of the context, as plain JSON values.

    Args:
        engine: what a browser fetches.
    """
    every, wrong = readable()
    if wrong:
        raise SystemExit("\n".join(wrong))
    return {
        "pages": {
            "compare": _page(compare.__file__, CompareState().lesson),
            "heads": _page(heads.__file__, HeadsState.examples()),
            "next-word": _page(next_word.__file__, NextWordState.examples()),
            **{
                f"next-word.{view}": _page(next_word.__file__, NextWordState.examples(), view)
                for view in VIEWS
            },
            "step-by-step": _page(step_by_step.__file__, StepsState.examples()),
            "senses": _page(senses.__file__, SensesState.examples(), but=CLUSTERS),
            "embeddings": _page(embeddings.__file__, EmbeddingsState.examples(), "words"),
            "training": _page(training.__file__, TrainingState.examples(), "text"),
            "lessons": _page(lessons.__file__, ()),
            "glossary": _page(glossary.__file__, ()),
        },
        "steps": {
            kind: {
                name: {
                    **{"title": gettext(one.title), "formula": mathml(spoken_formula(one.formula))},
                    "why": _inline(gettext(one.why)),
                }
                for name, one in words.items()
            }
            for kind, words in (("encoder", STEPS), ("decoder", {**STEPS, **ALONE}))
        },
        "senses": {word: lines_of(word) for word in words_of_examples()},
        "tiny": [_tiny(causal=causal) for causal in (False, True)],
        "terms": [_term(one) for one in terms(localization.current())],
        "others": others(),
        "graphics": engine.graphics_bytes_fetched,
        "models": [
            {
                **{"name": name, "title": gettext(settings.CATALOGUE[name].title), "size": size},
                "heads": _heads(name),
            }
            for name, size in (
                (built.MODEL, engine.bytes_fetched),
                (built.LANGUAGE_MODEL, engine.language_bytes_fetched),
            )
            if size
        ],
        "presets": [
            {
                **{"label": gettext(p.label), "a": p.text_a, "b": p.text_b, "w": p.word},
                **{"look": gettext(p.look_for), "causal": causal},
            }
            for causal, some in ((False, PRESETS), (True, CUE_FIRST))
            for p in some
        ],
        "lessons": [_lesson(one) for one in every],
        "progress": {"words": progress.words(), "rules": spreadsheet.rules(), "most": MOST_WHY},
        "drawn": {"words": drawn.words()},
        "repeated": _repeated(every),
        "paper": {"title": printed.on_paper(), "pages": _on_paper()},
        "vocabulary": model_cache.model(MODEL.default).n_vocabulary,
        "unshown": json.loads(unshown.LIST.read_text("ascii")),
    }


def _heads(model: str) -> tuple[int, int]:
    """How many layers a model has, and heads in each."""
    shape = model_cache.model(model).shape
    return shape.n_layers, shape.n_heads


def _page(
    package: str | None,
    example: permalink.Fields,
    view: str = "",
    but: Collection[str] = frozenset(),
) -> dict[str, Any]:
    """The words of a page or of one of its views, without examples that have a key of `but`."""
    assert package is not None
    words = prose.read(str(Path(package).with_name("page.py")), view)
    return {
        "title": words.title,
        "point": words.point,
        "tries": [
            {"label": one.label, "look": one.look_for, "state": dict(one.state)}
            for one in (_shown(words) if view else words.tries)
            if not {url for url, _ in one.state} & {*but}
        ],
        "limitations": _MATH.sub("", words.limitations),
        "example": [one.url for one in example],
    }


def _inline(why: str) -> str:
    """The purpose of a step; its one formula in a line is written out."""
    return why.replace(r"$e^{-\infty}=0$", "e to the power of −∞ is 0")


def _tiny(*, causal: bool) -> dict[str, Any]:
    """The tiny model's picture: the browser computes it, from these numbers."""
    model = computed.tiny(StepsState.tiny_text.default, "")
    steps = [step_spoken(one) for one in computed.of_tiny(model, 0, causal).steps]
    numbers = tiny_numbers_of(model, 0, causal=causal)
    said = sentence("static.tiny", step=in_words(steps[0]), count=str(len(steps)))
    made = forward(steps, 0, sentence=said, name="step-pieces", tiny=numbers)
    sent = made.to_bytes()
    size = int.from_bytes(sent[:4], "little")
    return {
        "module": made.module,
        "header": json.loads(sent[4 : 4 + size]),
        "payload": base64.b64encode(sent[4 + size :]).decode("ascii"),
        "names": [one.name for one in steps],
    }


def _term(one: Term) -> dict[str, Any]:
    """A term; its example without the link at its end, which stands beside it."""
    said, *link = _LINK.split(one.example.replace("](./?", "](compare?"))  # the first page
    return {
        **{"name": one.name, "anchor": one.anchor, "subject": one.subject, "also": one.also},
        **{"meaning": one.meaning, "example": said.strip(), "link": link[:2] or None},
        "paper": one.paper,
    }


def _shown(words: prose.Prose) -> list[prose.Try]:
    """The first examples of a view that ask for nothing else than the folder shows."""
    every = (*words.tries, *words.more)
    return [one for one in every if not _elsewhere(dict(one.state))][:MOST_TRIES]


def _elsewhere(state: Mapping[str, str]) -> bool:
    """Whether a link asks for what the folder does not show: of texts, it has the ready ones."""
    return bool(ELSEWHERE & set(state)) or state.get("tx", "").startswith("corpus-")


def _paper(language: str) -> str:
    """Where the pages to print lie in a language."""
    return "paper" if language == localization.ENGLISH else f"paper/{language}"


def _on_paper() -> list[dict[str, str]]:
    """Each course and each lesson's pack: its title and its file, in the language of the context."""
    at = _paper(localization.current())
    found = [(text_of(one.title), served.course_file(one)) for one in courses()[0]]
    found += [(f"{one.number}. {text_of(one.title)}", served.pack_file(one)) for one in readable()[0]]
    return [{"title": title, "file": f"{at}/{name}"} for title, name in found]


def _print(new: Path, language: str) -> None:
    """Write the pages to print; the answers in them are those of the lessons, computed already."""
    folder = new / _paper(language)
    folder.mkdir(parents=True)
    for name, page in served.every_pack(language):
        (folder / name).write_text(page, "utf-8")


def _lesson(one: Lesson) -> dict[str, Any]:
    own, second = dict(one.texts), {**one.texts, **one.second}
    return {
        **{"name": one.name, "number": one.number, "title": one.title, "aim": one.aim},
        **{"minutes": one.minutes, "texts": own, "second": dict(one.second)},
        "check": one.check and [progress.question(one.check, texts) for texts in (own, second)],
        "steps": [
            {
                **{"title": step.title, "called": step.page_name, "page": step.page},
                **{
                    "model": step.model,
                    "learns": _learns(step),
                    "state": step.state,
                    "text": said(step.text),
                    "question": said(step.question),
                },
                "prediction": _prediction(step),
                "marks": [{"at": mark.at, "name": mark.name} for mark in step.scale],
                **{"own": step.own, "covers": step.covers, "hides": step.hides},
                "live": _is_live(step),
                "values": [[name, _tree(value)] for name, value in step.values],
                "key": _tree(step.key),
                **{"reveal": said(step.reveal), "saysKey": keys.says_key(step)},
                "answers": [_answer(one, i, texts, said) for texts in (own, second)],
            }
            for i, step in enumerate(one.steps)
            for said in (_as_it_is if _is_live(step) else for_paper,)
        ],
    }


def _repeated(every: Sequence[Lesson]) -> dict[str, Any]:
    """The random words, said twice, of each step that has some, by their number and their seed.

    With them, the random heads that are ablated beside those that copy.
    """
    found: dict[str, Any] = {}
    for one in every:
        for texts in (one.texts, {**one.texts, **one.second}):
            for step in one.steps:
                link = dict(step.state)
                if link.keys() >= {*COPYING}:
                    length, seed = (int(filled(link[key], texts)) for key in COPYING)
                    model = model_cache.model(step.model)
                    text = random_text(model, length, seed, vocabulary=False)
                    heads = copying_heads(weights_of(model.trace(text, keep="attention")), length)
                    controls = control_heads(heads, NextWordState.copied_without.default, DRAWS, seed)
                    found[f"{length}.{seed}"] = {"text": text, "controls": controls}
    return found


def _as_it_is(words: str) -> str:
    return words


def _is_live(step: Step) -> bool:
    """Whether a step is about a page and a model that the folder has."""
    shown = dict(step.state)
    if {"m2", "t2", "fi"} & set(shown) or shown.get("m", step.model) != step.model:
        return False
    if step.model == built.LANGUAGE_MODEL:
        here = shown.get("p", "next") in ("next", *VIEWS) and not ELSEWHERE & set(shown)
        return step.page == "next-word" and here
    return step.page in ("compare", "heads") and step.model == built.MODEL and "m" not in shown


def _learns(step: Step) -> dict[str, Any] | None:
    """The recipe of a step's model, if a tab can train it: repeated letters, by attention alone."""
    kind, _, written = step.model.partition(" ")
    recipe = recipe_code.read(written) if kind == "task" else None
    if recipe is None or recipe.task != "induction":
        return None
    other = replace(TASKS[recipe.task].recipe, **{name: getattr(recipe, name) for name in IN_TAB})
    return recipe.to_dict() if recipe == other else None


def _prediction(step: Step) -> dict[str, Any]:
    kind = step.prediction
    if isinstance(kind, Choice):
        return {"choices": kind.options}
    if isinstance(kind, Number):
        return {"tolerance": kind.tolerance, "kind": kind.kind, "positive": kind.positive}
    assert isinstance(kind, Click)
    return {"click": kind.keys, "called": [called(key) for key in kind.keys]}


def _tree(expression: Expression) -> Any:
    """An expression as JSON, each argument by its name."""
    if isinstance(expression, Literally):
        return expression.value
    return {expression.operation: {name: _tree(one) for name, one in expression.arguments}}


def _answer(
    lesson: Lesson, step: int, texts: Mapping[str, str], said: Callable[[str], str]
) -> dict[str, Any]:
    """The model's answer for the lesson's own texts; `said` leaves out the app's buttons."""
    own = lesson.steps[step]
    found = lesson_records.answer_of(lesson.name, step, own.model, tuple(sorted(texts.items())))
    kind, key = own.prediction, found.key
    words = found.in_words
    if isinstance(kind, Click):
        values = key if isinstance(key, tuple) else (key,)
        pairs = zip(kind.keys, values, strict=True)
        words = ", ".join(f"{called(name)} {shown(value)}" for name, value in pairs)
    return {"key": words, "value": key, "reveal": said(found.reveal)}


def shell(page: str, title: str) -> str:
    """The HTML of a page; `page` is its folder, "" for the first."""
    root = "../" if page else "./"
    made = (SOURCE / "index.html").read_text("utf-8")
    languages = {one.code: one.name for one in localization.languages()}
    for name, value in (
        *(("ROOT", root), ("TITLE", f"{title} · Polysee"), ("POLICY", POLICY)),
        ("LANGUAGES", json.dumps(languages, ensure_ascii=False)),
    ):
        made = made.replace(f"%{name}%", html.escape(value))
    return made.replace("%NO_SCRIPT%", "".join(map(_without_script, languages)))


def _without_script(language: str) -> str:
    """What a page says where no script can find out the language."""
    with spoken(language):
        return f'<p lang="{language}">{html.escape(sentence("static.no-script"))}</p>'


def catalogue(language: str) -> dict[str, Any]:
    """What the scripts of the folder say in another language, as `core.localization.browser`."""
    made: dict[str, Any] = json.loads(browser.content(language, static=True))
    with spoken(language):
        # The menu is written in English, and so are the choices that Python declares.
        own = [page.title for page in navigation.pages().values()]
        made["messages"] |= {one: gettext(one) for one in (*own, *_choices())}
    return made


def catalogue_of(scripts: Sequence[Path], language: str) -> dict[str, Any]:
    """The catalogue for an embedded page: of its messages, those that stand in its bundled scripts."""
    code = "".join(one.read_text("utf-8") for one in scripts)
    made: dict[str, Any] = json.loads(browser.content(language))
    said = {one: to for one, to in made["messages"].items() if _stands(one, code)}
    return made | {"messages": said}


def _stands(message: str, code: str) -> bool:
    """Whether a message is a string of bundled code, which is written in any of three quotes."""
    inside = message.replace("\n", "\\n")
    return any(f"{quote}{inside}{quote}" in code for quote in "\"'`")


def _choices() -> list[str]:
    """The words of the choices that `tools.constants` hands to the scripts."""
    web = SOURCE.parent
    numbers = json.loads((web / "derive" / "constants.json").read_text("utf-8"))
    steps = json.loads((web / "forward" / "steps.json").read_text("utf-8"))
    kinds = (numbers["nextWord"]["views"], numbers["embeddings"]["views"], numbers["lens"]["lenses"])
    return [word for kind in (*kinds, steps["views"], steps["sizes"]) for word in kind.values()]


def _translated() -> list[str]:
    return [one.code for one in localization.languages() if one.code != localization.ENGLISH]


def _write(file: Path, values: Mapping[str, Any]) -> None:
    file.write_text(json.dumps(values, ensure_ascii=False), "utf-8")


def bundled(entry: Path, out: Path) -> None:
    """One module from an entry and all that it imports."""
    _bundle("module.js", entry, out)


def embedded(out: Path) -> None:
    """Write the pictures that an address can carry, as modules that share what both need."""
    _bundle("embedded.js", out)


def _bundle(script: str, *arguments: Path) -> None:
    if node.install():
        raise SystemExit(1)
    subprocess.run([node.NODE / "node", node.WEB / script, *arguments], check=True)


def build(engine: built.Built, out: Path = OUT, languages: Collection[str] | None = None) -> Path:
    """Write the whole folder, and return it; what was there before is removed.

    Args:
        engine: what `make web` has built.
        out: where.
        languages: besides English; None for all, each of which takes as long again.

    Raises:
        SystemExit: a lesson is no lesson.
    """
    new = out.with_name(f"{out.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    for folder in ("engine", "pictures"):
        (new / folder).mkdir(parents=True)
    for name, path in engine.files.items():
        shutil.copy(path, new / "engine" / name)
    for name in OWN_TEXT:
        shutil.copy(built.SCRIPTS_AT / name, new / "engine" / name)
    for name in PICTURES:
        (new / "pictures" / f"{name}.js").write_text(f"{code(name)}\nexport {{ render }};\n", "utf-8")
    embedded(new / "pictures" / "embedded")
    for name, entry in SCRIPTS.items():
        bundled(SOURCE.parent / entry, new / f"{name}.js")
    # What was answered in the lessons is kept, asked and drawn by the app's own scripts.
    for part in (progress, drawn):
        shutil.copy(part.SCRIPT, new / part.SCRIPT.name)
    styles = (SOURCE / "static.css", progress.STYLE, drawn.STYLE)
    (new / "static.css").write_text("".join(one.read_text("utf-8") for one in styles), "utf-8")
    shutil.copy(SOURCE / "app.webmanifest", new / "app.webmanifest")
    for name in ("logo.svg", "icon.svg"):
        shutil.copy(ROOT / "ui" / "page" / name, new / name)
    with spoken(localization.ENGLISH):
        words = content(engine)
    _write(new / "content.json", words)
    _print(new, localization.ENGLISH)
    small = [*(new / "pictures" / "embedded").iterdir(), new / "embed.js"]
    for language in _translated() if languages is None else languages:
        _write(new / f"language.{language}.json", catalogue(language))
        _write(new / f"embed.{language}.json", catalogue_of(small, language))
        with spoken(language):
            _write(new / f"content.{language}.json", content(engine))
        _print(new, language)
    own = {name: page["title"] for name, page in words["pages"].items() if "." not in name}
    titles = own | others()
    for page, title in {"": titles["compare"], **titles}.items():
        (new / page).mkdir(exist_ok=True)
        (new / page / "index.html").write_text(shell(page, title), "utf-8")
    _service_worker(new, [*titles], engine.stored)
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)
    return out


def _service_worker(folder: Path, pages: Sequence[str], stored: Collection[str]) -> None:
    """Write the service worker, with the names of all that it keeps and an edition from their content.

    Args:
        folder: the folder.
        pages: the addresses of the pages.
        stored: the files of the engine that the engine itself keeps.
    """
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    names = [
        name for name in names if not name.startswith("paper/")
    ]  # a teacher fetches what is printed
    chosen = (built.GRAPHICS_MANIFEST, *built.GRAPHICS[:2])  # kept where the graphics card is chosen
    later = sorted({*names} & {f"engine/{name}" for name in chosen})
    kept = sorted({*names} - {f"engine/{name}" for name in stored} - {*later})
    digest = hashlib.sha256()
    for name in (*kept, *later):
        digest.update(name.encode() + (folder / name).read_bytes())
    shell = ["", *(f"{page}/" for page in pages), *(n for n in kept if not n.endswith("index.html"))]
    text = (SOURCE / "sw.js").read_text("utf-8")
    text = text.replace('"%EDITION%"', json.dumps(digest.hexdigest()[:16]))
    text = text.replace('"%SHELL%"', json.dumps(shell)).replace('"%LATER%"', json.dumps(later))
    (folder / "sw.js").write_text(text, "utf-8")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    if built.look(built.PLACES)[0] is None:
        web.main()
    found, why = built.look(built.PLACES)
    if found is None:
        raise SystemExit(f"Polysee: {why}")
    made = build(found)
    size = sum(path.stat().st_size for path in made.rglob("*") if path.is_file()) / 1e6
    print(f"Polysee: {made.relative_to(ROOT)} is built, {size:.0f} MB. Put it on any web server.")
