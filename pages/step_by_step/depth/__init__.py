"""What if parts were missing in every layer: how similar the tokens become, and how large the gradient.

`results` computes the curves and caches a few, `pictures` draws them, `captions` describes them,
`python` writes the code for them, `view` arranges everything.
"""
