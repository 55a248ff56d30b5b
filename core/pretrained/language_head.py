"""The head that predicts words, built at the first request for it.

It is the `transformers` class with that head, so that every detail after the last layer is the
original: T5's scaling, BART's bias for each token, BERT's additional layer. Its model is replaced by a
stub that passes on the vectors which one of our engines computed. One implementation therefore serves
both engines, only the head's own tensors are read, and a head that shares the word-embedding table uses
the engine's. A second complete model would double the memory, and our own code for sixteen heads would
invite sixteen errors.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor, nn

from ..errors import ModelBroken
from ..transformer.attention import soft_capped
from ..transformer.shapes_alone import shapes_alone
from .build_lock import BUILDING
from .engines import published, widened
from .engines.engine import Engine
from .engines.families import Kind
from .engines.packed import PackedMatrix
from .engines.scratch import ScratchDecoder
from .engines.scratch_pair import ScratchPair
from .files import mapped, tensor_names
from .files.checkpoint import Checkpoint
from .head_tensor_names import WordHead, class_of, known_head

# The tensors of a head, by their current names; each is read on demand.
Tensors = Mapping[str, Callable[[], Tensor]]


class LanguageHead:
    """Maps a model's final vectors to a logit for each token of its vocabulary. Thread-safe."""

    def __init__(
        self, config: Any, head: WordHead | None, tensors: Tensors, runner: Engine, name: str
    ) -> None:
        """Store the ingredients; nothing is read or computed yet.

        Args:
            config: the configuration of the model.
            head: the tensors that belong to it.
            tensors: see `of_checkpoint` and `of_model`.
            runner: the engine that computes its input vectors.
            name: the name of the model in messages.
        """
        self._config = config
        self._head = head
        self._tensors = tensors
        self._runner = runner
        self._name = name
        self._module: Any = None
        self._ours: tuple[Tensor, Tensor | None] | None = None

    def logits(self, vectors_LD: Tensor) -> Tensor:
        """(L, V) logits of L vectors, (L, D), as the last layer and the final norm return them.

        Raises:
            ModelBroken: if the head's tensors do not fit the configuration, or are not finite.
        """
        if (ours := self._of_ours()) is not None:
            if (table := self._packed_table(*ours)) is not None:
                return self.capped(table.times(vectors_LD * self.scale))
            return self.capped(widened.product(vectors_LD * self.scale, *ours))
        return _logits(self._built(), vectors_LD)

    def _packed_table(self, matrix_VD: Tensor, bias_V: Tensor | None) -> PackedMatrix | None:
        """The table of our own transformer as a packed matrix, if the logits are its products."""
        runner = self._runner
        if isinstance(runner, ScratchDecoder) and matrix_VD is runner.table and bias_V is None:
            return runner.packed_table
        return None

    def release(self) -> None:
        """Give the memory of the matrix back until it is used again, if it lies in a mapped file."""
        if (ours := self._of_ours()) is not None:
            mapped.release(ours[0])
        else:
            mapped.release(self._runner.table)

    @property
    def _cap(self) -> float:
        """The largest logit of a decoder that our own transformer runs; 0: there is none."""
        return (
            self._runner.decoder.config.logit_cap if isinstance(self._runner, ScratchDecoder) else 0.0
        )

    @property
    def scale(self) -> float:
        """The factor of a vector before the matrix that predicts tokens."""
        runner = self._runner
        if isinstance(runner, ScratchDecoder):
            return runner.decoder.config.logit_scale
        return runner.head_scale if isinstance(runner, ScratchPair) else 1.0

    def capped(self, logits: Tensor) -> Tensor:
        """The logits, capped where the model does so."""
        return soft_capped(logits, self._cap) if self._cap else logits

    def _of_ours(self) -> tuple[Tensor, Tensor | None] | None:
        """The matrix and the bias of a decoder that our own transformer runs; None for any other model.

        In each of these families the head is these, a factor, a cap, and nothing else: the class of
        `transformers` would do the same, and takes two seconds to import.
        """
        ours = isinstance(self._runner, ScratchDecoder | ScratchPair)
        if self._ours is None and ours and self._is_linear:
            head = self._head
            assert head is not None
            with BUILDING, torch.inference_mode(False):
                bias_V = None
                for bias in (*head.bias, *head.optional):
                    if (read := self._tensors.get(bias)) is not None:
                        bias_V = _real(read(), bias, self._name).to(self._runner.device).flatten()
                    elif bias in head.bias:
                        return None
                stored = self._tensors.get(head.output)
                if stored is None:
                    tied = getattr(self._config, "tie_word_embeddings", False)
                    self._ours = (self._runner.table, bias_V) if tied else None
                else:
                    table, own = self._runner.table, stored()
                    # In half precision where the rest of the model is.
                    half = own.dtype in widened.HALVES and table.dtype in widened.HALVES
                    own = _real(own, head.output, self._name, half=half).to(self._runner.device)
                    if own.shape == table.shape:  # another shape is said when it is built
                        same = own.dtype == table.dtype and torch.equal(own, table)
                        self._ours = (table if same else own), bias_V
        return self._ours

    @property
    def _is_linear(self) -> bool:
        """Whether the head is a matrix, with or without one bias."""
        head = self._head
        # BART's bias may be missing: it is then 0.
        return head is not None and head.alone and len(head.bias + head.optional) < 2

    def matrix(self) -> Tensor | None:
        """(V, D): the matrix whose rows, times a vector, are the logits; None if a head does more."""
        head = self._head
        if head is None or not self._is_linear or head.bias or head.optional or self._cap:
            return None
        if isinstance(self._runner, ScratchDecoder) and self.scale != 1:
            return None
        if (ours := self._of_ours()) is not None:
            return ours[0]
        output = head.output
        made: Mapping[str, Tensor] = self._built().state_dict()
        return next((t for key, t in made.items() if tensor_names.modern(key) == output), None)

    def linear(self) -> tuple[Tensor, Tensor | None] | None:
        """(V, D) and (V,): matrix and bias, between `scale` and `capped`; None if a head does more."""
        ours = self._of_ours()
        matrix_VD = self.matrix() if ours is None else None
        return ours if matrix_VD is None else (matrix_VD, None)

    def _built(self) -> Any:
        if self._module is None:
            with BUILDING, torch.inference_mode(False):  # the head outlives the request
                if self._module is None:
                    assert self._head is not None
                    self._module = _made(
                        self._config, self._head, self._tensors, self._runner, self._name
                    )
        return self._module


