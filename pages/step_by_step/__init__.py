"""Step by step: one sentence through one layer, every number."""
