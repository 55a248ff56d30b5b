"""A room in which a class answers a question together: anonymous, in memory, deleted when it closes."""

from .evidence import Evidence, Idea, Words
from .limits import Buckets
from .plain_text import mentioned, plain
from .questions import (
    MOST_ABOUT,
    MOST_INTRO,
    MOST_LETTERS,
    MOST_OPTIONS,
    MOST_WHY,
    Bar,
    Question,
    Reveal,
    RoomError,
    StudentView,
    Tally,
    Wall,
    called,
    tally,
    vote_of,
    wanted,
)
from .rooms import EMPTY, IDLE, LIFE, MOST_PER_ADDRESS, MOST_ROOMS, MOST_VOTERS, Opened, Rooms, Verdict

__all__ = [
    "EMPTY",
    "IDLE",
    "LIFE",
    "MOST_ABOUT",
    "MOST_INTRO",
    "MOST_LETTERS",
    "MOST_OPTIONS",
    "MOST_PER_ADDRESS",
    "MOST_ROOMS",
    "MOST_VOTERS",
    "MOST_WHY",
    "Bar",
    "Buckets",
    "Evidence",
    "Idea",
    "Opened",
    "Question",
    "Reveal",
    "RoomError",
    "Rooms",
    "StudentView",
    "Tally",
    "Verdict",
    "Wall",
    "Words",
    "called",
    "mentioned",
    "plain",
    "tally",
    "vote_of",
    "wanted",
]
