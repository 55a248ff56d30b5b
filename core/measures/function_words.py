"""The words of English that carry grammar rather than meaning."""

from __future__ import annotations

# English, like the frames. A missing word merely competes with the other words.
_FUNCTION_WORDS = """
    a an the this that these those some any no every each all both either neither another such
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself
    we us our ours ourselves they them their theirs themselves one who whom whose which what
    and or but nor so yet if then than as because while although though until unless since whether
    of in on at by to from with without for about into onto over under above below between among
    through during before after behind beside near off out up down upon across along against around
    toward towards within beyond inside outside per via
    be am is are was were been being have has had having do does did doing done will would shall should
    can could may might must ought need get gets got
    not never also too very just only even still again once here there where when why how
    now always often soon already ever quite rather more most less least much many few several other
    own same s t
    """
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
