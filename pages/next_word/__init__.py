"""Next word: what a model expects after a text, and how it goes on."""
