"""What a tokenizer makes of a text before it splits it: its normalisation, as `Spelling` asks for it.

A corpus is searched without its model. It keeps the rules themselves, as JSON, if they are plain ones;
they come back from a file that a stranger may have written, and nothing else is accepted from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...records.spelling import Normal, Spelling
from .backends import fails, growth

MOST_RULES = 1_000_000  # bytes of JSON; the largest published ones, a table of NFKC, take 320,000
MOST_GROWN = 20  # times: a rule that makes more of a text is not restored
_MOST_NESTED = 8
# Rules that do what their name says; an expression could take forever.
_PLAIN = frozenset(
    (
        "BertNormalizer",
        "Lowercase",
        "NFC",
        "NFD",
        "NFKC",
        "NFKD",
        "Nmt",
        "Precompiled",
        "Prepend",
        "Replace",
        "Sequence",
        "Strip",
        "StripAccents",
    )
)
# The expressions of published tokenizers, all of them about spaces.
_EXPRESSIONS = frozenset((" {2,}", r"\s+", r"[\n\r\t]", r"\s{2,}|[\n\r\t]", " +▁", "^▁+$"))


class Normalisation:
    """The normalisation of a tokenizer of the Rust library, as a function of a text."""

    def __init__(self, normalizer: Any) -> None:
        """`normalizer` is that of a `tokenizers.Tokenizer`, which nothing changes."""
        self._normalizer = normalizer

    def __call__(self, text: str) -> str:
        """What the tokenizer reads; the text itself where its rules fail."""
        try:
            read: str = self._normalizer.normalize_str(text)
        except BaseException as error:
            if not fails(error):
                raise
            return text
        return read

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # A trace is pickled with them; those that are written in Python stay behind.
        rules = self.rules
        return (_unpickled, (rules,)) if rules is not None else (_no_rules, ())

    @property
    def rules(self) -> Mapping[str, Any] | None:
        """The rules as in a tokenizer.json; None if `restored` would not take them."""
        try:
            written = self._normalizer.__getstate__()
        except Exception:  # it is written in Python
            return None
        rules = json.loads(written)
        return rules if len(written) <= MOST_RULES and _is_plain(rules) else None


def _unpickled(rules: Mapping[str, Any]) -> Normal | None:
    return restored(True, rules).normal


def _no_rules() -> None:
    return None


def rules_of(spelling: Spelling) -> Mapping[str, Any] | None:
    """The rules of a spelling as JSON can keep them; None if it has none, or others."""
    normal = spelling.normal
    return normal.rules if isinstance(normal, Normalisation) else None


def restored(cased: bool, rules: Mapping[str, Any] | None) -> Spelling:
    """The spelling with these rules, without its tokenizer.

    Args:
        cased: whether the model distinguishes upper and lower case.
        rules: as `rules_of` returns them; None for none.

    Raises:
        ValueError: they are not such rules.
    """
    if rules is None:
        return Spelling(cased)
    if not _is_plain(rules) or len(written := json.dumps(rules)) > MOST_RULES:
        raise ValueError("these are no rules of a tokenizer that can be kept")
    from tokenizers import Tokenizer

    model = {"type": "WordLevel", "vocab": {"": 0}, "unk_token": ""}
    try:
        made = Tokenizer.from_str(
            f'{{"version": "1.0", "added_tokens": [], "normalizer": {written}, '
            f'"model": {json.dumps(model)}}}'
        )
    except BaseException as error:
        if not fails(error):
            raise
        raise ValueError("these are no rules of a tokenizer") from error
    return Spelling(cased, Normalisation(made.normalizer))


def _is_plain(rules: Any) -> bool:
    """Whether these are rules that do what their names say, and do not make much of a text."""
    return _are_plain(rules, 0) and growth(rules) <= MOST_GROWN


def _are_plain(rules: Any, depth: int) -> bool:
    if not isinstance(rules, Mapping) or rules.get("type") not in _PLAIN or depth > _MOST_NESTED:
        return False
    if rules["type"] == "Sequence":
        inner = rules.get("normalizers")
        return isinstance(inner, list) and all(_are_plain(one, depth + 1) for one in inner)
    if rules["type"] == "Replace":
        pattern = rules.get("pattern")
        if not isinstance(pattern, Mapping):
            return False
        return isinstance(pattern.get("String"), str) or pattern.get("Regex") in _EXPRESSIONS
    return True
