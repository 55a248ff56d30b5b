"""The trajectories of words through the layers: between two senses, or on a map.

Here belong the words that are followed, their points at each layer, and what their pictures say.
"""
