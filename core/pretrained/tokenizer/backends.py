"""The tokenizer libraries behind one protocol, which `TextReader` uses.

Neither engine splits words itself: WordPiece, BPE and Unigram are those of the libraries.

`transformers` has two kinds of tokenizers. Most run in the Rust library `tokenizers`, which reports the
characters of each token. The others are written in Python, some of them on top of the library
`sentencepiece` (Marian, M2M100), and do not report characters: see
`core.pretrained.tokenizer.alignment`.
"""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple, Protocol

from ...errors import TooLarge
from .alignment import Handed, Piece, Span, Unaligned, align, align_bytes

# The longest word that is split by trying all its parts, which takes time proportional to its length
# squared or cubed. BERT's tokenizers stop at 100 letters and treat a longer word as unknown; for a
# model that sets a higher limit, this one applies.
MOST_LETTERS = 1_000
# The longest normalised text, for rules that replace one character by more than ten. Published
# tokenizers replace one by one, rarely by two or three.
MOST_GROWTH = 10
MOST_CHARACTERS = 10_000_000
# A tokenizer whose rules let a text grow by more than this factor is refused.
ANY_GROWTH = 10_000
# The largest vocabulary whose names are held in memory; published ones have up to 300,000 entries.
MOST_NAMES = 1_000_000


class Cut(NamedTuple):
    """One text or pair, split into tokens and put into the model's template.

    Attributes:
        ids: the tokens.
        types: the token type of each, 0 or 1.
        offsets: the characters of each token.
        texts: the text that each token belongs to; None if the template added it.
        left_out: for each text, the characters that did not fit; None if all did.
    """

    ids: Sequence[int]
    types: Sequence[int]
    offsets: Sequence[Span]
    texts: Sequence[int | None]
    left_out: tuple[Span | None, ...]


class Backend(Protocol):
    """A tokenizer of one library. Any member may raise the library's errors.

    Attributes:
        tokenizer: the library's own object.
    """

    tokenizer: Any

    def normal(self) -> Callable[[str], str] | None:
        """What it makes of a word before it splits it; None if it changes nothing."""

    def read(self, texts: Sequence[str], most: int) -> Cut:
        """Split a text or a pair, and drop what exceeds the model's `most` tokens."""

    def added(self, pair: bool) -> int:
        """The number of tokens that the template adds."""

    def plain(self, text: str) -> tuple[Sequence[int], Sequence[str]]:
        """A text without the template: ids, and the library's names of the tokens."""

    def token(self, number: int) -> str | None:
        """The name of an id."""

    def decode(self, numbers: Sequence[int]) -> str:
        """The text of some tokens, including special ones."""

    def size(self) -> tuple[int, int]:
        """The size of the vocabulary, and the highest id."""

    def target(self, tokenizer: Any) -> Backend | None:
        """The backend for the targets of an encoder–decoder, if they are tokenized differently."""


def backend(tokenizer: Any) -> Backend | None:
    """The backend for a `transformers` tokenizer, which stays unchanged; None if it is not one."""
    if getattr(tokenizer, "backend_tokenizer", None) is not None:
        return RustBackend(tokenizer)
    if hasattr(tokenizer, "build_inputs_with_special_tokens") and hasattr(tokenizer, "tokenize"):
        return PythonBackend(tokenizer)
    return None


