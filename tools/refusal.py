"""Messages of the set-up: a line for each step, and a sentence if it cannot continue."""

from __future__ import annotations


class Refusal(Exception):
    """The set-up cannot continue; the message is a sentence for the person who typed `make`."""


class NoNetwork(Refusal):
    """The package index cannot be reached: no other installer would reach it either."""


def say(sentence: str) -> None:
    """Print one line immediately, even into a pipe."""
    print(f"Polysee: {sentence}", flush=True)
