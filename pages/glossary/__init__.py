"""The glossary: every term of the field that the app uses, on one page."""
