"""A folder a page: what stands where (`page.py`), its words (`page.md`), its link (`state.py`)."""
