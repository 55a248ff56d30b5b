"""Heads: every attention head of a model, down to a single query–key product."""
