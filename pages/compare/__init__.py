"""Compare, the home page: one word in two sentences."""
