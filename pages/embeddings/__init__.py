"""Embeddings: how near words and sentences are, and their trajectories through the layers."""
