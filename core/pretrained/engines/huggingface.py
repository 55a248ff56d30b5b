"""The huggingface engine: `transformers` itself, the reference for our own."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from ...errors import NotSupported
from . import anatomy, edits, families, recording
from .anatomy import Anatomy, Part
from .engine import Batch, Cross, Gives, Keep, Run, Seq2SeqRun, Shape
from .lent import Lent, repeatable
from .recording import Call

# Values that `transformers` does not return, by the name of the module that computes them.
_tapped: ContextVar[dict[str, Tensor] | None] = ContextVar("polysee_tapped", default=None)


class _Ran(NamedTuple):
    """One run: the outputs of `transformers`, attention calls by owner and layer, tapped values."""

    out: Any
    calls: Mapping[tuple[Part, int], Call]
    taps: Mapping[str, Tensor]


class _Engine:
    """The common part of the engines for one stack and for two.

    Attributes:
        model: our own copy of a model, or somebody's object itself.
        lent: how to run that object without a trace; None for a copy.
        whole: the same object with its head, which computes the logits; None if it predicts no words.
    """

    def __init__(self, model: Any, device: str, name: str, lent: Lent | None = None) -> None:
        self.lent = lent
        self.whole: Any = None
        self.model = own_copy(model, device) if lent is None else lent.model
        self.device = device
        self._name = name
        most = families.max_tokens(self.model.config, None)
        with nullcontext() if lent is None else lent.learning():
            attention = edits.attention_of(self.model.config) or "eager"
            self.anatomy: Anatomy = anatomy.explore(self.model, name, most, attention)
            self._takes = anatomy.takes(self.model)
        if lent is None:
            _tap(self.model, self.anatomy)

    @property
    def table(self) -> Tensor:
        """See `Engine.table`."""
        return self._table("own")

    @property
    def n_vocabulary(self) -> int:
        """See `Engine.n_vocabulary`."""
        return len(self._table("decoder" if "decoder" in self.anatomy.stacks else "own"))

    def _table(self, part: Part) -> Tensor:
        """(V, E): the table of a stack. A decoder may have its own."""
        model: Any = self.model
        own = model.get_decoder() if part == "decoder" else model
        table = getattr(own, "get_input_embeddings", model.get_input_embeddings)()
        weight: Tensor = table.weight
        return weight

    def _ran(self, keep: Keep, inputs: Mapping[str, Any], target: int = 0) -> _Ran:
        """Run once for what `keep` selects. `target`: the number of tokens that a decoder reads."""
        with_attention, model_anatomy = keep != "hidden", self.anatomy
        more = {
            "output_hidden_states": True,
            "output_attentions": with_attention and bool(model_anatomy.why),
        }
        taps: dict[str, Tensor] = {}
        token = _tapped.set(taps)
        # With keep="hidden", nothing is recorded: recording would hold the scores of every layer for
        # nothing.
        try:
            with self._ready():
                if self.lent is not None:
                    _tap(self.model, model_anatomy)  # taken away again after the run
                if with_attention and model_anatomy.calls:
                    with recording.recording() as calls:
                        out = self._asked(inputs, **more)
                else:
                    calls, out = [], self._asked(inputs, **more)
        finally:
            _tapped.reset(token)
        if with_attention and len(calls) != len(model_anatomy.calls):
            raise NotSupported(
                "“{name}” does not let its attention be recorded: of {n_calls} calls, "
                "{n_calls2} answered.",
                name=self._name,
                n_calls=len(model_anatomy.calls),
                n_calls2=len(calls),
            )
        by_layer = anatomy.sorted_out(calls, model_anatomy.calls, target) if calls else {}
        return _Ran(out, by_layer, taps)

    def _ready(self) -> AbstractContextManager[None]:
        """A context in which the model may be run."""
        if self.lent is not None:
            return self.lent.borrowed()
        # Reformer sorts tokens into buckets by random directions
        return repeatable(self.model) if hasattr(self.model.config, "hash_seed") else nullcontext()

    def _asked(self, inputs: Mapping[str, Any], **more: bool) -> Any:
        """The output of the model; on the device where it is."""
        if self.lent is None:
            return self.model(**inputs, **anatomy.quietly(self.model), **more)
        return anatomy.asked(self.model, _there(inputs, self.table.device), **more)

    def recorded(self, inputs: Mapping[str, Any]) -> Any:
        """The output of `transformers` in a run whose attention is recorded."""
        target = inputs.get("decoder_input_ids", inputs["input_ids"]).shape[1]
        with torch.no_grad():
            return self._ran("attention", inputs, target).out

    def hides_every_token(self, inputs: Mapping[str, Any]) -> bool:
        """Whether in such a run some layer hides every token from some token."""
        target = inputs.get("decoder_input_ids", inputs["input_ids"]).shape[1]
        with torch.no_grad():
            calls = self._ran("attention", inputs, target).calls.values()
        masks = (call.mask_BHLM for call in calls if call.mask_BHLM is not None)
        return any(bool(recording.hidden_and_bias(mask)[0].all(dim=-1).any()) for mask in masks)

    def logits(self, inputs: Mapping[str, Any]) -> Tensor:
        """(B, L, V): what the head of somebody's object gives, hooks and all."""
        assert self.whole is not None
        with self._ready():
            out = anatomy.asked(self.whole, _there(inputs, self.table.device))
        # a model that was pre-trained on two tasks has two heads
        given: Tensor = out["logits"] if "logits" in out else out["prediction_logits"]
        return given.float()

    def _run(self, ran: _Ran, ids_BL: Tensor, part: Part, keep: Keep) -> Run:
        """The results of one stack."""
        stack, with_attention = self.anatomy.stacks[part], keep != "hidden"
        hidden = list(anatomy.hidden_of(ran.out, part, stack.streams_first))
        if stack.raw:
            hidden[-1] = anatomy.side_by_side(ran.taps[f"into {stack.raw}"], stack.streams_first)
        if self.lent is not None:  # a hook may make of this text what it made of no other
            for layer, state in enumerate(hidden):
                anatomy.refuse_not_numbers(state, layer, self._name)
        if stack.final is None:
            final = None
        else:
            last = anatomy.last_of(ran.out, part)
            final = ran.taps[f"out of {stack.final}"] if stack.final else last
        attention = self._attention(ran, part, stack.shape.n_layers, keep) if with_attention else {}
        table = self._table(part)
        run = Run(
            # The row itself: BART's own look-up would scale it.
            learned_BLE=nn.functional.embedding(ids_BL.to(table.device), table),
            embedded_BLD=hidden[0],  # the input of layer 0
            hidden_BLD=tuple(hidden[1:]),
            final_BLD=final,
            causal=stack.causal,
            why_no_products=self.anatomy.why.get(part, ""),
            **attention,
        )
        return run if self.lent is None else _in_float32(run)

    def _attention(self, ran: _Ran, part: Part, n_layers: int, keep: Keep) -> dict[str, Any]:
        """The fields of a `Run` or `Cross` about attention."""
        if part in self.anatomy.why:
            return {
                "weights_BHLM": self._given(ran.out, part),
                "outside": self.anatomy.outside.get(part),
            }
        calls = [ran.calls.get((part, layer)) for layer in range(n_layers)]
        names = ["weights_BHLM", *([] if part == "cross" else ["mask_BHLM"])]
        if keep == "all":
            names += ["query_BHLK", "key_BHMK", "value_BHMK"]
            names += [] if part == "cross" else ["bias_BHLM"]
        given: dict[str, Any] = {name: _each(calls, name) for name in names}
        if keep == "all":
            given |= {"scale": _scale(calls), "softcap": _softcap(calls)}
        return given | {"outside": self.anatomy.outside.get(part)}

    def _given(self, out: Any, part: Part) -> tuple[Tensor, ...]:
        """The weights of a part that exposes nothing else."""
        lengths = {other: anatomy.last_of(out, other).shape[1] for other in self.anatomy.stacks}
        keys = lengths["encoder" if part == "cross" else part]
        queries = lengths["decoder" if part == "cross" else part]
        config: Any = self.model.config
        weights = anatomy.weights_of(out, part, config.model_type)
        if any(one.shape[2:] != (queries, keys) for one in weights):
            raise NotSupported(
                "“{name}” gives no weight for each pair of {queries} tokens: for texts of this "
                "length, it attends in another way. Shorten the text.",
                name=self._name,
                queries=queries,
            )
        return weights

    def _last(self, part: Part, **inputs: Any) -> Tensor:
        """(B, L, D): the input of a head."""
        with self._ready():
            out = self._asked(inputs, output_hidden_states=self.anatomy.headed)
        return anatomy.last_of(out, part).float()

    def _reads(self, batch: Batch) -> dict[str, Any]:
        """A batch as arguments of `transformers`."""
        # Always with a mask, as from a tokenizer: without it, XLM and others guess where the padding
        # is.
        mask_BL = torch.ones_like(batch.ids_BL) if batch.mask_BL is None else batch.mask_BL.long()
        inputs = {"input_ids": batch.ids_BL, "attention_mask": mask_BL}
        if "token_type_ids" in self._takes and families.token_types(self.model.config) > 1:
            inputs["token_type_ids"] = batch.segments_BL
        return inputs


