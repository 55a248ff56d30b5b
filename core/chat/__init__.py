"""A conversation as the text that a model reads: a template, rendered in bounds, and who wrote what.

A chat template is a program that a stranger wrote (Jinja). `isolated` runs it in a process with limits
of time and memory; `render` asks that process; `authors` finds out which characters of the result came
from which message. Nothing here knows a model or a tokenizer: `core.pretrained.chatting` does.
"""
