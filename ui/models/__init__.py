"""Models and their answers: the list to choose one from, caches, queues, models of a session.

Here belongs what is computed once and shared by all visitors, what says whose turn it is, and what a
session has trained. `choice` and `trained_links` alone draw something on a page.
"""
