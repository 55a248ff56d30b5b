"""Measures of attention weights: heads, blocks, patterns, words, hidden tokens."""
