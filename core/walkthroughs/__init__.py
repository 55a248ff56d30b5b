"""Lessons: small computations that pages teach with, made by the transformer's own functions."""
