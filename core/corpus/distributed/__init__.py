"""The same build on a Ray cluster: many machines embed, one program counts and publishes.

`driver` stages the texts of each part and hands out the numbers of the parts that are missing, by Ray
Data; `worker` is the actor that holds the model and writes parts; `cluster` connects to a cluster or
starts one on this machine. All that differs from a local build is who embeds: texts are read, parts
are named and versions are published by the same functions, so that either may finish what the other
began.

All nodes must see the folder of the corpus, and have the same Polysee and the same model. The texts
need to lie only where the driver runs.

Needs the extra "ray".
"""
