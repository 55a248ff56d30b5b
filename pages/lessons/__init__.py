"""Lessons in their order, with what each is for and how far this browser has come."""
