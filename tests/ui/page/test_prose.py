from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import core
from tests.ui.state.states import STATES
from ui.page import prose

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted((ROOT / "pages").glob("*/page.py"))
TRANSLATION = ROOT / "pages" / "encoder_decoder" / "page.py"
LETTERS = pytest.param(TRANSLATION, "letters", id="encoder_decoder.letters")
WORDS = [*(pytest.param(page, "", id=page.parent.name) for page in PAGES), LETTERS]
SAMPLE = """---
menu: A name
---
# A title

The point of it,
in one sentence.

## Try this
- [One *thing*](?a=x y&b=1+1&w=) look here
- [Another](?l=3)
not an item

## More examples
- [A third](?a=y) look there

## How it is computed
A formula.

### Not a section of its own

## What it does not say
Much.
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], str]:
    """Write a page's words; returns what its `__file__` would be."""

    def write(words: str) -> str:
        (tmp_path / "page.md").write_text(words, "utf-8")
        return str(tmp_path / "page.py")

    return write


def test_a_page_s_words(write: Callable[[str], str]) -> None:
    words = prose.read(write(SAMPLE))
    assert words.title == "A title"
    assert words.point == "The point of it, in one sentence."
    assert words.computed == "A formula.\n\n### Not a section of its own"
    assert words.limitations == "Much."
    one, two = words.tries
    assert one.label == "One *thing*"
    assert dict(one.state) == {"a": "x y", "b": "1 1", "w": ""}  # as a URL is read
    assert one.look_for == "look here"
    assert (two.label, two.state, two.look_for) == ("Another", (("l", "3"),), "")
    assert words.more == (prose.Try("A third", (("a", "y"),), "look there"),)


def test_a_page_may_have_no_more_examples(write: Callable[[str], str]) -> None:
    words = write(SAMPLE.replace("## More examples", "Not one more"))
    assert prose.read(words).more == ()


def test_a_missing_section_is_an_error(write: Callable[[str], str]) -> None:
    with pytest.raises(KeyError, match="How it is computed"):
        prose.read(write(SAMPLE.replace("## How it is computed", "## Something else")))


def test_every_page_has_words_and_the_other_way_round() -> None:
    assert PAGES
    assert sorted(words.with_suffix(".py") for words in (ROOT / "pages").glob("*/page.md")) == PAGES
    variants = [words.parent.name for words in (ROOT / "pages").glob("*/page.*.md")]
    assert sorted(variants) == ["embeddings"] * 4 + ["encoder_decoder"] + ["next_word"] * 5 + [
        "step_by_step"
    ] * 3 + ["training"]


@pytest.mark.parametrize(("page", "variant"), WORDS)
def test_every_page_says_what_a_page_says(page: Path, variant: str) -> None:
    words = prose.read(str(page), variant)
    for said in (words.title, words.point, words.computed, words.limitations):
        assert said
        assert "## " not in said
    assert words.point.endswith(".")
    assert 2 <= len(words.tries) <= 3
    ending = f".{variant}.md" if variant else ".md"
    assert page.with_suffix(ending).read_text("utf-8").count("\n- [") == len(words.tries) + len(
        words.more
    )


@pytest.mark.parametrize(("page", "variant"), WORDS)
def test_try_links_set_only_known_parameters_and_say_what_to_look_for(page: Path, variant: str) -> None:
    words = prose.read(str(page), variant)
    for item in (*words.tries, *words.more):
        assert item.look_for.endswith(".")
        assert item.state
        assert len(dict(item.state)) == len(item.state)
        assert set(dict(item.state)) <= {field.url for field in STATES[page.parent.name].examples()}


def test_each_try_link_of_compare_names_a_word_of_both_its_sentences(minilm: core.Model) -> None:
    for item in prose.read(str(ROOT / "pages" / "compare" / "page.py")).tries:
        state = dict(item.state)
        there = [minilm.trace(state[sentence]).words() for sentence in "ab"]
        assert all(state["w"] in words for words in there), item.label


def test_the_lessons_of_heads_point_at_the_tokens_that_they_name(minilm: core.Model) -> None:
    pointed = 0
    for item in prose.read(str(ROOT / "pages" / "heads" / "page.py")).tries:
        state = dict(item.state)
        tokens = minilm.trace(state["t"]).tokens
        named = re.findall(r"\*(\w+)\*", item.look_for)
        for which, word in zip("qk", named, strict=False):
            if which in state:  # tokens count from 1 in the link
                assert tokens[int(state[which]) - 1] == word
                pointed += 1
    assert pointed == 5


def test_what_an_example_says_of_another_model(write: Callable[[str], str]) -> None:
    page = write(
        SAMPLE.replace("look here", "0.9 in MiniLM || look here")
        .replace("- [Another](?l=3)", "- [Another](?l=3) the same")
        .replace("look there", "look there ||")
    )
    words = prose.read(page)
    own, other = words.beside("minilm"), words.beside("smollm2")
    assert [one.look_for for one in own.tries] == ["0.9 in MiniLM", "the same"]
    assert [one.look_for for one in other.tries] == ["look here", "the same"]
    assert (len(own.more), len(other.more)) == (1, 0)
    assert [one.state for one in own.tries] == [one.state for one in other.tries]


_NUMBER = re.compile(r"(?<!\w)[−-]?\d*\.\d+")
_BY_MODEL = ("embeddings", "senses", "step_by_step", "positions")
# Of numbers of a table that is drawn for any model alike, and of the paper.
_OF_NO_MODEL = {"A softmax that pays for padding"}


@pytest.mark.parametrize("folder", _BY_MODEL)
def test_no_example_states_the_numbers_of_minilm_beside_another_model(folder: str) -> None:
    page = ROOT / "pages" / folder / "page.py"
    for file in page.parent.glob("page*.md"):
        words = prose.read(str(page), file.stem.partition(".")[2]).beside("smollm2")
        for one in (*words.tries, *words.more):
            if one.label not in _OF_NO_MODEL:
                assert not _NUMBER.search(one.look_for), (file.name, one.label)
                assert "MiniLM" not in one.look_for, (file.name, one.label)
