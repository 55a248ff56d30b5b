"""What if parts were missing in every layer: how similar the tokens become, and how large the gradient.

`results` computes the curves and keeps a few, `pictures` draws them, `captions` says what they say,
`python` writes the lines that give them, `view` arranges all of it.
"""
