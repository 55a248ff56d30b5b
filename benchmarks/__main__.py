"""Run every benchmark and write `benchmarks/results.md`; `python -m benchmarks NAME …` prints some."""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

import torch
from transformers.utils import logging

from benchmarks import compare_page, heads_page, trace_speed, training, vectors_speed

RESULTS = Path(__file__).parent / "results.md"
Made = str | tuple[str, dict[str, str]]  # a section of the report, and files that it refers to
BENCHMARKS: dict[str, Callable[[], Made]] = {
    "trace_speed": trace_speed.run,
    "vectors_speed": vectors_speed.run,
    "compare_page": compare_page.run,
    "heads_page": heads_page.run,
    "training": training.run,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """One thread, as the app has for each request."""
    parser = argparse.ArgumentParser(description="Run every benchmark and write the results.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only: {', '.join(BENCHMARKS)}")
    names = parser.parse_args(arguments).names
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    torch.set_num_threads(1)
    logging.disable_progress_bar()
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "numpy"))
    head = (
        "# Benchmarks\n\n"
        f"Written by `make bench` on {datetime.date.today()}: {platform.system()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {packages}, one thread. "
        "Times drift with the machine; ratios, measured in one run, hold better.\n"
    )
    # The results are those of one run; what some of them draw goes elsewhere.
    beside = Path(tempfile.mkdtemp(prefix="polysee-bench-")) if names else RESULTS.parent
    sections = []
    for name in names or BENCHMARKS:
        print(f"{name} …", flush=True)
        made = BENCHMARKS[name]()
        section, files = made if isinstance(made, tuple) else (made, {})
        sections.append(section)
        print(section, flush=True)
        for file, content in files.items():
            (beside / file).write_text(content, encoding="utf-8")
            print(f"written: {beside / file}", flush=True)
    if not names:
        RESULTS.write_text("\n\n".join([head.rstrip(), *sections]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
