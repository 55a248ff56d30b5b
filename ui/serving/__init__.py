"""The server around the pages: the headers it sends, what it refuses, logs and counts.

Pure ASGI and the standard library's logging, set up once by the ASGI entry in `app.py`. Nothing here
depends on what a page shows.
"""
