"""Paper: notes, questions, key and plan of a lesson, each a plain HTML page for one sheet of paper.

`shell` holds the parts common to all four: style, script and policy; `sheets` writes their content, and
`served` answers at their addresses, without a Streamlit session. `links` leads there from the app.
"""
