"""The plain page of a student, and what it and the teacher's wall ask of a room."""

from .rooms import ROOMS, STUDENT_POLICY, path_of, routes

__all__ = ["ROOMS", "STUDENT_POLICY", "path_of", "routes"]