class GivenLogits:
    """In place of a `LanguageHead`, where `Engine.last` gives the logits of an object's own head."""

    def logits(self, logits_LV: Tensor) -> Tensor:
        """The same (L, V) logits."""
        return logits_LV

    def release(self) -> None:
        """Nothing is mapped here."""


def head_of(config: Any, kind: Kind, runner: Engine, own: str = "") -> WordHead | None:
    """The head that predicts words in a model of this type; None if the type has none.

    Args:
        config: the configuration.
        kind: the kind of the model.
        runner: the engine that runs it.
        own: the class of the model, or the class that it was saved from.
    """
    if (known := known_head(config, kind)) is not None:
        return known
    auto = class_of(config, kind, own)
    if not auto:
        return None
    try:
        module, matrix, stored = _empty(auto, config, runner)
        output = tensor_names.modern(matrix)
        width = getattr(runner, "width", runner.shape.d_model)
        _logits(module, torch.empty((1, width), device="meta"))
    except Exception:  # classes from elsewhere may raise any exception
        return None
    keys = [tensor_names.modern(key) for key in module.state_dict()]
    zeros = {tensor_names.modern(key) for key, _ in module.named_buffers()}
    return WordHead(
        "masked" if kind == "encoder" else "next",
        auto,
        output,
        optional=tuple(key for key in keys if key in zeros),
        others=tuple(key for key in keys if key not in zeros and key != output),
        spare=frozenset(tensor_names.modern(key) for key in module.all_tied_weights_keys),
        stored={
            tensor_names.modern(key): tensor_names.modern(stored.get(key, key))
            for key in module.state_dict()
        },
    )


