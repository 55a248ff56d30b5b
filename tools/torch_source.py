"""The source of torch: PyTorch's own index of CPU wheels, or pip's."""

from __future__ import annotations

import http.client
import os
import queue
import shutil
import threading
import urllib.request

# The only index that is named: PyTorch's own, whose wheels omit gigabytes of CUDA.
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
INDEX_SECONDS = 3.0


def has_gpu() -> bool:
    """Whether this machine has a graphics card that CUDA could use."""
    return shutil.which("nvidia-smi") is not None or os.path.exists("/dev/nvidia0")


def answers(url: str, seconds: float) -> bool:
    """Whether `url` answers within `seconds`, including the look-up of its name.

    The request runs in a thread that is abandoned when time is up: no socket timeout covers a name
    server that does not answer.
    """
    result: queue.Queue[bool] = queue.Queue()

    def ask() -> None:
        try:
            request = urllib.request.Request(url, method="HEAD")
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                result.put(answer.status < 400)
        except (OSError, ValueError, http.client.HTTPException):  # URLError is an OSError
            result.put(False)

    threading.Thread(target=ask, daemon=True).start()
    try:
        return result.get(timeout=seconds)
    except queue.Empty:
        return False


def torch_index(
    platform: str, gpu: bool, url: str = TORCH_CPU_INDEX, seconds: float = INDEX_SECONDS
) -> str | None:
    """The index for torch: PyTorch's CPU wheels, or None for pip's own index.

    pip's own index has torch for CUDA on Linux, which a GPU needs, and for the CPU on macOS.
    """
    if platform == "darwin" or gpu:
        return None
    return url if answers(f"{url}/torch/", seconds) else None
