"""Senses: one word in up to 10,000 sentences."""