def of_checkpoint(checkpoint: Checkpoint, head: WordHead | None) -> Tensors:
    """The tensors of a head in a folder, read on demand."""
    wanted = head.names() if head else ()
    today = {head.stored.get(name, name): name for name in wanted} if head else {}
    today |= {name: name for name in wanted}
    return {
        today[key]: partial(checkpoint.tensor, name, checkpoint.folder.name)
        for name in checkpoint.tensors
        if (key := tensor_names.modern(name)) in today
    }


def of_model(model: Any, head: WordHead | None, runner: Engine, *, share: bool) -> Tensors:
    """The tensors of a head in a model object, at their current values.

    `share`: whether they follow further training of the model, like the rest of the huggingface engine;
    otherwise they are copied, as in the scratch engine.
    """
    wanted = set(head.names() if head else ())
    table = model.get_input_embeddings().weight
    result: dict[str, Callable[[], Tensor]] = {}
    for name, tensor in model.state_dict().items():
        if tensor_names.modern(name) not in wanted:
            continue
        if tensor.data_ptr() == table.data_ptr():
            result[tensor_names.modern(name)] = partial(getattr, runner, "table")
            continue
        own = tensor.detach()
        if own.is_floating_point():
            own = own.to(runner.device, torch.float32)
        if own.data_ptr() == tensor.data_ptr() and not share:
            own = own.clone()
        result[tensor_names.modern(name)] = partial(_same, own)
    return result


def _logits(module: Any, vectors_LD: Tensor) -> Tensor:
    """(L, V) logits from a class whose model is a stub."""
    vectors_BLD = vectors_LD[None]
    inputs: dict[str, Any] = {"inputs_embeds": vectors_BLD}
    if module.config.is_encoder_decoder:
        answer = _Answer((vectors_BLD,))
        inputs = {"decoder_inputs_embeds": vectors_BLD, "encoder_outputs": answer}
    logits_BLV: Tensor = module(**inputs).logits
    return logits_BLV[0]


def _same(tensor: Tensor) -> Tensor:
    return tensor


class _Answer(tuple[Tensor, ...]):
    """The output of the stub: its vectors, and nothing else that a class may look for."""

    @property
    def last_hidden_state(self) -> Tensor:
        return self[0]

    def __getattr__(self, name: str) -> None:
        return None


class _Stub(nn.Module):
    """A model that returns the vectors it is given; all other attributes are those of the real one."""

    def __init__(self, like: Any) -> None:
        super().__init__()
        self._like = [like]  # in a list, so that it does not become a submodule

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.__dict__["_like"][0], name)

    @property
    def decoder(self) -> _Stub:
        """Itself: OPT's class looks for the decoder inside its model."""
        return self

    def forward(
        self,
        *_: Any,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        **__: Any,
    ) -> _Answer:
        vectors = inputs_embeds if decoder_inputs_embeds is None else decoder_inputs_embeds
        assert vectors is not None
        return _Answer((vectors,))


def _empty(auto: str, config: Any, runner: Engine) -> tuple[Any, str, dict[str, str]]:
    """The class with the head, and a stub in place of its model: shapes without memory.

    Returns:
        The module, the name of its last matrix, and the names of its tensors in a checkpoint.
    """
    import transformers

    made, copied = getattr(transformers, auto), copy.deepcopy(config)
    with shapes_alone():  # no parameter can stay at a random value
        module = made.from_config(copied) if auto.startswith("Auto") else made(copied)
    modules = {id(part): name for name, part in module.named_modules()}
    output = modules.get(id(module.get_output_embeddings()), "")
    state = module.state_dict()
    own = {id(tensor): name for name, tensor in state.items()}
    stored = {
        own.get(id(tensor), ""): name for name, tensor in published.as_stored(module, state).items()
    }
    for part in _model_parts(module, getattr(runner, "model", nn.Module())):
        setattr(module, part, _Stub(getattr(runner, "model", None)))
    return module, f"{output}.weight", stored