class HuggingFaceEngine(_Engine):
    """A `transformers` encoder or decoder. The given model stays unchanged."""

    def __init__(self, model: Any, device: str, name: str, lent: Lent | None = None) -> None:
        super().__init__(model, device, name, lent)
        self.shape = _shape(self.anatomy, "own", self.table)
        self.gives = _gives(self.anatomy, "own")
        self.causal = self.anatomy.stacks["own"].causal
        self.width = self.anatomy.stacks["own"].width
        self._follows: bool | None = None  # found out when it is first asked

    def run(self, batch: Batch, keep: Keep) -> Run:
        """See `Engine.run`."""
        return self._run(self._ran(keep, self._reads(batch)), batch.ids_BL, "own", keep)

    def last(self, batch: Batch) -> Tensor:
        """See `Engine.last`."""
        if self.whole is not None:
            return self.logits(self._reads(batch))
        return self._last("own", **self._reads(batch))

    def following(self) -> Callable[[Batch], Tensor] | None:
        """See `Engine.following`."""
        if self._follows is None:
            self._follows = self.lent is None and self.causal and self._tried()
        return self._follow() if self._follows else None

    def _follow(self) -> Callable[[Batch], Tensor]:
        past: Any = None
        count = 0

        def read(batch: Batch) -> Tensor:
            nonlocal past, count
            count += batch.ids_BL.shape[1]
            inputs = {
                "input_ids": batch.ids_BL,
                "attention_mask": torch.ones((1, count), dtype=torch.long, device=self.device),
                "past_key_values": past,
                "use_cache": True,
                "return_dict": True,
            }
            with self._ready():
                out = self.model(**inputs, output_hidden_states=self.anatomy.headed)
            past = out.past_key_values
            return anatomy.last_of(out, "own").float()

        return read

    def _tried(self) -> bool:
        """Whether a few tokens, one after the other, give what they give at once.

        A class may take the argument and use a cache of another kind, or none.
        """
        if not {"past_key_values", "use_cache"} <= set(self._takes):
            return False
        ids_BL = torch.arange(1, 6, device=self.device)[None] % self.n_vocabulary
        batch = Batch(ids_BL, torch.zeros_like(ids_BL), None)
        try:
            with torch.inference_mode():
                whole, read = self.last(batch), self._follow()
                parts = [(0, 3), (3, 4), (4, 5)]
                single = torch.cat(
                    [read(Batch(ids_BL[:, a:b], batch.segments_BL[:, a:b], None)) for a, b in parts],
                    dim=1,
                )
        except Exception:  # of any class: it is then run as a whole each time
            return False
        most = 1e-5 * max(1.0, float(whole.abs().max()))
        return whole.shape == single.shape and float((whole - single).abs().max()) <= most


