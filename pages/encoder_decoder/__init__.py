"""Encoder–decoder: a translation, one word at a time."""
