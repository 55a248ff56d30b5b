"""`python -m tools.every_model [TYPE …] [--write FILE]`: read every text model of `transformers`."""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from core.pretrained import limit_threads
from core.pretrained.files import family_tables, tensor_names
from core.pretrained.files.gguf.architectures import ARCHITECTURES
from tools.every_model import small
from tools.every_model.walk import Verdict, walk

# For these, transformers returns no attention, because they have none, or because they do not read
# texts.
WITHOUT = {
    "falcon_mamba": "state space",
    "fnet": "Fourier transform",
    "mamba": "state space",
    "mamba2": "state space",
    "rwkv": "recurrent",
    "xlstm": "recurrent",
    "voxtral_realtime": "reads sound",
    "whisper": "reads sound",
}
OURS = frozenset({*family_tables.FAMILIES, *tensor_names.ENCODERS})
SHAPES = "## Unusual shapes"  # the title of a section by `tools.every_model.shapes`
_SECTION, _WHOLE = rf"^{SHAPES}\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE
READ_AS = {
    "whole": "weights, query, key and value",
    "weights": "weights alone",
    "refused": "not read",
    "wrong": "**wrong**",
}

_GGUF = ", ".join(f"`{one}`" for one in sorted({each.model_type for each in ARCHITECTURES.values()}))

_HEAD = """\
# Which models Polysee reads

Made by `python -m tools.every_model --write docs/models.md`; `make fuzz` repeats the comparison.

Every type of model that `transformers` lists for texts is built with random weights and a few layers,
saved, and read by Polysee as an object and from a folder. *Read* means that Polysee gives the
numbers of eager `transformers` at every step, on single texts and in a batch (padded, unless padding
changes the model's numbers): attention within 1e-4, vectors within 1e-4 of the largest number of their
layer, and the logits of the language-model head. No published weights were tried.

Of the {there} types that have attention and could be built small, {read} are read ({share} %): {whole}
with query, key and value, and {weights} with their attention weights alone, because `transformers`
computes their attention where query and key cannot be recorded.
For a type that is not read, the table says why.

Polysee’s own transformer runs {ours} of these types (*ours*), with the settings that their published
models have: there, and only there, a model is taken apart into contributions, and edges are cut, heads
ablated and states patched. With a setting that ours does not know (a note says so), and for all other
types, `transformers` runs the model whole, and is recorded. [Unusual shapes](#unusual-shapes) of
families are tried as well.

What ours does with each of them:

- a decoder, which predicts the *next* token: contributions to a vector, a logit or a difference of two;
  each edge cut, each head ablated; each state read by the lens; two prompts patched, state by state and
  head by head;
- an encoder, *masked*: the same, but no patching of prompts, for which a next token is needed, and
  contributions to a vector, not to a logit;
- an encoder–decoder: contributions over source and target; cuts and ablations in all three attentions;
  the lens on the decoder’s states; two sources patched, by states of both halves and by heads across.

`tests/attribution` compares each with hooks on the same model in `transformers`, to 1e-5 of the largest
number. The lens also reads a decoder or a masked model that `transformers` runs whole, where nothing
but a norm stands between its last layer and its head.

How near ours comes to `transformers`, type by type, is in [a table of its own](differences.md). As one
GGUF file, these are read: {gguf}.

"""


def main(arguments: Sequence[str]) -> int:
    """Compare all types, print the results, write them if requested. Returns 1 if any is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.every_model", description=__doc__)
    parser.add_argument("types", nargs="*", help="types of model; all of them if none is named")
    parser.add_argument("--write", type=Path, help="where to write the table")
    options = parser.parse_args(arguments)
    _quiet()
    verdicts = []
    for kind in options.types or small.types():
        verdict = walk(kind)
        verdicts.append(verdict)
        print(f"{kind:28} {verdict.state:10} {verdict.layers:16} {verdict.why[:120]}", flush=True)
    if options.write:
        before = options.write.read_text("utf-8") if options.write.is_file() else ""
        section = re.search(_SECTION, before, _WHOLE)
        text = put(page(verdicts), section[0]) if section else page(verdicts)
        options.write.write_text(text, "utf-8")
    print(", ".join(f"{count} {state}" for state, count in _counted(verdicts).items()))
    return int(any(verdict.state == "wrong" for verdict in verdicts))


def put(page: str, section: str) -> str:
    """The page with its section of shapes replaced by this one, or with it before the last one."""
    if SHAPES in page:
        return re.sub(_SECTION, lambda _: section, page, flags=_WHOLE)
    return page.replace("## Not tried\n", f"{section}## Not tried\n")


def page(verdicts: Iterable[Verdict]) -> str:
    """The table as a page in Markdown."""
    listed = list(verdicts)
    counts = _counted(listed)
    read = counts["whole"] + counts["weights"]
    there = [v for v in listed if v.state in READ_AS and v.kind not in WITHOUT]
    share = f"{100 * read / max(1, len(there)):.0f}"
    lines = [
        *_HEAD.format(
            there=len(there), read=read, share=share, ours=_ours(there), gguf=_GGUF, **_states(counts)
        ).splitlines(),
        "| type | runs in | what is read | layers with attention | predicts | notes |",
        "|---|---|---|---|---|---|",
        *map(_row, (v for v in listed if v.state in READ_AS)),
        "",
        "## Not tried",
        "",
        "These cannot be built with fewer than five million parameters, or not with small settings.",
        "",
        *(f"- `{v.kind}`: {_cell(v.why)}" for v in listed if v.state in ("large", "not built")),
        "",
    ]
    return "\n".join(lines)


def _ours(verdicts: Sequence[Verdict]) -> int:
    return sum(verdict.kind in OURS for verdict in verdicts)


def _row(verdict: Verdict) -> str:
    without = WITHOUT.get(verdict.kind)
    known = verdict.notes or (_cell(verdict.why) if verdict.state in ("refused", "wrong") else "")
    read_as = f"no attention ({without})" if without else READ_AS[verdict.state]
    runs_in = "**ours**" if verdict.kind in OURS else "transformers" if verdict.layers else ""
    cells = (f"`{verdict.kind}`", runs_in, read_as, verdict.layers, verdict.predicts, known)
    return "| " + " | ".join(cells) + " |"


def _cell(text: str) -> str:
    """One line without table marks, and without quotation marks around the names of classes."""
    return " ".join(text.replace("|", "/").split())


def _states(counts: Mapping[str, int]) -> dict[str, int]:
    return {state: counts[state] for state in ("whole", "weights")}


def _counted(verdicts: Iterable[Verdict]) -> Counter[str]:
    return Counter(verdict.state for verdict in verdicts)


def _quiet() -> None:
    from transformers.utils import logging

    warnings.filterwarnings("ignore")
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    limit_threads(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
