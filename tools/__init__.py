"""What the Makefile calls: the set-up and the browser of the tests."""
