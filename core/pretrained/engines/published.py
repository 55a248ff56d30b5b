"""The `transformers` model of a folder, with every tensor from its file."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch

from ...errors import ModelBroken, NotSupported, in_short
from ...transformer.shapes_alone import shapes_alone
from ..files import tensor_names
from ..files.checkpoint import Checkpoint

# Tables of sines and cosines; transformers computes them if a checkpoint omits them.
_OWN_TABLES = re.compile(r"(.*\.)?embed_positions\.weights?")
# The most floats that a model may have beyond its file, because transformers computes some itself.
_COMPUTED = 10**7


def from_checkpoint(config: Any, checkpoint: Checkpoint, name: str) -> Any:
    """The `transformers` model of a folder, float32, every tensor from the file.

    Raises:
        NotSupported: if `transformers` has no model of this type.
        ModelBroken: if tensors are missing, left over, or of another shape; `transformers` itself would
            fill in random numbers and continue.
    """
    made = _class(config, checkpoint, name)
    skeleton = _skeleton(made, config, name)
    prefix = skeleton.base_model_prefix
    _refuse_larger(skeleton, checkpoint, name)
    shapes = {key: tuple(tensor.shape) for key, tensor in skeleton.state_dict().items()}
    there = {tensor_names.modern(key, prefix) for key in checkpoint.tensors}
    wanted = _wanted(shapes, there, dict(skeleton.all_tied_weights_keys), prefix)
    others = _head_names(config, checkpoint, prefix)
    if not _converted(skeleton):  # then the names in the file are those of the model
        own = {tensor_names.modern(key, prefix): key for key in wanted}
        tensor_names.fit(own, checkpoint.shapes(), shapes, name, prefix, spare=others)
    source: dict[str, Any] = {"pretrained_model_name_or_path": checkpoint.folder}
    # Other names of files or tensors, or an adapter, are not for transformers; it takes tensors in
    # their file as they are, without a copy.
    if checkpoint.mapped or not checkpoint.as_stored:
        made = type(skeleton)
        state = {key: checkpoint.tensor(key, name) for key in checkpoint.tensors}
        source = {"pretrained_model_name_or_path": None, "state_dict": state}
    try:
        with _quiet():
            model, info = made.from_pretrained(
                **source,
                config=config,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                attn_implementation="eager",
                # the default is the file's own type, which may have half the precision
                dtype=torch.float32,
                disable_mmap=True,  # see `weight_files`
                output_loading_info=True,
            )
    except Exception as error:  # it may raise any exception of its parts
        raise _unreadable(name, error) from error
    # transformers reports parameters that it left at random numbers; nothing else would reveal them.
    missing = sorted(key for key in info["missing_keys"] if key in wanted)
    if missing:
        raise ModelBroken(
            "“{name}” is incomplete: transformers did not find {missing} in its weights "
            "({n_missing} missing in all). Choose another copy.",
            name=name,
            missing=", ".join(missing[:3]),
            n_missing=len(missing),
        )
    left = sorted(key for key in info["unexpected_keys"] if not _known(key, others, prefix))
    if left:
        raise ModelBroken(
            "“{name}” contains tensors that its config.json does not explain: {left} left "
            "over. Ignoring them could give wrong numbers, and Polysee refuses the model.",
            name=name,
            left=", ".join(left[:3]),
        )
    if not checkpoint.mapped:
        refuse_not_finite(model, name)
    return model


def own_names(config: Any, checkpoint: Checkpoint, name: str) -> Checkpoint:
    """A checkpoint whose tensors have the names of their class, without those of wrappers."""
    if not all(key.startswith("model.") for key in checkpoint.tensors):
        return _inside(config, checkpoint.unwrapped(own_model=True), name)
    skeleton = _skeleton(_class(config, checkpoint, name), config, name)
    own = skeleton.base_model_prefix == "model" or hasattr(skeleton, "model")
    return _inside(config, checkpoint.unwrapped(own_model=own), name)


def _inside(config: Any, checkpoint: Checkpoint, name: str) -> Checkpoint:
    """The same without the name of a module of somebody's own, if all names begin with it."""
    if len({key.partition(".")[0] for key in checkpoint.tensors}) != 1:
        return checkpoint
    skeleton = _skeleton(_class(config, checkpoint, name), config, name)
    prefix = skeleton.base_model_prefix
    tied = dict(skeleton.all_tied_weights_keys)
    wanted = {
        tensor_names.modern(key, prefix)
        for key, _ in skeleton.named_parameters()
        if key not in tied and not tensor_names.optional(tensor_names.modern(key, prefix))
    }
    return checkpoint if _converted(skeleton) else checkpoint.inside(wanted, prefix)


def _class(config: Any, checkpoint: Checkpoint, name: str) -> Any:
    """The class without a head; or the class that was saved, if that contains another model.

    T5's encoder alone, or BART's decoder, has the type of the whole model: only `architectures`
    distinguishes them. The saved class also knows which tensors are tied, if the file holds only the
    head's copy.
    """
    from transformers import AutoModel
    from transformers.models.auto.modeling_auto import MODEL_MAPPING

    base, saved = MODEL_MAPPING.get(type(config), None), _saved_class(config, checkpoint)
    if base is None and saved is None:
        raise NotSupported(
            "“{name}” is a model of the type {model_type}, for which transformers has no "
            "text model. Choose another.",
            name=name,
            model_type=str(config.model_type)[:40],
        )
    if base is None:
        return saved
    if saved is None or saved is base:
        return AutoModel
    whole = _skeleton(saved, config, name)
    try:
        own = _skeleton(AutoModel, config, name)
    except ModelBroken:  # the whole model cannot be built with the settings of its part
        return saved
    prefix = own.base_model_prefix
    inside = {tensor_names.modern(key, prefix) for key in whole.state_dict()}
    another = any(key not in inside and not tensor_names.optional(key) for key in own.state_dict())
    return saved if another or _stored_by_head(own, whole, checkpoint, prefix) else AutoModel


