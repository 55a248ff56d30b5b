"""The only Streamlit code that pages share: what is kept, the controls, the link, the words."""

from ui import callbacks

callbacks.keep_whole()
