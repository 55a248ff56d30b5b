"""Build every text model of `transformers` in miniature, read it in Polysee, and compare the results.

`small` builds a model of each type, `walk` reads it as an object and from a folder, and `python -m
tools.every_model --write docs/models.md` writes the results. The tests make the same comparison: forty
types in `make check`, all of them in `make fuzz`.
"""