class HuggingFaceSeq2Seq(_Engine):
    """A `transformers` encoder–decoder. The given model stays unchanged."""

    def __init__(self, model: Any, device: str, name: str, lent: Lent | None = None) -> None:
        known = len(model.get_input_embeddings().weight)
        generation = getattr(model, "generation_config", None)
        self.start_id = families.start_id(model.config, known, name, generation)
        super().__init__(model, device, name, lent)
        self.shape = _shape(self.anatomy, "encoder", self.table)
        self.gives = _gives(self.anatomy, "encoder")
        self.decoder_shape = _shape(self.anatomy, "decoder", self.table)
        self.decoder_gives = _gives(self.anatomy, "decoder")
        self.causal = False
        self.width = self.anatomy.stacks["decoder"].width

    def run(self, batch: Batch, keep: Keep) -> Run:
        """Not supported for an encoder–decoder, which reads two texts. See `run_pair`."""
        raise NotImplementedError

    def last(self, batch: Batch) -> Tensor:
        """The final vectors of the encoder alone."""
        vectors: Tensor = self._encoded(batch).last_hidden_state
        return vectors.float()

    def _encoded(self, source: Batch) -> Any:
        reads = _there(self._reads(source), self.table.device)
        model: Any = self.model
        with self._ready():
            return model.get_encoder()(
                input_ids=reads["input_ids"], attention_mask=reads["attention_mask"]
            )

    def following(self) -> None:
        """An encoder–decoder follows a source: see `reading`."""
        return

    def reading(self, source: Batch) -> Callable[[Batch], Tensor]:
        """See `Seq2SeqEngine.reading`."""
        made, mask = self._encoded(source), self._reads(source)["attention_mask"]

        def read(target: Batch) -> Tensor:
            ids_BL = target.ids_BL
            given = {"encoder_outputs": made, "attention_mask": mask, "decoder_input_ids": ids_BL}
            # FSMT requires them, but then does not read them
            if anatomy.needs(self.model, "input_ids"):
                given["input_ids"] = source.ids_BL
            if self.whole is not None:
                return self.logits(given)
            return self._last("decoder", **given)

        return read

    def run_pair(self, source: Batch, target: Batch, keep: Keep) -> Seq2SeqRun:
        """See `Seq2SeqEngine.run_pair`."""
        ids_BL = target.ids_BL
        ran = self._ran(keep, self._reads(source) | {"decoder_input_ids": ids_BL}, ids_BL.shape[1])
        given: dict[str, Any] = {}
        if keep != "hidden":
            given = self._attention(ran, "cross", self.decoder_shape.n_layers, keep)
        cross = Cross(**given, why_no_products=self.anatomy.why.get("cross", ""))
        return Seq2SeqRun(
            self._run(ran, source.ids_BL, "encoder", keep),
            self._run(ran, target.ids_BL, "decoder", keep),
            cross if self.lent is None else _in_float32(cross),
        )


