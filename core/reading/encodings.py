"""How the letters of a file are written: its encoding, by a mark, or by the likeliest letters.

Files say rarely how they are encoded, and a short one gives a detector little to go by: many bytes are
letters in a dozen encodings. Every candidate is therefore decoded, and the text that is likeliest as a
text of some language wins. `charset-normalizer` names further candidates and gives the letters of 40
languages in the order of their frequency; of Chinese, Japanese and Korean we add the commonest signs.
"""

from __future__ import annotations

import codecs
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

SAMPLE = 16_384  # bytes with letters beyond ASCII that decide
BROKEN = "\udcff"  # stands for a byte that cannot be decoded
ON_ERROR = "polysee.broken"

# The choices on the screen: what Python calls it -> what people do.
NAMES: Mapping[str, str] = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "utf-32": "UTF-32",
    "cp1252": "Western European (Windows-1252)",
    "iso8859-15": "Western European (ISO 8859-15)",
    "mac-roman": "Western European (Mac)",
    "cp437": "Western European (DOS, 437)",
    "cp850": "Western European (DOS, 850)",
    "cp1250": "Central European (Windows-1250)",
    "iso8859-2": "Central European (ISO 8859-2)",
    "cp1257": "Baltic (Windows-1257)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1258": "Vietnamese (Windows-1258)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "koi8-u": "Cyrillic (KOI8-U)",
    "cp866": "Cyrillic (DOS, 866)",
    "iso8859-5": "Cyrillic (ISO 8859-5)",
    "cp1253": "Greek (Windows-1253)",
    "iso8859-7": "Greek (ISO 8859-7)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "cp874": "Thai (TIS-620)",
    "gb18030": "Chinese, simplified (GBK, GB 18030)",
    "big5hkscs": "Chinese, traditional (Big5)",
    "cp932": "Japanese (Shift-JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "iso2022_jp": "Japanese (ISO-2022-JP)",
    "cp949": "Korean (EUC-KR, CP949)",
}
# What is common is more probable from the start: the natural logarithm of how much.
_PRIOR: Mapping[str, float] = {
    "cp1252": 2.5,
    **dict.fromkeys(("gb18030", "cp932", "cp949", "cp1251", "big5hkscs"), 2.0),
    **dict.fromkeys(("cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp874", "koi8-r"), 1.0),
    **dict.fromkeys(("euc_jp", "utf-16-le", "cp1257"), 0.0),
    **dict.fromkeys(("cp1258", "utf-16-be", "koi8-u", "cp866"), -1.0),
    **dict.fromkeys(("iso8859-2", "iso8859-5", "iso8859-7", "mac-roman"), -2.0),
    **dict.fromkeys(("cp850", "cp437"), -4.0),
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ISO_2022 = re.compile(rb"\x1b\$[@B]|\x1b\(J")

_SIMPLIFIED = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多"
    "经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性"
    "知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次"
    "度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建"
    "务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路"
    "记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运银钱河岸吃喝走跑坐站朋友晚早昨孩读写店买卖"
    "您吗呢吧啊嘛它们，爱"
)
_TRADITIONAL = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多"
    "經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性"
    "知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次"
    "度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建"
    "務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路"
    "記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運銀錢河岸吃喝走跑坐站朋友晚早昨孩讀寫店買賣"
    "您嗎呢吧啊嘛愛裏"
)
_KANJI = (
    "日一人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木"
    "聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世"
    "多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空急止送切転研足究楽起着店病質待試族銀"
    "早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹"
    "姉漢岸橋河預散土手沿国当政議民連対部合市内相定回選米実関決全表戦経最現調化当約首法性要制治務成期取都和機平加受続進数記初指権"
    "支産点報済活原共得解交資予向際勝面告反判認参利組信在件側任引求所次昨論官増係感情投示変打直両式確果容必演歳争談能位置流格疑"
)
_HANGUL = (
    "이다는을의에가고하로은한지기도를사어자리인나아서그수있정시대일해라들전과부여구보게장주상스만제으조원비제위관소연우화경내무유동면"
    "세까었신계용성했요것미오물마교생안민식공문국실모러방된터명중와분개영할통전말든선르산야며간당저건진업때적아었습니따없것음될했강둑"
    "책맡옆돈렸던운예바임여발트토치함같료배니프레크않많좋더직활후질출생심였란된월목외금회재법학력양네파히카포체표집천노호남북루"
)

