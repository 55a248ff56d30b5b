"""The server around the pages: what it tells browsers, refuses, logs and counts.

Pure ASGI and the standard library's logging, set up once by the ASGI entry in `app.py`. Nothing here
knows what a page shows.
"""
