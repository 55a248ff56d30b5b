"""From `core`, `ui` and `pages` to `polysee`: each rule, and that no name is left."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import rewriting
from tools.rewriting import Names, in_python, in_text
from tools.wheel import arrange

pytestmark = pytest.mark.check

ROOT = Path(__file__).resolve().parents[2]
OF = Names(
    {
        "core": frozenset({"load", "figures", "Trace"}),
        "ui": frozenset({"page", "state"}),
        "pages": frozenset({"heads"}),
    },
    {
        "core": frozenset({"figures", "errors.py"}),
        "ui": frozenset({"page"}),
        "pages": frozenset({"heads"}),
    },
)


@pytest.mark.parametrize(
    ("source", "rewritten"),
    [
        ("import core\ncore.load(1)", "import polysee\npolysee.load(1)"),
        ("import core as c, os\nc.load(1)", "import polysee as c, os\nc.load(1)"),
        ("import core.figures.style", "import polysee.figures.style"),
        ("from core import load", "from polysee import load"),
        (
            "from   core.figures import (\n    style,\n)",
            "from   polysee.figures import (\n    style,\n)",
        ),
        ("from ui import page, state", "from polysee.ui import page, state"),
        ("from pages.heads import x", "from polysee.app.pages.heads import x"),
        ("import ui.page\nui.page.run()", "import polysee.ui.page\npolysee.ui.page.run()"),
        # bytes and characters differ before it
        ("é = 'ü'; import core; core.load(é)", "é = 'ü'; import polysee; polysee.load(é)"),
        # relative imports and other modules do not name a package
        ("from . import core\nfrom ..ui import page", "from . import core\nfrom ..ui import page"),
        ("from x.core import load\nimport x.ui", "from x.core import load\nimport x.ui"),
        # a variable with the same name
        ("pages = {1: 2}\npages[1]", "pages = {1: 2}\npages[1]"),
        ("def f(ui):\n    return ui.page", "def f(ui):\n    return ui.page"),
        ("a.core.load(1)", "a.core.load(1)"),
        # strings and f-strings, with the expressions in them
        ("f = f'core.load({x!r}).trace'", "f = f'polysee.load({x!r}).trace'"),
        ("import core\nf'{core.load(1)}'", "import polysee\nf'{polysee.load(1)}'"),
        ("x = {'core': 'import core'}", "x = {'polysee': 'import polysee'}"),
        ("find_spec('pages')", "find_spec('polysee.app.pages')"),
        ('"""As `core.Trace` has it."""', '"""As `polysee.Trace` has it."""'),
        ("x = ('a'  # core.load\n  'core.load')", "x = ('a'  # polysee.load\n  'polysee.load')"),
        ("x = 1  # see `ui`, core/figures", "x = 1  # see `polysee.ui`, polysee/figures"),
        # the address of a page is relative to the script, in a wheel too
        ("'pages/heads/page.py'", "'pages/heads/page.py'"),
        ("f'pages/{name}/page.py'", "f'pages/{name}/page.py'"),
    ],
)
def test_python_is_rewritten_where_it_names_a_module(source: str, rewritten: str) -> None:
    assert in_python(source, OF) == rewritten
    ast.parse(rewritten)


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("python -m core trace", "python -m polysee trace"),
        ("python -m core.figures", "python -m polysee.figures"),
        ("code: core.Trace.find", "code: polysee.Trace.find"),
        ("`core` and `ui`", "`polysee` and `polysee.ui`"),
        ("pages/heads/state.py", "polysee/app/pages/heads/state.py"),
        # words
        ("The core. Load it on these pages.", "The core. Load it on these pages."),
        (
            "its core is small; a hard-core load; encore.load",
            "its core is small; a hard-core load; encore.load",
        ),
        ("core.nothing", "core.nothing"),
        ("gui.page, /ui.page", "gui.page, /ui.page"),
    ],
)
def test_a_text_is_rewritten_where_it_names_a_module(text: str, rewritten: str) -> None:
    assert in_text(text, OF) == rewritten


def test_a_name_with_two_meanings_is_refused() -> None:
    with pytest.raises(ValueError, match="ui"):
        in_python("import ui.page\nui = 1", OF)


@pytest.fixture(scope="module")
def arranged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("arranged")
    arrange(ROOT, to)
    return to


# Found independently of the rules: any of the three names before a dot or a slash, or alone in quotes.
LEFT = re.compile(r"(?<![\w.-])(?:core|ui|pages)[./][A-Za-z_]\w*|(['\"`])(?:core|ui|pages)\1")
# The address of a page, and its path.
ADDRESS = re.compile(r"(?:polysee/app/|polysee/)?(?:pages|ui)/[\w{}./]*")


def words(source: str) -> Iterator[str]:
    """Every string and comment of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)):
            yield token.string


def test_no_string_names_a_module_of_the_repository(arranged: Path) -> None:
    left = []
    for file in arranged.rglob("*"):
        if file.suffix not in (".py", ".md", ".json", ".csv", ".html"):
            continue
        if file.name == "README.md":  # says what the repository's folders are called, too
            continue
        text = file.read_text("utf-8")
        if not LEFT.search(text):
            continue
        for said in words(text) if file.suffix == ".py" else [text]:
            left += [
                f"{file.relative_to(arranged)}: {found[0]}"
                for found in LEFT.finditer(ADDRESS.sub("", said))
            ]
    assert left == []


def test_no_module_imports_one_of_the_repository(arranged: Path) -> None:
    files = [*arranged.rglob("*.py")]
    assert len(files) > 400
    for file in files:
        source = file.read_text("utf-8")
        if not re.search(
            r"import (core|ui|pages|app|tools|tests)\b|from (core|ui|pages|app|tools|tests)\b", source
        ):
            continue
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            first = {name.partition(".")[0] for name in names}
            assert not first & {*rewriting.MOVED, "app", "tools", "tests"}, file


def test_the_addresses_of_pages_stay(arranged: Path) -> None:
    navigation = (arranged / "polysee" / "ui" / "navigation.py").read_text("utf-8")
    assert 'f"pages/{folder}/page.py"' in navigation
    assert 'find_spec("polysee.app.pages")' in navigation
    assert (arranged / "polysee" / "app" / "pages" / "heads" / "page.py").is_file()


def test_beside_the_script_is_nothing_that_another_package_might_mean(arranged: Path) -> None:
    """Streamlit puts the script's folder at the front of the search path."""
    beside = {file.name for file in (arranged / "polysee" / "app").iterdir()}
    assert beside == {"__init__.py", "app.py", "pages", ".streamlit"}
    assert [file.name for file in (arranged).iterdir() if file.is_dir()] == ["polysee"]
