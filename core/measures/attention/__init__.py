"""Measures of attention weights: heads, blocks, patterns, words, what is hidden."""
