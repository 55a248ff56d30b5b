"""The parts that every page has, whatever it shows.

`script` runs a page, or a part of one, in the same order for all. `frame` draws what surrounds the
content, `prose` reads a page's words, and `icons` applies the icons that the pages declare.
"""

from ui.page.frame import computed, tools, try_this
from ui.page.leads import down, to_number, to_vector
from ui.page.rest import rest, without_rest
from ui.page.script import part, run

__all__ = [
    "computed",
    "down",
    "part",
    "rest",
    "run",
    "to_number",
    "to_vector",
    "tools",
    "try_this",
    "without_rest",
]
