"""Contributions and interventions on our transformer: the mathematics, in torch.

`adjoint` runs the layers backwards, frozen at their measured weights, and splits a coordinate among the
words; `attention_masks` turns a cut or an ablation into what the attention is given.
"""
