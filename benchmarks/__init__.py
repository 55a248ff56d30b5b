"""Side by side in one run: Polysee and what a user would pick instead. `python -m benchmarks`."""
