"""Positions: three ways to encode where a token stands.

Here belong the page's controls, its records, pictures and captions. The encodings are computed in
`core.walkthroughs.positions`.
"""
