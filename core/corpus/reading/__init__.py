"""Texts in: what stands in files, cut into passages and sentences, with its columns.

`files` reads the formats, `columns` gives each column one type, `sentences` splits passages;
`python_docs` is the text that every machine has. Nothing here knows of models or of LanceDB.
"""
