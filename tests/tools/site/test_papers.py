"""Every link in the papers leads somewhere, and on the site to a page."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tools.site import papers

ROOT = papers.ROOT


def tracked() -> list[Path]:
    """The Markdown and the notebooks that git tracks or would track, but a page's own prose."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", "*.ipynb"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this is no git checkout: which files belong to it is not known")
    # Links in the prose of pages, of the glossary and of lessons are addresses of the app.
    ours = [ROOT / name for name in listed.stdout.splitlines()]
    own = ("pages", "core", "lessons")
    return [path for path in ours if path.exists() and path.relative_to(ROOT).parts[0] not in own]


def text_of(paper: Path) -> str:
    """Markdown; of a notebook, that of its cells."""
    text = paper.read_text("utf-8")
    if paper.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n\n".join("".join(one["source"]) for one in cells if one["cell_type"] == "markdown")


def parts(text: str) -> tuple[list[str], set[str]]:
    """The targets of a text's links and images, and the anchors that GitHub gives its headings."""
    targets, anchors = [], set[str]()
    tokens = MarkdownIt().enable("table").parse(text)
    for before, token in zip([None, *tokens], tokens, strict=False):
        inside = token.children or []
        for one in inside:
            found = one.attrGet("href") or one.attrGet("src")
            if found:
                targets.append(str(found))
            nested = one.children or []
            targets += [str(image.attrGet("src")) for image in nested if image.type == "image"]
        if before is not None and before.type == "heading_open":
            words = "".join(one.content for one in inside).lower()
            anchors.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return targets, anchors


def test_every_link_leads_to_a_file_and_to_a_heading_in_it() -> None:
    found = {paper: parts(text_of(paper)) for paper in tracked()}
    assert {ROOT / "README.md", ROOT / "docs" / "architecture.md"} <= set(found)
    broken = []
    for paper, (targets, anchors) in found.items():
        for target in targets:
            if re.match(r"[a-z]+:|/|\?", target):
                continue  # an address elsewhere, or of the app
            path, _, anchor = target.partition("#")
            to = (paper.parent / path).resolve() if path else paper
            there = found.get(to, ([], set[str]()))[1] if path else anchors
            if not to.exists() or (anchor and anchor not in there):
                broken.append(f"{paper.relative_to(ROOT)}: {target}")
    assert broken == []


def test_a_broken_link_is_found() -> None:
    targets, anchors = parts(
        "# A “title”, with `code`\n[a](b.md#c) ![d](e.svg)\n\n| |\n|---|\n| [![f](g.webp)](h.md) |\n\n"
        "```\n[no](link.md)\n```\n"
    )
    assert targets == ["b.md#c", "e.svg", "h.md", "g.webp"]
    assert anchors == {"a-title-with-code"}


@pytest.mark.parametrize(
    ("paper", "link", "leads_to"),
    [
        ("docs/models.md", "../README.md#settings", "readme.md#settings"),
        ("docs/guides/class.md", "../../SECURITY.md", "../security.md"),
        ("docs/gallery/README.md", "tables.ipynb", "tables.md"),
        ("docs/notebooks.md", "gallery/README.md", "gallery/README.md"),
        ("README.md", "docs/gallery/README.md", "gallery/README.md"),
        ("README.md", "deploy/", "deploy.md"),
        ("README.md", "docs/pictures/heads.webp", "pictures/heads.webp"),
        ("deploy/README.md", "kubernetes/corpus.yaml", "files/deploy/kubernetes/corpus.yaml"),
        ("docs/lessons.md", "#parts-of-pages", "#parts-of-pages"),
        ("docs/lessons.md", "https://polysee.example/a.md", "https://polysee.example/a.md"),
        ("docs/lessons.md", "/heads?t={a}&l=4", "/heads?t={a}&l=4"),
    ],
)
def test_links_lead_to_pages(paper: str, link: str, leads_to: str) -> None:
    copied: list[str] = []
    text = papers.led(f"[x]({link}) and `[y]({link})`\n```\n[z]({link})\n```\n", paper, copied.append)
    assert text.startswith(f"[x]({leads_to})")
    assert text.endswith(f"```\n[z]({link})\n```\n")
    assert (copied != []) == leads_to.startswith(("files/", "pictures/"))


def test_a_link_to_nothing_ends_the_build() -> None:
    with pytest.raises(FileNotFoundError, match=r"docs/models\.md: no such file: nofile\.md"):
        papers.led("[x](nofile.md)", "docs/models.md", lambda path: None)


def test_all_pages_are_in_the_menu_and_go_into_one_folder(tmp_path: Path) -> None:
    menu = tomllib.loads((ROOT / "tools" / "site" / "zensical.toml").read_text("utf-8"))["project"][
        "nav"
    ]
    listed = re.findall(r"[\w/]+\.md", json.dumps(menu))
    pages = [str(papers.page_of(path.relative_to(ROOT).as_posix())) for path in papers.papers()]
    assert sorted(listed) == sorted(pages)
    notebooks = papers.collect(tmp_path)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    assert written | {f"gallery/{path.stem}.md" for path in notebooks} == set(pages)
    for page in tmp_path.rglob("*.md"):
        for target in papers.links(page.read_text("utf-8")):
            path = target.partition("#")[0]
            if path and not re.match(r"[a-z]+:|/|\?", target):
                to = (page.parent / path).resolve()
                assert to.exists() or to.stem in {one.stem for one in notebooks}, (
                    f"{page.name}: {target}"
                )
