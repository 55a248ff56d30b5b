"""Activation patching between two prompts: states and heads of one run put into the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..attribution import patching
from ..errors import Filled, NotSupported, SettingError
from ..records.frozen import Array
from ..records.indices import index
from ..records.patching import LEAST, By, Patching
from ..records.pieces import pieces_of
from ..records.prediction import Expectation
from ..transformer import LanguageModel
from . import cancellation
from .attribution import Attributing
from .can_predict import Words
from .engines.scratch import ScratchDecoder
from .tokenizer.reader import Encoded

Answer = int | str | None
MOST_SHOWN = 40  # tokens of a prompt that a message lists


class _Both(NamedTuple):
    """The runs of both prompts."""

    decoder: LanguageModel
    encoded: tuple[Encoded, Encoded]
    a: patching.Stack
    b: patching.Stack

    @property
    def first(self) -> int:
        """The first position that differs: at earlier ones, both runs have the same states."""
        return patching.first_difference(*(one.ids for one in self.encoded))


class Patches(Attributing):
    """The part of a model that patches one run with another."""

    _words: Words

    def patch(
        self,
        a: str,
        b: str,
        *,
        answers: tuple[Answer, Answer] = (None, None),
        by: By = "position",
        at: int | None = -1,
        begun: Patching | None = None,
        on_part: Callable[[Patching], object] | None = None,
    ) -> Patching:
        """Put what the model has computed for prompt A into its run of prompt B, piece by piece.

        After each exchange the rest runs again, so that the numbers are exact, without gradients. What
        comes back is measured on the logit of A's answer less that of B's (Vig et al. 2020; Meng et al.
        2022; Wang et al. 2022). A token before the first one that differs has the same state in both
        runs, and is not run.

        Args:
            a: the prompt from which states are taken.
            b: the prompt into whose run they are put, with as many tokens.
            answers: A's answer and B's, by id or as they are written in a text (" Paris"); if that is
                no single token, without the space before it, or with one. None: the likeliest token.
            by: "position" for the residual stream after each layer at each token, "head" for the output
                of each head.
            at: for heads, the token at which the output is exchanged, −1 for the last; None for all
                tokens at once.
            begun: a part of the same patching, whose numbers are not computed again.
            on_part: called with what is there after each row.

        Raises:
            NotSupported: the model does not predict the next token in our own transformer; the prompts
                are the same, do not have equally many tokens, or are longer than the model reads; the
                answers are the same, or differ as much after B as after A.
            SettingError: an answer is no single token, or `by` is neither.
            OutOfRange: there is no such token.
            ModelBroken, TooLarge: see `Model.expects`.
        """
        if by not in ("position", "head"):
            raise SettingError(f"by is “{by}”; it must be “position” or “head”.")
        try:
            with torch.inference_mode():
                both = self._both(a, b)
                n = len(both.encoded[0])
                at = None if by == "position" or at is None else index(at, n, "token")
                start = self._begin(both, answers, by, at)
                if begun is not None and _same(begun, start):
                    start = begun
                return self._patched(both, start, on_part)
        finally:
            self._words.head.release()

    def patched(self, a: str, b: str, depth: int, positions: Sequence[int]) -> Expectation:
        """What the model expects after prompt B, with some states of the run of prompt A.

        With all positions at depth 0 it is what the model expects after A; with none, after B.

        Args:
            a: see `patch`.
            b: see `patch`.
            depth: 0 for the input of the first layer, i for what layer i returns.
            positions: the tokens whose states are exchanged.

        Raises:
            PolyseeError: see `patch`.
            OutOfRange: there is no such depth or token.
        """
        try:
            with torch.inference_mode():
                both = self._both(a, b)
                n = len(both.encoded[0])
                depth = index(depth, len(both.b.layers) + 1, "depth", from_end=False)
                tokens = [index(position, n, "token") for position in positions]
                cancellation.ask()
                vector_D = patching.patched(both.decoder, both.a, both.b, depth, tokens)
            return self._expectation(n - 1, self._of_head(vector_D[None])[0])
        finally:
            self._words.head.release()

    def _patched(
        self, both: _Both, found: Patching, on_part: Callable[[Patching], object] | None
    ) -> Patching:
        """Fill in what is missing, row by row; the shortest runs come first."""
        decoder, a, b = both.decoder, both.a, both.b
        n, lead = len(both.encoded[0]), self._lead(found.ids)
        words, differences = found.words.copy(), found.differences.copy()

        def done() -> Patching:
            nonlocal found
            found = replace(found, words=words.copy(), differences=differences.copy())
            if on_part is not None:
                on_part(found)
            return found

        def difference(vectors_BD: Tensor) -> Array:
            numbers: Array = lead(vectors_BD).cpu().numpy()
            return numbers

        if found.by == "position":
            for i in range(n - 1, both.first - 1, -1):
                if np.isnan(differences[:, i]).any():
                    found_N = patching.by_depth(decoder, a, b, i, cancellation.ask)
                    differences[:, i] = difference(found_N)
                    words[i] = differences[0, i]
                    done()
            return done()
        for i in range(n - 1, both.first - 1, -1):
            if np.isnan(words[i]):
                cancellation.ask()
                words[i] = difference(patching.patched(decoder, a, b, 0, [i])[None])[0]
        at = range(both.first, n) if found.at is None else range(found.at, found.at + 1)
        for layer in range(len(b.layers) - 1, -1, -1):
            if np.isnan(differences[layer]).any():
                found_H = patching.by_head(decoder, a, b, layer, at, cancellation.ask)
                differences[layer] = difference(found_H)
                done()
        return done()

    def _begin(self, both: _Both, answers: tuple[Answer, Answer], by: By, at: int | None) -> Patching:
        """Everything but the patched runs. Raises the errors of `patch` about answers."""
        n, shape = len(both.encoded[0]), self._runner.shape
        ends = [run.final_BLD[:, -1] for run in (both.a, both.b)]
        ids = [
            int(self._of_head(end)[0].argmax()) if answer is None else self._answer(answer)
            for end, answer in zip(ends, answers, strict=True)
        ]
        names = [self._reader.surface_form(one) for one in ids]
        lead = self._lead(ids)
        of_a, of_b = (float(lead(end)[0]) for end in ends)
        differing(names, ids, of_a, of_b, "prompts")
        words = np.full(n, np.nan, np.float32)
        words[: both.first] = of_b
        if by == "position":
            differences = np.full((shape.n_layers + 1, n), np.nan, np.float32)
            differences[:, : both.first] = of_b
        else:
            differences = np.full((shape.n_layers, shape.n_heads), np.nan, np.float32)
            if at is not None and at < both.first:
                differences[:] = of_b
        x, y = both.encoded
        return Patching(
            by,
            (x.tokens, y.tokens),
            (x.offsets, y.offsets),
            (x.texts[0], y.texts[0]),
            (names[0], names[1]),
            (ids[0], ids[1]),
            of_a,
            of_b,
            words,
            differences,
            at,
            self.name,
        )

    def _answer(self, answer: int | str) -> int:
        """The id of an answer; a word is found with or without the space before it as well."""
        if isinstance(answer, str) and self._reader.one_token(answer) is None:
            other = answer[1:] if answer.startswith(" ") else f" {answer}"
            if other and self._reader.one_token(other) is not None:
                answer = other
        return self._id(answer)

    def _both(self, a: str, b: str) -> _Both:
        """The runs of both prompts. Raises the errors of `patch` about models and prompts."""
        if self.predicts != "next":
            raise NotSupported(
                "“{name}” does not predict the next token, and two prompts of it have no "
                "answers to compare. Choose a model that reads from left to right, such as "
                "GPT-2 or SmolLM2.",
                name=self.name,
            )
        runner = self._own()
        assert isinstance(runner, ScratchDecoder)  # no encoder of ours predicts the next token
        read = self._to_continue(a, ()), self._to_continue(b, ())
        for name, one in zip("AB", read, strict=True):
            if one.left_out_by_text[0]:
                raise NotSupported(
                    "Prompt {name} has more than {n_one} tokens, and no more are compared here. "
                    "Shorten it.",
                    name=name,
                    n_one=len(one),
                )
        if len(read[0]) != len(read[1]):
            raise NotSupported(unequal(*read))
        if read[0].ids == read[1].ids:
            raise NotSupported(
                "The model reads the same tokens in both prompts: there is nothing to exchange. Change "
                "a word of one of them."
            )
        self._refuse_reading(len(read[0]), 1)
        runs = []
        for one in read:
            cancellation.ask()
            ids_BL = torch.tensor([one.ids], device=runner.device)
            runs.append(runner.decoder.read(ids_BL, need_weights=False))
        return _Both(runner.decoder, read, *runs)

    def _lead(self, ids: Sequence[int]) -> Callable[[Tensor], Tensor]:
        """Gives the difference of two logits for each vector behind the final norm, (B, D) to (B,)."""
        logits_of = self._logits_of(ids)

        def lead(vectors_BD: Tensor) -> Tensor:
            logits_B2 = logits_of(vectors_BD)
            return logits_B2[:, 0] - logits_B2[:, 1]

        return lead

    def _logits_of(self, ids: Sequence[int]) -> Callable[[Tensor], Tensor]:
        """See `Predicting`."""
        raise NotImplementedError

    def _of_head(self, vectors_LD: Tensor) -> Array:
        """See `Predicting`, which implements this and `_refuse_reading`."""
        raise NotImplementedError

    def _refuse_reading(self, tokens: int, positions: int) -> None:
        raise NotImplementedError


def differing(names: Sequence[str], ids: Sequence[int], of_a: float, of_b: float, what: str) -> None:
    """Raise NotSupported unless two answers are two, and there is a difference that could come back.

    Args:
        names: the answers, as they are written in a text.
        ids: theirs.
        of_a: the logit of the first less that of the second, after A.
        of_b: the same after B.
        what: what A and B are: "prompts" or "sources".
    """
    one, other = (name.strip(" ") or name for name in names)
    if ids[0] == ids[1]:
        raise NotSupported(
            "Both answers are “{one}”, and nothing differs between them. Change the {what} "
            "so that the model answers them differently, or name two answers.",
            one=one,
            what=what,
        )
    if abs(of_a - of_b) < LEAST:
        raise NotSupported(
            "After A the logit of “{one}” is {of_a:+.3f} above that of “{other}”, after B "
            "{of_b:+.3f}: there is no difference that could come back, and a share of it "
            "has no meaning. Name two other answers, or change the {what}.",
            one=one,
            of_a=of_a,
            other=other,
            of_b=of_b,
            what=what,
        )


def unequal(a: Encoded, b: Encoded, what: str = "Prompt") -> Filled:
    """Why two prompts cannot be aligned: their tokens, where they differ, and what to change.

    `what`: the name of a text, "Prompt" or "Source".
    """
    start = next((i for i, (x, y) in enumerate(zip(a.ids, b.ids, strict=False)) if x != y), None)
    start = min(len(a), len(b)) if start is None else start
    same = 0
    while same < min(len(a), len(b)) - start and a.ids[-1 - same] == b.ids[-1 - same]:
        same += 1
    parts = [_part(_pieces(one)[start : len(one) - same]) for one in (a, b)]
    shorter, longer = ("A", "B") if len(a) < len(b) else ("B", "A")
    shown = " ".join(f"{name}: {_split(_pieces(one), start)}." for name, one in (("A", a), ("B", b)))
    unequally = (
        Filled("Source A has {a} and source B {b}", a=_count(len(a)), b=_count(len(b)))
        if what == "Source"
        else Filled("Prompt A has {a} and prompt B {b}", a=_count(len(a)), b=_count(len(b)))
    )
    return Filled(
        "{unequally}, and each token needs one to be exchanged with. {shown} From the first difference "
        "to the last, A has {part_a} and B {part_b}. Make that part of {shorter} {less} longer, or "
        "that of {longer} {less} shorter; most common words are one token with the space before them.",
        unequally=unequally,
        shown=shown,
        part_a=parts[0],
        part_b=parts[1],
        shorter=shorter,
        longer=longer,
        less=_count(abs(len(a) - len(b))),
    )


def _same(begun: Patching, start: Patching) -> bool:
    names = ("by", "tokens", "texts", "ids", "at", "model")
    return all(getattr(begun, name) == getattr(start, name) for name in names)


def _pieces(encoded: Encoded) -> list[str]:
    return list(pieces_of(encoded.texts[0], encoded.tokens, encoded.offsets))


def _split(pieces: Sequence[str], start: int) -> str:
    """The tokens of a prompt with bars between them; of a long one, those where it differs."""
    first = max(0, min(start - MOST_SHOWN // 2, len(pieces) - MOST_SHOWN))
    some = [piece.strip() or "␣" for piece in pieces[first : first + MOST_SHOWN]]
    before, after = "… | " * (first > 0), " | …" * (first + MOST_SHOWN < len(pieces))
    return f"{before}{' | '.join(some)}{after}"


def _part(pieces: Sequence[str]) -> Filled:
    """The tokens from the first that differs to the last, as they stand in the text."""
    if not pieces:
        return Filled("nothing")
    return Filled("“{part}” ({tokens})", part="".join(pieces).strip(), tokens=_count(len(pieces)))


def _count(tokens: int) -> Filled:
    return Filled("1 token") if tokens == 1 else Filled("{tokens} tokens", tokens=tokens)
