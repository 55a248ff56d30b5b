"""Run every benchmark and write `benchmarks/results.md`."""

from __future__ import annotations

import datetime
import os
import platform
from importlib.metadata import version
from pathlib import Path

import torch
from transformers.utils import logging

from benchmarks import trace_speed, vectors_speed

RESULTS = Path(__file__).parent / "results.md"


def main() -> None:
    """One thread, as the app has for each request."""
    torch.set_num_threads(1)
    logging.disable_progress_bar()
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "numpy"))
    head = (
        "# Benchmarks\n\n"
        f"Written by `make bench` on {datetime.date.today()}: {platform.system()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {packages}, one thread. "
        "Times drift with the machine; ratios, measured in one run, hold better.\n"
    )
    sections = []
    for benchmark in (trace_speed, vectors_speed):
        print(f"{benchmark.__name__} …", flush=True)
        sections.append(benchmark.run())
        print(sections[-1], flush=True)
    RESULTS.write_text("\n\n".join([head.rstrip(), *sections]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
