"""A full trace by our encoder, compared with `transformers` in eager mode returning the same."""

from __future__ import annotations

from functools import partial

import torch
from transformers import AutoModel, AutoTokenizer

import core
from benchmarks.side_by_side import in_turns, table
from core import settings
from core.pretrained.load_model import find

TARGET = 1.2
LENGTHS = (14, 64, 128, 512)


def run() -> str:
    """Measure, and return the section of the report."""
    folder, _ = find("minilm", settings.read())
    tokenizer = AutoTokenizer.from_pretrained(folder)
    reference = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    ours = core.load("minilm")
    rows: list[tuple[object, ...]] = []
    for length in LENGTHS:
        text = " ".join(["bank"] * (length - 2))

        def transformers(text: str = text) -> None:
            inputs = tokenizer(
                text, return_tensors="pt", truncation=True, max_length=512, padding=False
            )
            with torch.inference_mode():
                reference(**inputs, output_hidden_states=True, output_attentions=True)

        assert len(ours.trace(text).tokens) == length
        times = in_turns(
            {"ours": partial(ours.trace, text), "transformers": transformers},
            rounds=60 if length < 512 else 12,
        )
        ratio = times["ours"] / times["transformers"]
        within = "–" if length > 128 else ("yes" if ratio <= TARGET else "**no**")
        rows.append(
            (
                length,
                f"{1e3 * times['ours']:.1f} ms",
                f"{1e3 * times['transformers']:.1f} ms",
                f"{ratio:.2f}",
                within,
            )
        )
    return (
        "## A full trace\n\n"
        "From the text to the frozen record with every hidden state, attention weight, query, key and "
        "value, on MiniLM, against the tokenizer and the model of `transformers` in eager mode, which "
        "returns hidden states and attention only. Medians, run in turns.\n\n"
        + table(("tokens", "Polysee", "transformers", "ratio", f"≤ {TARGET}"), rows)
    )
