"""LoRA: a low-rank change of a model's weights, saved without the model (Hu et al. 2021).

An adapter in the format of PEFT is added to the weights of its base, exactly as PEFT merges it: each
changed matrix W becomes W + s·B·A, where s is alpha divided by the rank, or by its square root
(Kalajdzievski 2023). DoRA then gives each row its learned length (Liu et al. 2024).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import ModelBroken, NotSupported
from .checkpoint import Checkpoint
from .places import ADAPTER, ADAPTER_WEIGHTS
from .tensor_names import modern, optional
from .weight_files import TensorHeader, all_headers, read_json, read_tensor

if TYPE_CHECKING:
    from torch import Tensor

_ALONE = ("lm_head.weight",)  # heads that are the table alone, and need not be stored
_ROOT = "base_model.model."  # before the names of all tensors of an adapter
_OF_LORA = re.compile(
    r"(?P<path>.+)\.(?P<part>lora_A|lora_B|lora_embedding_A|lora_embedding_B|lora_magnitude_vector)"
    r"(\.weight)?"
)
_A = ("lora_A", "lora_embedding_A")
_B = ("lora_B", "lora_embedding_B")
# Settings that change how the update is made; with any of these on, it is not the sum above.
_MOST_NAMES = 30  # between points, of a module's name
# Types of models whose matrices are stored as (inputs, outputs), which PEFT sees in their classes.
_TURNED = frozenset({"gpt2", "openai-gpt", "imagegpt", "decision_transformer", "clvp"})
_OTHER = ("alora_invocation_tokens", "arrow_config", "corda_config", "layer_replication", "use_qalora")


class _Update(NamedTuple):
    """The change of one matrix: its tensors by their part, the factor s, and whether it is turned.

    A matrix that is stored as (inputs, outputs) is turned. Its class says so, and PEFT then ignores
    the adapter's `fan_in_fan_out`.
    """

    parts: Mapping[str, TensorHeader]
    scale: float
    turned: bool = False


def base_of(folder: Path, name: str) -> str:
    """The name of the model that an adapter changes, as its settings say; "" if they do not."""
    base = read_json(folder / ADAPTER, name).get("base_model_name_or_path")
    return base if isinstance(base, str) else ""


def merged(base: Checkpoint, folder: Path, name: str, head: str = "") -> Checkpoint:
    """The base with the adapter added to its weights, which are computed as they are read.

    Args:
        base: the checked files of the base.
        folder: the folder of the adapter.
        name: the name of the adapter in messages.
        head: the current name of the last matrix of a head that predicts words, in this type of model;
            "" if it is not listed.

    Raises:
        NotSupported: it is another kind of adapter than LoRA, or of another form.
        ModelBroken: its files are damaged, or it changes parts that its base does not have.
    """
    settings = read_json(folder / ADAPTER, name)
    kind = str(settings.get("peft_type", "LORA")).rpartition(".")[2].upper()
    others = [key for key in _OTHER if settings.get(key)]
    if kind != "LORA" or others:
        what = f"of the kind {kind}" if kind != "LORA" else f"that uses {others[0]}"
        raise NotSupported(
            "“{name}” is an adapter {what}, which Polysee cannot add to its base. Merge "
            "the two with PEFT (merge_and_unload), save the model with save_pretrained, "
            "and load that.",
            name=name,
            what=what[:60],
        )
    headers = all_headers((folder / ADAPTER_WEIGHTS,), name)
    updates, whole = _sorted(headers, settings, name)
    tensors = dict(base.tensors)
    there = {modern(key): key for key in tensors}
    _untie(base, tensors, there, (updates, whole), head, settings, name)
    # First what replaces a tensor: PEFT stores a table whole, beside the update that it adds to it.
    for path, header in whole.items():  # parts that were trained whole, biases and tables
        if modern(path) not in there and optional(modern(path)):
            continue
        own = _found(path, there, name)
        if header.shape != tensors[own].shape:
            raise ModelBroken(_misfit(name, own))
        tensors[own] = header
    for path, update in updates.items():
        key = _found(f"{path}.weight", there, name)
        _check(update, tensors[key].shape, key, name)
        turned = base.config["model_type"] in _TURNED and modern(key) != head
        change = partial(_added, update._replace(turned=turned), name)
        tensors[key] = replace(tensors[key], change=change)
    return replace(base, tensors=tensors)


def _untie(
    base: Checkpoint,
    tensors: dict[str, TensorHeader],
    there: dict[str, str],
    changed: tuple[Mapping[str, _Update], Mapping[str, TensorHeader]],
    head: str,
    settings: Mapping[str, Any],
    name: str,
) -> None:
    """Give head and table a tensor each, where they share one and the adapter changes one of them.

    PEFT runs them apart then: a module that it wraps, or copies, no longer follows the other one.

    Raises:
        NotSupported: if it is not clear which tensors the two have.
    """
    updates, whole = changed
    tables = _tables(base)
    names = {modern(key) for key in tables}
    own = {*(modern(f"{path}.weight") for path in updates), *(modern(path) for path in whole)}
    touched = {one for one in own if any(_same(one, table) for table in (*names, head) if table)}
    config = base.config
    within = config.get("text_config")
    tied = all(
        one.get("tie_word_embeddings", True) is not False
        for one in (config, within if isinstance(within, Mapping) else {})
    )
    part = head.rpartition(".")[0].partition(".")[0]
    predicts = head in _ALONE or any(key.startswith(f"{part}.") for key in there)
    if not tied or not touched or (head and not predicts):
        return
    inputs = [key for key in tables if modern(key) != head]
    if not head or len(inputs) != 1 or settings.get("ensure_weight_tying") or _paired(config):
        raise NotSupported(
            "“{name}” is an adapter that changes {touched}, which its base uses both as "
            "the table of its tokens and as the head that predicts words. PEFT runs the "
            "two apart. Polysee cannot, for this kind of model. Train the adapter without "
            "that module.",
            name=name,
            touched=sorted(touched)[0],
        )
    table = inputs[0]
    if head not in there:
        there[head] = head
        tensors[head] = tensors[table]
    for path, header in whole.items():  # what an update is added to is shared still
        shared = any(_same(modern(path), one) for one in (modern(table), head))
        if path.removesuffix(".weight") in updates and shared:
            tensors[table] = tensors[there[head]] = header


def _tables(base: Checkpoint) -> list[str]:
    """The tensors of the base that have a row for each token."""
    config = base.config
    inner = config.get("text_config")
    sizes = {config.get("vocab_size"), inner.get("vocab_size") if isinstance(inner, Mapping) else None}
    return [
        key
        for key, header in base.tensors.items()
        if len(header.shape) == 2 and header.shape[0] in sizes - {None}
    ]


def _paired(config: Mapping[str, Any]) -> bool:
    return bool(config.get("is_encoder_decoder", config["model_type"] in ("t5", "bart", "marian")))


def _sorted(
    headers: Mapping[str, TensorHeader], settings: Mapping[str, Any], name: str
) -> tuple[dict[str, _Update], dict[str, TensorHeader]]:
    """The updates by the name of their module, and the tensors that replace the base's own."""
    parts: dict[str, dict[str, TensorHeader]] = defaultdict(dict)
    whole: dict[str, TensorHeader] = {}
    for key, header in headers.items():
        plain = key.removeprefix(_ROOT)
        if match := _OF_LORA.fullmatch(plain):
            parts[match["path"]][match["part"]] = header
        else:
            whole[plain.replace(".base_layer.", ".")] = header
    updates = {}
    for path, own in parts.items():
        rank = next((own[a].shape[0] for a in _A if a in own), 0)
        if not rank or not any(b in own for b in _B):
            raise ModelBroken(
                "“{name}” has only a part of the update of {path}. Choose another copy.",
                name=name,
                path=path,
            )
        alpha = _setting(settings, "alpha_pattern", "lora_alpha", path, name)
        scale = alpha / (math.sqrt(rank) if settings.get("use_rslora") else rank)
        updates[path] = _Update(own, scale)
    return updates, whole


