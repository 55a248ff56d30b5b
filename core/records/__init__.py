"""What is computed, frozen and labelled: traces, attention, predictions, interventions, words.

NumPy only.
"""
