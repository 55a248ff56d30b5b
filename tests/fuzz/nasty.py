"""Our own texts that break programs, one for each known way."""

from __future__ import annotations

NASTY = (
    "",
    " ",
    "\n\t\r\n",
    "\u00a0\u2003\u3000",  # spaces that are not " "
    "\u200b\u200c\u200d\u2060\ufeff",  # invisible
    "b\u200bank",
    "ba\u00adnk",  # a soft hyphen
    "e\u0301 \u00e9 e\u0301\u0301\u0301",  # the same letter in two ways
    "Z\u0351\u036b\u0343a\u0334\u0322l\u0321g\u0328o",
    "\u0300bank",  # a mark without a letter before it
    "\u202ebank\u202c \u2066river\u2069",  # written backwards
    "שלום bank עולם",
    "على ضفة النهر",
    "ﬁshing ﬀ ŉ ǆ",  # one sign, several letters
    "İstanbul ıI ß ẞ ς",  # letters whose case has another length
    "河岸の銀行",
    "ก็ธนาคาร",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇫🇷",
    "🐈" * 300,
    "\U000e0041\U000e0042",  # tags
    "\ufdfa" * 20,  # one sign that becomes eighteen
    "\x00bank\x00",
    "\x1b[31mbank\x1b[0m",
    "\x7f\x80\x9f",
    "\ufffd\uffff\U0010ffff",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</style></textarea><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "[bank](javascript:alert(1))",
    "![x](http://127.0.0.1:9/x.png)",
    "**bank** _river_ `code` $x^2$ :red[bank] :material/home: ~~x~~",
    "$$\\href{javascript:alert(1)}{x}$$",
    "$\\def\\x{\\x}\\x$",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "&lt;bank&gt; &amp; &#x62;ank",
    "%s %d %n %(x)s {0} {x!r} {{}} ${x}",
    "{x.__class__.__mro__}",
    "'; DROP TABLE words; --",
    '"bank", "river"',
    "=HYPERLINK(0)+1",
    "@SUM(1+1)",
    "../../etc/passwd",
    "..\\..\\windows\\win.ini",
    "/etc/passwd",
    "~/model",
    "\\\\server\\share",
    "C:\\model",
    "file:///etc/passwd",
    "http://127.0.0.1:9/model",
    "owner/name/../..",
    "con",
    "nul\x00.safetensors",
    "[CLS] [SEP] [MASK] [PAD] [UNK]",
    "##ank ##",
    "<s></s><unk><pad><mask>",
    "[unused1]",
    "a" * 5_000,
    "bank " * 600,
    "-" * 1_000,
    "." * 1_000,
    "don't can't o'clock bank's 'bank' ‘bank’",
    "1e309 -1e309 nan inf -0 0x10 1_000 ١٢٣ ²",
    "true false null None undefined",
    "{" * 500,
    "[" * 500,
    '{"a":' * 200,
    'a,b\r\n"c\nd",\'',
    "|",
    "label | ",
    " | sentence",
    "\u2028line\u2029line",
    "\x85line\x0bline\x0cline",
)
