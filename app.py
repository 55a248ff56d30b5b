"""Polysee, the web app: `streamlit run app.py`. Navigation and the page frame, nothing else."""

import streamlit as st

st.set_page_config(page_title="Polysee", page_icon="👁️", layout="wide")
st.navigation({"Explore": [st.Page("pages/compare.py", title="Compare", icon="⚖️", default=True)]}).run()
