"""The box for a text: `box.py` draws it and receives its text; `box.js` and `box.css` are its browser side.

Pages draw it by `ui.state.text` and `ui.state.paragraph`.
"""
