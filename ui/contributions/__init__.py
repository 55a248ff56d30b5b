"""The section that Compare and Heads share: what moved a word, and what if one thing is changed.

Here belong its fields, the questions that it asks a model, its pictures, tables and captions. The
mathematics is in `core.attribution` and `core.measures.contributions`.
"""
