"""Step by step: one sentence through one layer, every number.

This folder holds the text as this page reads it (`sentence`), the steps that it shows (`computed`,
`shown_step`), its three views, and the tiny model's numbers. The steps are computed in
`core.walkthroughs.steps`.
"""
