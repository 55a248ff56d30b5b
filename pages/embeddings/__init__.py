"""Embeddings: how near words and sentences are, and their trajectories through the layers.

Here belong the vectors that are compared, and the anchor groups that words are seen between;
`trajectories` has the view of words through the layers.
"""
