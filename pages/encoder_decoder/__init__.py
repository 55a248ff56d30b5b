"""Encoder–decoder: a translation, one word at a time.

This folder holds the sentence and the known words, the steps of the decoder, and its three attention
blocks. The models that translate are in `core.tasks`.
"""
