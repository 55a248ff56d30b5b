"""The training of a model on one text, with a pause now and then at which it is measured and writes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from ..errors import SettingError
from ..localization import _
from ..records.frozen import Array, frozen
from ..records.pieces import spelling
from ..transformer import LanguageModel
from . import units
from .files import Learned
from .recipe import TextRecipe, parted, unfit
from .writing import TEMPERATURE, config_of, go_on, start_of

MEASURED = 24  # windows of either part
WRITES = 160  # tokens at a pause
PAUSES = 12
MOST_SHOWN = 48  # tokens whose vectors are kept
WARM_UP = 20  # steps
BETAS, DECAY = (0.9, 0.98), 0.05  # of AdamW
_LN2 = math.log(2)


class Pause(NamedTuple):
    """What a model is after some steps.

    Attributes:
        step: the steps so far.
        seconds: of training.
        bits: the mean surprise at the text that it learns from, in bits a letter.
        held: the same for the end of the text, which it never reads in training.
        sample: what it writes.
        attention: (layers, heads, tokens, tokens), the weights on the beginning of the held-out text.
        tokens: the tokens of that beginning.
        vectors: (shown, width), the rows of the embedding table of `TextTraining.shown`.
    """

    step: int
    seconds: float
    bits: float
    held: float
    sample: str
    attention: Array
    tokens: tuple[str, ...]
    vectors: Array


@dataclass(frozen=True)
class _Part:
    """One part of the text in tokens, and how many letters a token has on average."""

    ids: Tensor
    letters_a_token: float


class TextTraining:
    """One training; it advances only when its owner calls it.

    Args:
        text: what is learned, `LEAST_TEXT` to `MOST_TEXT` characters.
        recipe: the settings.

    Attributes:
        shown: the tokens whose vectors a pause has, those that the text has most often.

    Raises:
        SettingError: the text is too short or too long, or gives too few tokens for a window.
    """

    def __init__(self, text: str, recipe: TextRecipe) -> None:
        if why := unfit(text):
            raise SettingError(why)
        self.text, self.recipe = text, recipe
        self.learned_text, self.held_text = parted(text)
        self.tokenizer = units.learned(self.learned_text, recipe)
        self._parts = [self._part(one) for one in (self.learned_text, self.held_text)]
        if len(self._parts[1].ids) < 4 or len(self._parts[0].ids) <= recipe.window:
            raise SettingError(_("The text has too few tokens for this window. Take a longer text."))
        drawn = torch.Generator().manual_seed(recipe.seed)
        config = config_of(recipe, self.tokenizer.get_vocab_size())
        self.model = LanguageModel(config, drawn)
        self._drawn = drawn
        self._optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=recipe.rate, betas=BETAS, weight_decay=DECAY
        )
        self.step, self.seconds = 0, 0.0
        counts = torch.bincount(self._parts[0].ids, minlength=config.n_vocabulary)
        often = counts.argsort(descending=True, stable=True)[:MOST_SHOWN].tolist()
        # A plane takes three points, also where the text has one letter alone.
        self._shown = [i for place, i in enumerate(often) if counts[i] or place < 3]
        self.shown = tuple(map(self._spelled, self._shown))

    def _spelled(self, token: int) -> str:
        """A token as it is written; a part of a character by its bytes, as it reads like any other."""
        return spelling(self.tokenizer.id_to_token(token) or "", self.tokenizer.decode([token]))

    def _part(self, text: str) -> _Part:
        ids = torch.tensor(self.tokenizer.encode(text).ids)
        return _Part(ids, len(text) / max(1, len(ids)))

    @property
    def done(self) -> bool:
        """Whether all steps were made."""
        return self.step >= self.recipe.steps

    def learn(self, steps: int) -> None:
        """Make some more steps, at most those of the recipe.

        Raises:
            SettingError: the loss is no finite number any more.
        """
        began = time.perf_counter()
        self.model.train()
        for _made in range(min(steps, self.recipe.steps - self.step)):
            self.step += 1
            for group in self._optimiser.param_groups:
                group["lr"] = self._rate()
            loss = self._loss(self._windows(self._parts[0].ids, self.recipe.batch, self._drawn))
            if not math.isfinite(float(loss.detach())):
                raise SettingError(_("The loss has left all bounds. Take a smaller learning rate."))
            self._optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self._optimiser.step()
        self.seconds += time.perf_counter() - began

    def _rate(self) -> float:
        """The learning rate of this step: a warm-up, then half a cosine down to a tenth."""
        warm = min(1.0, self.step / WARM_UP)
        along = self.step / self.recipe.steps
        return self.recipe.rate * warm * (0.1 + 0.45 * (1 + math.cos(math.pi * along)))

    def _windows(self, ids: Tensor, count: int, drawn: torch.Generator) -> Tensor:
        """(count, window + 1): stretches of the text."""
        length = min(self.recipe.window, len(ids) - 1)
        starts = torch.randint(len(ids) - length, (count,), generator=drawn)
        return torch.stack([ids[i : i + length + 1] for i in starts.tolist()])

    def _loss(self, windows_BL: Tensor) -> Tensor:
        """The mean surprise at the next token, in nats."""
        logits_BLV = self.model(windows_BL[:, :-1], need_weights=False).logits_BLV
        return F.cross_entropy(logits_BLV.flatten(0, 1), windows_BL[:, 1:].flatten())

    @torch.inference_mode()
    def look(self) -> Pause:
        """Measure the model on both parts of the text, and let it write."""
        self.model.eval()
        bits, held = (self._bits(part) for part in self._parts)
        ids = self._parts[1].ids[: min(24, self.recipe.window)]
        stack = self.model(ids[None]).stack
        weights = [layer.attention.weights_BHLM for layer in stack.layers]
        attention = np.stack([one[0].numpy() for one in weights if one is not None])
        names = tuple(map(self._spelled, ids.tolist()))
        table = self.model.embeddings.tokens.weight
        return Pause(
            self.step,
            self.seconds,
            bits,
            held,
            self.write("", WRITES),
            frozen(attention),
            names,
            frozen(table[self._shown].numpy().copy()),
        )

    def _bits(self, part: _Part) -> float:
        """Bits a letter on the same windows at every pause."""
        fixed = torch.Generator().manual_seed(1)
        loss = float(self._loss(self._windows(part.ids, MEASURED, fixed)))
        return loss / _LN2 / part.letters_a_token

    def write(
        self, prompt: str, count: int, *, temperature: float = TEMPERATURE, seed: int = 13
    ) -> str:
        """What the model writes behind a prompt; "": behind what `start_of` says."""
        window, begun = self.recipe.window, prompt or start_of(self.text)
        return go_on(
            self.model, self.tokenizer, window, begun, count, temperature=temperature, seed=seed
        )

    def result(self, pauses: Sequence[Pause] = ()) -> Learned:
        """The model as it is now."""
        weights = {
            name: one.detach().numpy().astype(np.float32).copy()
            for name, one in self.model.state_dict().items()
        }
        return Learned(
            self.recipe, self.tokenizer.to_str(), weights, self.text, self.step, tuple(pauses)
        )


def before_training(learned: Learned) -> Learned:
    """A model as it was before its first step: its seed decides on the first weights."""
    recipe = learned.recipe
    config = config_of(recipe, len(learned.weights["embeddings.tokens.weight"]))
    model = LanguageModel(config, torch.Generator().manual_seed(recipe.seed))
    weights = {name: one.detach().numpy().copy() for name, one in model.state_dict().items()}
    return Learned(recipe, learned.tokenizer, weights, learned.text, 0)


def between(steps: int) -> int:
    """The steps between two pauses of a training with so many."""
    return max(1, math.ceil(steps / PAUSES))


def learn(
    text: str,
    recipe: TextRecipe | None = None,
    on_pause: Callable[[Pause], object] = lambda pause: None,
) -> Learned:
    """Train a model on a text to the end, with about `PAUSES` pauses.

    Args:
        text: the text.
        recipe: the settings; by default a small model of letters.
        on_pause: called at each pause; the first is before the first step.

    Raises:
        SettingError: see `TextTraining`.
    """
    training = TextTraining(text, recipe or TextRecipe())
    every = between(training.recipe.steps)
    pauses = [training.look()]
    on_pause(pauses[0])
    while not training.done:
        training.learn(every)
        pauses.append(training.look())
        on_pause(pauses[-1])
    return training.result(pauses)