def _there(inputs: Mapping[str, Any], device: torch.device) -> dict[str, Any]:
    """The inputs of a run on this device, as tensors of their own: a model may change its mask."""
    return {
        name: value.to(device).clone() if isinstance(value, Tensor) else value
        for name, value in inputs.items()
    }


_Made = TypeVar("_Made", Run, Cross)


def _in_float32(run: _Made) -> _Made:
    """A run with float32 numbers; rows of weights that half precision has rounded sum to 1 again."""

    def single(value: Any) -> Any:
        if isinstance(value, Tensor):
            return value.float() if value.is_floating_point() else value
        return tuple(map(single, value)) if isinstance(value, tuple) and value else value

    made = type(run)(*(single(value) for value in run))
    half = any(w is not None and w.dtype in (torch.float16, torch.bfloat16) for w in run.weights_BHLM)
    if not half or run.outside is not None:
        return made
    rows = tuple(None if w is None else w / w.sum(-1, keepdim=True) for w in made.weights_BHLM)
    return made._replace(weights_BHLM=rows)


def own_copy(model: Any, device: str) -> Any:
    """The model without its task head, on the device.

    It is a copy, because choosing another attention function would change the caller's model. It shares
    the weights, unless they must be moved or converted.
    """
    base = without_head(model)
    tensors = [*base.parameters(), *base.buffers()]
    as_they_are = all(t.device.type == device and t.dtype is torch.float32 for t in base.parameters())
    own = copy.deepcopy(base, {id(t): t for t in tensors} if as_they_are else {})
    own = own.eval() if as_they_are else own.eval().float().to(device)
    families.settle(own)
    if _headed(own):
        with suppress(AttributeError):  # some models copy their bias; then it is computed, but not used
            own.set_output_embeddings(nn.Identity())
    return own


