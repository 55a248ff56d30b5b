"""One sentence through one layer, every step a record."""
