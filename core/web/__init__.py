"""What a browser needs to run MiniLM itself: built by `make web`, found here, served elsewhere.

The files are the model's graph in ONNX, the tables of its tokenizer, the run-time
(onnxruntime-web, one thread), and our engine's two scripts. The weights are those of the installed
model package, at their places in its own file: no second copy exists. A checkout that has not run
`make web` works without all of this.
"""

from .built import Built, find, why_not

__all__ = ["Built", "find", "why_not"]
