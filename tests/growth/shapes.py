"""Texts that make careless programs slow, each of any length."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Shape = Callable[[int], str]


def repeated(unit: str, before: str = "", after: str = "") -> Shape:
    """One unit again and again, in `n` characters; what stands before and after it is there once."""

    def text(n: int) -> str:
        times = max(1, (n - len(before) - len(after)) // len(unit))
        return f"{before}{unit * times}{after}"

    return text


def counted(template: str) -> Shape:
    """Parts that all differ: `template` with a number, for example "w{} "."""

    def text(n: int) -> str:
        size = len(template.format(n))
        return "".join(template.format(i) for i in range(max(1, n // size)))

    return text


# One letter without a space, then by kind: scripts, marks, spaces, signs with a meaning to us, lists.
SHAPES: Mapping[str, Shape] = {
    "one run of letters": repeated("x"),
    "capitals": repeated("X"),
    "Chinese": repeated("河"),
    "kana": repeated("カー"),
    "Hangul parts": repeated("\u1100\u1161"),
    "Arabic with marks": repeated("ب\u0651"),
    "Devanagari": repeated("क\u094d"),
    "Thai": repeated("ก็"),
    "Thai words": repeated("ธนาคาร"),
    "Khmer": repeated("ធនាគារ"),
    "Korean": repeated("은행에서 "),
    "a Korean word": repeated("은행"),
    "Chinese words": repeated("银行在河边"),
    "Chinese with joiners": repeated("河\u200d"),
    "Japanese": repeated("銀行は川の"),
    "elision": repeated("l'un'un'un "),
    "l'un'un'un": repeated("l'un'"),
    "l'l'l'": repeated("l'"),
    "Arabic": repeated("البنك "),
    "tatweel": repeated("\u0640", "ب", "ك"),
    "marks": repeated("\u0301"),
    "a letter with marks": repeated("\u0301", "a", "b"),
    "marks of two kinds": repeated("\u0301\u0316", "a", "b"),
    "marks without a letter": repeated("\u0316\u0301"),
    "half-width kana": repeated("ｶﾞ"),
    "emoji joined": repeated("👩\u200d"),
    "flags": repeated("🇩"),
    "skin tones": repeated("👍🏽"),
    "joiners in a word": repeated("\u200d", "a", "b"),
    "zero-width spaces": repeated("\u200b", after="a"),
    "byte order marks": repeated("\ufeff", "a", "b"),
    "soft hyphens": repeated("\u00ad", "a", "b"),
    "direction marks": repeated("\u2066", after="a"),
    "lone surrogates": repeated("\ud800"),
    "control characters": repeated("\x01"),
    "letters that grow": repeated("İﬃ"),
    "digits": repeated("7"),
    "digits and a letter": repeated("7", after="x"),
    "decimals": repeated("1."),
    "underscores": repeated("_"),
    "spaces": repeated(" "),
    "spaces and a letter": repeated(" ", after="x"),
    "tabs": repeated("\t"),
    "newlines": repeated("\n"),
    "line separators": repeated("\u2028"),
    "carriage returns": repeated("\r"),
    "apostrophes": repeated("'"),
    "a'a'a": repeated("a'"),
    "curly apostrophes": repeated("a’"),
    "quotation marks": repeated('"'),
    "unclosed quotations": repeated("“a "),
    "at signs": repeated("@"),
    "number signs": repeated("#"),
    "headings": repeated("# a\n"),
    "www": repeated("www."),
    "addresses": repeated("a://"),
    "open brackets": repeated("["),
    "nested brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "images": repeated("!["),
    "links without an end": repeated("[]("),
    "links": repeated("[a](b) "),
    "open parentheses": repeated("("),
    "open braces": repeated("{"),
    "braces": repeated("{a}"),
    "colours": repeated(":blue["),
    "stars": repeated("*"),
    "stars and letters": repeated("*a", after="\n"),
    "backticks": repeated("`"),
    "an odd number of backticks": repeated("`", "```"),
    "dollars": repeated("$"),
    "formulas": repeated("$a"),
    "backslashes": repeated("\\"),
    "arrows": repeated("->"),
    "less-than signs": repeated("<"),
    "ampersands": repeated("&"),
    "commas": repeated(","),
    "semicolons": repeated(";"),
    "colons": repeated(":"),
    "spaced colons": repeated(" :"),
    "full stops": repeated("."),
    "exclamation marks": repeated("!"),
    "plus signs": repeated("+"),
    "minus signs": repeated("-"),
    "sums": repeated("+ a "),
    "bars": repeated("a | b\n"),
    "paths": repeated("/a"),
    "spaced paths": repeated(" /a/b"),
    "slashes": repeated("/"),
    "one word": repeated("bank "),
    "adverbs": repeated("often "),
    "different words": counted("w{} "),
    "different lines": counted("bank w{}\n"),
    "a list": counted("w{}, "),
    "sentences": repeated("A bank. "),
    "nested JSON": lambda n: '{"a":' * (n // 10) + "1" + "}" * (n // 10),
    "a JSON list": lambda n: "[" + "1," * (n // 2) + "1]",
    "special tokens": repeated("[MASK]"),
    "names of special tokens": repeated("<a"),
    "keys with layers": repeated("num_layer_"),
}
