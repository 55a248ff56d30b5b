"""The `transformers` model of a folder, every tensor from its file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch

from core.errors import ModelBroken
from core.pretrained import names
from core.pretrained.checkpoint import Checkpoint
from core.pretrained.families import FAMILIES


def from_checkpoint(config: Any, found: Checkpoint, name: str) -> Any:
    """The `transformers` model of a folder, float32, every tensor from the file.

    Raises:
        ModelBroken: tensors are missing, left over, or of another shape; `transformers` itself would
            fill in random numbers and go on.
    """
    from transformers import AutoModel

    try:
        with torch.device("meta"):  # shapes without memory
            skeleton = AutoModel.from_config(config)
    except Exception as error:  # it raises whatever its parts raise
        raise _unreadable(name, error) from error
    prefix = skeleton.base_model_prefix
    shapes = {key: tuple(tensor.shape) for key, tensor in skeleton.state_dict().items()}
    there = {names.modern(key, prefix) for key in found.tensors}
    wanted = _wanted(shapes, there, dict(skeleton.all_tied_weights_keys), config.model_type)
    names.fit({key: key for key in wanted}, found.shapes(), shapes, name, prefix)
    try:
        with _quiet():
            model, info = AutoModel.from_pretrained(
                found.folder,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                dtype=torch.float32,  # the default is the file's own, which may be half of it
                disable_mmap=True,  # as in `weight_files`
                output_loading_info=True,
            )
    except Exception as error:  # it raises whatever its parts raise
        raise _unreadable(name, error) from error
    # The last word is with transformers: what it left at random numbers would show nowhere else.
    missing = sorted(key for key in info["missing_keys"] if names.modern(key, prefix) in wanted)
    if missing:
        raise ModelBroken(
            f"transformers did not find {', '.join(missing[:3])} in the weights of “{name}” "
            f"({len(missing)} missing in all). Take engine='scratch', or choose another model."
        )
    refuse_what_is_no_number(model, name)
    return model


def _wanted(
    shapes: Mapping[str, Any], there: set[str], tied: Mapping[str, str], kind: str
) -> list[str]:
    """The tensors that the file must hold: of several that are one, those that it holds, or one.

    Args:
        shapes: the names of all tensors of the model.
        there: the names in the file.
        tied: tensors that are the same as another: their names -> its name.
        kind: the type of the model.
    """
    made = re.compile(FAMILIES[kind].own_tables or "(?!)")
    one = {name: {name} for name in tied.values()}
    for name, source in tied.items():
        one[source].add(name)
    spare: set[str] = set()
    for source, group in one.items():
        spare |= group - there if group & there else group - {source}
    return [
        name
        for name in shapes
        if not names.NOT_NEEDED.fullmatch(name)
        and (name in there or not (name in spare or made.fullmatch(name)))
    ]


def refuse_what_is_no_number(model: Any, name: str) -> None:
    """Raise ModelBroken where a weight is infinite or NaN, as a training that failed leaves it."""
    if not all(torch.isfinite(tensor).all() for tensor in model.parameters()):
        raise ModelBroken(
            f"“{name}” holds numbers that are infinite or not numbers. "
            "Choose another copy of the model."
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the bar and the report that `transformers` prints: what matters is raised instead."""
    from transformers.utils import logging

    bar, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bar:
            logging.enable_progress_bar()


def _unreadable(name: str, error: Exception) -> ModelBroken:
    said = " ".join(str(error).split())[:300].rstrip(".")
    return ModelBroken(f"transformers cannot read “{name}”: {said}. Choose another copy of the model.")