# The 26 commonest letters of a language, which charset-normalizer has, are not all that it has.
_MORE: Mapping[str, str] = {
    "German": "ßyxq",
    "French": "çêâîôùûkœëwï",
    "Italian": "ùjìx",
    "Polish": "śćżńfź",
    "Spanish": "úñéxkü",
    "Portuguese": "êõúôâàxü",
    "Dutch": "éëïq",
    "Swedish": "éwz",
    "Norwegian": "éôò",
    "Danish": "é",
    "Czech": "žčšůúgňóťďfx",
    "Slovak": "čšťžľúňôďäóĺŕ",
    "Hungarian": "őűíüúwx",
    "Romanian": "ţşxyk",
    "Turkish": "öâîû",
    "Finnish": "éåx",
    "Estonian": "šž",
    "Croatian": "đ",
    "Slovene": "ćđ",
    "Lithuanian": "ūęfch",
    "Russian": "шюэщфъё",
    "Ukrainian": "шющєфґ",
    "Bulgarian": "юфшщь",
    "Serbian": "бгчжњћшљђфџ",
    "Greek": "ξώβφψζϊΐϋΰ",
    "Arabic": "ظغثذضزؤئآ",
    "Hebrew": "ףץ",
}
_OTHERS: Mapping[str, str] = {
    "Latvian": "aisteurnkolmpdāvzījēgbcšfžūņļķģčh",
    "Icelandic": "arnieðstulgmkfhvoáíþóydpbúéjæöýx",
    "Catalan": "easrlntiodcumpvgbqfhàéíèòjóxúçïüzy",
    "Macedonian": "аоиетнрсвдкплмујзгбцчшжфхѓќњџљѕѐѝ",
}


class Language(NamedTuple):
    """How probable each sign is in a text of a language.

    Attributes:
        signs: the sign -> the natural logarithm of its probability.
        scripts: the scripts of its letters; another letter of these is rare, of other scripts alien.
    """

    signs: Mapping[str, float]
    scripts: frozenset[str]


