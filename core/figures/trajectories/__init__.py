"""A word's vectors through the layers as pictures: in the plane, in space, between two senses."""
