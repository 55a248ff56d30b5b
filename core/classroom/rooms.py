"""The rooms of one server: in memory, bounded in number, in voters and in time."""

from __future__ import annotations

import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from threading import Lock
from typing import NamedTuple

from .evidence import Evidence, Words, alike, gathered, grouped
from .questions import (
    Given,
    Question,
    Reveal,
    RoomError,
    StudentView,
    Wall,
    called,
    tally,
    vote_of,
    why_of,
)

MOST_ROOMS = 50
MOST_OPENED = 20  # by one address: a school behind one router
MOST_UNKNOWN = (
    MOST_ROOMS - MOST_OPENED
)  # where the addresses are not known, those of all teachers together
MOST_VOTERS = 500  # of one room
MOST_PER_ADDRESS = 300  # voters of one room: a lecture hall behind one router
MOST_ROUNDS = 60  # questions of one room
MOST_WHYS = 5000  # reasons of one room; who comes later answers without one
LIFE = 2 * 60 * 60.0  # seconds until a room is closed in any case
IDLE = 30 * 60.0  # seconds without the teacher's page
EMPTY = 2 * 60.0  # the same for a room that no phone has entered
# Seconds without the teacher's page after which a room that no phone has entered gives way to another,
# if there are too many. Its wall asks three times a second, and once a minute in a tab behind others.
YIELDS = 10.0
# Names are spoken and typed, hence without letters that look or sound similar.
_CONSONANTS, _VOWELS = "bdlmnprstvz", "aeiou"


class Verdict(Enum):
    """The outcome of an answer."""

    COUNTED = "counted"  # as the phone's answer, in the place of an earlier one
    LATE = "late"  # the answer has been revealed, or the question is no longer asked
    WRONG = "wrong"  # no answer to this question
    FULL = "full"
    GONE = "gone"


class Opened(NamedTuple):
    """A new room: everyone gets its name, only the teacher its key."""

    name: str
    key: str


@dataclass
class _Round:
    question: Question
    given: dict[str, Given] = field(default_factory=dict)  # by token
    whys: dict[str, str] = field(default_factory=dict)  # by token
    addresses: Counter[str] = field(default_factory=Counter)  # how many answers, not which
    reveal: Reveal | None = None
    aside: bool = False  # the teacher has gone on, and phones do not show it

    def keep(self, token: str, why: str) -> None:
        """Keep the reason of an answer; none is not kept."""
        if why:
            self.whys[token] = why
        else:
            self.whys.pop(token, None)

    def answers(self) -> dict[str, tuple[Given, str]]:
        """The answers with their reasons, by token."""
        return {token: (given, self.whys.get(token, "")) for token, given in self.given.items()}


@dataclass
class _Room:
    key: str
    opened_by: str
    began: float
    seen: float  # by its wall
    entered: float | None = None  # when a phone asked last
    hidden: set[str] = field(default_factory=set)  # reasons that the teacher has hidden
    held: object = None  # what the teacher's page knows of it, for a page that is opened anew
    rounds: list[_Round] = field(default_factory=list)


def _first_of(room: _Room, number: int) -> _Round | None:
    """The round in which the question of a round was asked first; None if it is that one."""
    question = room.rounds[number - 1].question
    return next((one for one in room.rounds[: number - 1] if one.question == question), None)


def new_name() -> str:
    """A name of six letters that can be spoken, such as "dolami"."""
    pairs = (secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(3))
    return "".join(pairs)


