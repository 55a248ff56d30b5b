"""Which characters came from which message, for templates that trim, repeat and cut."""

from __future__ import annotations

import pytest

from core.chat import authors, isolated


def of(template: str, contents: list[str]) -> str | None:
    """The text with a digit for each character of a message, and "." for the template's own."""
    chosen = authors.marks(contents, template)
    assert chosen is not None

    def rendered(texts: list[str]) -> str:
        messages = [{"role": "user", "content": one} for one in texts]
        return isolated.rendered(template, messages, {}, 10_000)

    plain = rendered(contents)
    found = authors.authors(plain, rendered(authors.marked(contents, chosen)), contents, chosen)
    return None if found is None else "".join("." if one is None else str(one) for one in found)


LOOP = "{% for m in messages %}<user>"


@pytest.mark.parametrize(
    ("line", "contents", "wanted"),
    [
        ("{{ m.content }}{% endfor %}", ["user", "a"], "......0000......1"),
        ("{{ m.content }}|{% endfor %}", [" a\n"], "......000."),
        ("{{ m.content|trim }}|{% endfor %}", [" a b\n", "\n"], "......000......." + "."),
        ("\n{{ m.content|trim }}{% endfor %}", ["\na"], ".......0"),
        ("{{ m.content }}{{ m.content }}{% endfor %}", ["ab"], "......0000"),
        ("|{{ m.content.split('</t>')[-1] }}|{% endfor %}", ["ab</t>cd"], ".......00."),
        ("{{ m.content.split('</t>')[0] }}|{% endfor %}", ["ab</t>cd"], "......00."),
        ("{% if m.content == '' %}none{% endif %}{{ m.content }}{% endfor %}", [""], ".........."),
        ("{% if 'b' in m.content %}yes{% endif %}{{ m.content }}{% endfor %}", ["ab"], ".........00"),
        ("{{ m.content }}{% endfor %}", ["שלום 😀"], "......" + "0" * 6),
    ],
)
def test_every_character_has_its_author(line: str, contents: list[str], wanted: str) -> None:
    assert of(LOOP + line, contents) == wanted


def test_a_template_that_rewrites_messages_hides_them() -> None:
    assert of("{{ messages[0].content|length }}", ["ab"]) is None


def test_marks_stand_in_no_message() -> None:
    first = authors.marks(["a"], "b")
    assert first is not None
    again = authors.marks([first.outer, first.inner[0]], "b")
    assert again is not None
    assert not set(again.outer) & set(first.outer)
    assert not set("".join(again.inner)) & set(first.inner[0])
