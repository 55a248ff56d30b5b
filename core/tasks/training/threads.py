"""One thread of torch for one training, without taking the others' from them."""

from __future__ import annotations

import threading

import torch


def one_thread_here() -> None:
    """Let torch compute on one thread in this thread of Python; in all others nothing changes.

    Small matrices lose by more (they spin and wait), and two trainings would fight for the cores.
    """
    others = torch.get_num_threads()
    if others == 1:
        return
    torch.set_num_threads(1)
    # That is also the number with which later threads begin: one that ends here puts it back.
    back = threading.Thread(target=torch.set_num_threads, args=(others,))
    back.start()
    back.join()
