"""A model object of the caller's: what is inside its wrappers, and which engine computes the same.

Our own transformer reads weights, and an object is more than its weights: hooks, replaced methods,
adapters or masks may change every number. An object is therefore run as it is. Where something was
changed, `transformers` runs the very object. Elsewhere our own transformer, or a copy that shares the
weights, takes its place, after one comparison of their outputs with those of the object.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ..errors import ModelBroken, NotSupported, SettingError, in_short
from ..transformer import Transformer
from .engines import anatomy, edits, scratch, scratch_pair
from .engines.edits import Change
from .engines.engine import Batch, Engine
from .engines.huggingface import (
    HuggingFaceEngine,
    HuggingFaceSeq2Seq,
    own_copy,
    without_head,
)
from .engines.lent import Lent

# The longer and the shorter text of the comparison, in tokens; the shorter one is padded.
_LENGTHS = (17, 9)
_FUNCTION = "_attn_implementation_internal"  # where a configuration names its function for attention
_SEED = 1  # of a second run, which shows whether an object uses random numbers


# The numbers of a decoder that our transformer copies unasked: 2 GB. `transformers` shares them.
MOST_COPIED = 5 * 10**8


class Opened(NamedTuple):
    """An object, and what is inside it.

    Attributes:
        model: the `transformers` model inside any wrappers, with its head.
        base: the part of it that maps tokens to vectors.
        run: what runs the layers as the object does: `base`, or `model` where that itself was changed.
        changes: what was changed on it.
        notes: what else a reader of its numbers should know, in sentences.
    """

    model: Any
    base: Any
    run: Any
    changes: tuple[Change, ...]
    notes: tuple[str, ...]

    @property
    def own(self) -> str:
        """The class of `transformers` that the model is of, or is derived from."""
        kinds = type(self.model).__mro__
        return next((k.__name__ for k in kinds if k.__module__.startswith("transformers.")), "")


class Chosen(NamedTuple):
    """The engine for an object, and what a reader of its numbers should know, in sentences."""

    runner: Engine
    notes: tuple[str, ...]


class _Apart(NamedTuple):
    """How far two computations of the same texts are apart.

    Attributes:
        by: the largest difference.
        most: the largest number of the object's, in that layer.
        where: the layer, in words.
    """

    by: float
    most: float
    where: str

    def __str__(self) -> str:
        return f"up to {self.by:.2g} apart {self.where}, where numbers reach {self.most:.2g}"


def opened(model: Any, name: str) -> Opened:
    """Look inside an object. Nothing of it runs.

    Raises:
        SettingError: if it is no model, or holds several.
        NotSupported: if its wrapper changes the texts that it reads, or it has no weights.
    """
    if not isinstance(model, nn.Module):
        raise SettingError(
            f"core.load takes a name, a folder, a hub id or a transformers model, not "
            f"{type(model).__name__}."
        )
    wrappers: list[Change] = []
    notes: list[str] = []
    while True:
        inner = _inside(model, name)
        if inner is None:
            break
        wrappers += _of_wrapper(model)
        model = inner
    if (inside := _contained(model)) is not None:
        path, inner = inside
        notes.append(
            f"“{name}” is a {type(model).__name__}. Polysee reads the {type(inner).__name__} inside it "
            f"({path}), and shows nothing of what is around that."
        )
        model = inner
    if any(p.device.type == "meta" for p in model.parameters()):
        raise NotSupported(
            f"“{name}” has no weights in memory: its tensors are on torch’s device “meta”, which "
            "stores only shapes. Load it with its weights, and pass that."
        )
    base = without_head(model)
    found = _joined((*wrappers, *edits.changes(model)))
    return Opened(model, base, _to_run(model, base, found), found, (*notes, *_notes(model)))


def scratch_engine(
    whole: Opened, plan: scratch.Plan, device: str, name: str, *, asked: bool
) -> Chosen | str:
    """Our own transformer with the object's weights, if it gives the object's numbers.

    Args:
        whole: the object.
        plan: its parts and sizes.
        device: where our transformer runs.
        name: the name of the model in messages.
        asked: whether the caller asked for our own transformer; otherwise it may decline.

    Returns:
        The engine; or why it would not be the object, as a part of a sentence.

    Raises:
        ModelBroken: if it has no such weights, or they are not finite; only if `asked`.
        NotSupported: if it gives other numbers than the object, and was asked for.
    """
    if whole.changes and not asked:
        return ""
    if plan.family is not None and not asked and _numbers(whole.base) > MOST_COPIED:
        return ""
    try:
        module = scratch.from_state_dict(plan, edits.effective(whole.base), name)
    except ModelBroken:
        if asked or not all(torch.isfinite(p).all() for p in whole.base.parameters()):
            raise
        return "it has other parts than its configuration says"
    runner: scratch.Ours | scratch_pair.ScratchPair
    if isinstance(module, Transformer):
        generation = getattr(whole.model, "generation_config", None)
        runner = scratch_pair.engine(module, whole.base.config, device, name, generation)
        found = _compared_pair(whole, runner, name)
    else:
        runner = scratch.engine(module, device)
        found = _compared(whole, runner, name)
    if found is None or isinstance(found, _Apart):
        if found is None:
            return Chosen(runner, whole.notes + _of_rounding(whole))
        if asked:
            raise NotSupported(
                f"Our own transformer reads only the weights of “{name}”, and gives other numbers than "
                f"the object itself: {found}. {_listed(whole.changes)}Use engine='huggingface', which "
                "runs the object as it is."
            )
        return f"our own transformer, with the same weights, gives other numbers ({found})"
    if asked:
        raise NotSupported(
            f"Our own transformer is not the same as “{name}”: {found}. {_listed(whole.changes)}"
            "Use engine='huggingface', which runs the object as it is."
        )
    return found


def huggingface_engine(whole: Opened, device: str, name: str, why: str = "") -> Chosen:
    """`transformers`: a copy that shares the weights if nothing was changed; else the very object.

    Args:
        whole: the object.
        device: where a copy runs; the object itself stays where it is.
        name: the name of the model in messages.
        why: what `scratch_engine` says about the object.
    """
    if not whole.changes and not why:
        runner = _made(whole.base, device, name, None)
        apart = _same_as_copy(whole, runner)
        if apart is None:
            return Chosen(runner, whole.notes + _of_rounding(whole))
        # Where a layer hides every token, "eager" takes the mean of all and other functions take none.
        if runner.hides_every_token(anatomy.probe(whole.base, "")):
            kinds = _stock_attention(whole.run)
            if kinds and _same_as_copy(whole, runner, eager=True) is None:
                said = _of_attention(name, kinds, apart)
                return Chosen(runner, (*whole.notes, said, *_of_rounding(whole)))
        why = f"a copy of it gives other numbers ({apart})"
    if any(getattr(part, "attention_type", None) == "block_sparse" for part in whole.base.modules()):
        raise NotSupported(
            f"“{name}” was changed, and has sparse attention, which would change for good at its first "
            "short text. Call its set_attention_type('original_full') first, then pass it."
        )
    anatomy.probe(whole.base, name)  # which says if there is no table
    lent = Lent(whole.run)
    there = whole.base.get_input_embeddings().weight.device.type
    runner = _made(whole.run, there, name, lent)
    apart = _same_as_recorded(whole, runner, name)
    if apart is not None:
        raise NotSupported(
            f"“{name}” gives other numbers when its attention is recorded than when it is called: "
            f"{apart}. Polysee takes attention from the eager function of transformers, so a function "
            "that was put in the place of another one (as in ALL_ATTENTION_FUNCTIONS['sdpa'] = …) does "
            "not run. Register yours under a new name with AttentionInterface.register, let it return "
            "its weights, and call set_attn_implementation with that name."
        )
    reason = f"it has {_list(whole.changes)}" if whole.changes else why
    note = f"transformers runs “{name}” as it is, because its weights do not say everything: {reason}."
    more = (*whole.notes, *_of_precision(whole), *_of_chance(whole, lent, name))
    return Chosen(runner, (note, *more))


def heads_agree(whole: Opened, runner: Engine, logits: Any, name: str) -> bool:
    """Whether a head that was rebuilt from its tensors gives the logits of the object's own head.

    An object without a head of its own predicts by its table; there is nothing to compare.
    """
    lent, inputs = Lent(whole.model), _short(whole, name)
    try:
        with lent.borrowed():
            given = anatomy.asked(whole.model, inputs)
        own = next((given[key] for key in ("logits", "prediction_logits") if key in given), None)
    except Exception:  # anything that somebody's class may raise: it has been run without its head
        own = None
    if own is None:
        return True
    ids = inputs["input_ids"].to(runner.device)
    batch = Batch(ids, torch.zeros_like(ids), None)
    with torch.inference_mode():
        if isinstance(runner, HuggingFaceSeq2Seq | scratch_pair.ScratchPair):
            target = inputs["decoder_input_ids"].to(runner.device)
            last = runner.reading(batch)(Batch(target, torch.zeros_like(target), None))
        else:
            last = runner.last(batch)
        rebuilt = logits(last[0])
    return _apart(rebuilt, own[0].float(), "", _bound(whole.model)) is None


def own_logits(whole: Opened, runner: Any, name: str) -> bool:
    """Whether the object's own head gives a logit for each token of a vocabulary."""
    inputs = _short(whole, name)
    length = inputs.get("decoder_input_ids", inputs["input_ids"]).shape[1]
    runner.whole = whole.model
    try:
        given = runner.logits(inputs)
        good = bool(given.ndim == 3 and given.shape[:2] == (1, length) and given.shape[2] > 2)
    except Exception:
        good = False
    if not good:
        runner.whole = None
    return good


