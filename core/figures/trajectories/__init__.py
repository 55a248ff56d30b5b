"""A word's vectors through the layers as pictures: in 2D, in 3D, between two senses."""
