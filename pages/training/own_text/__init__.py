"""The view *A text of your own*: a small decoder learns a text, and writes at every pause.

`source` has the texts, `form` the recipe, `view` what is on the page from top to bottom, `pictures` and
`captions` its pictures and sentences; `prompt` two models behind one beginning, `outcome` the models as
files and on other pages. `core.own_text` trains; `ui.models.session_models` holds the runs.
"""
