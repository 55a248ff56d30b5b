"""Why this word: what each word, head and network adds to its logit, and what a change does."""
