"""Groups of words that have to do with no sense of our labelled words: ends that say nothing.

Each group belongs together, as the words of a sense do: a mixture of everything would be easier to
tell from a sense than a visitor's mistake is.
"""

from __future__ import annotations

UNRELATED: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in (
        "bread pasta soup rice butter salad",
        "shoe shirt coat hat trousers jacket",
        "sofa chair shelf lamp carpet desk",
        "purple yellow green blue orange grey",
        "monday tuesday wednesday friday sunday weekend",
        "uncle aunt cousin mother grandfather nephew",
        "algebra geometry theorem fraction equation calculus",
        "bicycle bus lorry tram taxi motorcycle",
        "dentist surgeon nurse hospital clinic patient",
        "planet comet galaxy moon asteroid orbit",
        "lawyer judge court trial verdict crime",
        "pupil lesson classroom homework exam teacher",
    )
)
