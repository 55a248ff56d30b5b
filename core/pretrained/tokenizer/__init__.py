"""From a text to tokens, and from each token back to its characters in the text."""
