"""The Heads page in a real browser, timed beside BertViz."""
