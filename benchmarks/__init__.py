"""Polysee beside what a user would choose instead, measured in the same run. `python -m benchmarks`."""
