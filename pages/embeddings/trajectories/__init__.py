"""The trajectories of words through the layers: between two senses, or on a map."""
