"""A small tokenizer of every kind in `transformers`, with pieces of a dozen words.

Each is made by its own class, and therefore treats a text as that class does. If a class needs files,
they are written first; `.model` and `.spm` files are trained here, in some 50 ms.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from tests.pretrained.small_models import LETTERS, PIECES, byte_level, marked, unigram
from tests.pretrained.small_models import tokenizer as small

# Further texts, besides those of tests/pretrained/tokenizer/test_reader.py.
TEXTS = [
    "on a bank",
    "On the river bank, the bank's riverbank",
    "a  bank   on ",
    "  lead a",
    "see 🎣bank now",
    "x",
    "ﬁsh ½ ①bank ﷺ",
    "I.B.M. bank—river",
    "éa e\u0301a",
    "a\nb\n\nbank",
]

_BERT = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_ROBERTA = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
_ALPHABET = [chr(i) for i in range(ord("a"), ord("z") + 1)]


def numbered(tokens: Iterable[str]) -> dict[str, int]:
    return {token: i for i, token in enumerate(dict.fromkeys(tokens))}


def word_pieces(*specials: str) -> dict[str, int]:
    letters = [c for c in LETTERS if c != "▁"]
    whole = [*PIECES, *letters, "é"]
    return numbered([*_BERT, *specials, *whole, *(f"##{piece}" for piece in whole), "我", "行"])


def word_ends(*specials: str) -> dict[str, Any]:
    """OpenAI's kind: pairs of letters, with a mark after the last letter of a word."""
    vocabulary = [
        *specials,
        *_ALPHABET,
        *(f"{c}</w>" for c in [*_ALPHABET, *".,'"]),
        "ba",
        "ban",
        "bank</w>",
    ]
    return {"vocab": numbered(vocabulary), "merges": [("b", "a"), ("ba", "n"), ("ban", "k</w>")]}


def made(model: Any, **parts: Any) -> Any:
    """A tokenizer without its own class, made from parts of the Rust library and special tokens."""
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(model)
    for name in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        if name in parts:
            setattr(inner, name, parts.pop(name))
    return PreTrainedTokenizerFast(tokenizer_object=inner, **parts)


def _byte_level(*, trim: bool, prefix: bool, regex: bool = True) -> Any:
    from tokenizers import decoders, models, pre_tokenizers, processors

    return made(
        models.BPE(**byte_level("<s>", "</s>")),
        pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex),
        post_processor=processors.ByteLevel(trim_offsets=trim),
        decoder=decoders.ByteLevel(),
    )


def _words(pre_tokenizer: str) -> Any:
    from tokenizers import models, normalizers, pre_tokenizers

    return made(
        models.WordLevel(numbered(["[UNK]", *PIECES]), unk_token="[UNK]"),
        normalizer=normalizers.Lowercase(),
        pre_tokenizer=getattr(pre_tokenizers, pre_tokenizer)(),
        unk_token="[UNK]",
    )


def _characters() -> Any:
    from tokenizers import Regex, models, pre_tokenizers

    return made(
        models.WordLevel(numbered(["[UNK]", " ", *_ALPHABET]), unk_token="[UNK]"),
        pre_tokenizer=pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated"),
        unk_token="[UNK]",
    )


def _pairs(**options: Any) -> Any:
    from tokenizers import models, pre_tokenizers

    return made(
        models.BPE(vocab=numbered(["<unk>", *_ALPHABET]), merges=[], unk_token="<unk>", **options),
        pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
        unk_token="<unk>",
    )


def _prepended() -> Any:
    """Llama 2's kind as published: the mark is inserted before the text is split."""
    from tokenizers import models, normalizers, processors

    return made(
        models.BPE(**marked("<unk>", "<s>"), byte_fallback=True, fuse_unk=True, unk_token="<unk>"),
        normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        post_processor=processors.TemplateProcessing(
            single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)]
        ),
        unk_token="<unk>",
    )


