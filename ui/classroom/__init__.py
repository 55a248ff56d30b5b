"""A class that answers a lesson's question: the teacher's wall below the card of the lesson."""
