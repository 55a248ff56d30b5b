"""A class of visitors on one server: how fast it answers, and what memory it takes."""
