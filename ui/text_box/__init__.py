"""The box for a text: `box.py` draws and hears it, `box.js` is the browser's side, `box.css` its look.

Pages draw it by `ui.state.text` and `ui.state.paragraph`.
"""