def fails(error: BaseException) -> bool:
    """Whether an error comes from a library. A panic in Rust raises no `Exception`."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def fit(lengths: Sequence[int], room: int) -> tuple[int, ...]:
    """The number of tokens that each text keeps so that all fit; the longer text loses tokens first."""
    if sum(lengths) <= room:
        return tuple(lengths)
    if len(lengths) == 1:
        return (room,)
    first, second = lengths
    short, swapped = min(first, second), first > second
    fitted = (short, room - short) if short <= room // 2 else (room // 2, room - room // 2)
    return fitted[::-1] if swapped else fitted


def fit_as_python(lengths: Sequence[int], room: int) -> tuple[int, ...]:
    """`fit` as in the Python tokenizers, which round an odd number the other way."""
    too_many = sum(lengths) - room
    if too_many <= 0 or len(lengths) == 1:
        return fit(lengths, room)
    first, second = lengths
    longer = min(abs(first - second), too_many)
    half = (too_many - longer) // 2
    both = too_many - longer - half
    return (
        (first - longer - half, second - both)
        if first > second
        else (first - half, second - longer - both)
    )


class RustBackend:
    """A tokenizer of the library `tokenizers`."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = _copied(tokenizer.backend_tokenizer)
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        # The template applies to whole texts, and may trim the characters of tokens: applied both when
        # a text is split and when it is joined, it would remove the first letter of a word.
        self._set_template(self.tokenizer.post_processor)
        with suppress(Exception):  # if there is no source language, it stays as it is
            self._set_template(self._template_of(tokenizer, "_switch_to_input_mode"))
        model = self.tokenizer.model
        if getattr(model, "dropout", None):
            model.dropout = None  # dropout is for training, and would make each reading different
        self._most_letters = getattr(model, "max_input_chars_per_word", None) or 0
        if self._most_letters > MOST_LETTERS:
            model.max_input_chars_per_word = MOST_LETTERS
        self._unknown = _unknown_id(self.tokenizer)
        self._growth = _growth(self.tokenizer.normalizer)
        # For an unknown string, Unigram assigns all its characters to each of its bytes.
        self._bytes: Mapping[int, int] = {}
        if type(model).__name__ == "Unigram" and self.tokenizer.token_to_id("<0x00>") is not None:
            ids = (self.tokenizer.token_to_id(f"<0x{byte:02X}>") for byte in range(256))
            self._bytes = {number: byte for byte, number in enumerate(ids) if number is not None}

    def _set_template(self, template: Any) -> None:
        self.tokenizer.post_processor = None
        self._template = template
        self._join = self.tokenizer.post_process if template is None else template.process

    def read(self, texts: Sequence[str], most: int) -> Cut:
        """See `Backend`. Raises TooLarge if a text would take minutes, or too much memory."""
        longest = max(map(len, texts))
        if self._growth > MOST_GROWTH and longest * self._growth > MOST_CHARACTERS:
            raise TooLarge(
                f"The rules of this model’s tokenizer can make a text {self._growth:g} "
                f"times longer, and one of {longest} characters too long for the memory. "
                "Shorten the text."
            )
        parts = [self.tokenizer.encode(text, add_special_tokens=False) for text in texts]
        if self._most_letters > MOST_LETTERS:
            for text, part in zip(texts, parts, strict=True):
                self._refuse_long_words(text, part)
        room = most - self.added(len(texts) > 1)
        left_out: list[Span | None] = []
        for text, part, n in zip(texts, parts, fit([len(p) for p in parts], room), strict=True):
            cut = None
            if n < len(part):
                # With the characters that the template reports, for example without the space before a
                # word.
                joined = self._join(part, None, False).offsets[n]
                cut = (_trimmed(text, part.offsets[n], joined)[0], len(text))
                part.truncate(n)
            left_out.append(cut)
        whole = self._join(*parts)
        ids = whole.ids
        own = [iter(part.offsets) for part in parts]
        offsets = [
            span if owner is None else _trimmed(texts[owner], next(own[owner], span), span)
            for span, owner in zip(whole.offsets, whole.sequence_ids, strict=True)
        ]
        if self._bytes and any(number in self._bytes for number in ids):
            offsets = self._by_character(texts, ids, offsets, whole.sequence_ids)
        return Cut(ids, whole.type_ids, offsets, whole.sequence_ids, tuple(left_out))

    def normal(self) -> Callable[[str], str] | None:
        """See `Backend`."""
        from .normalisation import Normalisation

        normalizer = self.tokenizer.normalizer
        return None if normalizer is None else Normalisation(normalizer)

    def added(self, pair: bool) -> int:
        """See `Backend`."""
        return 0 if self._template is None else int(self._template.num_special_tokens_to_add(pair))

    def plain(self, text: str) -> tuple[Sequence[int], Sequence[str]]:
        """See `Backend`."""
        cut = self.tokenizer.encode(text, add_special_tokens=False)
        return cut.ids, cut.tokens

    def token(self, number: int) -> str | None:
        """See `Backend`."""
        name: str | None = self.tokenizer.id_to_token(number)
        return name

    def decode(self, numbers: Sequence[int]) -> str:
        """See `Backend`."""
        text: str = self.tokenizer.decode(numbers, skip_special_tokens=False)
        return text

    def size(self) -> tuple[int, int]:
        """See `Backend`."""
        known: dict[str, int] = self.tokenizer.get_vocab(with_added_tokens=True)
        return len(known), max(known.values(), default=0)

    def target(self, tokenizer: Any) -> RustBackend | None:
        """See `Backend`: the same word pieces in another template."""
        if not hasattr(tokenizer, "_switch_to_target_mode"):
            return None
        other = copy.copy(self)
        other._set_template(self._template_of(tokenizer, "_switch_to_target_mode"))
        return other

    def _template_of(self, tokenizer: Any, switch: str) -> Any:
        """The template of a translator's sources or targets; `switch` names the method to select it."""
        if not hasattr(tokenizer, switch):
            return self._template
        switched = copy.copy(tokenizer)
        switched._tokenizer = self.tokenizer  # our own copy: the caller's stays unchanged
        before = self._template
        try:
            self.tokenizer.post_processor = before
            getattr(switched, switch)()
            return self.tokenizer.post_processor
        finally:
            self.tokenizer.post_processor = None

    def _refuse_long_words(self, text: str, part: Any) -> None:
        """Raise TooLarge if a word is unknown only because our limit is below the model's."""
        for number, (start, end) in zip(part.ids, part.offsets, strict=True):
            # Normalisation may turn one letter into several, but not into fifty.
            if number == self._unknown and 50 * (end - start) > MOST_LETTERS:
                word = text[start:end]
                if self.tokenizer.normalizer is not None:
                    word = self.tokenizer.normalizer.normalize_str(word)
                if MOST_LETTERS < len(word) <= self._most_letters:
                    raise TooLarge(
                        f"The text has a word of {end - start} letters, which would take "
                        f"very long to split into pieces; the limit is {MOST_LETTERS}. "
                        "Shorten the word."
                    )

    def _by_character(
        self,
        texts: Sequence[str],
        ids: Sequence[int],
        offsets: Sequence[Span],
        owners: Sequence[int | None],
    ) -> list[Span]:
        """The characters of each token if tokens are the bytes of unknown characters."""
        spans = list(offsets)
        bytes_read = [
            (owner, span, i)
            for i, (number, span, owner) in enumerate(zip(ids, offsets, owners, strict=True))
            if number in self._bytes and owner is not None
        ]
        for (owner, (start, end)), run in groupby(bytes_read, key=lambda one: one[:2]):
            tokens = [i for _, _, i in run]
            part = texts[owner][start:end]
            first = len(part) - len(part.lstrip())  # the space before a word has its own token
            spelled = [start + n for n, letter in enumerate(part) for _ in letter.encode()]
            if part[first:].encode() == bytes(self._bytes[ids[i]] for i in tokens):
                for i, at in zip(tokens, spelled[len(part[:first].encode()) :], strict=True):
                    spans[i] = (at, at + 1)
        return spans


