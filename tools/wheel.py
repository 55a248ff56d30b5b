"""The wheel: the repository's packages under the name `polysee`, and all files that the app reads.

pip and every other builder call the functions `build_…`, the hooks of PEP 517: `pip install .` installs
the same as a published wheel. They copy the repository in the arrangement of the wheel and rewrite the
copy (`tools.rewriting`), from which setuptools then builds. In a wheel:

    polysee/            core/, and core/lessons with the lessons of lessons/ in files/
    polysee/ui/         ui/
    polysee/web/files/  build/web/, what a browser needs to run MiniLM itself
    polysee/app/        app.py, .streamlit/ and pages/

Streamlit puts the folder of the script that it runs at the front of Python's search path. Beside
app.py, there is therefore nothing that could shadow another package.

`make wheel` builds it into dist/, installs it into an environment of its own, and runs `tests/wheel`
there.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tools import environment, rewriting
from tools.torch_source import has_gpu, torch_index

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
FRESH = ROOT / "build" / "wheel-venv"
# Of core/figures/web, only what is read at run time: the built scripts and the schema of their state.
_WEB = "core/figures/web/"
_WEB_KEPT = (f"{_WEB}dist/", f"{_WEB}src/schema.json", f"{_WEB}__init__.py", f"{_WEB}bundle.py")
_BUILT = "build/web"  # without it, the wheel's app has no model in the browser, and says so
_TEXTS = (".csv", ".html", ".json", ".md", ".svg")
_APP = '"""The script that Streamlit runs, its settings in .streamlit, and its pages."""\n'
_OWN_BACKEND = 'build-backend = "tools.wheel"\nbackend-path = ["."]\n'

Settings = Mapping[str, Any] | None


def build_wheel(to: str, settings: Settings = None, metadata: str | None = None) -> str:
    """Build the wheel into the folder `to`, and return its name (PEP 517)."""
    return _built("build_wheel", to)


def build_sdist(to: str, settings: Settings = None) -> str:
    """Build a source archive from the rewritten packages into the folder `to` (PEP 517)."""
    return _built("build_sdist", to)


def _built(what: str, to: str) -> str:
    from setuptools import build_meta

    build: Callable[[str], str] = getattr(build_meta, what)
    folder = str(Path(to).resolve())
    with tempfile.TemporaryDirectory() as copy:
        arrange(ROOT, Path(copy))
        with contextlib.chdir(copy):
            return build(folder)


def arrange(root: Path, to: Path) -> None:
    """Copy the sources of a wheel, rewritten, into the empty folder `to`."""
    of = rewriting.names(root)
    for source, name in contents(root):
        file = to / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".py":
            file.write_text(rewriting.in_python(source.read_text("utf-8"), of), "utf-8")
        elif source.suffix in _TEXTS and not source.is_relative_to(root / _BUILT):
            file.write_text(rewriting.in_text(source.read_text("utf-8"), of), "utf-8")
        else:
            shutil.copyfile(source, file)
    (to / "polysee" / "app" / "__init__.py").write_text(_APP, "utf-8")
    project = (root / "pyproject.toml").read_text("utf-8")
    assert _OWN_BACKEND in project
    # A source archive is built from such a copy, and is already rewritten.
    plain = project.replace(_OWN_BACKEND, 'build-backend = "setuptools.build_meta"\n')
    (to / "pyproject.toml").write_text(plain, "utf-8")


def contents(root: Path) -> Iterator[tuple[Path, str]]:
    """Each file of a wheel, and its path there."""
    for name in ("README.md", "LICENSE"):
        yield root / name, name
    yield root / "app.py", "polysee/app/app.py"
    yield root / ".streamlit" / "config.toml", "polysee/app/.streamlit/config.toml"
    for lesson in sorted((root / "lessons").rglob("*.md")):  # a folder for each other language
        yield lesson, f"polysee/lessons/files/{lesson.relative_to(root / 'lessons').as_posix()}"
    # What `make web` built, to the byte: its manifest has the checksum of each file.
    # Without what only a chosen graphics card needs, 27 MB: there, it is not offered.
    for file in sorted({*(root / _BUILT).glob("*")} - {*_of_graphics(root / _BUILT)}):
        yield file, f"polysee/web/files/{file.name}"
    for package, moved in rewriting.MOVED.items():
        for file in sorted((root / package).rglob("*")):
            name = file.relative_to(root).as_posix()
            sources = name.startswith(_WEB) and not name.startswith(_WEB_KEPT)
            if file.is_file() and not sources and "__pycache__" not in file.parts:
                yield file, name.replace(package, moved.replace(".", "/"), 1)


def _of_graphics(folder: Path) -> list[Path]:
    """The manifest of the run-time for a graphics card, and the files that it names."""
    manifest = folder / "graphics.json"
    if not manifest.is_file():
        return []
    return [manifest, *(folder / name for name in json.loads(manifest.read_text("utf-8"))["files"])]


def main() -> int:
    """Build the wheel, install it into an environment of its own, and run its tests there."""
    shutil.rmtree(FRESH, ignore_errors=True)
    for old in DIST.glob("polysee-*"):
        old.unlink()
    DIST.mkdir(exist_ok=True)
    python = FRESH / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    _run([sys.executable, "-m", "venv", str(FRESH)])
    _run([*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(DIST), str(ROOT)])
    (wheel,) = DIST.glob("polysee-*.whl")
    # torch first and alone, as in tools/setup.py: pip's own index has only the CUDA build for Linux.
    index = torch_index(sys.platform, has_gpu())
    source = [] if index is None else ["--index-url", index]
    torch = f"torch=={environment.pins(ROOT / 'requirements.txt')['torch']}"
    _run([*pip, "install", "--quiet", "--no-deps", *source, torch])
    _run([*pip, "install", "--quiet", str(wheel)])
    tests = [sys.executable, "-m", "pytest", "-n", "0", "-m", "check or not check"]
    where, notebooks = (
        {"WHEEL_PYTHON": str(python), "WHEEL": str(wheel)},
        "tests/wheel/test_notebooks.py",
    )
    _run([*tests, "tests/wheel", f"--ignore={notebooks}"], where)
    # A plain installation has no widgets; the notebook's packages are installed after its tests.
    pins = environment.pins(ROOT / "requirements-dev.txt")
    kernel = [f"{name}=={pins[name]}" for name in ("nbclient", "ipykernel")]
    _run([*pip, "install", "--quiet", f"{wheel}[notebook]", *kernel])
    _run([*tests, notebooks], where)
    print(f"Polysee: {wheel.relative_to(ROOT)} is built and tested.")
    return 0


def _run(command: list[str], more: Mapping[str, str] | None = None) -> None:
    without = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    subprocess.run(command, cwd=ROOT, env={**without, **(more or {})}, check=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as failed:
        words = " ".join(map(str, failed.cmd[1:]))
        sys.exit(f"Polysee: the wheel is not right; this failed: python {words}")
