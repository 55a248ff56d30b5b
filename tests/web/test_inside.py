"""A page with the model inside: all of it, nothing typed as code, and as a browser makes it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

from core.figures.saved_page import Part, saved_page
from core.web import built, inside
from tests.web import in_node

ELEMENT = re.compile(r"<script([^>]*)>([^<]*)</script>")
TYPED = "</script><script>alert(1)</script><!--"
MODEL = bytes(i % 253 for i in range(4_194_300 + 7))  # two pieces


@pytest.fixture
def small(tmp_path: Path) -> built.Built:
    """A build of small files under the real names."""
    content = {
        "model.gguf": MODEL,
        built.LICENCE: b"Whose work <it> is.",
        built.LAYERS: b"layers",
        **{name: name.encode() * 9 for name in built.RUNTIME},
    }
    stored = [built.LAYERS, built.LICENCE, built.RUNTIME[2], "model.gguf"]
    described = {name: {"bytes": len(data)} for name, data in content.items()}
    manifest = {"model": "<m>", "stored": stored, "weights": "model.gguf", "files": described}
    content[built.LANGUAGE_MANIFEST] = json.dumps(manifest).encode()
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    return built.Built({}, {name: tmp_path / name for name in content}, manifest)


def page() -> str:
    return saved_page(TYPED, [Part("", "<script>\ndraw();</script>")])


def files_in(html: str) -> dict[str, bytes]:
    """The files inside, as they were before they were stored."""
    found: dict[str, bytes] = {}
    for attributes, text in ELEMENT.findall(html):
        if name := re.search(r'data-name="([^"]+)"', attributes):
            found[name[1]] = found.get(name[1], b"") + base64.b64decode(text)
    return {n: one if n.endswith(".gguf") else gzip.decompress(one) for n, one in found.items()}


def data_in(html: str, name: str) -> str:
    (text,) = re.findall(rf'id="polysee-inside-{name}">([^<]*)</script>', html)
    return str(text)


def test_all_of_the_model_is_inside_and_nothing_lost(small: built.Built) -> None:
    html = "".join(inside.with_model(page(), {"t": TYPED}, small))
    assert small.language is not None
    names = {*small.language["stored"], *built.RUNTIME[:2]}
    assert files_in(html) == {name: small.files[name].read_bytes() for name in names}
    assert json.loads(data_in(html, "query")) == {"t": TYPED}
    assert json.loads(data_in(html, "manifest")) == small.language


def test_what_was_typed_is_no_code(small: built.Built) -> None:
    html = "".join(inside.with_model(page(), {"t": TYPED}, small))
    (nonce,) = set(re.findall(r"'nonce-(\w+)'", html))
    run = [tag for tag in re.findall(r"<script([^>]*)>", html) if "text/plain" not in tag]
    run = [tag for tag in run if "application/json" not in tag]
    assert len(run) == 3  # the picture's, the page's, and ours
    assert all(f'nonce="{nonce}"' in tag for tag in run)
    assert nonce not in "".join(inside.with_model(page(), {}, small))


def test_a_browser_puts_together_the_same(small: built.Built, tmp_path: Path) -> None:
    ours = "".join(inside.with_model(page(), {"t": TYPED}, small))
    assert small.language is not None
    names = [*dict.fromkeys((*small.language["stored"], *built.RUNTIME[:2]))]
    sent = {
        "page": page(),
        "code": (built.SCRIPTS_AT / inside.SCRIPT).read_text("utf-8"),
        "manifest": small.files[built.LANGUAGE_MANIFEST].read_text("utf-8"),
        "query": json.dumps({"t": TYPED}),
        "files": {n: base64.b64encode(small.files[n].read_bytes()).decode() for n in names},
    }
    (tmp_path / "in.json").write_text(json.dumps(sent))
    in_node.run("inside.js", str(tmp_path / "in.json"), str(tmp_path / "out.json"))
    theirs = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert files_in(theirs) == files_in(ours)
    for name in ("query", "manifest"):
        assert data_in(theirs, name) == data_in(ours, name)
    policies = [re.findall(r'Policy" content="([^"]*)"', one) for one in (ours, theirs)]
    plain = [re.sub(r"nonce-\w+", "nonce", one) for (one,) in policies]
    assert plain[0] == plain[1]
    assert (
        ours[ours.rindex('<script type="module"') :].partition("\n")[2]
        == (theirs[theirs.rindex('<script type="module"') :].partition("\n")[2])
    )


def test_what_is_no_page_is_refused(small: built.Built) -> None:
    with pytest.raises(ValueError, match="no saved page"):
        next(inside.with_model("<p>", {}, small))


@pytest.mark.check
def test_its_size_is_known_before(web_built: built.Built) -> None:
    """That of a real file was 136.7 MB, of which its own page is 0.6."""
    if web_built.language is None:
        pytest.skip("the package of SmolLM2 is not installed")
    assert 135e6 < inside.size(web_built) < 140e6
