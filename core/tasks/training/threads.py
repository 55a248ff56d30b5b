"""Restrict torch to one thread for one training, without affecting others."""

from __future__ import annotations

import threading

import torch


def one_thread_here() -> None:
    """Make torch use one thread in this Python thread; nothing changes in any other.

    For small matrices, more threads are slower (they spin and wait), and two trainings would compete
    for the cores.
    """
    others = torch.get_num_threads()
    if others == 1:
        return
    torch.set_num_threads(1)
    # The setting is also the initial number of later threads: a thread that ends here restores it.
    back = threading.Thread(target=torch.set_num_threads, args=(others,))
    back.start()
    back.join()
