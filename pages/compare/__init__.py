"""Compare, the home page: one word in two sentences.

This folder holds the verdict and the moving picture (`verdict`), the folded questions below (`folds`,
`directions`, `attention`, `evidence`), the prepared examples, the introduction for first-time visitors
(`onboarding`), and the button that saves all of it. What is shown is decided in `core.comparison`;
`ui.comparison` brings the caches.
"""
