"""How the set-up speaks: a line for what it does, a sentence for why it cannot go on."""

from __future__ import annotations


class Refusal(Exception):
    """The set-up cannot go on; the message is a sentence for the person who typed `make`."""


def say(sentence: str) -> None:
    """Print one line at once, also into a pipe."""
    print(f"Polysee: {sentence}", flush=True)
