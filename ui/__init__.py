"""What pages share, and nothing of any one page.

What is chosen on a page is in `state`, `session` and `permalink`; what stands around it in `page`; how
things stand on it in `layout`; pictures and boxes as components in `figure`, `text_box` and `events`.
`models` holds loaded models and their answers, `contributions` the section that two pages share,
`serving` the server.
"""

from ui import callbacks

callbacks.keep_whole()
