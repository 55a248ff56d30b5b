"""The two ways to run a published model: our own transformer, and `transformers` itself.

What both share lies in `engine`; `recording` takes query, key and weights out of `transformers`.
"""
