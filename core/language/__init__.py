"""What a model that predicts gives, from its logits alone: the next token, drawn as one asks.

NumPy only. `core.pretrained` runs the models; these functions know none.
"""

from .sampling import Drawn, Sampling, Shaped, choose, draw, shaped, uniform

__all__ = ["Drawn", "Sampling", "Shaped", "choose", "draw", "shaped", "uniform"]
