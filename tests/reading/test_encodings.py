"""Encodings of short and long texts of many languages, told from their bytes alone."""
# ruff: noqa: E501 (texts, as they stand in files)

from __future__ import annotations

import random

import pytest

from core.reading import Choices, File, collect, encodings
from core.reading.encodings import guess

TEXTS = {
    "gb18030": ("银行在河边。", "我昨天去银行存钱，然后沿着河岸散步。", "小河的岸边长满了草，孩子们在那里放风筝。"),
    "big5": ("銀行在河邊。", "我昨天去銀行存錢，然後沿著河岸散步。", "小河的岸邊長滿了草，孩子們在那裡放風箏。"),
    "cp932": ("銀行は川の近くです。", "昨日、銀行へ行ってお金を預けました。", "カメラを銀行の前で買った。"),
    "euc_jp": ("銀行は川の近くです。", "昨日、銀行へ行ってお金を預けました。"),
    "iso2022_jp": ("銀行は川の近くです。",),
    "cp949": ("은행은 강 옆에 있다.", "나는 어제 은행에 가서 돈을 맡겼다.", "강둑을 따라 산책했다."),
    "cp1251": ("Банк стоит у реки.", "Вчера я ходил в банк и положил деньги на счёт.", "Банк біля річки."),
    "koi8-r": ("Банк стоит у реки.", "Мы гуляли по берегу реки."),
    "cp866": ("Банк стоит у реки.", "Мы гуляли по берегу реки."),
    "cp1252": ("Die größte Bank.", "Él fue al banco a sacar dinero.", "L’élève s’est assis près de l’eau."),
    "cp1250": ("Poszedłem do banku, żeby wpłacić pieniądze.", "Příliš žluťoučký kůň úpěl ďábelské ódy.", "Ő űrhajót épített, és őrült sebességgel repült."),
    "iso8859-7": ("Άλλοι πήγαν στην τράπεζα. Άλλοι έφυγαν, και ήρθαν άλλοι.",),
    "cp1253": ("Άλλοι πήγαν στην τράπεζα. Άλλοι έφυγαν, και ήρθαν άλλοι.", "Η τράπεζα είναι κοντά στο ποτάμι.", "Πήγα στην τράπεζα."),
    "cp1254": ("Bankaya gidip para yatırdım.", "Nehrin kıyısında yürüyüş yaptık."),
    "cp1255": ("הבנק נמצא ליד הנהר.", "הלכתי לבנק להפקיד כסף."),
    "cp1256": ("البنك قريب من النهر.", "ذهبت إلى البنك لإيداع المال."),
    "tis-620": ("ธนาคารอยู่ใกล้แม่น้ำ", "ฉันไปธนาคารเมื่อวานเพื่อฝากเงิน"),
    "cp1257": ("Mēs staigājām gar upes krastu, un bērni spēlējās.",),
    "utf-16-le": ("The bank.", "银行在河边。", "Банк стоит у реки.", "나는 어제 은행에 갔다."),
    "utf-16-be": ("The bank.", "银行在河边。", "Банк стоит у реки."),
    "utf-16": ("The bank.", "银行在河边。"),
    "utf-32-le": ("The bank.", "银行在河边。"),
    "utf-8": ("Die größte Bank.", "银行在河边。", "The bank."),
    "utf-8-sig": ("Die größte Bank.", "The bank."),
}  # fmt: skip


def decoded(content: bytes) -> str:
    return content.decode(guess(content)).removeprefix("\ufeff")


@pytest.mark.few(8)
@pytest.mark.parametrize("encoding", TEXTS)
def test_single_sentences_and_files_of_them(encoding: str) -> None:
    texts = TEXTS[encoding]
    for text in (*texts, "\n".join(texts), "\r\n".join(texts * 40)):
        assert decoded(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "text",
    [
        "Nechtěl tam jít, protože bylo pozdě a pršelo.",
        "Ő űrhajót épített, és őrült sebességgel repült.",
        "Może pójdziemy nad rzekę, ponieważ bank jest już zamknięty.",
    ],
)
def test_central_europe_beside_windows(text: str) -> None:
    for encoding in ("iso8859-2", "cp1250"):
        for one in (text, f"{text}\n" * 40):
            assert decoded(one.encode(encoding)) == one


