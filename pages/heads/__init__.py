"""Heads: every attention head of a model, down to a single query–key product.

This folder holds the choice of what a panel shows (`choices`, `displayed`), its pictures by zoom level
(`zoom`), two models side by side (`difference`), predictions (`predictions`, `writing`), the importance
of a head (`importance`), files to save (`export`), and the atlas of the heads (`atlas`).
"""
