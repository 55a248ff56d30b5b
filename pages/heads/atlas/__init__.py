"""The heads of a model as an atlas: which of them does what, and whether it matters.

`ranking` ranks all heads by one weight of the text, and `pairs` chooses the two tokens.
"""