def _headed(model: Any) -> bool:
    """Whether the model itself contains a head, as T5's does."""
    from transformers.models.auto.modeling_auto import MODEL_MAPPING

    headless = type(model) is MODEL_MAPPING.get(type(model.config), None)
    return not headless and getattr(model, "get_output_embeddings", lambda: None)() is not None


def without_head(model: Any) -> Any:
    """The module that maps tokens to vectors, without a head or a wrapper that only forwards."""
    base = getattr(model, "base_model", model)
    while "input_ids" not in anatomy.takes(base):
        parts = [part for part in base.children() if hasattr(part, "get_input_embeddings")]
        if len(parts) != 1:
            break
        base = parts[0]
    return base


def _tap(model: nn.Module, model_anatomy: Anatomy) -> None:
    """Make the model pass on, in a recording context, values that it does not return.

    The hooks stay in place, and do nothing outside such a context: if they were set for each run, two
    concurrent runs would be mixed up.
    """
    for stack in model_anatomy.stacks.values():
        if stack.raw:
            model.get_submodule(stack.raw).register_forward_pre_hook(partial(_into, stack.raw))
        if stack.final:
            model.get_submodule(stack.final).register_forward_hook(partial(_out_of, stack.final))


def _into(name: str, _: nn.Module, given: tuple[Any, ...]) -> None:
    taps = _tapped.get()
    if taps is not None:
        taps[f"into {name}"] = given[0]


def _out_of(name: str, _: nn.Module, __: tuple[Any, ...], out: Tensor) -> None:
    taps = _tapped.get()
    if taps is not None:
        taps[f"out of {name}"] = out


def _shape(model_anatomy: Anatomy, part: Part, table: Tensor) -> Shape:
    return model_anatomy.stacks[part].shape._replace(d_embedding=table.shape[1])


def _gives(model_anatomy: Anatomy, part: Part) -> Gives:
    stack = model_anatomy.stacks[part]
    return Gives(
        products=part not in model_anatomy.why, final=stack.final is not None, biases=stack.biases
    )


def _each(calls: Sequence[Call | None], name: str) -> tuple[Tensor | None, ...]:
    return tuple(None if call is None else getattr(call, name) for call in calls)


def _scale(calls: Sequence[Call | None]) -> tuple[float, ...] | None:
    """The factor of query·key in each layer; None if it is 1/√d_head everywhere, or unknown."""
    defaults = [None if call is None else call.query_BHLK.shape[-1] ** -0.5 for call in calls]
    scales = [defaults[i] if call is None else call.scale for i, call in enumerate(calls)]
    if scales == defaults:
        return None
    return tuple(1.0 if scale is None else float(scale) for scale in scales)


def _softcap(calls: Sequence[Call | None]) -> float | None:
    return next((call.softcap for call in calls if call is not None), None)
