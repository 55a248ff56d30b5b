"""Senses: one word in up to 10,000 sentences.

This folder holds the choice of sentences (`query`), the work in a separate thread (`job`, `progress`),
and the pictures of the result (`sections`).
"""
