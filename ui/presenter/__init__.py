"""In front of a class: one picture on the whole screen, and the lesson that a teacher collects."""
