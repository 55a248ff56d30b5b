"""The commands of the Makefile: the set-up, the browser of the tests, and so on."""
