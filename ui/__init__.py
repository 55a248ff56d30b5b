"""The only Streamlit code that pages share: what is kept, the controls, the link, the words."""
