"""One word and its senses: the verdict and its calibration, clusters, maps of occurrences."""
