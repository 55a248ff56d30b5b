"""Headers match `headers.d.ts`, field by field: TypeScript checks real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.figures import (
    About,
    AllHeads,
    LayerAttention,
    LayerTitles,
    Link,
    OnPage,
    Patterns,
    Picture,
    forward,
    layer_of,
    layer_view,
    overview,
)
from core.figures.web import MODULES
from tests.browser.pictures import heads_pictures, matrix_pictures
from tests.browser.pictures.charts import bars_pictures
from tests.browser.pictures.every_module import MADE
from tests.browser.pictures.forward import forward_pictures
from tests.browser.pictures.hand_made import traced, window
from tests.browser.pictures.points import points_pictures
from tests.browser.pictures.steps import steps_pictures
from tests.browser.pictures.trajectory import trajectory_pictures
from tests.browser.pictures.writing import writing_pictures
from tools import node

SRC = node.WEB / "src"
CONFIG = {
    "compilerOptions": {
        **{"strict": True, "noEmit": True, "skipLibCheck": True, "allowJs": True, "checkJs": False},
        **{"target": "es2022", "module": "esnext", "moduleResolution": "bundler"},
        **{"resolveJsonModule": True, "types": [], "lib": ["es2023", "dom", "dom.iterable"]},
    },
    "include": ["*.ts"],
}


def pictures() -> Iterator[Picture]:
    """One picture of each module, and those whose headers have other fields."""
    yield from (make() for name, make in MADE.items() if name != "cloud")
    yield points_pictures.cloud_picture(30)
    yield matrix_pictures.signed_picture(5, 1)
    yield points_pictures.band_lines()
    yield points_pictures.odd_plane()
    yield bars_pictures.contributions()
    yield writing_pictures.contributions()
    yield writing_pictures.wide_tree()
    for kind in ("causal", "weights", "averaged", "bias"):
        yield heads_pictures.random_layer(kind, 6, {})
    yield layer_of(traced(9, gone=((1, None),)), 1)
    yield layer_of(traced(9, masked=np.stack([window(9, 2, 2)] * 3)), 0)
    yield heads_pictures.grid("maps", 6, patterns=patterns(2))
    shared = Link("both", [0, None, 1], [0, 1, 2])
    words = tuple("abc")
    yield overview(
        AllHeads(heads_pictures.maps(1, 2, 3), tokens=words, query_tokens=tuple("def")),
        sentence="s",
        name="n",
        link=shared,
    )
    about = About(0, patterns(1), [0, None, 1], [[(0, 1, 0.5)], [], []], "Also.")
    yield layer_view(
        LayerAttention(words, words, weights=heads_pictures.maps(1, 3, 3)[0]),
        LayerTitles("Layer 1", "s", "n"),
        on_page=OnPage(link=shared, about=about),
    )
    yield trajectory_pictures.made({"adds": "wanted"})
    yield forward(forward_pictures.wide(), 0, sentence="s", name="n")
    yield forward_pictures.picture(8, causal=True)
    for kind in ("pieces", "scale", "mask", "compare"):
        yield steps_pictures.picture(steps_pictures.of_kind(kind))


def patterns(layers: int) -> Patterns:
    scores = np.linspace(0, 1, layers * 3 * 2).reshape(layers, 3, 2)
    return Patterns(("one", "other"), np.where(scores == 1, np.nan, scores), scores, (0.5, 0.5))


def checked(folder: Path, headers: list[tuple[str, str]], capfd: pytest.CaptureFixture[str]) -> str:
    """The output of `tsc` for headers, each as (module, JSON)."""
    lines = [f'import type * as declared from "{(SRC / "headers").as_posix()}";']
    for i, (module, header) in enumerate(headers):
        lines.append(f"export const {module}{i}: declared.{module.capitalize()}Header = {header};")
    (folder / "headers.ts").write_text("\n".join(lines), "utf-8")
    (folder / "tsconfig.json").write_text(json.dumps(CONFIG), "utf-8")
    assert node.install() == 0
    capfd.readouterr()
    node.npm("exec", "--offline", "--", "tsc", "--project", str(folder))
    return capfd.readouterr().out


@pytest.mark.check
def test_headers_hold_what_is_declared_and_no_more(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    made = list(pictures())
    assert {picture.module for picture in made} == set(MODULES)
    headers = [(one.module, json.dumps(dict(one.header), default=dict)) for one in made]
    assert checked(tmp_path, headers, capfd) == ""


@pytest.mark.check
def test_a_header_with_another_field_or_without_one_is_noticed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    header = dict(bars_pictures.chances().header)
    more = json.dumps({**header, "colour": "red"}, default=dict)
    less = json.dumps({name: of for name, of in header.items() if name != "unit"}, default=dict)
    other = json.dumps({**header, "most": "1"}, default=dict)
    said = checked(tmp_path, [("bars", more), ("bars", less), ("bars", other)], capfd)
    assert [int(line) for line in re.findall(r"headers\.ts\((\d+),", said)] == [2, 3, 4]
    assert all(name in said for name in ("colour", "unit", "string"))
