"""Analogies, and the candidate answers for a model without a table of words.

They were written before any of them was measured. The answer to `a − b + c` is `d`: king − man + woman,
queen.
"""

from __future__ import annotations

from typing import NamedTuple


class Analogy(NamedTuple):
    """`a` is to `b` as `answer` is to `c`."""

    a: str
    b: str
    c: str
    answer: str

    @property
    def sum(self) -> str:
        """The sum as a person types it: "king − man + woman"."""
        return f"{self.a} − {self.b} + {self.c}"


ANALOGIES = tuple(
    Analogy(*line.split())
    for line in """\
king man woman queen
prince man woman princess
uncle man woman aunt
brother man woman sister
father man woman mother
son man woman daughter
actor man woman actress
he man woman she
boy man woman girl
husband man woman wife
paris france germany berlin
paris france italy rome
paris france spain madrid
paris france japan tokyo
walking walk swim swimming
walked walk jump jumped
bigger big small smaller
faster fast slow slower
cats cat dog dogs
houses house car cars
went go come came
better good bad worse
france french german germany
italy italian spanish spain""".splitlines()
)
_MORE = """\
kings queens monarch throne royal men women child person london english england language city country
kitten puppy run ran running large tiny quick horse home truck street day night sun moon water river
money bank tree apple bread wine music book doctor nurse teacher student"""

# All words of the analogies, then other common words, some of them near misses.
WORDS = tuple(dict.fromkeys([*(word for one in ANALOGIES for word in one), *_MORE.split()]))