def _trimmed(text: str, cut: Span, joined: Span) -> Span:
    """The characters of a token as a template reports them, possibly without surrounding spaces.

    Only spaces may be trimmed: if a tokenizer inserts a space before a text, the template instead trims
    the first letter after an added token, and that of every separately split part.

    Args:
        text: the text.
        cut: the token's characters before the template is applied.
        joined: the token's characters after it is applied.
    """
    (start, end), (first, last) = cut, joined
    if first >= last:  # only spaces
        return joined
    while start < first and text[start].isspace():
        start += 1
    while end > last and text[end - 1].isspace():
        end -= 1
    return start, end


def _copied(tokenizer: Any) -> Any:
    """A copy of a tokenizer of the Rust library."""
    try:
        return copy.deepcopy(tokenizer)
    except Exception:
        # A component written in Python (RoFormer splits Chinese by words) is shared instead.
        made = type(tokenizer)(copy.deepcopy(tokenizer.model))
        for part in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
            if getattr(tokenizer, part) is not None:
                setattr(made, part, getattr(tokenizer, part))
        for _, token in sorted(tokenizer.get_added_tokens_decoder().items()):
            (made.add_special_tokens if token.special else made.add_tokens)([token])
        if made.get_vocab() != tokenizer.get_vocab():
            raise
        made.encode_special_tokens = tokenizer.encode_special_tokens
        return made


