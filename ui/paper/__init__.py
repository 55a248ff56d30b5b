"""Paper: notes, questions, key and plan of a lesson, each a plain page of ours for one sheet of paper.

`shell` is what all four have: style, script and policy; `sheets` writes their content, and `served`
answers at their addresses, without a Streamlit session. `links` leads there from the app.
"""