def _inside(model: Any, name: str) -> Any | None:
    """What a wrapper wraps that passes its texts on as they are; None if this is no wrapper."""
    if edits.compiled(model) and hasattr(model, "_orig_mod"):
        return model._orig_mod
    if isinstance(model, nn.DataParallel | nn.parallel.DistributedDataParallel):
        return model.module
    if type(model).__module__.startswith("peft.") and hasattr(model, "peft_config"):
        if any(getattr(one, "is_prompt_learning", False) for one in model.peft_config.values()):
            raise NotSupported(
                f"“{name}” has a prompt that PEFT has learned: vectors that it puts before each text, "
                "which are no tokens. Polysee does not read it. Choose an adapter that changes "
                "weights, such as LoRA."
            )
        return model.get_base_model() if hasattr(model, "get_base_model") else model.base_model.model
    return None


def _of_wrapper(model: nn.Module) -> Iterator[Change]:
    wrapped = edits.compiled(model)
    if wrapped:
        yield Change("torch.compile", ("",))
    if model._forward_hooks or model._forward_pre_hooks or ("forward" in vars(model) and not wrapped):
        raise SettingError(
            f"There are hooks on the {type(model).__name__} that wraps the model, or its forward was "
            "replaced, and Polysee runs the model inside. Put them on that model."
        )


