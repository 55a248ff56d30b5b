"""Compare, the home page: one word in two sentences.

Here belong the verdict and the moving picture (`verdict`), the folded questions beneath (`folds`,
`directions`, `attention`, `evidence`), the prepared examples, what a first-time visitor reads
(`onboarding`), and the page that can be saved. What it computes is in `ui.comparison`, since the
section that it shares with Heads asks the same question.
"""
