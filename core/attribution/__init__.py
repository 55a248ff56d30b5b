"""Contributions and interventions on our transformer: the mathematics, in torch.

`adjoint` runs the layers backwards, frozen at their measured weights, and splits a coordinate among the
words; `attention_masks` turns a cut or an ablation into what the attention is given. Both know layers
and tensors alone. What a model answers about a text is built on them: of published models in
`pretrained.attribution`, of those trained here in `tasks.trained.attribution`.
"""
