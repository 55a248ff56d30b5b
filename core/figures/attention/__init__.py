"""Attention as pictures: all heads of a model, one layer, one head, one query–key product."""
