"""Small computations for teaching, made with the transformer's own functions.

`steps` follows one sentence through one layer, `depth` leaves out parts in all layers, `positions`
compares position encodings, `tiny` is a model whose numbers can be checked by hand. `in_numpy` is the
transformer in plain NumPy, and `code` shows the lines that compute a step.
"""
