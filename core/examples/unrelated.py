"""Groups of words that are unrelated to every sense of our labelled words: ends without information.

The words of a group belong together, like those of a sense: a mixture of everything would be easier to
distinguish from a sense than a visitor's mistake is.
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
