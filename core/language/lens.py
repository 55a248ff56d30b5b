"""The fitted lens: for each layer, a map of its states to what the head reads after the last one.

A head can read only the vectors that the last layer makes; earlier states lie in other coordinates. A
linear map, fitted by ridge regression on many tokens, translates them (Belrose et al. 2023, "tuned
lens", fit theirs by gradients). It is stored as a scale for each coordinate and, of what that leaves
over, the part of rank r in which the outputs vary most, in int8: see `FittedLens`.

NumPy only. `core.pretrained.lens` runs the models.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ..errors import ModelBroken
from ..records.frozen import Array, Record, frozen

RANK = 128
RIDGE = 1e-2  # of the mean variance of a coordinate
_MOST_BYTES = 64_000_000  # of a file, unpacked


@dataclass(frozen=True, eq=False)
class Losses(Record):
    """How far a lens is from the model's own prediction, on text that it was not fitted on.

    Attributes:
        tokens: on how many tokens.
        plain, full, fitted: (N,) float32, by the lens without a map, with the whole map, and with the
            map as it is stored: the mean Kullback–Leibler divergence in bits, from the model's own
            prediction, of states 0 to N − 1.
        plain_same, full_same, fitted_same: (N,) float32, the share of tokens whose likeliest next token
            is that of the model.
    """

    tokens: int
    plain: Array
    full: Array
    fitted: Array
    plain_same: Array
    full_same: Array
    fitted_same: Array

    def __post_init__(self) -> None:
        self._freeze("plain", "full", "fitted", "plain_same", "full_same", "fitted_same")


@dataclass(frozen=True, eq=False)
class FittedLens(Record):
    """A map for each state before the last, from N layers' inputs to the input of the head.

    Of a state x, after the model's final norm: scale · x + ((x − mean) · down · strength) · upᵀ +
    offset.

    Attributes:
        fingerprint: of the model that it was fitted on: it fits no other.
        scale, mean, offset: (N, D) float32.
        down, up: (N, D, r) int8.
        strength: (N, r) float32.
        fitted_on: the text, in words.
        tokens: how many tokens it was fitted on.
        losses: its loss on other text.

    Raises:
        ValueError: the fields do not fit each other.
    """

    fingerprint: str
    scale: Array
    mean: Array
    offset: Array
    down: Array
    up: Array
    strength: Array
    fitted_on: str
    tokens: int
    losses: Losses

    def __post_init__(self) -> None:
        self._freeze("scale", "mean", "offset", "strength")
        for name in ("down", "up"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.int8))
        n, d = self.scale.shape
        shapes = {self.mean.shape, self.offset.shape}
        r = self.strength.shape[-1]
        if shapes != {(n, d)} or {self.down.shape, self.up.shape} != {(n, d, r)}:
            raise ValueError("The parts of a lens do not fit each other.")
        if self.strength.shape != (n, r) or self.losses.plain.shape != (n,):
            raise ValueError("The parts of a lens do not fit each other.")
        if not all(
            np.isfinite(one).all() for one in (self.scale, self.mean, self.offset, self.strength)
        ):
            raise ValueError("A lens consists of finite numbers.")

    def read(self, depth: int, normed_LD: Array) -> Array:
        """(L, D) float32: what the states at a depth below the last become, as input of the head.

        Args:
            depth: from 0, the input of the first layer, to N − 1.
            normed_LD: (L, D), the states, after the model's final norm.
        """
        down = self.down[depth].astype(np.float32) * self.strength[depth]
        mapped = ((normed_LD - self.mean[depth]) @ down) @ self.up[depth].astype(np.float32).T
        read: Array = self.scale[depth] * normed_LD + mapped + self.offset[depth]
        return read

    def to_bytes(self) -> bytes:
        """The lens as a file: `from_bytes` reads it."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self)}
        about = {name: arrays.pop(name) for name in ("fingerprint", "fitted_on", "tokens")}
        losses = arrays.pop("losses")
        about["tested_on"] = losses.tokens
        arrays |= {
            f"loss_{f.name}": getattr(losses, f.name) for f in fields(losses) if f.name != "tokens"
        }
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(zipfile.ZipInfo("about.json"), json.dumps(about, ensure_ascii=False))
            for name, array in arrays.items():
                part = io.BytesIO()
                np.lib.format.write_array(part, array, allow_pickle=False)
                one = zipfile.ZipInfo(f"{name}.npy")  # without a date: the same lens, the same bytes
                one.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(one, part.getvalue())
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> FittedLens:
        """Read what `to_bytes` has written.

        Raises:
            ModelBroken: it is no such file.
        """
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                if sum(one.file_size for one in packed.infolist()) > _MOST_BYTES:
                    raise ValueError("too large")
                about: dict[str, Any] = json.loads(packed.read("about.json"))
                arrays: dict[str, Any] = {
                    name[:-4]: np.lib.format.read_array(
                        io.BytesIO(packed.read(name)), allow_pickle=False
                    )
                    for name in packed.namelist()
                    if name.endswith(".npy")
                }
            losses = {name[5:]: arrays.pop(name) for name in [*arrays] if name.startswith("loss_")}
            tested = Losses(int(about.pop("tested_on")), **losses)
            return cls(**about, **arrays, losses=tested)
        except (ValueError, TypeError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise ModelBroken("This file is no fitted lens.") from error


@cache
def shipped() -> tuple[FittedLens, ...]:
    """The lenses that come with Polysee."""
    folder = files(__package__).joinpath("fitted")
    return tuple(
        FittedLens.from_bytes(one.read_bytes())
        for one in folder.iterdir()
        if one.name.endswith(".lens")
    )


class Moments:
    """Sums over the states of many tokens, from which all maps are fitted: no state is kept.

    Args:
        n: the number of maps, N.
        d: the width of a state, D.
    """

    def __init__(self, n: int, d: int) -> None:
        self.tokens = 0
        # Everything is counted from the first batch's mean: else sums of squares lose small variances.
        self._from: Array | None = None
        self._sum = np.zeros((n + 1, d))
        self._own = np.zeros((n, d, d), np.float32)
        self._with_last = np.zeros((n, d, d), np.float32)

    @staticmethod
    def numbers(n: int, d: int) -> int:
        """How many numbers of four bytes it keeps."""
        return 2 * n * d * d

    def add(self, normed_NLD: Array) -> None:
        """Count tokens by their states, (N + 1, L, D), after the final norm; the last are the goal."""
        if self._from is None:
            self._from = normed_NLD.mean(axis=1, keepdims=True)
        x_NLD = normed_NLD - self._from
        self.tokens += x_NLD.shape[1]
        self._sum += x_NLD.sum(axis=1, dtype=np.float64)
        last = x_NLD[-1]
        for own, with_last, x_LD in zip(self._own, self._with_last, x_NLD, strict=False):
            own += x_LD.T @ x_LD
            with_last += x_LD.T @ last

    def map(self, depth: int, rank: int = RANK, ridge: float = RIDGE) -> Map:
        """The map of the states at a depth.

        Raises:
            ValueError: nothing was counted.
        """
        if self._from is None:
            raise ValueError("No token was counted.")
        mean = self._sum / self.tokens
        own = self._own[depth].astype(np.float64) / self.tokens - np.outer(mean[depth], mean[depth])
        crossed = self._with_last[depth].astype(np.float64) / self.tokens
        crossed -= np.outer(mean[depth], mean[-1])
        spread = np.diag(own).copy()
        least = 1e-9 * max(spread.max(initial=0), 1e-30)
        scale = np.where(spread > least, np.diag(crossed) / np.maximum(spread, least), 0)
        left = crossed - own * scale  # with what the scale leaves over
        matrix = np.linalg.solve(own + ridge * max(spread.mean(), 1e-30) * np.eye(len(own)), left)
        _, directions = np.linalg.eigh(
            matrix.T @ own @ matrix
        )  # ascending: where the outputs vary most
        up = directions[:, ::-1][:, :rank]
        begin = self._from[:, 0].astype(np.float64)
        centre, target = begin[depth] + mean[depth], begin[-1] + mean[-1]
        return Map(scale, centre, target - scale * centre, matrix, matrix @ up, up)


@dataclass(frozen=True, eq=False)
class Map:
    """The map of one state, before it is stored.

    Attributes:
        scale, mean, offset: (D,).
        matrix: (D, D), whole.
        down, up: (D, r): of rank r, it is down · upᵀ.
    """

    scale: Array
    mean: Array
    offset: Array
    matrix: Array
    down: Array
    up: Array

    def whole(self, normed_LD: Array) -> Array:
        """(L, D) float32: the states read by the whole map."""
        read: Array = self.scale * normed_LD + (normed_LD - self.mean) @ self.matrix + self.offset
        return read.astype(np.float32, copy=False)


def stored(
    maps: list[Map], losses: Losses, *, fingerprint: str, fitted_on: str, tokens: int
) -> FittedLens:
    """The maps as they are stored: the two thin matrices in int8, each column with its own unit."""

    def units(matrices: list[Array]) -> tuple[Array, Array]:
        whole = np.stack(matrices)
        unit = np.maximum(np.abs(whole).max(axis=1), 1e-30) / 127
        return np.rint(whole / unit[:, None]).astype(np.int8), unit

    down, of_down = units([one.down for one in maps])
    up, of_up = units([one.up for one in maps])
    return FittedLens(
        fingerprint,
        np.stack([one.scale for one in maps]),
        np.stack([one.mean for one in maps]),
        np.stack([one.offset for one in maps]),
        down,
        up,
        of_down * of_up,
        fitted_on,
        tokens,
        losses,
    )
