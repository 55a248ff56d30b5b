"""What Korean, Arabic and Hebrew write together with a word: particles, articles and prepositions.

"은행에서" is the word "은행" with a particle, "البنك" the word "بنك" with its article. No space stands
between the two, and a tokenizer reads them as one; a text may therefore never have the word alone.
"""

from __future__ import annotations

from functools import lru_cache

# Korean: after a noun. Those of place and direction may be followed by one of topic.
_KOREAN = """
    은 는 이 가 을 를 의 도 만 요 야 이야 나 이나 라도 이라도 마다 마저 조차 밖에 처럼 보다 만큼
    대로 뿐 이다 입니다 이에요 예요 이었다 였다 이고 이며 인 이라고 라고 이라는 라는 만은 만이 만을
    """
_PLACE = """
    에 에서 에게 에게서 께 께서 한테 한테서 으로 로 으로서 로서 으로써 로써 와 과 하고 랑 이랑 까지 부터
    """
_TOPIC = ("", "는", "도", "만", "의")
_PLURAL = "들"
KOREAN = tuple(
    dict.fromkeys(
        plural + after
        for plural in ("", _PLURAL)
        for after in ("", *_KOREAN.split(), *(a + b for a in _PLACE.split() for b in _TOPIC))
        if plural + after
    )
)
# Arabic: "and" or "so", then "in" or "like", then the article; "to" merges with it.
ARTICLE, _TO = "ال", "لل"
ARABIC = tuple(
    dict.fromkeys(
        before + after
        for before in ("", "و", "ف")
        for after in (ARTICLE, f"ب{ARTICLE}", f"ك{ARTICLE}", _TO)
    )
)
# Before a noun without an article, one letter, which begins many other words as well.
ARABIC_LETTERS = ("و", "ف", "ب", "ك", "ل", "وب", "ول")
# Hebrew: "and", "that", "when", and prepositions, with or without the article.
_HEBREW = "ה וה שה כשה מה ב וב שב ל ול מ ומ שמ כ ו ש"
HEBREW = tuple(_HEBREW.split())
# The first and the last letter of each of the three scripts.
_HANGUL, _ARABIC, _LETTERS_OF_HEBREW = ("\uac00", "\ud7a3"), ("\u0620", "\u06ff"), ("\u05d0", "\u05ea")
MOST = 60  # letters of a word that has any: whoever types more means no noun
LEAST = 3  # letters after a single one, in Arabic and Hebrew: "לחם" (bread) is not "חם" (warm)


def with_particles(word: str) -> frozenset[str]:
    """The forms that a word takes with what its language writes together with it; without the word.

    Empty for other languages; a word of any script can have a Korean particle ("AI는").
    """
    if not word or len(word) > MOST or not word[-1].isalnum():
        return frozenset()
    return _with_particles(word)


@lru_cache(256)
def _with_particles(word: str) -> frozenset[str]:
    forms = {word + particle for particle in KOREAN}
    if _is_of(word, *_ARABIC):
        forms |= {before + word.removeprefix(ARTICLE) for before in ARABIC}
        if not word.startswith(ARTICLE) and len(word) >= LEAST:
            forms |= {letter + word for letter in ARABIC_LETTERS}
    elif _is_of(word, *_LETTERS_OF_HEBREW) and len(word) >= LEAST:
        forms |= {before + word for before in HEBREW}
    return frozenset(forms - {word})


def may_have_particle(word: str) -> bool:
    """Whether a word may be another one with a particle or an article: by its first and last letter."""
    return _is_of(word[-1:], *_HANGUL) or any(
        _is_of(word[:1], *script) for script in (_ARABIC, _LETTERS_OF_HEBREW)
    )


def takes_particles(word: str) -> bool:
    """Whether a word is of a language that writes particles together with it."""
    return any(_is_of(word, *script) for script in (_HANGUL, _ARABIC, _LETTERS_OF_HEBREW))


def stems(word: str) -> frozenset[str]:
    """The words that this one may be with a particle or an article, and itself.

    Single letters are taken off only where enough remains: "باب" is a door, and no father.
    """
    return _stems(word) if len(word) <= MOST else frozenset({word})


@lru_cache(1024)
def _stems(word: str) -> frozenset[str]:
    found = {word}
    if _is_of(word[-1:], *_HANGUL):
        found |= {
            word[: -len(particle)]
            for particle in KOREAN
            if len(particle) < len(word) and word.endswith(particle)
        }
    elif _is_of(word, *_ARABIC):
        found |= {
            word[len(before) :]
            for before in ARABIC
            if word.startswith(before) and len(word) - len(before) >= 2
        }
    elif _is_of(word, *_LETTERS_OF_HEBREW):
        found |= {
            word[len(before) :]
            for before in HEBREW
            if word.startswith(before) and len(word) - len(before) >= LEAST
        }
    return frozenset(found)


def _is_of(word: str, first: str, last: str) -> bool:
    """Whether all letters of a word lie between two characters."""
    return bool(word) and all(first <= letter <= last for letter in word)
