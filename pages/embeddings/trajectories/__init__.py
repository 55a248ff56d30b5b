"""The trajectories of words through the layers: between two senses, or on a map.

This folder holds the choice of the words, their points at each layer, and the captions.
"""
