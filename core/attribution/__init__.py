"""Contributions and interventions on our transformer: the mathematics, in torch.

`adjoint` runs the layers backwards with their attention weights held fixed, and splits a coordinate
among the words. `attention_masks` turns cuts and ablations into biases and factors for the attention.
Both use only layers and tensors. The methods of models are built on them: `pretrained.attribution` for
published models, `tasks.trained.attribution` for those trained here.
"""
