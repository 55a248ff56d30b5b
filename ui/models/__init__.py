"""Models and their results: the list of models, caches, queues, and the models of a session.

This folder holds results that are computed once and shared by all visitors, the queues, and the models
that a session has trained. Only `choice` and `trained_links` draw on a page.
"""
