"""The tokenizer libraries behind one protocol (`protocol`), which `TextReader` uses.

Neither engine splits words itself: WordPiece, BPE and Unigram are those of the libraries.

`transformers` has two kinds of tokenizers. Most run in the Rust library tokenizers, which reports the
characters of each token (`rust`). The others are written in Python (`python`), some of them on top of
the library sentencepiece (Marian, M2M100), and do not report characters: `watched` makes their parts
do so where it can, and `core.pretrained.tokenizer.alignment` finds the rest. `truncation` says which
tokens a text loses if it is too long, `limits` what is too much for any of them.
"""

from typing import Any

from .limits import ANY_GROWTH, growth
from .protocol import Backend, Cut, fails
from .python import PythonBackend
from .rust import RustBackend
from .truncation import fit

__all__ = ["ANY_GROWTH", "Backend", "Cut", "backend", "fails", "fit", "growth"]


def backend(tokenizer: Any, *, copied: bool = True) -> Backend | None:
    """The backend for a `transformers` tokenizer, which stays unchanged; None if it is not one.

    `copied`: False changes the tokenizer instead; of a large vocabulary, a copy takes 15 MB.
    """
    if getattr(tokenizer, "backend_tokenizer", None) is not None:
        return RustBackend(tokenizer, copied=copied)
    if hasattr(tokenizer, "build_inputs_with_special_tokens") and hasattr(tokenizer, "tokenize"):
        return PythonBackend(tokenizer)
    return None
