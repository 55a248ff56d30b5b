"""Models and their answers, shared by all visitors: caches, queues, models of a session."""