WIDE = (
    *("ธนาคารอยู่ใกล้แม่น้ำ", "ဘဏ်သည် မြစ်အနီးတွင်ရှိသည်။", "ធនាគារនៅក្បែរទន្លេ", "ທະນາຄານຢູ່ໃກ້ແມ່ນ້ຳ", "Банкстоитуреки"),
    *("ბანკი მდინარესთან ახლოსაა.", "Բանկը գետի մոտ է։", "הבנק נמצא ליד הנהר", "البنك قريب من النهر"),
    *("बैंक नदी के पास है।", "வங்கி ஆற்றின் அருகில் உள்ளது", "銀行は川の近くです。", "은행은강옆에있다", "银行在河边"),
    *("Η τράπεζα είναι κοντά", "ባንኩ ከወንዙ አጠገብ ነው", "དངུལ་ཁང་ཆུ་འགྲམ་ན་ཡོད།", "బ్యాంకు నది దగ్గర", "The bank"),
)  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", WIDE)
def test_utf16_without_a_mark_in_every_script(text: str, encoding: str) -> None:
    for one in (text, f"{text}\n", f"{text}\r\n" * 40):
        assert decoded(one.encode(encoding)) == one
        found = collect(File("a.txt", content=one.encode(encoding)), Choices(running=False))
        assert found.sentences[0].text == text


def test_digits_and_tabs_are_no_utf16() -> None:
    for text in ("1\n2\n3\n4\n" * 9, "1\t2\t3\t4\n" * 9, "a\x0cb\x0cc\n" * 2):
        assert guess(text.encode()) == "utf-8"


@pytest.mark.parametrize("encoding", ["cp1252", "gb18030", "cp1251", "cp1256", "tis-620"])
def test_a_few_foreign_letters_among_english(encoding: str) -> None:
    rng = random.Random(1)
    english = ["He sat on the bank of the river and counted his money, again and again."] * 30
    lines = [*english, *TEXTS[encoding]]
    rng.shuffle(lines)
    text = "\n".join(lines)
    assert decoded(text.encode(encoding)) == text


def test_what_is_damaged_here_and_there_does_not_decide() -> None:
    text = "Schöne Grüße über die Flüsse. " * 30
    assert guess(text.encode() + b"\xff" + text.encode()) == "utf-8"
    assert guess(text.encode()[:101]) == "utf-8"  # cut in a letter


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("latin-1", "cp1252"), ("ISO-8859-9", "cp1254"), ("gbk", "gb18030"), ("GB2312", "gb18030"),
        ("Shift_JIS", "cp932"), ("windows-1251", "cp1251"), ("UTF8", "utf-8"), ("ascii", "utf-8"),
        ("euc-kr", "cp949"), ("tis-620", "cp874"), ("cp037", "cp037"), ("klingon", None), ("rot13", None),
        ("hex", None), ("", None), ("a\0b", None),
    ],
)  # fmt: skip
def test_names_of_encodings(name: str, known: str | None) -> None:
    assert encodings.known(name) == known


def test_every_encoding_on_the_screen_is_one() -> None:
    assert [name for name in encodings.NAMES if encodings.known(name) != name] == []


def test_a_wrong_guess_can_be_set_right() -> None:
    content = "Bankas yra prie upės. Ąžuolas.\n".encode("cp1257")
    file = File("a.txt", content=content)
    found = collect(file, Choices(encoding="windows-1257"))
    assert found.sentences[0].text == "Bankas yra prie upės."
    assert "encoding" not in found.understood.guessed
    assert "encoding" in collect(file).understood.guessed
