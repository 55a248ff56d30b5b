"""The two ways to run a published model: our own transformer, and `transformers` itself.

`engine` holds what both share; `recording` captures query, key and weights in `transformers`.
"""