def _unknown_id(tokenizer: Any) -> int | None:
    name = getattr(tokenizer.model, "unk_token", None)
    number: int | None = None if name is None else tokenizer.token_to_id(name)
    return number


def growth(rules: Any) -> float:
    """By what factor a text can grow if replacement rules apply.

    `rules` is the normalizer of a tokenizer.json.
    """
    times, rest = 1.0, [rules]
    while rest:
        rule = rest.pop()
        if not isinstance(rule, dict):
            continue
        inner, pattern = rule.get("normalizers"), rule.get("pattern")
        rest += inner if isinstance(inner, list) else []
        if rule.get("type") == "Replace":
            literal = pattern.get("String") if isinstance(pattern, dict) else None
            times *= max(1, len(str(rule.get("content"))) / max(1, len(str(literal or ""))))
    return times


def _growth(normalizer: Any) -> float:
    try:
        return growth(json.loads(normalizer.__getstate__()))
    except Exception:  # there is none, or it is written in Python and cannot be inspected
        return 1


class PythonBackend:
    """A Python tokenizer of `transformers`. It changes while it works, so calls take turns."""

    def __init__(self, tokenizer: Any, *, target: bool = False) -> None:
        self._lock = threading.Lock()
        self.tokenizer = _own(tokenizer)
        self._names = _names(self.tokenizer, target=target)
        switch = "_switch_to_target_mode" if target else "_switch_to_input_mode"
        getattr(self.tokenizer, switch, lambda: None)()
        _watch(self.tokenizer)
        self._is_bytes = list(self.tokenizer.tokenize("é")) == [chr(byte) for byte in "é".encode()]
        self._tries_pairs = hasattr(self.tokenizer, "bpe")
        self._aligned("bank")  # check that it can be read at all

    def read(self, texts: Sequence[str], most: int) -> Cut:
        """See `Backend`.

        Raises:
            Unaligned: if the tokens do not spell the text.
            TooLarge: if a word would take minutes.
        """
        with self._lock:
            parts = [self._aligned(text) for text in texts]
            room = most - self.added(len(texts) > 1)
            left_out: list[Span | None] = []
            shortened: list[list[int]] = []
            spans: list[list[Span]] = []
            lengths = fit_as_python([len(ids) for ids, _ in parts], room)
            for text, (ids, offsets), n in zip(texts, parts, lengths, strict=True):
                left_out.append((offsets[n][0], len(text)) if n < len(ids) else None)
                shortened.append(ids[:n])
                spans.append(offsets[:n])
            return self._joined(shortened, spans, tuple(left_out))

    def _aligned(self, text: str) -> tuple[list[int], list[Span]]:
        """The tokens of a text without the template, and the characters of each."""
        if self._tries_pairs:
            longest = max(map(len, text.split()), default=0)
            if longest > MOST_LETTERS:
                raise TooLarge(
                    f"The text has a word of {longest} letters, which would take very long "
                    f"to split into pieces; the limit is {MOST_LETTERS}. Shorten the word."
                )
        tokens = self.tokenizer.tokenize(text)
        ids = self.tokenizer.convert_tokens_to_ids(tokens)
        if any(number is None for number in ids):
            raise ValueError("the unknown token is missing from the vocabulary")
        return ids, (align_bytes if self._is_bytes else align)(text, tokens)

    def _joined(
        self, ids: list[list[int]], spans: list[list[Span]], left_out: tuple[Span | None, ...]
    ) -> Cut:
        """The texts in the template, which receives marks as tokens, to show where it puts them."""
        whole = list(self.tokenizer.build_inputs_with_special_tokens(*ids))
        where = self._origins(ids, whole, frozenset())
        if where is None:  # some add no end token if the text already has one (ByT5)
            where = self._origins(ids, whole, frozenset(self.tokenizer.all_special_ids))
        if where is None:
            raise Unaligned  # the template depends on the tokens themselves
        types = self.tokenizer.create_token_type_ids_from_sequences(*ids)
        return Cut(
            whole,
            types if len(types) == len(whole) else [0] * len(whole),
            [spans[at[0]][at[1]] if at else (0, 0) for at in where],
            [at[0] if at else None for at in where],
            left_out,
        )

    def _origins(
        self, ids: list[list[int]], whole: list[int], shown: frozenset[int]
    ) -> list[tuple[int, int] | None] | None:
        """For each token of the whole: its text and its position there; None if the template added it.

        Args:
            ids: the tokens of each text.
            whole: these tokens in the template.
            shown: tokens that the template receives unchanged.

        Returns:
            None if the template treats marks differently from the tokens.
        """
        positions = [(index, i) for index, part in enumerate(ids) for i in range(len(part))]
        number = {position: -1 - n for n, position in enumerate(positions)}
        marks = [
            [one if one in shown else number[index, i] for i, one in enumerate(part)]
            for index, part in enumerate(ids)
        ]
        built = list(self.tokenizer.build_inputs_with_special_tokens(*marks))
        if len(built) != len(whole):
            return None
        origins: list[tuple[int, int] | None] = []
        at = 0
        for one, own in zip(built, whole, strict=True):
            if one < 0:
                at = -1 - one
            elif at == len(positions) or marks[positions[at][0]][positions[at][1]] != one:
                origins.append(None)
                continue
            index, i = positions[at]
            if ids[index][i] != own:
                return None
            origins.append((index, i))
            at += 1
        return origins

    def normal(self) -> Callable[[str], str] | None:
        """See `Backend`: as its pieces spell it, since such a tokenizer has no step for this."""
        return _ByPieces(self)

    def added(self, pair: bool) -> int:
        """See `Backend`."""
        return len(self.tokenizer.build_inputs_with_special_tokens(*([], []) if pair else ([],)))

    def plain(self, text: str) -> tuple[Sequence[int], Sequence[str]]:
        """See `Backend`."""
        with self._lock:
            tokens = self.tokenizer.tokenize(text)
            return self.tokenizer.convert_tokens_to_ids(tokens), tokens

    def token(self, number: int) -> str | None:
        """See `Backend`."""
        if number not in self._names:
            with self._lock, suppress(Exception):  # each has its own way to refuse an unknown id
                name = self.tokenizer.convert_ids_to_tokens(int(number))
                # Some return the unknown token for every unknown id.
                if name and self.tokenizer.convert_tokens_to_ids(name) == number:
                    self._names[number] = name
        return self._names.get(number)

    def decode(self, numbers: Sequence[int]) -> str:
        """See `Backend`."""
        with self._lock:
            text: str = self.tokenizer.decode(
                list(numbers), skip_special_tokens=False, clean_up_tokenization_spaces=False
            )
            return text

    def size(self) -> tuple[int, int]:
        """See `Backend`."""
        n = int(self.tokenizer.vocab_size)
        return (n, n - 1) if n > MOST_NAMES else (len(self._names), max(self._names, default=0))

    def target(self, tokenizer: Any) -> PythonBackend | None:
        """See `Backend`."""
        return (
            PythonBackend(tokenizer, target=True)
            if hasattr(tokenizer, "_switch_to_target_mode")
            else None
        )


