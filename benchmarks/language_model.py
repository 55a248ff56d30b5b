"""SmolLM2 in our own transformer: a full trace, and the next token, beside `transformers`.

Times are those of the processor, with one thread: what else a machine does counts little.

llama.cpp stands beside them where it is installed: see `benchmarks.llama_cpp`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

import core
from benchmarks import llama_cpp
from benchmarks.side_by_side import in_turns, table
from core import settings
from core.figures import Patterns, Picture, heads_of
from core.measures import PATTERNS, as_block, patterns, without_special
from core.pretrained.engines.scratch import ON_DEMAND
from core.pretrained.files import gguf, in_package

LENGTHS = (14, 64, 128, 512)
PROMPT = "Once upon a time, in a land far away,"
NEW = 40  # tokens that are written
ROUNDS = 5
ON_SCREEN, MOST_DRAWN = 128, 0.3  # tokens of the picture of all heads, and seconds
WORDS = (
    "The river bank was muddy, and the bank in town was closed; so he walked on along the water. " * 8
)


def run() -> str:
    """Measure, and return the section of the report."""
    packed = settings.CATALOGUE["smollm2"].packed
    assert packed is not None
    ours = core.load("smollm2")
    ready = gguf.ready(packed.sha256)
    assert ready is not None
    theirs, tokenizer = _transformers(str(ready.folder))
    rows: list[tuple[object, ...]] = []
    for length in LENGTHS:
        text = " ".join(["bank"] * length)
        assert len(ours.trace(text).tokens) == length

        def eager(text: str = text) -> None:
            with torch.inference_mode():
                theirs.model(
                    **tokenizer(text, return_tensors="pt"),
                    output_hidden_states=True,
                    output_attentions=True,
                )

        def recorded(text: str = text) -> None:
            with torch.inference_mode():
                _recorded(theirs, tokenizer(text, return_tensors="pt"))

        def read(text: str = text) -> None:
            attention = ours.trace(text).attention
            assert attention is not None
            assert attention.weights.flags.owndata

        times = in_turns(
            {
                "ours": partial(ours.trace, text),
                "transformers": eager,
                "read": read,
                "recorded": recorded,
            },
            rounds=10 if length < 512 else 5,
            clock=time.process_time,
        )
        all_read = f"{1e3 * times['read']:.1f} ms", f"{times['read'] / times['transformers']:.2f}"
        both = f"{1e3 * times['recorded']:.1f} ms", f"{times['read'] / times['recorded']:.2f}"
        rows.append((*_row(length, times["ours"], times["transformers"], "ms"), *all_read, *both))
    written = _written(ours, theirs, tokenizer)
    peers: list[tuple[object, ...]] = [
        _row("a next token", written["ours"], written["transformers"], "ms"),
    ]
    return (
        "## A language model\n\n"
        "SmolLM2 135M. A trace, from the text to the frozen record, against the tokenizer and the "
        "model of `transformers` in eager mode, which returns hidden states and attention weights. The "
        "record has every hidden state, query, key and value; below "
        f"{ON_DEMAND} tokens it has every attention weight, too, and from there on it computes weights "
        "when they are read, a head or all. “All read”: the trace and then the weights of all heads, "
        "as an array. “Recorded”: `transformers` with queries, keys and values as well, all stacked to "
        "arrays; its ratio is that of “all read” to it. Medians of processor time, one thread, run in "
        "turns.\n\n"
        + table(
            (
                *("tokens", "Polysee", "transformers", "ratio", "≤ 1"),
                *("Polysee, all read", "ratio", "transformers, recorded", "ratio"),
            ),
            rows,
        )
        + f"\n\nThe likeliest next token, {NEW} times, with keys and values kept, a token; ours also "
        "gives each one's whole distribution, rank and names. "
        f"That is {1 / written['ours']:.0f} tokens a second.\n\n"
        + table(("", "Polysee", "transformers", "ratio", "≤ 1"), peers)
        + f"\n\n{_llama_cpp(in_package.here(packed), ours, written['ours'])}\n\n{_all_heads(ours)}"
    )


def _row(what: object, ours: float, theirs: float, unit: str) -> tuple[object, ...]:
    ratio = ours / theirs
    within = "yes" if ratio <= 1 else "**no**"
    return what, f"{1e3 * ours:.1f} {unit}", f"{1e3 * theirs:.1f} {unit}", f"{ratio:.2f}", within


def _transformers(folder: str) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(
        folder, attn_implementation="eager", dtype=torch.float32
    )
    return model.eval(), AutoTokenizer.from_pretrained(folder)


def _recorded(theirs: Any, inputs: Any) -> list[Any]:
    """What a trace holds, by hooks on `transformers`: arrays of all layers that own their memory."""
    kept: dict[str, list[torch.Tensor]] = {"q_proj": [], "k_proj": [], "v_proj": []}
    hooks = [
        getattr(layer.self_attn, name).register_forward_hook(lambda *of, to=to: to.append(of[2][0]))
        for layer in theirs.model.layers
        for name, to in kept.items()
    ]
    try:
        out = theirs.model(**inputs, output_hidden_states=True, output_attentions=True)
    finally:
        for hook in hooks:
            hook.remove()
    steps = (*kept.values(), [one[0] for one in out.attentions], [one[0] for one in out.hidden_states])
    return [np.stack([one.numpy() for one in each]) for each in steps]


def _written(ours: core.Model, theirs: Any, tokenizer: Any) -> dict[str, float]:
    """Seconds a token."""
    inputs = tokenizer(PROMPT, return_tensors="pt")

    def generate() -> None:
        with torch.inference_mode():
            theirs.generate(
                **inputs,
                max_new_tokens=NEW,
                min_new_tokens=NEW,
                do_sample=False,
                pad_token_id=0,
            )

    rest: dict[str, Callable[[], object]] = {"ours": partial(_ours, ours), "transformers": generate}
    return {
        name: spent / NEW
        for name, spent in in_turns(rest, rounds=ROUNDS, clock=time.process_time).items()
    }


def _ours(model: core.Model) -> None:
    written = list(model.generate(PROMPT, NEW, temperature=0))
    assert len(written) == NEW  # it did not end before


def _llama_cpp(file: Path | None, ours: core.Model, seconds: float) -> str:
    """llama.cpp's row, and what is compared; or why it is not here.

    `seconds`: what ours needs for a token.
    """
    if file is None:
        return "llama.cpp was not measured: the packed file is not here."
    try:
        theirs = llama_cpp.written(file, PROMPT, NEW, ROUNDS)
    except llama_cpp.NotThere as error:
        return f"llama.cpp was not measured: {error}."
    own = [one.id for one in ours.generate(PROMPT, NEW, temperature=0)]
    same = next((i for i, (a, b) in enumerate(zip(own, theirs.ids, strict=False)) if a != b), NEW)
    row = (
        "a next token, beside llama.cpp",
        f"{1e3 * seconds:.1f} ms, {1 / seconds:.0f} a second",
        f"{1e3 * theirs.seconds:.1f} ms, {1 / theirs.seconds:.0f} a second",
        f"{seconds / theirs.seconds:.2f}",
    )
    return (
        "llama.cpp (node-llama-cpp, one thread, no GPU) on the same file and prompt. It multiplies the "
        "4-bit weights as they are with vectors rounded to 8 bits; ours and `transformers` compute "
        "with float32 vectors: a peer in speed, and not in numbers. The first "
        f"{same} of {NEW} tokens are the same.\n\n"
        + table(("", "Polysee", "llama.cpp", "ratio"), [row])
    )


def _all_heads(model: core.Model) -> str:
    """The picture of all heads: processor time from the trace at hand to the record, and its bytes."""
    words = WORDS.split()
    texts = (" ".join(words[:n]) for n in range(len(words), 0, -1))
    trace = model.trace(next(text for text in texts if len(model.read(text)) == ON_SCREEN))
    limits = [settings.PATTERN_THRESHOLDS[name] for name in PATTERNS]
    usual = patterns(trace).values  # in place of those of other texts, computed once for a model

    def drawn() -> Picture:
        rest = without_special(as_block(trace))
        scores = patterns(trace).values
        return heads_of(rest, patterns=Patterns(PATTERNS, scores, usual, limits))

    picture = drawn()
    sent = len(picture.to_bytes())
    spent = in_turns({"drawn": drawn}, rounds=10, clock=time.process_time)["drawn"]
    layers, heads, _ = usual.shape
    row = (
        f"{layers} × {heads} heads, {ON_SCREEN} tokens",
        f"{1e3 * spent:.0f} ms",
        "yes" if spent <= MOST_DRAWN else "**no**",
        f"{sent / 1e6:.2f} MB",
    )
    return (
        "All heads at once on *Heads*, without the first token: the processor time of the server from "
        "the trace at hand to the picture’s record, with the patterns of every head, and the bytes "
        f"that the browser gets. The limit is {MOST_DRAWN} s.\n\n"
        + table(("", "processor time", f"≤ {MOST_DRAWN} s", "bytes"), [row])
    )