def _model_parts(module: Any, model: nn.Module) -> list[str]:
    """The submodules of a class with a head that make up the model which an engine runs."""
    same = [name for name, part in module.named_children() if type(part) is type(model)]
    if same or hasattr(module, module.base_model_prefix):
        return same or [module.base_model_prefix]
    # In T5 and similar models, the parts of the headless model are stored beside the head.
    beside = [name for name, part in model.named_children() if not isinstance(part, nn.Identity)]
    head = module.get_output_embeddings()
    return beside or [name for name, part in module.named_children() if part is not head]


def _made(config: Any, head: WordHead, tensors: Tensors, runner: Engine, name: str) -> Any:
    """The class with the head: a stub in place of its model, and its own tensors."""
    module, _, _ = _empty(head.auto, config, runner)
    tied = dict(module.all_tied_weights_keys)
    shapes = {key: tuple(tensor.shape) for key, tensor in module.state_dict().items()}
    # a tensor that two parts share is read once
    tensors = {key: cache(read) for key, read in tensors.items()}
    state = {key: _tensor(key, shapes, head, tensors, tied, runner, name) for key in shapes}
    for key, tensor in state.items():
        if tuple(tensor.shape) != shapes[key]:
            raise ModelBroken(
                "The weights of “{name}” do not fit its config.json: {key} is {tuple}, and the "
                "configuration needs {shapes}.",
                name=name,
                key=key,
                tuple=tuple(tensor.shape),
                shapes=shapes[key],
            )
    # Detached: otherwise it would take over the table of the caller's model, and prevent its training.
    module.load_state_dict({k: t.detach() for k, t in state.items()}, strict=True, assign=True)
    return module.eval().requires_grad_(False)


def _tensor(
    key: str,
    shapes: Mapping[str, Any],
    head: WordHead,
    tensors: Tensors,
    tied: Mapping[str, str],
    runner: Engine,
    name: str,
) -> Tensor:
    """A tensor of the head: stored, tied to a stored tensor, or tied to the model's table."""
    source = tied.get(key, key)
    one = [key, source, *(other for other, whose in tied.items() if whose == source)]
    stored = next((other for other in one if other in tensors), None)
    if stored is not None:
        tensor = _real(tensors[stored](), stored, name).to(runner.device)
        # Both are stored and equal, so either will do.
        table = runner.table.float()
        same = key == head.output and torch.equal(tensor, table)
        return table if same else tensor
    if source not in shapes:
        return _of_model(runner, source)
    if key in head.optional:
        return torch.zeros(shapes[key], device=runner.device)
    raise ModelBroken(
        "“{name}” is incomplete: {key} of its head is missing. Choose another copy.",
        name=name,
        key=key,
    )


def _of_model(runner: Engine, source: str) -> Tensor:
    """A tensor of the model itself, usually its table, by its name in the class with the head."""
    there = dict(getattr(runner, "model", nn.Module()).named_parameters())
    inner = source.partition(".")[2]  # without the name of the model within the class
    return next((there[name] for name in (inner, source) if name in there), runner.table.float())


def _real(tensor: Tensor, key: str, name: str, *, half: bool = False) -> Tensor:
    """Real and finite numbers, as float32 unless they are to keep half precision."""
    if not tensor.is_floating_point() or not widened.finite(tensor):
        raise ModelBroken(
            "“{name}” contains numbers in {key} that are infinite or not real. Choose another copy.",
            name=name,
            key=key,
        )
    return tensor if half else tensor.float()