class _ByPieces:
    """A word as its pieces spell it; the word itself if the vocabulary lacks one of them."""

    def __init__(self, cuts: PythonBackend) -> None:
        self._cuts = cuts

    def __call__(self, word: str) -> str:
        unknown = getattr(self._cuts.tokenizer, "unk_token_id", None)
        try:
            numbers = self._cuts.plain(word)[0]
            return word if unknown in numbers else self._cuts.decode(numbers)
        except Exception:  # it has no token for what it does not know
            return word

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return _no_rules, ()  # a trace is pickled without its tokenizer


def _no_rules() -> None:
    return None


def _own(tokenizer: Any) -> Any:
    """A copy of a tokenizer. Its own copy method reads its files again, which may be gone."""
    own = object.__new__(type(tokenizer))
    try:
        state = copy.deepcopy(tokenizer.__dict__)
    except Exception:  # a library object inside it cannot be copied
        state = dict(tokenizer.__dict__)
    own.__dict__.update(state)
    return own


def _names(tokenizer: Any, *, target: bool) -> dict[int, str]:
    """Every id, with its name. Marian may have a vocabulary for each of the two languages."""
    # CANINE accepts every Unicode character: its names are looked up on demand.
    known = {} if tokenizer.vocab_size > MOST_NAMES else dict(tokenizer.get_vocab())
    if target and getattr(tokenizer, "separate_vocabs", False):
        known = {**tokenizer.target_encoder, **tokenizer.added_tokens_encoder}
    names = {number: token for token, number in known.items()}
    special = zip(tokenizer.all_special_ids, tokenizer.all_special_tokens, strict=True)
    return names | {number: token for number, token in special if isinstance(number, int)}