def _unigram(*, bytes_too: bool) -> Any:
    from tokenizers import Regex, models, normalizers, pre_tokenizers

    pieces = unigram("<unk>")
    if bytes_too:
        pieces += [(f"<0x{byte:02X}>", -20.0) for byte in range(256)]
    return made(
        models.Unigram(pieces, unk_id=0, byte_fallback=bytes_too),
        normalizer=normalizers.Sequence(
            [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
        ),
        pre_tokenizer=pre_tokenizers.Metaspace(),
        unk_token="<unk>",
    )


def _stripped() -> Any:
    from tokenizers import models, normalizers, pre_tokenizers

    return made(
        models.WordPiece(word_pieces(), unk_token="[UNK]"),
        normalizer=normalizers.Sequence(
            [
                normalizers.NFD(),
                normalizers.Lowercase(),
                normalizers.StripAccents(),
                normalizers.Strip(),
            ]
        ),
        pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
        unk_token="[UNK]",
    )


def _of(name: str, **options: Any) -> Any:
    import transformers

    return getattr(transformers, name)(**options)


# The tokenizers that run in Rust.
FAST: dict[str, Callable[[], Any]] = {
    "BERT": lambda: _of("BertTokenizer", vocab=word_pieces()),
    "BERT, cased": lambda: _of("BertTokenizer", vocab=word_pieces("B"), do_lower_case=False),
    "MPNet": partial(small, "mpnet"),
    "Funnel": lambda: _of(
        "FunnelTokenizer",
        vocab=word_pieces("<pad>", "<unk>", "<cls>", "<sep>", "<mask>", "<s>", "</s>"),
    ),
    "GPT-2": partial(small, "gpt2"),
    "GPT-2, blank before": lambda: _of(
        "GPT2Tokenizer", **byte_level("<|endoftext|>"), add_prefix_space=True
    ),
    "OPT": partial(small, "opt"),
    "RoBERTa": lambda: _of("RobertaTokenizer", **byte_level(*_ROBERTA)),
    "RoBERTa, blank before": lambda: _of(
        "RobertaTokenizer", **byte_level(*_ROBERTA), add_prefix_space=True
    ),
    "RoBERTa, not trimmed": lambda: _of(
        "RobertaTokenizer", **byte_level(*_ROBERTA), trim_offsets=False
    ),
    "BART": partial(small, "bart"),
    "Blenderbot": lambda: _of("BlenderbotTokenizer", **byte_level(*_ROBERTA)),
    "bytes, trimmed": lambda: _byte_level(trim=True, prefix=False),
    "bytes, trimmed, blank before": lambda: _byte_level(trim=True, prefix=True),
    "bytes, trimmed, not split": lambda: _byte_level(trim=True, prefix=False, regex=False),
    "bytes": lambda: _byte_level(trim=False, prefix=False),
    "DeBERTa": lambda: _of("DebertaTokenizer", **byte_level(*_BERT)),
    "GPT-NeoX": lambda: _of("GPTNeoXTokenizer", **byte_level("<|endoftext|>")),
    "CodeGen": lambda: _of("CodeGenTokenizer", **byte_level("<|endoftext|>")),
    "Qwen": partial(small, "qwen2"),
    "Cohere": lambda: _of(
        "CohereTokenizer",
        **byte_level(
            *(
                "<PAD>",
                "<UNK>",
                "<CLS>",
                "<SEP>",
                "<MASK_TOKEN>",
                "<BOS_TOKEN>",
                "<|END_OF_TURN_TOKEN|>",
            )
        ),
    ),
    "CLIP": lambda: _of("CLIPTokenizer", **_clip()),
    "Llama": partial(small, "llama"),
    "Llama, legacy": lambda: _of("LlamaTokenizer", **marked("<unk>", "<s>", "</s>"), legacy=True),
    "Llama, prepended": _prepended,
    "Gemma": lambda: _of("GemmaTokenizer", **marked("<pad>", "<eos>", "<bos>", "<unk>", "<mask>")),
    "NLLB": lambda: _of("NllbTokenizer", **marked("<s>", "<pad>", "</s>", "<unk>")),
    "Seamless": lambda: _of("SeamlessM4TTokenizer", **marked("<pad>", "<unk>", "<s>", "</s>")),
    "Reformer": lambda: _of("ReformerTokenizer", **marked("</s>", "<unk>")),
    "OpenAI GPT": lambda: _of("OpenAIGPTTokenizer", **word_ends("<unk>")),
    "HerBERT": lambda: _of("HerbertTokenizer", **word_ends(*_ROBERTA)),
    "T5": partial(small, "t5"),
    "ALBERT": lambda: _of(
        "AlbertTokenizer", vocab=unigram("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")
    ),
    "RemBERT": lambda: _of(
        "RemBertTokenizer", vocab=unigram("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")
    ),
    "FNet": lambda: _of("FNetTokenizer", vocab=unigram("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")),
    "XLM-R": lambda: _of("XLMRobertaTokenizer", vocab=unigram(*_ROBERTA)),
    "CamemBERT": lambda: _of("CamembertTokenizer", vocab=unigram(*_ROBERTA)),
    "BARThez": lambda: _of("BarthezTokenizer", vocab=unigram(*_ROBERTA)),
    "mBART": lambda: _of(
        "MBartTokenizer", vocab=unigram(*_ROBERTA[:4]), src_lang="en_XX", tgt_lang="ro_RO"
    ),
    "mBART-50": lambda: _of(
        "MBart50Tokenizer", vocab=unigram(*_ROBERTA[:4]), src_lang="en_XX", tgt_lang="ro_RO"
    ),
    "XGLM": lambda: _of("XGLMTokenizer", vocab=unigram(*_ROBERTA[:4])),
    "DeBERTa-v2": lambda: _of(
        "DebertaV2Tokenizer", vocab=unigram("[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]")
    ),
    "XLNet": lambda: _of(
        "XLNetTokenizer",
        vocab=unigram("<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>", "<eod>", "<eop>"),
    ),
    "Marian, in one file": partial(small, "marian"),
    "Unigram": partial(_unigram, bytes_too=False),
    "Unigram, unknown as bytes": partial(_unigram, bytes_too=True),
    "words": partial(_words, "Whitespace"),
    "words between blanks": partial(_words, "WhitespaceSplit"),
    "characters": _characters,
    "pairs": _pairs,
    "pairs, unknown fused": partial(_pairs, fuse_unk=True),
    "WordPiece, stripped": _stripped,
}


def _clip() -> dict[str, Any]:
    from tokenizers.pre_tokenizers import ByteLevel

    letters = sorted(ByteLevel.alphabet())
    tokens = ["<|startoftext|>", "<|endoftext|>", *letters, *(f"{c}</w>" for c in letters)]
    return {
        "vocab": numbered([*tokens, "ba", "ban", "bank</w>"]),
        "merges": [("b", "a"), ("ba", "n"), ("ban", "k</w>")],
    }


SENTENCES = [
    "the river bank was steep",
    "a man sat on the bank",
    "money in the bank",
    "On the river bank, the bank's riverbank",
    "the quick brown fox jumps over the lazy dog",
    "éa naïve ½ Straße",
] * 3


@lru_cache
def sentence_model(**options: Any) -> bytes:
    """A small SentencePiece model."""
    from sentencepiece import SentencePieceTrainer

    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=model,
        **({"vocab_size": 90, "hard_vocab_limit": False, "minloglevel": 2, "num_threads": 1} | options),
    )
    return model.getvalue()


