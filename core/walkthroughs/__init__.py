"""Small computations that pages teach with, made by the transformer's own functions.

`steps` follows one sentence through one layer, `depth` leaves parts out in all layers, `positions`
compares encodings of a position, `tiny` is a model whose numbers can be checked by hand. `in_numpy` is
the transformer in plain NumPy, and `code` shows the lines that compute a step.
"""
