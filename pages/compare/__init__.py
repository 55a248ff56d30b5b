"""Compare, the home page: one word in two sentences.

This folder holds the verdict and the moving picture (`verdict`), the folded questions below (`folds`,
`directions`, `attention`, `evidence`), the prepared examples, the introduction for first-time visitors
(`onboarding`), and the page that can be saved. The computations are in `ui.comparison`, because the
section shared with Heads needs them too.
"""
