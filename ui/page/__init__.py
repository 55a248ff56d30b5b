"""What every page of the app has around what it shows, whatever that is.

`script` runs a page, or a part of one, in the order that all share. What it draws is in `frame`, and
its words in `prose`; the signs of the pages and of the app lie here too.
"""

from ui.page.frame import tools, try_this
from ui.page.leads import down, to_number, to_vector
from ui.page.script import part, run

__all__ = ["down", "part", "run", "to_number", "to_vector", "tools", "try_this"]
