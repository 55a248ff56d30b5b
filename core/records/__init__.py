"""Computed, frozen and labelled: traces, attention, predictions, interventions, words.

A record checks itself when it is made, and holds NumPy arrays that cannot be written to. NumPy only.
"""