def pieces(model: bytes) -> list[str]:
    """The pieces of a SentencePiece model, without its special tokens."""
    from sentencepiece import SentencePieceProcessor

    known = SentencePieceProcessor(model_proto=model)
    return [known.id_to_piece(i) for i in range(3, known.get_piece_size())]


def written(folder: Path, name: str, content: Any) -> str:
    """Write a file with this content (bytes, a text, or a value for JSON); returns its path."""
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def write_marian(folder: Path, *, separate: bool = False) -> dict[str, str]:
    """The files of a published Marian model: two models, with one vocabulary or one for each.

    Some pieces of either model are in no vocabulary: Marian was trained without them.
    """
    source, target = sentence_model(), sentence_model(model_type="bpe", vocab_size=120)
    learned = pieces(source)[:-4] + ([] if separate else pieces(target)[:-4])
    padding = ["<pad>"] if separate else []  # the same number in both
    files: dict[str, Any] = {
        "source.spm": source,
        "target.spm": target,
        "vocab.json": numbered(["</s>", "<unk>", *padding, ">>fr<<", *learned, "<pad>"]),
    }
    if separate:
        reverse = reversed(pieces(target)[:-4])
        files["target_vocab.json"] = numbered(["</s>", "<unk>", *padding, *reverse])
    return {name: written(folder, name, content) for name, content in files.items()}


def _marian(folder: Path, *, separate: bool = False) -> Any:
    files = write_marian(folder, separate=separate)
    more = (
        {"target_vocab_file": files["target_vocab.json"], "separate_vocabs": True} if separate else {}
    )
    return _of(
        "MarianTokenizer",
        source_spm=files["source.spm"],
        target_spm=files["target.spm"],
        vocab=files["vocab.json"],
        **more,
    )


def _m2m100(folder: Path) -> Any:
    model = sentence_model()
    return _of(
        "M2M100Tokenizer",
        vocab_file=written(folder, "vocab.json", numbered([*_ROBERTA[:4], *pieces(model)[:-4]])),
        spm_file=written(folder, "sentencepiece.bpe.model", model),
        src_lang="en",
        tgt_lang="fr",
    )


