"""The section shared by Compare and Heads: what moves a word, and what happens if one thing is changed.

This folder holds its fields, its queries to a model, its pictures, tables and captions. The mathematics
is in `core.attribution` and `core.measures.contributions`.
"""
