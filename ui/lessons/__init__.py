"""A lesson on its way through the app: the card above each page, and progress in the browser."""
