"""The terms of a word's position on its axis: by word, by head, and compared between two sentences."""
