"""A corpus measured: how it is built, and how it answers, on texts and on rows that are made up."""
