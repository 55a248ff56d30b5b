"""Positions: ways to encode where a token is.

This folder holds the page's controls, numbers (`computed`), pictures and captions. The encodings are
computed in `core.walkthroughs.positions`.
"""
