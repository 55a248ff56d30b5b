"""What needs the transformer again: where a number comes from (backward), what a change does (cuts)."""
