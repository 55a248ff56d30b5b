"""GGUF, the file of llama.cpp: bounded before anything reads it, then made a folder of safetensors.

`bounds` walks the header and believes no length; the package of llama.cpp's own authors reads it;
`architectures` says how the tensors of each are named and were changed, `tensors` unpacks them,
`config` and `tokenizer` write what `transformers` reads, and `folder` puts the three into Polysee's
cache, once for a file.
"""

from .folder import WHOLE, Unpacked, in_environment, parts, ready, unpacked

__all__ = ["WHOLE", "Unpacked", "in_environment", "parts", "ready", "unpacked"]
