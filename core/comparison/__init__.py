"""Compare: one word in two sentences, from one vector to two meanings. What the product is about.

    question       what is compared: two sentences, the word in each, the two ends of its axis
    word           which word, and which of its occurrences
    ends           which two meanings: typed, known, or drawn from the sentences
    dictionary     which meanings a dictionary offers, and which two of them a model guesses
    word_and_ends  word and ends together, where nobody chooses in boxes
    judge          the positions between the ends, and the verdict
    alone          the word by itself, from where its sentence moves it
    paths          how the word moves without ends, by cosine and by principal components
    next_step      what is lacking where nothing is clear, and what would settle it
    say            the verdict and the evidence beside it, in sentences
    language       whether a sentence is in a language that the model knows
    picture        the moving picture, and the sentences in parts
    moves_by_part  how each part of a sentence moves its word
    heads          which token attends to which
    numbers        the vectors as numbers, and the agreement of two programs
    how_to_read    how to read the pictures
    saved_page     all of it as one HTML file
    source         where the records come from: a model, or the caches of the app

Everything here follows from records and keeps nothing. The app, the notebook, the command line and the
saved page show it, and decide nothing themselves.
"""

from .question import Chosen, Ends, Question

__all__ = ["Chosen", "Ends", "Question"]
