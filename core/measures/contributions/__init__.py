"""What adds up to a word's position on its axis: by word, by head, and between two sentences."""
