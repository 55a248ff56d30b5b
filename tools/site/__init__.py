"""The site: docs/ and the papers at the root as pages, with the reference of the API and live pictures.

`papers` collects the pages and leads each link to its page; `live` runs notebooks and marked lines and
shows what they show; `__main__` has Zensical build the pages, and tests the result.
"""
