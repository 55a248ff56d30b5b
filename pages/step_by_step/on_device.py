"""What a visitor's own device must know to draw the steps through a layer of a trained model."""

from __future__ import annotations

from core.localization import N_, gettext
from core.walkthroughs.steps.descriptions import ALONE, STEPS
from pages.step_by_step import computed
from pages.step_by_step.state import StepsState
from ui import device

PICTURE = f"picture {StepsState.step.key}"  # its name on the page
_BEHIND = (
    ".st-key-steps-note",
    ".stMain .stExpander",
    ".stMain [data-testid='stCaptionContainer']",
)
_MASKED = N_(
    "The server computes here: it hides later tokens from a model that was trained without a mask."
)


def context(s: StepsState, model: str, step: int) -> device.Context:
    """The choices of the page for the device.

    Args:
        s: the state of the page.
        model: the name of the trained model.
        step: the step in full, from 0.
    """
    alone = computed.decoder_alone(model) is not None
    return device.Context(
        page="step-by-step",
        texts={"text": device.Text(s.text)},
        about=["text"],
        behind=_BEHIND,
        why="" if alone or not s.causal.get() else gettext(_MASKED),
        inputs={
            "picture": PICTURE,
            "kind": "decoder" if alone else "encoder",
            "layer": s.layer.get(),
            "head": s.head.get(),
            "block": s.block.get(),
            "step": step,
            "titles": {
                name: gettext(words.title)
                for name, words in ({**STEPS, **ALONE} if alone else STEPS).items()
            },
        },
    )
