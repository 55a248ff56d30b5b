"""Toy languages with known answers, one module for each task; no torch."""
