"""The formulas of our steps as MathML, for a page without a library of formulas.

Only what our own formulas use of LaTeX is read; anything else raises. A formula is a nested list, whose
first entry is the name of the element: `core/figures/web/src/static/dom.js` makes elements of it.
"""

from __future__ import annotations

import re
from typing import Any

Node = list[Any]  # ["mfrac", ["mi", "a"], ["mi", "b"]]
_SIGNS = {
    **{"cdot": "·", "to": "→", "odot": "⊙", "infty": "∞", "top": "⊤", "dots": "…"},
    **{"sum": "∑", "-": "−"},
}
_LETTERS = {"beta": "β", "gamma": "γ", "theta": "θ", "varepsilon": "ε", "ell": "ℓ"}
_SPACES = {",": ".17em", ";": ".28em", " ": ".25em"}
_IGNORED = ("big", "textstyle", "displaystyle")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+|\S")


class NotRead(ValueError):
    """A command that this does not know."""


def mathml(formula: str) -> Node:
    """A formula in LaTeX as a nested list, "mrow" the outermost.

    Raises:
        NotRead: it has a command of another kind.
    """
    return _Reader(formula).row()


class _Reader:
    def __init__(self, formula: str) -> None:
        # Blanks separate commands, and count only inside of \text.
        self.formula, self.at = formula, 0

    def _peek(self) -> str:
        found = _TOKEN.search(self.formula, self.at)
        return found.group() if found else ""

    def _next(self) -> str:
        found = _TOKEN.search(self.formula, self.at)
        if found is None:
            raise NotRead(f"{self.formula} ends too early.")
        self.at = found.end()
        return found.group()

    def row(self, end: str = "") -> Node:
        """All up to the token `end`, which is consumed."""
        row: Node = ["mrow"]
        while (token := self._peek()) != end:
            if not token:
                raise NotRead(f"{self.formula} lacks {end}.")
            if (atom := self._scripted()) is not None:
                row.append(atom)
        if end:
            self._next()
        return row

    def _scripted(self) -> Node | None:
        """An atom with its index, its power and its primes."""
        atom = self._atom()
        if atom is None:
            return None
        lower, power = None, None
        while (token := self._peek()) in ("_", "^", "'"):
            self._next()
            if token == "'":  # the sign stands high by itself
                atom = ["mrow", atom, ["mo", {"lspace": "0", "rspace": "0"}, "′"]]
            elif token == "_":
                lower = self._argument()
            else:
                power = self._argument()
        if lower is None:
            return atom if power is None else ["msup", atom, power]
        return ["msub", atom, lower] if power is None else ["msubsup", atom, lower, power]

    def _argument(self) -> Node:
        if self._peek() == "{":
            self._next()
            return self.row("}")
        atom = self._atom()
        if atom is None:
            raise NotRead(f"{self.formula} lacks an argument.")
        return atom

    def _words(self) -> str:
        """The text in braces, with its blanks."""
        start = self.formula.index("{", self.at)
        self.at = self.formula.index("}", start) + 1
        return self.formula[start + 1 : self.at - 1]

    def _atom(self) -> Node | None:
        token = self._next()
        if token == "{":
            return self.row("}")
        if not token.startswith("\\"):
            if token.isdigit():
                return ["mn", token]
            return ["mi", token] if token.isalpha() else ["mo", _SIGNS.get(token, token)]
        name = token[1:]
        if name in _IGNORED:
            return None
        if name in _SPACES:
            return ["mspace", {"width": _SPACES[name]}]
        if name in ("text", "mathrm"):
            return ["mtext", self._words()]
        if name == "frac":
            return ["mfrac", self._argument(), self._argument()]
        if name == "sqrt":
            return ["msqrt", self._argument()]
        if name in ("bar", "overline"):
            return ["mover", self._argument(), ["mo", "¯"]]
        if name in _LETTERS:
            return ["mi", _LETTERS[name]]
        if name in _SIGNS:
            return ["mo", _SIGNS[name]]
        raise NotRead(f"{token} in {self.formula}")