def with_mark(head: bytes) -> str | None:
    """The encoding that a byte order mark names, or None."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), None)


def known(name: str) -> str | None:
    """What we call an encoding that somebody or some file names; None if nobody knows it."""
    try:
        found = codecs.lookup(name.strip())
    except (LookupError, ValueError):
        return None
    if not getattr(found, "_is_text_encoding", True):
        return None
    for own in NAMES:
        if codecs.lookup(own).name == found.name:
            return own
    return _WIDER.get(found.name, found.name)


# What is a part of another encoding is read as that: files often say less than they hold.
_WIDER: Mapping[str, str] = {
    "ascii": "utf-8",
    "utf-8-sig": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "cp950": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}


def sample(chunks: Iterable[bytes], most: int = 64 * 2**20) -> bytes:
    """Those lines of a file that are not ASCII, up to `SAMPLE` bytes of them.

    Args:
        chunks: the file, piece by piece.
        most: bytes that are looked at; the rest is believed to be like them.
    """
    kept: list[bytes] = []
    size = seen = 0
    rest = b""
    for chunk in chunks:
        seen += len(chunk)
        if not kept and (chunk.count(0) or with_mark(chunk)):
            return chunk[: 2 * SAMPLE]
        if chunk.isascii() and rest.isascii():
            rest = b""
            if seen >= most:
                break
            continue
        # Whole lines: a cut inside a letter of several bytes would look like an error.
        chunk = rest + chunk
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r")) + 1
        rest = chunk[end:] if end and len(chunk) - end < SAMPLE else b""
        for line in chunk[: end or len(chunk)].splitlines(keepends=True):
            if not line.isascii():
                kept.append(line[: SAMPLE * 4])
                size += len(kept[-1])
                if size >= SAMPLE:
                    return b"".join(kept)
        if seen >= most:
            break
    if rest and not rest.isascii():
        kept.append(rest)
    return b"".join(kept)


def guess(head: bytes, lines: bytes | None = None, declared: str | None = None) -> str:
    """The encoding of a file.

    Args:
        head: its first bytes.
        lines: its lines beyond ASCII (`sample`); None to take the head.
        declared: what the file says of itself, in a markup language.
    """
    if (marked := with_mark(head)) is not None:
        return marked
    if _ISO_2022.search(head[:SAMPLE]):
        return "iso2022_jp"
    content = head if lines is None else lines
    if wide := _by_zeros(head or content) or _by_blocks(head or content):
        return wide
    if content.isascii():
        return "utf-8"
    if _mostly_utf8(content):
        return "utf-8"
    if declared is not None and (own := known(declared)) not in (None, "utf-8"):
        return str(own)
    return _likeliest(_beyond_ascii(content))


def _by_zeros(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: letters below U+0100 have a zero as every other byte."""
    part = head[:4_000]
    least = max(2, len(part) // 50) if len(part) > 4 else 1
    if not least <= part.count(0) <= 0.8 * len(part):
        return None  # a few zeros are damage, and nothing but zeros is no text
    even, odd = part[::2].count(0), part[1::2].count(0)
    if len(part) >= 8 and min(part[2::4].count(0), part[3::4].count(0)) > len(part) // 5:
        return "utf-32-le"
    if len(part) >= 8 and min(part[0::4].count(0), part[1::4].count(0)) > len(part) // 5:
        return "utf-32-be"
    if odd > 3 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 3 * odd else None


def _by_blocks(head: bytes) -> str | None:
    """UTF-16 without a mark, of a script whose letters share their upper byte.

    That byte is a control sign, which no other text has at every other place. Those of Thai and Russian
    even stand beside bytes below 128, so that the whole looks like ASCII.
    """
    part = head[: 4_000 if len(head) > 4_000 else len(head) // 2 * 2]
    if len(part) < 8:
        return None
    shares = []
    for half in (part[::2], part[1::2]):
        (top, count), *_ = Counter(half).most_common(1)
        own = top < 0x20 and top not in b"\0\t\n\r"
        # Between the letters there are spaces, signs and numbers: their upper byte is zero.
        shares.append((count + half.count(0) if own else 0) / len(half))
    even, odd = shares
    if max(even, odd) < 0.9 or min(even, odd) > 0.7:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _mostly_utf8(content: bytes) -> bool:
    """Whether it is UTF-8, perhaps with a few broken lines, or cut in its last letter."""
    try:
        content.decode("utf-8")
        return True
    except UnicodeDecodeError as error:
        if error.start >= len(content) - 3 and error.reason == "unexpected end of data":
            return error.start > 0 and any(one > 127 for one in content[: error.start])
    text = content.decode("utf-8", "surrogateescape")
    broken = sum("\ud800" <= sign <= "\udfff" for sign in text)
    whole = sum(sign > "\x7f" for sign in text) - broken
    return whole > 4 * broken


def _beyond_ascii(content: bytes) -> bytes:
    """At most `SAMPLE` bytes, of the lines that are not ASCII."""
    if len(content) <= SAMPLE:
        return content
    # UTF-16 has no lines of bytes.
    lines = [one for one in content.splitlines(keepends=True) if not one.isascii()]
    kept, size = [], 0
    for line in lines:
        kept.append(line)
        size += len(line)
        if size >= SAMPLE:
            break
    return b"".join(kept)[: 2 * SAMPLE]


def _likeliest(content: bytes) -> str:
    best, most = "cp1252", -math.inf
    for name in _candidates(content):
        text = _decoded(content, name)
        if text is None:
            continue
        found = likelihood(text) + _PRIOR.get(name, -3.0)
        if found > most:
            best, most = name, found
    return best


def _candidates(content: bytes) -> Iterator[str]:
    yield from _PRIOR
    if len(content) > 200:  # it takes a tenth of a second, and of a few words it knows no more than we
        from charset_normalizer import from_bytes

        for match in from_bytes(content[:SAMPLE]):
            name = known(match.encoding)
            if name is not None and name not in _PRIOR:
                yield name


def _decoded(content: bytes, encoding: str) -> str | None:
    """The text; None if more than a few bytes have no meaning. A part may be cut in a letter."""
    if encoding.startswith("utf-16"):
        content = content[: len(content) // 2 * 2]
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        if error.start >= len(content) - 4 and len(content) >= SAMPLE // 4:
            return content[: error.start].decode(encoding, "ignore")
    text = content.decode(encoding, ON_ERROR)
    # A byte that was damaged on the way must not decide against all others.
    beyond = sum(byte > 127 for byte in content)
    return text if text.count(BROKEN) * 200 <= beyond else None


def likelihood(text: str) -> float:
    """The natural logarithm of a text's probability, in the language that explains it best."""
    counts: dict[str, int] = {}
    for sign in text:
        counts[sign] = counts.get(sign, 0) + 1
    odd = _odd_places(text)
    present = {_script(sign) for sign in counts if sign > "\x7f"} | {"LATIN"}
    best = -math.inf
    for language in _languages():
        if language.scripts & present:
            found = sum(_of(sign, language) * count for sign, count in counts.items())
            best = max(best, found)
    return best - 3.0 * odd


_RARE, _ALIEN, _NONE = math.log(0.0015), math.log(2e-6), math.log(1e-9)
_TYPOGRAPHIC = frozenset("“”‘’„‚«»‹›–—…·•°€£§©®™ ¿¡")
_EAST_ASIAN = frozenset("。，、！？：；（）「」『』《》“”‘’…—　～·【】〈〉％")


def _of(sign: str, language: Language) -> float:
    if (found := language.signs.get(sign)) is not None:
        return found
    lower = sign.lower()
    if lower != sign and (found := language.signs.get(lower)) is not None:
        return found - 2.5
    return _unlisted(sign, language.scripts)


@lru_cache(maxsize=65_536)
def _unlisted(sign: str, scripts: frozenset[str]) -> float:
    if sign == BROKEN:
        return _NONE
    if sign < "\x80":
        if sign.isalpha():
            # Any language may stand among English; with letters of its own, it has fewer others.
            return _RARE if "LATIN" in scripts else _english(sign)
        return math.log(0.02) if sign >= " " or sign in "\t\n\r" else _NONE
    script = _script(sign)
    if script == "MARK" and scripts & {"ARABIC", "HEBREW"}:
        return _RARE
    if sign in _TYPOGRAPHIC:
        return math.log(0.003)
    if script == "OTHER":
        return math.log(0.01) if sign in _EAST_ASIAN and "CJK" in scripts else _ALIEN
    if script in scripts:
        if script == "CJK":
            return math.log(4e-6) if "\u4e00" <= sign <= "\u9fff" else math.log(1e-8)
        return math.log(3e-5) if script == "HANGUL" else _RARE
    return _NONE if script == "NONE" else _ALIEN


def _english(letter: str) -> float:
    english = _languages()[0].signs
    return english[letter] if letter in english else english[letter.lower()] - 2.5


_SCRIPTS = (
    *("LATIN", "CYRILLIC", "GREEK", "HEBREW", "ARABIC", "THAI", "HANGUL", "HIRAGANA", "KATAKANA"),
    *("CJK", "DEVANAGARI", "TAMIL"),
)


@lru_cache(maxsize=65_536)
def _script(sign: str) -> str:
    """The script of a letter; "MARK" of a vowel sign, "OTHER" of other signs, "NONE" of no sign."""
    category = unicodedata.category(sign)
    if category in ("Cn", "Co", "Cs", "Cc"):
        return "NONE"
    name = unicodedata.name(sign, "")
    first = name.partition(" ")[0]
    if name.startswith("HALFWIDTH") or "PRESENTATION" in name:
        return "OTHER"
    if category == "Mn" and first in ("ARABIC", "HEBREW"):
        return "MARK"
    if category[0] in "LM" and first in _SCRIPTS:
        return first
    return "OTHER"


_MIXED = re.compile(
    r"[a-zа-яёα-ω\u00df-\u00f6\u00f8-\u00ff]"
    r"[A-ZА-ЯЁΑ-Ω\u00c0-\u00d6\u00d8-\u00de]"  # a capital inside a word
    r"|[\u0080-\u00ff\u0100-\u017f]{3}"  # Latin letters with accents in a row
    r"|\w[¤¦§¨ª¯²³´¸¹º¼-¾×÷¬¶]\w"  # a sign inside a word
)


# A sign that hangs on a word; ľ before e and i, where Slovak writes l (it is the ž of another
# encoding); an apostrophe in place of the first letter of a Greek sentence.
_STRAY = re.compile(
    r"[^\W\d_][±¦¬¼¾¶]|[±¦¬¼¾¶][^\W\d_]|[ľĽ][eéěiíEÉĚIÍ]|(?:^|[.;!\n]\s{0,3})’[\u0370-\u03ff]"
)
# Two alphabets in one word; and signs of East Asia, which may stand beside a Latin name.
_TWO_ALPHABETS = re.compile(r"[A-Za-z][\u0370-\u06ff]|[\u0370-\u06ff][A-Za-z]")
_EAST = r"[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff66-\uff9f]"
_EAST_BESIDE = re.compile(rf"[A-Za-z]{_EAST}|{_EAST}[A-Za-z]")


def _odd_places(text: str) -> float:
    """How often a sign stands where no spelling puts it."""
    mixed = sum(not found.group().isascii() for found in _MIXED.finditer(text))
    two = sum(1 for _ in _TWO_ALPHABETS.finditer(text))
    beside = sum(1 for _ in _EAST_BESIDE.finditer(text))
    stray = sum(1 for _ in _STRAY.finditer(text))
    return mixed + stray + 3 * two + 1.5 * beside


@cache
def _languages() -> tuple[Language, ...]:
    from charset_normalizer.constant import FREQUENCIES

    made = []
    for name, first in {**FREQUENCIES, **_OTHERS}.items():
        if name.startswith(("Chinese", "Japanese", "Korean")):
            continue
        letters = [*first, *_MORE.get(name, "")]
        scripts = frozenset(map(_script, letters)) - {"OTHER", "MARK", "NONE"}
        made.append(_alphabet(letters, scripts))
    made += [
        _signs(_SIMPLIFIED, {"CJK"}, 60.0),
        _signs(_TRADITIONAL, {"CJK"}, 60.0),
        _signs(_HANGUL, {"HANGUL"}, 60.0),
    ]
    kana = [
        letter
        for name in ("Japanese—", "Japanese——")
        for letter in FREQUENCIES[name]
        if _script(letter) in ("HIRAGANA", "KATAKANA") or letter == "ー"
    ]
    hiragana = [one for one in kana if _script(one) == "HIRAGANA"]
    katakana = [one for one in kana if one not in hiragana]
    japanese = {
        **_weights(_KANJI, 0.3, 120.0),
        **_weights(katakana, 0.15, 25.0),
        **_weights(hiragana, 0.45, 20.0),
    }
    made.append(Language(japanese, frozenset({"CJK", "HIRAGANA", "KATAKANA"})))
    return tuple(made)


def _alphabet(letters: Iterable[str], scripts: frozenset[str]) -> Language:
    return Language(_weights(letters, 0.8, 9.0), scripts)


def _signs(letters: Iterable[str], scripts: set[str], decay: float) -> Language:
    return Language(_weights(letters, 0.8, decay), frozenset(scripts))


def _weights(letters: Iterable[str], share: float, decay: float) -> dict[str, float]:
    """Log probabilities that fall with the rank, of `share` together."""
    own = list(dict.fromkeys(one for one in letters if _script(one) not in ("OTHER",) or one == "ー"))
    raw = [math.exp(-rank / decay) + 0.02 for rank in range(len(own))]
    whole = sum(raw)
    return {one: math.log(share * value / whole) for one, value in zip(own, raw, strict=True)}


def _broken(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return BROKEN, max(error.end, error.start + 1)


codecs.register_error(ON_ERROR, _broken)
_: Callable[[UnicodeError], tuple[str, int]] = _broken