def _bartpho(folder: Path) -> Any:
    model = sentence_model()
    return _of(
        "BartphoTokenizer",
        vocab_file=written(folder, "sentencepiece.bpe.model", model),
        monolingual_vocab_file=written(
            folder, "dict.txt", "".join(f"{piece} 1\n" for piece in pieces(model)[:-4])
        ),
    )


def _one_model(name: str, file: str, folder: Path, **options: Any) -> Any:
    return _of(name, vocab_file=written(folder, file, sentence_model()), **options)


def _continued(name: str, folder: Path) -> Any:
    """CTRL's kind: pairs of letters, and “@@” after a piece whose word continues."""
    signs = [*_ALPHABET, *".,'"]
    tokens = [
        "<unk>",
        "__start__",
        "__end__",
        "__null__",
        "__unk__",
        *signs,
        *(f"{c}@@" for c in signs),
    ]
    merges = ["#version: 0.2", "b a", "ba n", "ban k</w>", "t h", "th e</w>", "r i", ""]
    return _of(
        name,
        vocab_file=written(
            folder, "vocab.json", numbered([*tokens, "ba@@", "ban@@", "bank", "th@@", "the", "ri@@"])
        ),
        merges_file=written(folder, "merges.txt", "\n".join(merges)),
    )


def _counted(name: str, folder: Path) -> Any:
    """PhoBERT's kind: the same in other files, with counts."""
    signs = [*_ALPHABET, *".,'"]
    tokens = [*signs, *(f"{c}@@" for c in signs), "bank", "the", "ba@@"]
    return _of(
        name,
        vocab_file=written(folder, "vocab.txt", "".join(f"{token} 1\n" for token in tokens)),
        merges_file=written(folder, "bpe.codes", "b a 1\nba n 1\nban k</w> 1\nt h 1\nth e</w> 1\n"),
    )


def _lines(name: str, folder: Path, file: str = "vocab.txt", **options: Any) -> Any:
    tokens = word_pieces("[X_SEP]")
    return _of(name, vocab_file=written(folder, file, "\n".join(tokens) + "\n"), **options)


def _bert_in_python(folder: Path, **options: Any) -> Any:
    from transformers.models.bert.tokenization_bert_legacy import BertTokenizerLegacy

    tokens = "\n".join(word_pieces()) + "\n"
    return BertTokenizerLegacy(vocab_file=written(folder, "vocab.txt", tokens), **options)


def _esm(folder: Path) -> Any:
    tokens = ["<cls>", "<pad>", "<eos>", "<unk>", *"LAGVSERTIDPKQNFYMHWCXBUZO.-", "<null_1>", "<mask>"]
    return _of("EsmTokenizer", vocab_file=written(folder, "vocab.txt", "\n".join(tokens)))


# The tokenizers written in Python; each writes its files into a folder.
SLOW: dict[str, Callable[[Path], Any]] = {
    "Marian": _marian,
    "Marian, two vocabularies": partial(_marian, separate=True),
    "M2M100": _m2m100,
    "BARTpho": _bartpho,
    "BertGeneration": partial(_one_model, "BertGenerationTokenizer", "spiece.model"),
    "GPT-SW3": partial(_one_model, "GPTSw3Tokenizer", "spiece.model"),
    "PLBART": partial(
        _one_model, "PLBartTokenizer", "sentencepiece.bpe.model", src_lang="python", tgt_lang="en_XX"
    ),
    "CTRL": partial(_continued, "CTRLTokenizer"),
    "BlenderbotSmall": partial(_continued, "BlenderbotSmallTokenizer"),
    "PhoBERT": partial(_counted, "PhobertTokenizer"),
    "BERTweet": partial(_counted, "BertweetTokenizer"),
    "BERT in Python": _bert_in_python,
    "BERT in Python, cased": partial(_bert_in_python, do_lower_case=False),
    "ProphetNet": partial(_lines, "ProphetNetTokenizer", file="prophetnet.tokenizer"),
    "BERT for Japanese": partial(_lines, "BertJapaneseTokenizer", word_tokenizer_type="basic"),
    "BERT for Japanese, by character": partial(
        _lines,
        "BertJapaneseTokenizer",
        word_tokenizer_type="basic",
        subword_tokenizer_type="character",
    ),
    "ESM": _esm,
    "ByT5": lambda folder: _of("ByT5Tokenizer"),
    "Perceiver": lambda folder: _of("PerceiverTokenizer"),
    "CANINE": lambda folder: _of("CanineTokenizer"),
}
