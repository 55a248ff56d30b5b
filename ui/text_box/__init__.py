"""The box for a text: `box.py` draws it and receives its text; the browser has `box.js` and `box.css`.

Pages draw it by `ui.state.text` and `ui.state.paragraph`.
"""
