"""Embeddings: how near words and sentences are, and their trajectories through the layers.

This folder holds the compared vectors, and the anchor groups at the ends of the axes; `trajectories`
has the view of words through the layers.
"""
