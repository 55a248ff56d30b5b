"""The share of each sense of a word over a column of its texts: how did it change?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

MOST_VALUES = 12  # of a text; the others are left out
MOST_STEPS = 24  # of a number; more are put together
_ROUND = (1, 2, 5)
_BETWEEN, _MOST_DATE = "-/.", 40  # signs and characters of a date
# Names of a column of years in the languages that our corpora are likeliest to be in.
_TIME_WORDS = """
    year years yr date decade century month day time period jahr jahre datum année annee an ans año ano
    anno data jaar år rok год 年 年份 سنة שנה
    """
_TIMES = frozenset(_TIME_WORDS.split())
# A column without such a name holds years if its numbers look like years, and its name does not say
# that they count something else.
_NUMBERED = frozenset(["id", "no", "nr", "number", "page", "line", "count", "words", "score", "price"])
_FIRST_YEAR, _LAST_YEAR = 1400, 2100
_SMALLEST = 1e-300  # length of a step: nothing below it can be divided by
_ROUNDING = 1e-4  # of a count that was a share in 32 bits
_Z = 1.959964  # of a normal distribution: 95 % lie within ± so many standard deviations


@dataclass(frozen=True)
class Share:
    """The share of a sense among the occurrences of a word with one value of a column.

    Attributes:
        value: the value: a year, a genre.
        sense: the sense, or the number of a cluster.
        count: how many of these occurrences have it.
        total: how many occurrences have this value.
        low: where the 95 % interval begins, 0 to 1 (Wilson 1927).
        high: where it ends.
    """

    value: Hashable
    sense: Hashable
    count: int
    total: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """`count` / `total`."""
        return self.count / self.total


@dataclass(frozen=True)
class Steps:
    """The values of a column as occurrences are counted by them.

    Attributes:
        values: (occurrences,), the value of each; None for one that is not counted.
        length: numbers are put together in steps of this length, each named by its first; None if each
            number stands for itself.
        left_out: how many occurrences have a value that is too rare to be counted.
    """

    values: tuple[str | int | float | None, ...]
    length: int | float | None = None
    left_out: int = 0


def steps_of(values: Sequence[str | int | float | None], *, numeric: bool) -> Steps:
    """The values by which occurrences are counted.

    Numbers with more than `MOST_STEPS` different values are put together in steps of a round length (1,
    2 or 5 times a power of ten). Of texts, the `MOST_VALUES` commonest remain.

    Args:
        values: (occurrences,), the value of each; None for none. Numbers are finite.
        numeric: whether they are numbers.
    """
    if not numeric:
        counts = Counter(value for value in values if value is not None)
        kept = {value for value, _ in counts.most_common(MOST_VALUES)}
        named = tuple(str(value) if value in kept else None for value in values)
        return Steps(named, left_out=counts.total() - sum(counts[value] for value in kept))
    numbers = {value for value in values if value is not None and not isinstance(value, str)}
    if len(numbers) <= MOST_STEPS:
        return Steps(tuple(value if value in numbers else None for value in values))
    length = _round_up(max(numbers) / MOST_STEPS - min(numbers) / MOST_STEPS)
    # 0.3 / 0.1 is 2.9999999999999996.
    first = {number: math.floor(round(number / length, 9)) * length for number in numbers}
    steps = (first.get(value) if isinstance(value, int | float) else None for value in values)
    return Steps(tuple(steps), length)


def _round_up(least: float) -> int | float:
    """The first of 1, 2, 5, 10, … times a power of ten from `least` up."""
    unit = 10.0 ** math.floor(math.log10(max(least, _SMALLEST)))
    found = next((by * unit for by in _ROUND if by * unit >= least), 10 * unit)
    return int(found) if found.is_integer() else found


def years_of(values: Sequence[str | int | float | None]) -> list[int | None] | None:
    """The years of dates such as 1969-07-20, 1969/7 or 1969; None if a text among the values is none.

    Args:
        values: (occurrences,), the value of each; None for none.
    """
    texts = {value for value in values if isinstance(value, str)}
    if not texts or any(not isinstance(value, str) for value in values if value is not None):
        return None
    if not all(_is_date(text) for text in texts):
        return None
    return [None if value is None else int(str(value)[:4]) for value in values]


def _is_date(text: str) -> bool:
    """Whether a text is a year of four digits, alone or with a month, a day and a time after it."""
    year, rest = text[:4], text[4:]
    day, *_ = rest.replace("T", " ").split(" ")
    digits = year.isascii() and year.isdigit() and len(year) == 4
    if not digits or len(text) > _MOST_DATE or not 1000 <= int(year) <= 2999:
        return False
    return not rest or (rest[0] in _BETWEEN and _counts(day) and _is_day(day))


def _is_day(day: str) -> bool:
    """Whether what follows a year is a month, or a month and a day."""
    parts = [int(one) for one in day.replace("/", "-").replace(".", "-").split("-") if one]
    return len(parts) < 3 and all(0 < one <= most for one, most in zip(parts, (12, 31), strict=False))


def _counts(day: str) -> bool:
    return all(sign in _BETWEEN or (sign.isascii() and sign.isdigit()) for sign in day)


def is_time(name: str, values: Sequence[str | int | float | None]) -> bool:
    """Whether a column of numbers holds years, or another measure of time: by its name, or its numbers.

    Args:
        name: the name of the column: "year", "pub_year", "Jahr".
        values: (occurrences,), the value of each; None for none.
    """
    numbers = [value for value in values if isinstance(value, int | float)]
    if not numbers:
        return False
    parts = {*name.lower().replace("-", "_").split("_")}
    if parts & _TIMES or any(name.lower().endswith(one) for one in ("year", "jahr", "date", "年")):
        return True
    whole = all(float(value).is_integer() for value in numbers)
    return whole and not parts & _NUMBERED and _FIRST_YEAR <= min(numbers) <= max(numbers) <= _LAST_YEAR


def wilson(count: float, total: int) -> tuple[float, float]:
    """The 95 % interval of a share, which never leaves 0 to 1, not even for small numbers.

    It holds for independent occurrences. Those of one text often share a sense; it is then too narrow.
    Source: Wilson 1927, without continuity correction.

    Args:
        count: how many have it; not a whole number where a tie counts as a part of one.
        total: of how many.

    Raises:
        ValueError: unless 0 ≤ count ≤ total and total ≥ 1.
    """
    if not 0 <= count <= total or total < 1:
        raise ValueError(f"{count} of {total} is no share.")
    share, z2 = count / total, _Z * _Z
    middle = share + z2 / (2 * total)
    spread = _Z * math.sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    low, high = ((middle + sign * spread) / (1 + z2 / total) for sign in (-1, 1))
    return (0.0 if count == 0 else low), (1.0 if count == total else high)


def at_least(count: float, total: int, chance: float) -> float:
    """How often guessing is right as often as this, or more often: the exact one-sided binomial test.

    Args:
        count: how many were right; a tie that counts as a part of one is rounded down.
        total: of how many.
        chance: how often one guess is right, more than 0 and less than 1.

    Raises:
        ValueError: unless 0 ≤ count ≤ total and total ≥ 1.
    """
    if not 0 <= count <= total or total < 1:
        raise ValueError(f"{count} of {total} is no share.")
    yes, no = math.log(chance), math.log1p(-chance)
    ways = math.lgamma(total + 1)
    terms = (
        ways - math.lgamma(k + 1) - math.lgamma(total - k + 1) + k * yes + (total - k) * no
        for k in range(math.floor(count + _ROUNDING), total + 1)
    )
    return min(1.0, math.fsum(map(math.exp, terms)))


def shares(senses: Sequence[Hashable], values: Sequence[Hashable]) -> tuple[Share, ...]:
    """The share of each sense for each value, both in the order in which they first occur.

    Args:
        senses: (occurrences,), the sense or cluster of each.
        values: (occurrences,), its value of the column; occurrences without one (None) are left out.
    """
    both = [(v, s) for v, s in zip(values, senses, strict=True) if v is not None]
    totals, counts = Counter(v for v, _ in both), Counter(both)
    every = dict.fromkeys(s for _, s in both)
    return tuple(
        Share(value, sense, counts[value, sense], total, *wilson(counts[value, sense], total))
        for value, total in totals.items()
        for sense in every
    )


def in_order(found: Sequence[Share], *, numeric: bool) -> tuple[Share, ...]:
    """Numbers ascending; texts by the number of their occurrences, the most first."""
    if numeric:
        return tuple(sorted(found, key=lambda one: one.value))  # type: ignore[arg-type, return-value]
    return tuple(sorted(found, key=lambda one: (-one.total, str(one.value))))
