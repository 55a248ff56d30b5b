"""Everything that pages share, and nothing that belongs to a single page.

`state`, `session` and `permalink` hold a visitor's choices, `page` draws the frame around every page,
`layout` arranges it, and `figure`, `text_box` and `events` make pictures and text boxes components.
`models` holds loaded models and their results, `contributions` the section that two pages share, and
`serving` the server.
"""

from ui import callbacks, widget_values

callbacks.keep_whole()
widget_values.refuse_odd_ones()
