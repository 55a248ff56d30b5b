"""Polysee beside the alternatives of a user, measured in the same run. `python -m benchmarks`."""
