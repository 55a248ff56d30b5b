"""The heads of a model as an atlas: which of them does what, and whether it matters.

`ranking` ranks all heads by one weight of the text, `pairs` chooses the two tokens,
`ablation` ablates a head and undoes it, and `roles` shows which head has which role.
"""