def _setting(settings: Mapping[str, Any], pattern: str, usual: str, path: str, name: str) -> float:
    """A number for one module: its own, by the end of its name, or the usual one."""
    own = settings.get(pattern) or {}
    names = path.split(".")[-_MOST_NAMES:]
    ends = [".".join(names[i:]) for i in range(len(names))]
    fits = [key for key in ends if key in own]
    found = settings.get(usual, 8)
    if fits:  # the first that the settings name
        found = own[fits[0] if len(fits) == 1 else next(key for key in own if key in fits)]
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        raise ModelBroken(
            "The {adapter} of “{name}” has {usual} = {found}; it must be a number.",
            adapter=ADAPTER,
            name=name,
            usual=usual,
            found=str(found)[:40],
        )
    return float(found)


def _found(path: str, there: Mapping[str, str], name: str) -> str:
    """The base's name of a tensor, whose prefix may differ: an adapter of a model with a head."""
    wanted = modern(path)
    if wanted in there:
        return there[wanted]
    near = [own for today, own in there.items() if _same(wanted, today)]
    if len(near) != 1:
        raise ModelBroken(_misfit(name, path))
    return near[0]


def _same(a: str, b: str) -> bool:
    """Whether two names are of one part, apart from the prefix of a model with a head."""
    return f".{a}".endswith(f".{b}") or f".{b}".endswith(f".{a}")


def _misfit(name: str, part: str) -> str:
    return (
        f"“{name}” is an adapter that changes {part}, which the model that Polysee has as its base "
        "does not have in this form. Choose the base from which it was trained, or merge the two with "
        "PEFT."
    )


def _check(update: _Update, shape: tuple[int, ...], key: str, name: str) -> None:
    a = next(update.parts[one] for one in _A if one in update.parts)
    b = next(update.parts[one] for one in _B if one in update.parts)
    both = len(a.shape) == len(b.shape) == 2 and a.shape[0] == b.shape[1]
    made = (b.shape[0], a.shape[1]) if both else ()
    if "lora_embedding_A" in update.parts and both:
        made = made[::-1]
    if made != shape and made[::-1] != shape:
        raise ModelBroken(_misfit(name, key))


def _added(update: _Update, name: str, weight: Tensor) -> Tensor:
    """The weight with its update."""
    import torch

    def read(part: str) -> Tensor:
        header = update.parts[part]
        tensor: Tensor = read_tensor(header.file, header.stored, name).float()
        return tensor

    weight = weight.float()
    if "lora_embedding_A" in update.parts:  # a table: one row per token
        return weight + update.scale * (read("lora_embedding_B") @ read("lora_embedding_A")).T
    delta = update.scale * (read("lora_B") @ read("lora_A"))
    if delta.shape != weight.shape or update.turned:
        delta = delta.T
    made = weight + delta
    if "lora_magnitude_vector" not in update.parts:
        return made
    axis = 0 if update.turned else 1
    length: Tensor = torch.linalg.norm(made, dim=axis, keepdim=True)
    magnitude = read("lora_magnitude_vector")
    return made * (magnitude.unsqueeze(axis) / length)
