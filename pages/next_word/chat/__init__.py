"""The view Chat: a conversation as the model reads it, token by token, and its answer."""

from .view import show

__all__ = ["show"]
