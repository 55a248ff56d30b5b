"""Training: a small transformer learns while you watch."""
