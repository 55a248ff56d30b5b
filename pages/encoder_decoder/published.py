"""A published encoder–decoder of the visitor’s own, such as T5 or Marian, as a model that translates.

It has no small language: its tokens are pieces of words, no grammar knows its translations, and nobody
can list the words that it reads. A token that a visitor chooses is named by its id, "#123", because
pieces may contain any character.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.errors import NotSupported
from core.figures import style
from core.localization import _, decimal, ngettext
from ui import text
from ui.models import model_cache

if TYPE_CHECKING:
    from core.pretrained.seq2seq import Seq2SeqModel
    from core.records.decoding import Decoding
    from core.records.lens import LensGrid
    from core.records.pair_contributions import PairContributions
    from core.records.patching import Half, Patching
    from core.records.prediction import Expectation

_MARK = "#"
TASK = "translate English to French: "  # with which T5 was trained to begin such a text


@dataclass(frozen=True)
class Published:
    """A loaded encoder–decoder with its name."""

    name: str
    loaded: Seq2SeqModel

    def decode(self, typed: str, forced: Mapping[int, str], *, max_tokens: int) -> Decoding:
        """The target that it writes: see `Seq2SeqModel.decode`. Unreadable choices are ignored."""
        known = {at: number for at, code in forced.items() if (number := self.number(code)) is not None}
        return readable(self.loaded.decode(typed, known, max_tokens=max_tokens))

    def sample(self, typed: str, temperature: float, seed: int, *, max_tokens: int) -> Decoding:
        """A target that is sampled token by token: see `Seq2SeqModel.generate`."""
        written = self.loaded.generate(typed, max_tokens, second="", temperature=temperature, seed=seed)
        ids = [one.id for one in written]
        return self.loaded.decode(typed, dict(enumerate(ids)), max_tokens=max_tokens)

    def owed(self, typed: str, written: Sequence[int], token: int, other: int) -> PairContributions:
        """What a next token owes to source and target: see `pair_logit_contributions`."""
        return self.loaded.pair_logit_contributions(typed, "", token, other, more=written)

    def without(self, typed: str, written: Sequence[int], at: int, count: int) -> Expectation:
        """The prediction while nothing but itself reads a token of the source, of so many."""
        from core import Cut

        own = [Cut(query, at, block="encoder") for query in range(count) if query != at]
        across = [Cut(query, at, block="cross") for query in range(len(written) + 1)]
        found = self.loaded.intervene_pair(typed, "", *own, *across, more=written)
        assert found.expected is not None  # see `model`
        after = found.expected[-1].after
        return replace(after, tokens=_names(after))

    def behind(self, typed: str, written: Mapping[int, int], count: int) -> tuple[Expectation, ...]:
        """The prediction at each of so many steps, behind a source and what was written before it."""
        return readable(self.loaded.decode(typed, written, max_tokens=count)).expectations

    def lens(self, typed: str, written: Sequence[int]) -> LensGrid:
        """What the decoder's states read as: see `Seq2SeqModel.pair_lens`."""
        return self.loaded.pair_lens(typed, "", more=written)

    def patch(
        self,
        a: str,
        b: str,
        written: Sequence[int],
        block: Half,
        answers: tuple[int, int],
    ) -> Patching:
        """States of source A's run in that of B: see `Seq2SeqModel.patch_pair`."""
        return self.loaded.patch_pair(a, b, block=block, answers=answers, more=written)

    def patched(
        self, a: str, b: str, written: Sequence[int], block: Half, depth: int, position: int
    ) -> Expectation:
        """The prediction with one of these states: see `Seq2SeqModel.patched_pair`."""
        found = self.loaded.patched_pair(a, b, "", depth, position, block=block, more=written)
        return replace(found, tokens=_names(found))

    def number(self, code: str) -> int | None:
        """The id that stands in a link for a chosen token; None if it is none of this model."""
        digits = code.removeprefix(_MARK)
        # isdecimal() alone would admit digits of other scripts
        if not (code.startswith(_MARK) and digits.isascii() and digits.isdecimal()) or len(digits) > 9:
            return None
        return int(digits) if int(digits) < self.loaded.n_vocabulary else None


