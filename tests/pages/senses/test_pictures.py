"""The colours of the Senses page's map."""

from __future__ import annotations

import numpy as np

from core.measures.senses.clusters import Clusters
from pages.senses.pictures import by_cluster


def test_a_cluster_takes_the_look_of_the_label_that_it_agrees_with_best() -> None:
    labels = ("river", "river", "river", "money", "money", "tree", "river")
    last = [1, 1, 1, 0, 0, 2, 0]
    found = Clusters(np.array([[0] * 7, last]), np.zeros((2, 4), int), 4)
    assert by_cluster(found, labels).looks == (1, 0, 2, 3)
    assert by_cluster(found, labels).names == ("cluster 1", "cluster 2", "cluster 3", "cluster 4")
    assert by_cluster(found, [""] * 7).looks == (0, 1, 2, 3)
    many = Clusters(np.arange(8)[None], np.zeros((1, 8), int), 8)
    assert sorted(by_cluster(many, [*"abcdefgh"]).looks) == [*range(8)]
