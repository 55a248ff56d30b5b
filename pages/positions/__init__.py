"""Positions: three ways to encode where a token stands."""