def _contained(model: nn.Module) -> tuple[str, Any] | None:
    """The one `transformers` model inside a module of somebody's own, and its place there."""
    from transformers import PreTrainedModel

    if isinstance(model, PreTrainedModel) and _runs_itself(model):
        return None
    inner: list[tuple[str, Any]] = []
    for path, part in model.named_modules():
        within = any(path.startswith(f"{other}.") for other, _ in inner)
        if path and not within and isinstance(part, PreTrainedModel) and _runs_itself(part):
            inner.append((path, part))
    if len(inner) == 1:
        return inner[0]
    if inner:
        names = " and ".join(path for path, _ in inner[:3])
        raise SettingError(
            f"A {type(model).__name__} contains several transformers models ({names}). Pass one of "
            "them."
        )
    raise SettingError(
        f"core.load takes a name, a folder, a hub id or a transformers model, not "
        f"{type(model).__name__}, in which there is none."
    )


def _runs_itself(model: Any) -> bool:
    """Whether the class of `transformers` that a model is of says how it runs."""
    kinds = type(model).__mro__
    usual: Any = next(kind for kind in kinds if kind.__module__.startswith("transformers."))
    return usual.forward is not nn.Module.forward


def _to_run(model: Any, base: Any, found: Sequence[Change]) -> Any:
    """The base; or the whole model, if a module around the base was changed that still returns all."""
    if base is model:
        return base
    path = next((name for name, part in model.named_modules() if part is base), "")
    around = {".".join(path.split(".")[:i]) for i in range(len(path.split(".")))}
    changed = any(where in around for change in found for where in change.where)
    if not changed:
        return base
    lent = Lent(model)
    try:
        with lent.borrowed():
            out = anatomy.asked(model, anatomy.probe(base, ""), output_hidden_states=True)
        parts: tuple[anatomy.Part, ...] = ("encoder", "decoder") if anatomy.paired(base) else ("own",)
        return model if all(len(anatomy.hidden_of(out, part)) > 1 for part in parts) else base
    except Exception:  # a forward of somebody's own may return, or raise, anything
        return base


