"""Training: a small transformer learns while you watch.

Here belong the form of a recipe, what can be done with a run, its pictures and captions. How a model is
trained is in `core.tasks`; the runs of a session are in `ui.models.session_models`.
"""
