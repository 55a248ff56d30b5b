"""llama.cpp on one thread, from npm's `node-llama-cpp`, which brings it compiled for a CPU.

There is no wheel of it for a CPU in the package index. Install it in a folder of its own, outside this
one, and name that folder:

    npm install --prefix /tmp/llama-cpp --ignore-scripts node-llama-cpp
    NODE_LLAMA_CPP=/tmp/llama-cpp python -m benchmarks language_model
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from pathlib import Path
from typing import NamedTuple

from tools.node import NODE

SCRIPT = Path(__file__).with_suffix(".js")
VARIABLE = "NODE_LLAMA_CPP"
_SECONDS = 300


class NotThere(RuntimeError):
    """llama.cpp cannot be measured here; the message says why."""


class Written(NamedTuple):
    """What llama.cpp wrote, and the seconds of processor time for one token.

    Attributes:
        seconds: the median of the rounds, the reading of the prompt included, without the first round.
        ids: the tokens.
    """

    seconds: float
    ids: tuple[int, ...]


def written(file: Path, prompt: str, count: int, rounds: int) -> Written:
    """Let it write the likeliest token `count` times.

    Args:
        file: the GGUF file.
        prompt: the text before.
        count: the number of tokens.
        rounds: how often, and once more before.

    Raises:
        NotThere: no folder is named, it holds no llama.cpp, or that does not run here.
    """
    folder = os.environ.get(VARIABLE, "")
    if not folder or not (Path(folder) / "node_modules" / "node-llama-cpp").is_dir():
        raise NotThere(f"{VARIABLE} names no folder with node-llama-cpp")
    try:
        done = subprocess.run(
            [
                str(NODE / "node"),
                "--input-type=module",
                "-",
                str(file),
                prompt,
                str(count),
                str(rounds + 1),
            ],
            input=SCRIPT.read_text("utf-8"),
            cwd=folder,  # where the script finds the package
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        )
        said = json.loads(done.stdout)
        seconds = [float(one) for one in said["seconds"]]
        return Written(statistics.median(seconds[1:]) / count, tuple(map(int, said["written"])))
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError) as error:
        raise NotThere(f"node-llama-cpp did not run: {type(error).__name__}") from error