def _saved_class(config: Any, checkpoint: Checkpoint) -> Any:
    """The `transformers` class that a model was saved as; None if it has another configuration."""
    import transformers

    saved = getattr(transformers, checkpoint.saved_as, None) if checkpoint.saved_as else None
    fits = isinstance(saved, type) and getattr(saved, "config_class", None) is type(config)
    return saved if fits else None


def _stored_by_head(own: Any, whole: Any, checkpoint: Checkpoint, prefix: str) -> bool:
    """Whether the file holds one of the model's tensors only under its name in the head."""
    there = {tensor_names.modern(key, prefix) for key in checkpoint.tensors}
    mine = {tensor_names.modern(key, prefix) for key in own.state_dict()}
    tied = [
        {tensor_names.modern(key, prefix) for key in pair}
        for pair in whole.all_tied_weights_keys.items()
    ]
    return any(pair & mine and pair & there and not pair & mine & there for pair in tied)


def _skeleton(made: Any, config: Any, name: str) -> Any:
    """A model with shapes but without memory."""
    try:
        with shapes_alone():
            # A copy, because a class may change the settings that it receives.
            own = copy.deepcopy(config)
            return made.from_config(own) if hasattr(made, "from_config") else made(own)
    except Exception as error:  # it may raise any exception of its parts
        raise _unreadable(name, error) from error


def _refuse_larger(skeleton: Any, checkpoint: Checkpoint, name: str) -> None:
    """Raise ModelBroken for a model with more parameters than its file, before memory is allocated."""
    needed = sum(
        tensor.numel() for key, tensor in skeleton.named_parameters() if not tensor_names.optional(key)
    )
    there = sum(math.prod(header.shape) for header in checkpoint.tensors.values())
    if needed > there + _COMPUTED:
        raise ModelBroken(
            "The weights of “{name}” do not fit its config.json: it needs {needed:,} "
            "numbers, and the weights have {there:,}. One of the two files belongs to "
            "another model, or the weights are incomplete.",
            name=name,
            needed=needed,
            there=there,
        )


def _converted(skeleton: Any) -> bool:
    """Whether `transformers` merges or renames tensors when it reads a checkpoint."""
    from transformers.conversion_mapping import get_model_conversion_mapping

    return bool(get_model_conversion_mapping(skeleton, add_legacy=False))


def _head_names(config: Any, checkpoint: Checkpoint, prefix: str) -> frozenset[str]:
    """The tensors of the saved class that are not the model's own: they belong to its head."""
    saved = _saved_class(config, checkpoint)
    if saved is None:
        return frozenset()
    try:
        whole = _skeleton(saved, config, checkpoint.folder.name)
    except ModelBroken:  # a class that cannot be built has no names
        return frozenset()
    state = whole.state_dict()
    return frozenset(tensor_names.modern(key, prefix) for key in (*state, *as_stored(whole, state)))


def as_stored(model: Any, state: Mapping[str, torch.Tensor]) -> Mapping[str, torch.Tensor]:
    """The tensors of a model, by their names in a checkpoint.

    `transformers` renames some of them when it reads a checkpoint, and merges others.
    """
    from transformers.core_model_loading import revert_weight_conversion

    try:
        stored: Mapping[str, torch.Tensor] = revert_weight_conversion(model, dict(state))
    except Exception:  # a conversion that cannot be inverted
        return state
    return stored


def _known(key: str, others: frozenset[str], prefix: str) -> bool:
    """Whether an unneeded tensor belongs to a head, or was never learned."""
    today = tensor_names.modern(key, prefix)
    return today in others or key in others or tensor_names.optional(today)


def _wanted(
    shapes: Mapping[str, Any], there: set[str], tied: Mapping[str, str], prefix: str
) -> list[str]:
    """The tensors that the file must hold; of several tied ones, those that it holds, or one.

    Args:
        shapes: the names of all tensors of the model.
        there: the current names of the tensors in the file.
        tied: tensors that are tied to another: their names -> its name.
        prefix: see `names.modern`.
    """
    stored = {
        key for key in (*shapes, *tied, *tied.values()) if tensor_names.modern(key, prefix) in there
    }
    one = {name: {name} for name in tied.values()}
    for name, source in tied.items():
        one[source].add(name)
    spare: set[str] = set()
    for source, group in one.items():
        spare |= group - stored if group & stored else group - {source}
    return [
        name
        for name in shapes
        if not tensor_names.NOT_NEEDED.fullmatch(tensor_names.modern(name, prefix))
        and (name in stored or not (name in spare or _OWN_TABLES.fullmatch(name)))
    ]


def refuse_not_finite(model: Any, name: str) -> None:
    """Raise ModelBroken if a weight is infinite or NaN, for example after a failed training."""
    if not all(torch.isfinite(tensor).all() for tensor in model.parameters()):
        raise ModelBroken(
            "“{name}” contains numbers that are infinite or not a number. Choose another "
            "copy of the model.",
            name=name,
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the progress bar and report of `transformers`: problems become errors instead."""
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
    return ModelBroken(
        "transformers cannot read “{name}”: {in_short} Choose another copy of the model.",
        name=name,
        in_short=in_short(error),
    )
