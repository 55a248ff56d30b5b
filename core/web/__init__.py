"""What a browser needs to run a model itself: built by `make web`, found here, served elsewhere.

The files are MiniLM's graph in ONNX, the tables of its tokenizer, the run-time (onnxruntime-web, one
thread), and our engine's two scripts; and, if its package is here, the two graphs of SmolLM2, whose
tokenizer is in the file of its weights. The weights are those of the installed packages, as they lie
there: no second copy exists. A checkout that has not run `make web` works without all of this.
"""

from .built import Built, find, why_not

__all__ = ["Built", "find", "why_not"]