def _joined(found: Sequence[Change]) -> tuple[Change, ...]:
    """The changes, each kind once."""
    places: dict[str, tuple[str, ...]] = {}
    for change in found:
        places[change.what] = (*places.get(change.what, ()), *change.where)
    return tuple(Change(what, tuple(dict.fromkeys(where))) for what, where in places.items())


def _notes(model: Any) -> Iterator[str]:
    if hooked := edits.backward_hooks(model):
        yield (
            f"The hooks for gradients on {hooked[0]} do not run: Polysee computes its contributions "
            "without them."
        )
    dropouts = (part.p for part in model.modules() if isinstance(part, nn.Dropout) and part.training)
    if any(dropouts):
        yield "The object is in training mode; Polysee runs it in evaluation mode, without dropout."


def _of_rounding(whole: Opened) -> tuple[str, ...]:
    """What is said of an object that computes with other numbers than float32."""
    named = _other_numbers(whole)
    if not named:
        return ()
    return (
        f"The object computes in {named}, and Polysee in float32, with the same weights: its numbers "
        "differ from the object’s by the rounding alone.",
    )


def _of_precision(whole: Opened) -> tuple[str, ...]:
    """The same for an object that is run as it is, with its own numbers."""
    named = _other_numbers(whole)
    return (f"It computes in {named}, and its numbers are rounded so.",) if named else ()


def _numbers(model: Any) -> int:
    return sum(p.numel() for p in model.parameters())


def _other_numbers(whole: Opened) -> str:
    """The types of numbers other than float32 that an object computes with; "" if there is none."""
    kinds = {p.dtype for p in whole.base.parameters() if p.is_floating_point()} - {torch.float32}
    return " and ".join(sorted(str(kind).removeprefix("torch.") for kind in kinds))


def _of_chance(whole: Opened, lent: Lent, name: str) -> tuple[str, ...]:
    """What is said of an object whose numbers are random in part."""
    inputs, vectors = _short(whole, name), []
    for lent.seed in (_SEED, 0):
        with lent.borrowed():
            out = anatomy.asked(whole.run, inputs, output_hidden_states=True)
        vectors.append(anatomy.last_of(out, "decoder" if anatomy.paired(whole.base) else "own"))
    if torch.equal(*vectors):
        return ()
    return (
        f"“{name}” uses random numbers. In each run they are the same here; elsewhere, its numbers "
        "vary.",
    )


def _made(model: Any, device: str, name: str, lent: Lent | None) -> Any:
    kind = HuggingFaceSeq2Seq if anatomy.paired(without_head(model)) else HuggingFaceEngine
    return kind(model, device, name, lent)


def _compared(whole: Opened, runner: scratch.Ours, name: str) -> _Apart | str | None:
    """How our transformer and the object differ; None if they do not."""
    batch = _texts(whole, runner, name)
    inputs = {
        "input_ids": batch.ids_BL,
        "attention_mask": batch.mask_BL.long(),  # type: ignore[union-attr]
    }
    segments = runner.segments(batch)
    if segments is not None:
        inputs["token_type_ids"] = segments
    with torch.inference_mode():
        # With its weights, as in a trace: without them, torch's own function computes the attention,
        # in our transformer and in the object, and what somebody put in its place would not show.
        run = runner.run(Batch(*(_on(t, runner.device) for t in batch)), "attention")
    ours = [run.embedded_BLD, *run.hidden_BLD]
    if run.final_BLD is not None:
        ours[-1] = run.final_BLD  # transformers norms the last of its states
    assert batch.mask_BL is not None
    found = _against(whole.run, inputs, ours, batch.mask_BL, name)
    if found is None and _bound(whole.base) > anatomy.SAME:
        # Half precision allows for much: the same weights in float32 must agree as closely as ever.
        found = _against(own_copy(whole.base, "cpu"), inputs, ours, batch.mask_BL, name)
    return found


