"""What a corpus folder says of itself to whoever finds it: README.md beside the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...version import VERSION

if TYPE_CHECKING:
    from .manifest import Manifest

FILE = "README.md"
_LISTED = 20  # files
_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"} | {"\n": " ", "\r": " "})


def readme(of: Manifest) -> str:
    """What the folder holds, who made it, and how it is asked (Markdown)."""
    layers = ", ".join(f"{one.layer + 1} ({', '.join(one.names)})" for one in of.layers)
    columns = ", ".join(f"{_plain(name)} ({kind})" for name, kind in of.columns.items()) or "none"
    files = [f"- {_plain(name)}" for name in [*of.sources][:_LISTED]]
    if len(of.sources) > _LISTED:
        files.append(f"- and {len(of.sources) - _LISTED:,} more, in manifest.json")
    left = (
        f"\n{of.skipped_count:,} things were left out; manifest.json says which and why.\n"
        if of.skipped_count
        else ""
    )
    return f"""# A corpus for Polysee

{of.sentences:,} sentences with {of.words:,} words, each with its vector in context.

| | |
|---|---|
| Model | {_plain(of.model)} (weights with the SHA-256 sum {of.checksum}) |
| Layers that are kept, from 1 | {layers} |
| Language of the rules for sentences | {_plain(of.language)} |
| Columns of the texts | {columns} |
| Made by | Polysee {VERSION} |

## The texts

{chr(10).join(files)}
{left}
The texts themselves are in here, sentence by sentence, and can be read out of it: whoever may not read
them may not have this folder.

## What lies where

- `manifest.json`: all of the above, for programs
- `tables/`: the sentences and the words with their vectors, in LanceDB's format
- `marks.tsv`, if there is one: marks that people have set on lines, for any spreadsheet

## How to ask it

```sh
polysee corpus query . "on the * of"
POLYSEE_CORPORA=.. polysee  # the page Corpus
```

```python
import polysee.corpus

corpus = polysee.corpus.open(".")
corpus.count("bank")
```
"""


def _plain(name: str) -> str:
    return name[:200].translate(_SIGNS)
