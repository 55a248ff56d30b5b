"""The corpora that the app offers: which there are, the building of the first, and their lines, cached.

`offered` lists and opens them, `first_use` builds those that come with Polysee, `lines` caches what
pages show of a word, and `served` gives a browser the similarities with a chosen line.
"""
