"""What comes next: how the text goes on, what was tried, what it is compared with, what is kept.

`writing` has the tokens written and stopped, `tree` draws all continuations that were tried, `beside`
compares the text with another one, `keeps` counts and times the keys and values of the tokens so far.
"""
