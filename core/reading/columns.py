"""What the columns of a table are for: a header, texts, labels.

Told from what stands in them. A header is short, is no number, does not come back further down and
differs in kind from what stands below it; names that people give to columns, in many languages, help.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

from ..untrusted import normalized

Kind = Literal["number", "date", "link", "label", "text", "empty"]
MOST_LABELS = 20  # different labels that a column may have, or a fifth of its rows
_LONG_LABEL = 40  # characters
_LONG = 100  # characters of what may be a number or a date
_HEADER = 1.4  # the least evidence for a header

# In order: the first that a table has is its column of texts, or of labels.
TEXTS = (
    *("text", "sentence", "texts", "sentences", "content", "body", "review", "passage", "paragraph"),
    *("utterance", "tweet", "comment", "message", "post", "document", "context", "example", "line"),
    *("quote", "description", "abstract", "article", "story", "answer", "question", "transcript"),
    *("review text", "reviewtext", "full text", "fulltext", "text raw", "raw text", "clean text"),
    *("sentence1", "sentence 1", "text1", "premise", "selftext", "dialogue", "lyrics", "caption"),
    *("satz", "sätze", "texte", "beispiel", "kommentar", "nachricht", "inhalt", "beleg", "absatz"),
    *(
        "phrase",
        "phrases",
        "texte",
        "contenu",
        "commentaire",
        "exemple",
        "énoncé",
        "avis",
        "paragraphe",
    ),
    *("texto", "textos", "oración", "oracion", "frase", "frases", "contenido", "comentario", "ejemplo"),
    *("reseña", "testo", "commento", "esempio", "contenuto", "recensione", "sentença", "conteúdo"),
    *(
        "comentário",
        "exemplo",
        "tekst",
        "zin",
        "zinnen",
        "zdanie",
        "treść",
        "komentarz",
        "věta",
        "veta",
    ),
    *("mening", "meningar", "sætning", "setning", "lause", "teksti", "mondat", "szöveg", "propoziție"),
    *("metin", "cümle", "yorum", "văn bản", "câu", "kalimat", "teks", "kommentti", "recenze", "opinia"),
    *("текст", "предложение", "предложения", "отзыв", "комментарий", "фраза", "сообщение", "речення"),
    *("текстът", "изречение", "реченица", "κείμενο", "πρόταση", "נאום", "טקסט", "משפט", "نص", "النص"),
    *("جملة", "الجملة", "تعليق", "متن", "جمله", "پیام", "वाक्य", "पाठ", "टेक्स्ट", "ข้อความ", "ประโยค"),
    *(
        "文本",
        "句子",
        "内容",
        "评论",
        "文章",
        "段落",
        "正文",
        "語句",
        "內容",
        "評論",
        "文",
        "本文",
        "文章",
    ),
    *(
        "テキスト",
        "レビュー",
        "例文",
        "コメント",
        "문장",
        "텍스트",
        "내용",
        "본문",
        "리뷰",
        "댓글",
        "예문",
    ),
)
LABELS = (
    *("label", "sense", "labels", "senses", "class", "category", "meaning", "tag", "sentiment"),
    *(
        "target",
        "topic",
        "genre",
        "polarity",
        "emotion",
        "intent",
        "gold",
        "gold label",
        "type",
        "stance",
    ),
    *("label text", "airline sentiment", "word sense", "group", "register", "rating", "stars", "score"),
    *("etikett", "bezeichnung", "klasse", "bedeutung", "kategorie", "lesart", "thema", "gattung"),
    *("étiquette", "etiquette", "sens", "classe", "catégorie", "categorie", "signification", "thème"),
    *("etiqueta", "sentido", "clase", "categoría", "categoria", "significado", "tema", "género"),
    *("etichetta", "senso", "significato", "rótulo", "rotulo", "etykieta", "klasa", "kategoria"),
    *("znaczenie", "štítek", "význam", "etikett", "klass", "kategori", "betydelse", "betekenis"),
    *("etiket", "anlam", "sınıf", "nhãn", "kelas", "makna", "luokka", "címke", "jelentés"),
    *("метка", "класс", "категория", "значение", "смысл", "тональность", "мітка", "етикет"),
    *("ετικέτα", "κατηγορία", "תווית", "קטגוריה", "تصنيف", "التصنيف", "فئة", "معنى", "برچسب"),
    *("लेबल", "श्रेणी", "ป้าย", "ประเภท", "หมวด", "ความหมาย"),
    *("标签", "类别", "分类", "类型", "情感", "義項", "义项", "標籤", "類別", "分類", "類型", "情感"),
    *(
        "ラベル",
        "カテゴリ",
        "カテゴリー",
        "クラス",
        "意味",
        "語義",
        "레이블",
        "라벨",
        "분류",
        "범주",
        "의미",
        "감정",
    ),
)
_OTHERS = (
    *("id", "idx", "index", "no", "nr", "number", "date", "time", "year", "month", "day", "timestamp"),
    *("created at", "author", "user", "username", "name", "title", "headline", "subject", "source"),
    *(
        "url",
        "link",
        "file",
        "filename",
        "lang",
        "language",
        "country",
        "city",
        "place",
        "split",
        "word",
    ),
    *("lemma", "pos", "form", "token", "speaker", "gender", "sex", "age", "newspaper", "publisher"),
    *("volume", "issue", "page", "chapter", "book", "edition", "isbn", "doi", "section", "sentence id"),
    *("text id", "doc id", "docid", "document id", "sentence2", "sentence 2", "hypothesis", "helpful"),
    *("likes", "retweets", "votes", "price", "product", "count", "freq", "frequency", "value", "key"),
    *(
        "jahr",
        "datum",
        "autor",
        "verfasser",
        "titel",
        "quelle",
        "wort",
        "nummer",
        "zeit",
        "ort",
        "sprache",
    ),
    *("année", "annee", "date", "auteur", "titre", "mot", "numéro", "lieu", "langue", "año", "fecha"),
    *("autor", "título", "titulo", "palabra", "número", "anno", "data", "autore", "titolo", "parola"),
    *("ano", "palavra", "rok", "słowo", "tytuł", "год", "дата", "автор", "название", "слово", "номер"),
    *(
        "年",
        "年份",
        "日期",
        "作者",
        "标题",
        "標題",
        "题目",
        "词",
        "词语",
        "编号",
        "序号",
        "來源",
        "来源",
        "出典",
    ),
    *(
        "番号",
        "著者",
        "タイトル",
        "単語",
        "日付",
        "번호",
        "날짜",
        "저자",
        "제목",
        "단어",
        "출처",
        "연도",
    ),
    *("سنة", "تاريخ", "المؤلف", "كاتب", "العنوان", "كلمة", "رقم", "שנה", "תאריך", "כותרת", "מילה", "ปี"),
    *("วันที่", "ผู้แต่ง", "ชื่อ", "คำ", "ลำดับ", "yıl", "tarih", "yazar", "başlık", "kelime"),
)
_KNOWN = frozenset({*TEXTS, *LABELS, *_OTHERS})
# Names of columns that are long and not what people mean by the text.
_NOT_TEXTS = frozenset({*_OTHERS, *LABELS})
_NUMBER = re.compile(r"[-+−]?(\d+([.,]\d+)*|[.,]\d+)([eE][-+]?\d{1,3})?\s?[%€$£]?")
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
    r"([ T]\d{1,2}:\d\d(:\d\d(\.\d{1,9})?)?\s?(Z|[+-]\d\d:?\d\d|[AaPp][Mm])?)?"
    r"|\d{1,2}:\d\d(:\d\d)?"
    r"|((Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(\d{1,2} )?"
    r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r"[a-z]{0,6}\.?,? \d{1,4}(st|nd|rd|th)?(,? [A-Z\d:+ ]{2,25})?",
    re.ASCII,
)
_LINK = re.compile(r"(https?://|www\.)\S+|[^\s@]+@[^\s@]+\.\w{2,10}|[\w.-]+(/[\w.-]+)+")
_IDENTIFIER = re.compile(r"[^\W_]+(?:_[^\W_]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+")
_ENDS = ".!?…。！？؟۔।။”\"'»)"


def plain_name(name: str) -> str:
    """A column's name in the form of our lists: "Review_Text" is "review text"."""
    name = normalized("NFC", name).strip(" \t\ufeff\"'#*:").casefold()
    return " ".join(re.sub(r"[_\-./]+", " ", name).split())


