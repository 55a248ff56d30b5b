"""Every text model of `transformers`, built small, read by Polysee, and held against `transformers`.

`small` builds one of each type, `walk` reads it as an object and out of a folder, and
`python -m tools.every_model --write docs/models.md` writes what came of it. The same walk runs in the
tests: forty types of it in `make check`, all of them in `make fuzz`.
"""
