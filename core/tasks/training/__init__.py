"""From a recipe to a trained model: batches, loss, the loop, its snapshots, and the queue of runs."""