class Rooms:
    """A thread-safe store.

    A room without a wall and without phones belongs to nobody. It ends after two minutes, earlier if
    a teacher would find no place. Rooms that a program opens in a row therefore shut nobody out for
    long, not even teachers behind the same router.

    Args:
        clock: returns seconds, which never decrease.
        name: proposes a name for a room.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, name: Callable[[], str] = new_name
    ) -> None:
        self._clock, self._new_name = clock, name
        self._rooms: dict[str, _Room] = {}
        self._lock = Lock()

    def open(self, address: str = "") -> Opened:
        """Open a room.

        Args:
            address: the teacher's network address; "" if it is unknown.

        Raises:
            RoomError: there are too many.
        """
        with self._lock:
            self._sweep()
            most = MOST_OPENED if address else MOST_UNKNOWN
            own = [name for name, room in self._rooms.items() if room.opened_by == address]
            if len(own) >= most and not self._end_one(own):
                raise RoomError(
                    "From your network, {most} rooms are open already. Close one of them first.",
                    most=most,
                )
            if len(self._rooms) >= MOST_ROOMS and not self._end_one(self._rooms):
                raise RoomError(
                    "This server has {most_rooms} rooms open already. Try again when one is closed.",
                    most_rooms=MOST_ROOMS,
                )
            name = self._new_name()
            while name in self._rooms:
                name = self._new_name()
            key, now = secrets.token_urlsafe(16), self._clock()
            self._rooms[name] = _Room(key, address, now, now)
            return Opened(name, key)

    def ask(self, name: str, question: Question) -> int:
        """Ask the next question of a room; returns its number, from 1.

        Raises:
            RoomError: the room is closed, or has asked too many questions.
        """
        with self._lock:
            room = self._known(name)
            if len(room.rounds) >= MOST_ROUNDS:
                raise RoomError(
                    "A room asks {most_rounds} questions at most. Open another one.",
                    most_rounds=MOST_ROUNDS,
                )
            room.rounds.append(_Round(question))
            return len(room.rounds)

    def reveal(self, name: str, answer: Reveal) -> None:
        """Show the answer to the last question, which then accepts no more answers.

        Raises:
            RoomError: the room is closed, or nothing was asked.
        """
        with self._lock:
            room = self._known(name)
            if not room.rounds:
                raise RoomError("Nothing has been asked in this room yet.")
            room.rounds[-1].reveal = answer

    def set_aside(self, name: str, aside: bool) -> None:
        """Take the last question off the phones, or bring it back with its answers.

        Args:
            name: the name of the room; nothing happens if it is closed.
            aside: whether the teacher has gone on to something else.
        """
        with self._lock:
            room = self._find(name)
            if room is not None and room.rounds:
                room.rounds[-1].aside = aside

    def hold(self, name: str, state: object) -> None:
        """Keep what the teacher's page knows of a room as long as the room; nothing if it is closed."""
        with self._lock:
            room = self._find(name)
            if room is not None:
                room.held = state

    def held(self, name: str, key: str) -> object:
        """What `hold` has kept, for whoever has the key; None if no room has it."""
        with self._lock:
            room = self._find(name)
            if room is None or not hmac.compare_digest(room.key.encode(), key.encode()):
                return None
            return room.held

    def close(self, name: str) -> None:
        """Delete a room and everything in it."""
        with self._lock:
            self._rooms.pop(name, None)

    def is_open(self, name: str) -> bool:
        """Whether there is such a room."""
        with self._lock:
            return self._find(name) is not None

    def vote(
        self, name: str, token: str, address: str, number: int, vote: object, why: object = None
    ) -> Verdict:
        """Count an answer, once for each token in a round: until the reveal, a later one replaces it.

        Args:
            name: the name of the room.
            token: the random token of the browser.
            address: the browser's network address.
            number: the round of the question.
            vote: the answer as it was sent: the index of a choice, from 0, or a number.
            why: the reason in the student's own words, as sent; None keeps that of the same answer.
        """
        with self._lock:
            room = self._find(name)
            if room is None:
                return Verdict.GONE
            room.entered = self._clock()
            if not room.rounds or number != len(room.rounds):
                return Verdict.LATE
            last = room.rounds[-1]
            if last.reveal is not None or last.aside:
                return Verdict.LATE
            given = vote_of(last.question, vote)
            if given is None:
                return Verdict.WRONG
            if sum(map(len, (one.whys for one in room.rounds))) >= MOST_WHYS and token not in last.whys:
                why = None
            if token in last.given:
                changed = last.given[token] != given
                last.given[token] = given
                if why is not None or changed:  # a reason for one answer is none for another
                    last.keep(token, why_of(why))
                return Verdict.COUNTED
            if len(last.given) >= MOST_VOTERS or last.addresses[address] >= MOST_PER_ADDRESS:
                return Verdict.FULL
            last.given[token] = given
            last.keep(token, why_of(why))
            last.addresses[address] += 1
            return Verdict.COUNTED

    def student_view(self, name: str, token: str) -> StudentView | None:
        """The view on a phone, whose token is "" if it has none; None if there is no such room."""
        with self._lock:
            room = self._find(name)
            if room is None:
                return None
            if token:
                room.entered = self._clock()
            if not room.rounds:
                return StudentView(0, None, None, None)
            last, number = room.rounds[-1], len(room.rounds)
            if last.aside:
                return StudentView(number, None, None, None)
            counted = None if last.reveal is None else self._wall(room, number).tally
            earlier = _first_of(room, number) if last.reveal is not None else None
            was = None if earlier is None else earlier.given.get(token)
            before = None if was is None else called(last.question, was)
            given = last.given.get(token)
            return StudentView(number, last.question, given, last.reveal, counted, before)

    def wall(self, name: str, key: str) -> Wall | None:
        """The teacher's view; the request keeps the room open. None if no room has this key."""
        with self._lock:
            room = self._find(name)
            if room is None or not hmac.compare_digest(room.key.encode(), key.encode()):
                return None
            room.seen = self._clock()
            if not room.rounds or room.rounds[-1].aside:
                return Wall(len(room.rounds), None, tally(Question("…"), ()), None)
            return self._wall(room, len(room.rounds))

    def words(self, name: str) -> Counter[str]:
        """The free words that the last question got, by their spelling: for the reveal alone."""
        with self._lock:
            room = self._find(name)
            given = room.rounds[-1].given.values() if room is not None and room.rounds else ()
            return Counter(one for one in given if isinstance(one, str))

    def every(self, name: str) -> tuple[Wall, ...]:
        """All rounds of a room, the first question first; none if it is closed."""
        with self._lock:
            room = self._find(name)
            return (
                () if room is None else tuple(self._wall(room, i + 1) for i in range(len(room.rounds)))
            )

    def evidence(self, name: str) -> tuple[Evidence, ...]:
        """What was answered to each question that is asked before and after; none if it is closed."""
        with self._lock:
            room = self._find(name)
            if room is None:
                return ()
            asked = dict.fromkeys(one.question for one in room.rounds if one.question.twice)
            return tuple(self._evidence(room, question) for question in asked)

    def reasons(self, name: str) -> tuple[Words, ...]:
        """What was written beside the answers to the last question; none to a question for a word."""
        with self._lock:
            room = self._find(name)
            last = room.rounds[-1] if room is not None and room.rounds else None
            if room is None or last is None or last.question.word:
                return ()
            return grouped(last.answers().values(), room.hidden)

    def hide(self, name: str, text: str, hidden: bool = True) -> None:
        """Hide a reason and all that say the same from the wall and the file, or show them again."""
        with self._lock:
            room = self._find(name)
            if room is None:
                return
            if not hidden:
                room.hidden.discard(alike(text))
            elif any(alike(text) == alike(why) for one in room.rounds for why in one.whys.values()):
                room.hidden.add(alike(text))

    @staticmethod
    def _evidence(room: _Room, question: Question) -> Evidence:
        rounds = [one for one in room.rounds if one.question == question]
        told = next((one.reveal for one in reversed(rounds) if one.reveal is not None), None)
        after = rounds[-1].answers() if len(rounds) > 1 else None
        right = None if told is None else told.option
        return gathered(question, right, rounds[0].answers(), after, room.hidden)

    @staticmethod
    def _wall(room: _Room, number: int) -> Wall:
        one = room.rounds[number - 1]
        counted = tally(one.question, tuple(one.given.values()), one.reveal)
        earlier = _first_of(room, number)
        if earlier is not None and one.question.options:
            before = tally(one.question, tuple(earlier.given.values())).bars
            pairs = zip(counted.bars, before, strict=True)
            counted = counted._replace(bars=tuple(b._replace(before=was.times) for b, was in pairs))
        whys = tuple(
            # a free word, and a reason for it, are shown to nobody: only counts are
            (called(one.question, one.given[token]), why)
            for token, why in one.whys.items()
            if why and not one.question.word and alike(why) not in room.hidden
        )
        return Wall(number, one.question, counted, one.reveal, whys)

    def _known(self, name: str) -> _Room:
        room = self._find(name)
        if room is None:
            raise RoomError("This room is closed. Open another one.")
        return room

    def _find(self, name: str) -> _Room | None:
        self._sweep()
        return self._rooms.get(name)

    def _sweep(self) -> None:
        """Delete rooms that have ended."""
        now = self._clock()
        over = [
            name
            for name, room in self._rooms.items()
            if now - room.began >= LIFE or now - room.seen >= (EMPTY if room.entered is None else IDLE)
        ]
        for name in over:
            del self._rooms[name]

    def _end_one(self, names: Iterable[str]) -> bool:
        """End one of these rooms that belongs to nobody; False if there is none.

        The next one is of the address that has opened most, and of these the one that was left first.
        """
        opened = Counter(room.opened_by for room in self._rooms.values())
        left = [name for name in names if self._is_left(self._rooms[name])]
        if not left:
            return False
        rooms = self._rooms
        del rooms[min(left, key=lambda name: (-opened[rooms[name].opened_by], rooms[name].seen))]
        return True

    def _is_left(self, room: _Room) -> bool:
        """Whether neither a wall nor a phone has asked for a room lately."""
        now = self._clock()
        if room.entered is None:
            return now - room.seen >= YIELDS
        return now - max(room.seen, room.entered) >= EMPTY