def readable(decoding: Decoding) -> Decoding:
    """The same with the names of tokens that the pictures use: "bank" for "▁bank", "·s" for "s"."""
    named = [dict(zip(one.ids, _names(one), strict=True)) for one in decoding.expectations]

    def name(
        step: int, number: int, token: str
    ) -> str:  # beyond the likeliest, as the tokenizer has it
        return named[step].get(number, token)

    return replace(
        decoding,
        tokens=tuple(map(name, range(len(decoding.ids)), decoding.ids, decoding.tokens)),
        expectations=tuple(replace(one, tokens=_names(one)) for one in decoding.expectations),
        own=tuple((number, name(i, number, token)) for i, (number, token) in enumerate(decoding.own)),
    )


def _names(expected: Expectation) -> tuple[str, ...]:
    each = zip(expected.tokens, expected.texts, strict=True)
    return tuple(style.token_name(text.token_text(read, token)) for token, read in each)


def code(number: int) -> str:
    """How a link names a token that a visitor chose."""
    return f"{_MARK}{number}"


def model(name: str) -> Published:
    """The model of this name, from a folder or the hub.

    Raises:
        PolyseeError: see `model_cache.model`; NotSupported if it is no encoder–decoder, or if it
            predicts no words.
    """
    loaded = model_cache.model(name)
    title = model_cache.title(name)
    if loaded.kind != "encoder-decoder":
        raise NotSupported(
            _(
                "“{title}” is not an encoder–decoder: it reads one text and translates nothing. The "
                "pages Compare and Heads show it."
            ).format(title=title)
        )
    if loaded.predicts is None:
        raise NotSupported(
            _(
                "{reason} Without predictions, it cannot write a translation here. The page Heads "
                "shows its attention for a target that you type."
            ).format(reason=loaded.no_predictions.replace(name, title, 1))
        )
    return Published(name, loaded)  # type: ignore[arg-type]


def written(decoding: Decoding) -> str:
    """The target as a text; tokens that have no text stand by their names."""
    read = "".join(decoding.trace.decoder.texts[-1:])
    last = decoding.expectations[-1]
    if not decoding.ended:  # the last token was written, and not read
        spelled = dict(zip(last.ids, last.texts, strict=True)).get(
            decoding.ids[-1], decoding.tokens[-1]
        )
        read += spelled
    return read.strip() or " ".join(decoding.words)


def verdict(decoding: Decoding) -> str:
    """What it wrote, and what can be said of it (Markdown)."""
    parts = [f"**{text.plain(written(decoding))}**."]
    if not decoding.ended:
        parts.append(
            _("Stopped after {count} steps, before the model had ended the text.").format(
                count=len(decoding.tokens)
            )
        )
    if cut := decoding.trace.encoder.left_out:
        parts.append(text.cut(_("The source"), decoding.trace.encoder.texts[0], cut[0]))
    parts.append(
        _(
            "Whether the translation is right cannot be checked here: this model did not learn from a "
            "grammar of ours."
        )
    )
    return " ".join(parts)


def about(model: Published) -> str:
    """A description of the model, and what this page cannot show for it (Markdown)."""
    encoder, decoder = model.loaded.shape, model.loaded.decoder_shape
    title = model_cache.markdown_title(model.name)

    def heads(count: int) -> str:
        return ngettext("{count} head", "{count} heads", count).format(count=count)

    reads = ngettext("{count} encoder layer", "{count} encoder layers", encoder.n_layers)
    writes = ngettext("{count} decoder layer", "{count} decoder layers", decoder.n_layers)
    return _(
        "**The model** “{title}” has {reads} with {heads} each and {writes} with {others} each, "
        "{width}, and a vocabulary of {words} tokens: words and pieces of words. The page cannot list "
        "the words that it knows. Nor can it count how many of its words attend to the word that they "
        "translate, because no grammar says which that is. At each step the model writes its "
        "likeliest token, without a search over beams."
    ).format(
        title=title,
        reads=reads.format(count=encoder.n_layers),
        heads=heads(encoder.n_heads),
        writes=writes.format(count=decoder.n_layers),
        others=heads(decoder.n_heads),
        width=f"$d_\\mathrm{{model}} = {encoder.d_model}$",
        words=decimal(f"{model.loaded.n_vocabulary:,}"),
    )
