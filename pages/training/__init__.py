"""Training: a small transformer learns while you watch.

This folder holds the form of a recipe, the controls of a run, its pictures and captions. `core.tasks`
trains the model; `ui.models.session_models` holds the runs of a session. `own_text` is the page's other
view, in which a model learns a text.
"""
