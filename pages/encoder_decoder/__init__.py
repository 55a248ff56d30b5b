"""Encoder–decoder: a translation, one word at a time.

Here belong the sentence and its known words, the steps of the decoder, and its three attention blocks.
The translators themselves are in `core.tasks`.
"""
