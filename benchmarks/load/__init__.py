"""A class of visitors on one server: how fast it answers, and how much memory it takes."""