def is_known(name: str) -> bool:
    """Whether people call columns so."""
    return plain_name(name) in _KNOWN


def kind_of(cell: str) -> Kind:
    """What one cell is."""
    return "text" if len(cell) > 2_000 else _kind_of(cell)


def _kind_of(cell: str) -> Kind:
    return _kind_of_short(cell) if len(cell) < _LONG else _kind_of_any(cell)


@lru_cache(maxsize=4_096)
def _kind_of_short(cell: str) -> Kind:
    return _kind_of_any(cell)


def _kind_of_any(cell: str) -> Kind:
    cell = cell.strip()
    if not cell or cell.casefold() in ("na", "n/a", "nan", "null", "none", "\\n", "-"):
        return "empty"
    if len(cell) < _LONG:
        if _NUMBER.fullmatch(cell):
            return "number"
        if _DATE.fullmatch(cell):
            return "date"
    if len(cell) < 300 and " " not in cell and _LINK.fullmatch(cell):
        return "link"
    if len(cell) <= _LONG_LABEL and len(cell.split()) <= 4 and not cell.endswith(tuple(".!?。！？؟।")):
        return "label"
    return "text"


def letters(cell: str) -> int:
    """The number of letters in a cell: what texts have most of, in every script."""
    return sum(map(str.isalpha, cell[:2_000])) if kind_of(cell) in ("label", "text") else 0


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first of some rows names the columns.

    Args:
        rows: the first rows of a table.
    """
    if not rows:
        return False
    first, body = rows[0], rows[1:]
    named = [cell for cell in first if cell.strip()]
    if not named or len(named) < len(first) - 1:
        return False
    if any(len(cell) > 80 or "\n" in cell for cell in named):
        return False
    names = [plain_name(cell) for cell in named]
    known = sum(name in _KNOWN for name in names)
    if any(kind_of(cell) in ("number", "date", "link") for cell in named) and known * 2 < len(named):
        return False
    if not body:
        return known == len(names) and known > 0
    evidence = 1.0 * known if len(set(names)) == len(names) else -1.0
    for i, cell in enumerate(first):
        below = [row[i] for row in body if i < len(row) and row[i].strip()]
        evidence += _evidence(cell, below) if cell.strip() and below else 0.0
    return evidence >= _HEADER


def _evidence(name: str, below: Sequence[str]) -> float:
    """How much one cell speaks for a header, by what stands below it; negative if against one."""
    kinds = [kind_of(cell) for cell in below]
    own, count = kind_of(name), len(below)
    folded = plain_name(name)
    again = sum(plain_name(cell) == folded for cell in below)
    found = 1.0 if folded in _KNOWN and not again else 0.0
    if _IDENTIFIER.fullmatch(name.strip()) and not again:
        found += 0.7
    if sum(kind in ("number", "date") for kind in kinds) >= 0.9 * count:
        return found + (1.5 if own not in ("number", "date") else -3.0)
    if is_label_column(below):
        return found + (-3.0 if again else 0.5 if count < 8 else 1.0)
    mean = sum(map(letters, below)) / count
    if "text" in kinds and mean >= 10:
        if again or _reads_as_sentence(name, mean):
            return found - 2.0
        return found + (1.5 if letters(name) < mean / 3 else 0.3)
    return found - (1.0 if again else 0.0)


def _reads_as_sentence(cell: str, mean: float) -> bool:
    cell = cell.strip()
    if plain_name(cell) in _KNOWN:
        return False
    return (
        len(cell.split()) >= 4
        or (cell.endswith(tuple(_ENDS)) and not cell.endswith(")"))
        or letters(cell) > mean / 2
    )


def is_label_column(cells: Sequence[str]) -> bool:
    """Whether cells are few different ones that come again, each of few words."""
    there = [cell.strip() for cell in cells if cell.strip()]
    different = set(there)
    few = len(different) <= max(MOST_LABELS, len(there) // 5) and len(different) < len(there)
    return few and all(len(one) <= _LONG_LABEL and len(one.split()) <= 4 for one in different)


def named(wanted: str, names: Sequence[str]) -> str | None:
    """The column that somebody means by its name, whatever its capitals, or by its number from 1."""
    for same in (str, str.strip, str.casefold, plain_name):
        sought = same(wanted)
        for name in names:
            if same(name) == sought:
                return name
    if wanted.strip().isdecimal() and 1 <= int(wanted[:9]) <= len(names):
        return names[int(wanted) - 1]
    return None


def text_column(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str | None:
    """The column of texts: the one with most letters, those with a name for texts first.

    Args:
        names: the names of the columns.
        rows: some rows.

    Returns:
        Its name; None if no column has words.
    """
    best: tuple[float, str] | None = None
    for name in names:
        cells = [str(row[name]) for row in rows if isinstance(row.get(name), str) and row[name].strip()]
        weight = text_weight(name, cells)
        if weight and (best is None or weight > best[0]):
            best = weight, name
    return best[1] if best else None


def text_weight(name: str, cells: Sequence[str]) -> float:
    """How much speaks for a column of texts: its letters a cell, and its name; 0 for none."""
    mean = sum(map(letters, cells)) / len(cells) if cells else 0.0
    folded = _folded(name)
    if folded in TEXTS:
        mean *= 12 if TEXTS.index(folded) < 2 else 6
    elif folded in _NOT_TEXTS:
        mean *= 0.4
    return mean * 0.5 if is_label_column(cells) else mean  # the same few words in every row


def _folded(name: str) -> str:
    """`plain_name`; of a column inside another ("data.text"), where that is no name, the last part."""
    whole = plain_name(name)
    return whole if whole in _KNOWN else plain_name(name.rpartition(".")[2])


def label_column(names: Sequence[str], rows: Sequence[Mapping[str, Any]], text: str) -> str:
    """The column of labels: one with a name for labels, or else the one with fewest different ones.

    Args:
        names: the names of the columns.
        rows: some rows.
        text: the column of texts.

    Returns:
        Its name, or "" if there is none.
    """
    others = [name for name in names if name != text]
    cells = {
        name: [
            str(row[name]).strip()
            for row in rows
            if row.get(name) not in (None, "") and not isinstance(row[name], list | dict)
        ]
        for name in others
    }
    plain = {name: _folded(name) for name in others}
    named_so = [
        (LABELS.index(plain[name]), i)
        for i, name in enumerate(others)
        if plain[name] in LABELS and any(cells[name]) and not _is_measure(cells[name])
    ]
    if named_so:
        return others[min(named_so)[1]]
    fit: list[tuple[bool, bool, int, str]] = []
    for name in others:
        different = len(set(cells[name]))
        kinds = {kind_of(cell) for cell in cells[name]}
        if is_label_column(cells[name]) and "date" not in kinds and len(cells[name]) * 2 >= len(rows):
            fit.append((different < 2, plain[name] in _OTHERS, different, name))
    return min(fit, key=lambda one: one[:3])[3] if fit else ""


def _is_measure(cells: Sequence[str]) -> bool:
    """Whether cells are numbers on a scale, not the numbers of a few classes."""
    return len(set(cells)) > MOST_LABELS and all(kind_of(cell) in ("number", "empty") for cell in cells)