def _compared_pair(whole: Opened, runner: scratch_pair.ScratchPair, name: str) -> _Apart | str | None:
    """`_compared` for an encoder–decoder: a source without padding, its target, and every layer."""
    given = _short(whole, name)
    texts = [given[key].to(runner.device) for key in ("input_ids", "decoder_input_ids")]
    source, target = (Batch(ids, torch.zeros_like(ids), None) for ids in texts)
    with torch.inference_mode():
        run = runner.run_pair(source, target, "attention")
    for part, half in (("encoder", run.encoder), ("decoder", run.decoder)):
        ours = [half.embedded_BLD, *half.hidden_BLD]
        if half.final_BLD is not None:
            ours[-1] = half.final_BLD
        mask = torch.ones(ours[0].shape[:2], dtype=torch.bool)
        found = _against(whole.run, given, ours, mask, name, part)  # type: ignore[arg-type]
        if found is None and _bound(whole.base) > anatomy.SAME:
            copied = own_copy(whole.base, "cpu")
            found = _against(copied, given, ours, mask, name, part)  # type: ignore[arg-type]
        if found is not None:
            return found
    return None


def _against(
    model: Any,
    inputs: Mapping[str, Any],
    ours: Sequence[Tensor],
    there: Tensor,
    name: str,
    part: anatomy.Part = "own",
) -> _Apart | str | None:
    """How one stack differs, at the tokens that are `there`."""
    lent = Lent(model)
    device = model.get_input_embeddings().weight.device
    given = {key: value.to(device) for key, value in inputs.items()}
    try:
        with lent.borrowed():
            out = anatomy.asked(model, given, output_hidden_states=True)
        theirs = anatomy.hidden_of(out, part)
    except Exception as error:  # a module of somebody's own may raise anything
        raise NotSupported(
            f"“{name}” cannot be run: it raises “{in_short(error)}” Pass a model that reads a text."
        ) from error
    if len(theirs) != len(ours):
        return (
            f"it has {len(theirs) - 1} layers, and its configuration says {len(ours) - 1}"
            if theirs
            else "it does not return the vectors of its layers"
        )
    for layer, (mine, its) in enumerate(zip(ours, theirs, strict=True)):
        where = f"after layer {layer}" if layer else "before the first layer"
        if its.shape != mine.shape:
            return f"{where}, its vectors have another shape"
        apart = _apart(mine[there.to(mine.device)], its[there.to(its.device)], where, _bound(model))
        if apart is not None:
            return apart
    return None


def _apart(mine: Tensor, its: Tensor, where: str, bound: float) -> _Apart | None:
    """The difference, if it is larger than rounding explains; NaN counts as different."""
    its = its.detach().to(mine.device, torch.float32)
    if mine.shape != its.shape:
        return _Apart(float("inf"), 0.0, where)
    by, most = float((mine - its).abs().max()), float(its.abs().max())
    return None if by <= bound * max(1.0, most) else _Apart(by, most, where)


def _bound(model: Any) -> float:
    """The relative difference that the rounding of a model's own numbers explains."""
    kinds = {p.dtype for p in model.parameters() if p.is_floating_point()}
    return max([anatomy.SAME, *(16 * torch.finfo(kind).eps for kind in kinds)])


def _same_as_copy(whole: Opened, runner: Any, *, eager: bool = False) -> _Apart | None:
    """How a copy and the object differ in their first vectors, their layers and their last; or None.

    Args:
        whole: the object.
        runner: what runs the copy, which computes its attention with the function "eager".
        eager: whether the object does so too; otherwise with its own.
    """
    inputs = anatomy.probe(whole.base, "")
    lent = Lent(whole.run)
    if eager:
        lent.settings = {id(config): {_FUNCTION: "eager"} for config in anatomy.configs(whole.run)}
    try:
        with lent.borrowed():
            theirs = anatomy.asked(whole.run, inputs, output_hidden_states=True)
    except Exception:  # in half precision, some processors cannot; then only the copy runs
        return None
    with torch.no_grad():
        ours = anatomy.asked(
            runner.model,
            {key: _on(value, runner.device) for key, value in inputs.items()},
            output_hidden_states=True,
        )
    return _differ(ours, theirs, runner, _bound(whole.base))


