"""The two ways to run a published model: our own transformer, and `transformers` itself.

`engine` holds what both share. In `transformers`, `recording` captures query, key and weights, and
`anatomy` finds out how a model is built.
"""
