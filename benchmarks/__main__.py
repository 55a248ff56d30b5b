"""Run every benchmark and write `benchmarks/results.md`.

`python -m benchmarks NAME …` prints some sections; with `--write`, each replaces its section in the
file.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from transformers.utils import logging

from benchmarks import (
    attribution,
    browser_engine,
    browser_language,
    compare_page,
    device_page,
    gguf_file,
    language_model,
    long_texts,
    many_visitors,
    senses_speed,
    trace_speed,
    training,
    vectors_speed,
)
from benchmarks.corpus import linguist, report
from benchmarks.heads import page
from benchmarks.load import at_once, next_word
from benchmarks.sections import with_sections
from core.pretrained import limit_threads

RESULTS = Path(__file__).parent / "results.md"
BENCHMARKS: dict[str, Callable[[], str]] = {
    "trace_speed": trace_speed.run,
    "language_model": language_model.run,
    "gguf_file": gguf_file.run,
    "long_texts": long_texts.run,
    "vectors_speed": vectors_speed.run,
    "corpus": report.run,
    "linguist": linguist.run,
    "senses_speed": senses_speed.run,
    "attribution": attribution.run,
    "compare_page": compare_page.run,
    "heads_page": page.run,
    "browser_engine": browser_engine.run,
    "browser_language": browser_language.run,
    "device_page": device_page.run,
    "many_visitors": many_visitors.run,
    "training": training.run,
    "load": at_once.run,
    "next_word": next_word.run,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmarks on one thread, as the app does for each request."""
    parser = argparse.ArgumentParser(description="Run every benchmark and write the results.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only: {', '.join(BENCHMARKS)}")
    parser.add_argument("--write", action="store_true", help="put those sections into the results")
    options = parser.parse_args(arguments)
    names, write = options.names, options.write or not options.names
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    limit_threads(1)
    logging.disable_progress_bar()
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "numpy"))
    head = (
        "# Benchmarks\n\n"
        f"Written by `make bench` on {datetime.date.today()}: {platform.system()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {packages}, one thread. "
        "Times drift with the machine; ratios, measured in one run, hold better.\n"
    )
    sections = []
    for name in names or BENCHMARKS:
        print(f"{name} …", flush=True)
        sections.append(BENCHMARKS[name]())
        print(sections[-1], flush=True)
    if not names:
        RESULTS.write_text("\n\n".join([head.rstrip(), *sections]) + "\n", encoding="utf-8")
    elif write:
        RESULTS.write_text(with_sections(RESULTS.read_text("utf-8"), sections), encoding="utf-8")


if __name__ == "__main__":
    main()
