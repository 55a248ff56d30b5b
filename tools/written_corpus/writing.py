"""SmolLM2 continues many beginnings at once, with a cache; each batch has a seed of its own."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from core import settings
from core.pretrained.files import gguf
from core.pretrained.load_model import find, limit_threads

from .starts import Task

NAME = "smollm2"
BATCH, TOKENS = 96, 80
# How tokens are drawn. The penalty makes a token that has been written 1.08 times less likely by its
# logit: without it, one text in five ends in a loop.
TEMPERATURE, TOP_P, TOP_K, PENALTY = 0.8, 0.95, 50, 1.08
# Without the sentence of its template that names an assistant: it then writes as one.
_ASKED = "<|im_start|>user\n{instruction}<|im_end|>\n<|im_start|>assistant\n{start}"


class Writer:
    """The model, on one thread."""

    def __init__(self) -> None:
        limit_threads(1)
        file, checksum = find(NAME, settings.read())
        folder = gguf.unpacked(file, NAME, checksum).folder
        self._tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        self._tokenizer.pad_token = "<|endoftext|>"
        self._model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    @torch.inference_mode()
    def write(self, tasks: Sequence[Task], seed: int) -> list[str]:
        """The text of each task, with its beginning; it may stop in the middle of a sentence."""
        asked = [_ASKED.format(instruction=one.instruction, start=one.start) for one in tasks]
        read = self._tokenizer(asked, return_tensors="pt", padding=True, add_special_tokens=False)
        torch.manual_seed(seed)
        written = self._model.generate(
            **read,
            do_sample=True,
            temperature=TEMPERATURE,
            top_p=TOP_P,
            top_k=TOP_K,
            repetition_penalty=PENALTY,
            max_new_tokens=TOKENS,
            pad_token_id=self._tokenizer.pad_token_id,
        )
        new = written[:, read["input_ids"].shape[1] :]
        texts = self._tokenizer.batch_decode(new, skip_special_tokens=True)
        return [task.start + text for task, text in zip(tasks, texts, strict=True)]


def write(tasks: Sequence[Task], file: Path, *, seed: int = 0) -> Iterator[str]:
    """Write one JSON line a text; yields how far it is. What the file has already stays.

    Args:
        tasks: what is to be written.
        file: where.
        seed: of the first batch; each has its own, larger by the tasks before it.
    """
    done = len(file.read_text("utf-8").splitlines()) if file.exists() else 0
    done -= done % BATCH
    writer, began = Writer(), time.monotonic()
    with file.open("r+" if file.exists() else "w", encoding="utf-8") as out:
        for _ in range(done):
            out.readline()
        out.seek(out.tell())
        out.truncate()
        for start in range(done, len(tasks), BATCH):
            own = tasks[start : start + BATCH]
            for task, text in zip(own, writer.write(own, seed=seed + start), strict=True):
                out.write(json.dumps({**asdict(task), "text": text}, ensure_ascii=False) + "\n")
            out.flush()
            yield f"{start + len(own):,} of {len(tasks):,} texts, {time.monotonic() - began:,.0f} s"
