"""A folder for each page: its layout (`page.py`), its prose (`page.md`), its fields (`state.py`).

The other modules of a folder are its sections: the records that they request, their pictures, captions
that put numbers into sentences. A page never imports another; `ui` contains what two pages share.
"""