def _watch(tokenizer: Any) -> None:
    """Make the splitting components of a tokenizer report the characters of their tokens."""
    watched: dict[int, Any] = {}
    for key, part in tokenizer.__dict__.items():
        if type(part).__name__ == "SentencePieceProcessor":
            watched.setdefault(id(part), _Sentences(part))
        elif key in ("wordpiece_tokenizer", "subword_tokenizer") and hasattr(part, "unk_token"):
            watched.setdefault(id(part), _Words(part))
    for key, part in list(tokenizer.__dict__.items()):
        if id(part) in watched:
            tokenizer.__dict__[key] = watched[id(part)]


class _Watched:
    """A component of a tokenizer; all other attributes are those of the original."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)

    def __len__(self) -> int:
        return len(self._part)


class _Sentences(_Watched):
    """A `sentencepiece` model that reports characters."""

    def encode(self, text: Any, **options: Any) -> Any:
        """The pieces of a text, each with its characters."""
        if not isinstance(text, str) or options != {"out_type": str}:
            return self._part.encode(text, **options)
        cut = self._part.encode(text, return_type="offset_mapping", enable_sampling=False)
        source = Handed(text)
        return [
            Piece(name, source, start, end)
            for name, (start, end) in _whole(cut["pieces"], cut["offsets"], len(text))
        ]


def _whole(names: Sequence[str], spans: Sequence[Span], length: int) -> Iterable[tuple[str, Span]]:
    """Each piece with all its characters. Of the three pieces of “½”, only the last has any."""
    for name, (start, end) in zip(names, spans, strict=True):
        is_part = start == end and name.strip("▁ ")
        yield name, (start, min(start + 1, length) if is_part else end)


class _Words(_Watched):
    """A component that splits word by word with a list of pieces: an unknown word is one token."""

    def tokenize(self, text: str) -> list[str]:
        """The pieces of each word."""
        names: list[str] = []
        for word in text.split():
            pieces: list[str] = self._part.tokenize(word)
            source, unknown = Handed(word), self._part.unk_token
            if len(pieces) == len(word):  # split into characters
                pieces = [
                    Piece(unknown, source, i, i + 1) if piece == unknown else piece
                    for i, piece in enumerate(pieces)
                ]
            elif set(pieces) == {unknown}:
                pieces = [Piece(unknown, source, 0, len(word)) for _ in pieces]
            names += pieces
        return names