def _stock_attention(model: Any) -> tuple[str, ...]:
    """The names of a model's functions for attention other than "eager", if all are of `transformers`.

    Somebody may have put another function under such a name; then nothing is returned.
    """
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    found = {str(getattr(config, _FUNCTION, None) or "eager") for config in anatomy.configs(model)}
    names = sorted(found - {"eager"})
    for function in (ALL_ATTENTION_FUNCTIONS.get(name) for name in names):
        home = str(getattr(function, "__module__", ""))
        published = getattr(sys.modules.get(home), getattr(function, "__name__", ""), None)
        if not home.startswith("transformers.") or published is not function:
            return ()
    return tuple(names)


def _of_attention(name: str, kinds: Sequence[str], apart: _Apart) -> str:
    """What is said where the functions of `transformers` for attention give different numbers."""
    return (
        f"The functions of transformers for attention do not agree on “{name}”: "
        f"“{' and '.join(kinds)}”, which it uses, and “eager”, which gives weights and is shown here, "
        f"are {apart}. A layer hides every token, and then “eager” takes the mean of all of them."
    )


def _same_as_recorded(whole: Opened, runner: Any, name: str) -> _Apart | None:
    """How a recorded run of an object differs from what the object gives when it is called; or None."""
    inputs = _short(whole, name)
    with Lent(whole.run).borrowed():
        theirs = anatomy.asked(whole.run, inputs, output_hidden_states=True)
    return _differ(runner.recorded(inputs), theirs, runner, _bound(whole.base))


def _differ(ours: Any, theirs: Any, runner: Any, bound: float) -> _Apart | None:
    """How two outputs differ in their first, layer and last vectors; None if they agree."""
    for part in runner.anatomy.stacks:
        first = runner.anatomy.stacks[part].streams_first
        mine, its = (anatomy.hidden_of(out, part, first)[:-1] for out in (ours, theirs))
        mine, its = (*mine, anatomy.last_of(ours, part)), (*its, anatomy.last_of(theirs, part))
        if len(mine) != len(its):
            return _Apart(float("inf"), 0.0, "in the number of layers")
        for layer, (a, b) in enumerate(zip(mine, its, strict=True)):
            apart = _apart(a, b, f"after layer {layer}", bound)
            if apart is not None:
                return apart
    return None


def _texts(whole: Opened, runner: scratch.Ours, name: str) -> Batch:
    """Two texts of ordinary tokens, the second one padded, each in two segments."""
    most = runner.rows or max(_LENGTHS) + 1
    lengths = [min(n, max(1, most - i)) for i, n in enumerate(_LENGTHS)]
    ids = anatomy.probe(whole.base, name, (lengths[0], lengths[0]))["input_ids"].cpu()
    both = torch.cat([ids, ids.flip(1)])
    places = torch.arange(lengths[0])
    mask = torch.stack([places < n for n in lengths])
    segments = isinstance(runner, scratch.ScratchEngine) and runner.encoder.config.n_segments > 1
    halves = (places > lengths[1] // 2) & torch.tensor(segments)
    return Batch(both, halves.long().expand(2, -1).contiguous(), mask)


def _short(whole: Opened, name: str) -> dict[str, Tensor]:
    most = int(getattr(whole.base.config, "max_position_embeddings", 0) or max(anatomy.LENGTHS))
    return anatomy.probe(
        whole.base, name, anatomy.LENGTHS if most >= max(anatomy.LENGTHS) else anatomy.SHORT
    )


def _on(value: Any, device: Any) -> Any:
    return value.to(device) if isinstance(value, Tensor) else value


def _listed(found: Sequence[Change]) -> str:
    return f"The object has {_list(found)}. " if found else ""


def _list(found: Sequence[Change]) -> str:
    return "; ".join(map(str, found))
