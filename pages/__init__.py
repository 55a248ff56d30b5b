"""A folder a page: what stands where (`page.py`), its words (`page.md`), its fields (`state.py`).

The other modules of a folder are its sections: the records that they ask for, their pictures, captions
that put numbers into sentences. A page never imports another; what two pages need is in `ui`.
"""
