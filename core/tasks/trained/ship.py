"""Train the translation model anew and write the files that Polysee ships.

python -m core.tasks.trained.ship
"""

from __future__ import annotations

import dataclasses
import json

import torch

from ..languages.translation import TRANSLATION
from ..training.loop import train
from . import files
from .shipping import COUNT, FIGURES, FOLDER, WEIGHTS, figures

# Longer than a visitor would wait for: nobody waits for these.
RECIPE = dataclasses.replace(TRANSLATION.recipe, steps=4000, learning_rate=3e-3)


def main() -> None:
    """Train on one thread, write the weights in float16, and measure what was written."""
    torch.set_num_threads(1)
    training = train(RECIPE, every=500)
    for seen in training:
        print(f"step {seen.step}: exact {seen.accuracy:.1%}, alignment {seen.pattern:.1%}", flush=True)
    data = files.dump(training.trained(), half=True)
    measured = figures(files.load(data))
    FOLDER.mkdir(exist_ok=True)
    WEIGHTS.write_bytes(data)
    about = {
        "written_by": "python -m core.tasks.trained.ship",
        "bytes": len(data),
        "sentences": COUNT,
        **measured._asdict(),
        "recipe": RECIPE.to_dict(),
    }
    FIGURES.write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    print(f"written: {WEIGHTS} ({len(data) / 1e6:.2f} MB)")
    print(
        f"of {COUNT} unseen sentences {measured.exact:.1%} are exact, and {measured.alignment:.1%} of "
        f"their words attend to the word that they translate; with adjectives that training never "
        f"showed describing their nouns {measured.exact_pairs:.1%} are exact."
    )


if __name__ == "__main__":
    main()
