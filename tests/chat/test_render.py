"""A template that a stranger wrote: what it may do, and where it is stopped."""

from __future__ import annotations

import subprocess
import time
from typing import Any

import pytest

from core.chat import isolated
from core.chat.render import MOST_TEMPLATE, render
from core.errors import ModelBroken, NotSupported, PolyseeError, TooLarge

HI = [{"role": "user", "content": "Hi <b>&"}]


def one(template: str, **names: object) -> str:
    (text,) = render(template, [HI], names, "m")
    return text


def test_it_is_rendered_as_transformers_does() -> None:
    from transformers.utils.chat_template_utils import render_jinja_template

    template = (
        "{{- bos_token }}\n{% for m in messages %}\n    {%- if loop.last %}\n"
        "{% generation %}{{ m['role'] + ':' + m.content|trim }}{% endgeneration %}\n"
        "    {%- endif %}\n{% if true %}{% break %}{% endif %}\n{% endfor %}"
        "{{ messages|tojson }}{% set n = namespace(a=1) %}{% set n.a = 2 %}{{ n.a }}"
        "{{ tools is none }}{{ strftime_now('%Y') }}{{ dict(a=1)|tojson }}"
    )
    ((wanted, *_),) = render_jinja_template([HI], chat_template=template, bos_token="<s>")[:1]
    assert one(template, bos_token="<s>") == wanted
    assert "Hi <b>&" in wanted


BOMBS = {
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "a range": "{% for a in range(10**9) %}{% endfor %}",
    "a long text": "{{ 'x' * 10**10 }}",
    "texts in loops": "{% for a in range(99999) %}{{ 'x' * 1000 }}{% endfor %}",
    "a number": "{{ (10 ** (10 ** 9)) > 1 }}",
    "a list": "{{ ([0] * 10**10)|length }}",
    "a width": "{{ '%9999999999d' % 1 }}",
    "a macro of itself": "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "nesting": "{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}",
    "nested loops": "{% for a in [1] %}" * 500 + "{% endfor %}" * 500,
}


@pytest.mark.parametrize("name", ["a long text", "nesting", "a range", "texts in loops"])
def test_a_bomb_is_refused(name: str) -> None:
    with pytest.raises(PolyseeError, match="chat template of “m”"):
        one(BOMBS[name])


@pytest.mark.few(2)
@pytest.mark.check
@pytest.mark.parametrize("name", sorted(BOMBS))
def test_every_bomb_is_refused_in_time(name: str) -> None:
    began = time.monotonic()
    with pytest.raises(PolyseeError, match="chat template of “m”"):
        one(BOMBS[name])
    assert time.monotonic() - began < 20


def test_endless_work_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    from core.chat import render as module

    monkeypatch.setattr(module, "SECONDS", 0.7)
    with pytest.raises(TooLarge, match="stopped"):
        one(BOMBS["loops"])


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ messages.append(1) }}",
        "{% include 'a' %}",
        "{{ cycler.__init__.__globals__.os }}",
        "{{ messages[0].update({'a': 1}) }}",
        "{{ namespace(__class__=1) }}",
        "{{ raise_exception.__globals__ }}",
        "{{ 1 / 0 }}",
        "{% for",
        "{{ x.y.z }}",
        "{{ lipsum() }}",
    ],
)
def test_what_the_sandbox_forbids_and_what_is_damaged(template: str) -> None:
    said = isolated.answer({"template": template, "conversations": [HI], "names": {}, "most": 100})
    assert "texts" not in said or said["texts"] == [""]


def test_it_is_said_in_a_sentence() -> None:
    with pytest.raises(ModelBroken, match="cannot be run"):
        one("{{ 1 / 0 }}")
    with pytest.raises(NotSupported, match="System role not supported"):
        one("{{ raise_exception('System role not supported') }}")
    with pytest.raises(ModelBroken, match="200,001 characters"):
        one("x" * (MOST_TEMPLATE + 1))


def test_it_sees_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_SECRET", "x")
    seen: dict[str, str] = {}
    real = subprocess.run

    def run(*of: Any, **more: Any) -> Any:
        seen.update(more["env"])
        return real(*of, **more)

    monkeypatch.setattr(subprocess, "run", run)
    assert one("a") == "a"
    assert "POLYSEE_SECRET" not in seen
