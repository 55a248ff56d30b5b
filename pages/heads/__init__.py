"""Heads: every attention head of a model, down to a single query–key product.

Here belong the choice of what a panel shows (`choices`, `displayed`), its pictures by zoom level
(`zoom`), two models beside each other (`difference`), what the model expects (`predictions`,
`writing`), why a head matters (`importance`), and what can be saved (`export`).
"""
