"""Contributions and interventions on our transformer: the mathematics, in torch.

`adjoint` runs the layers backwards with their attention weights held fixed, and splits a coordinate
among the words. `attention_masks` turns cuts and ablations into biases and factors for the attention.
`patching` puts what one run has computed into another, and runs the rest again. All use only layers
and tensors. The methods of models are built on them: `pretrained.attribution` and `pretrained.patching`
for published models, `tasks.trained.attribution` for those trained here.
"""
