"""Models that have no anatomy to find say what they lack."""

from __future__ import annotations

from pathlib import Path

import pytest
import transformers

import core
from tests.pretrained.engines.small_huggingface import saved
from tools.every_model import small, walk

pytestmark = pytest.mark.check


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("MambaModel", "mamba", "no attention"),
        ("FNetModel", "fnet", "no attention"),
        ("ViTModel", "vit", "not a text model: it reads pixel_values"),
        ("Wav2Vec2Model", "wav2vec2", "not a text model: it reads input_values"),
        ("WhisperModel", "whisper", "not a text model: it reads input_features"),
        ("CLIPModel", "clip", "no table"),
        ("FunnelModel", "funnel", "one vector for each token"),
    ],
)
def test_what_is_not_read_says_why(name: str, kind: str, said: str, tmp_path: Path) -> None:
    own = getattr(transformers, name)(small.config(kind)).eval()
    for source, words in ((own, walk.tokenizer()), (str(saved(own, tmp_path)), None)):
        with pytest.raises(core.NotSupported, match=said):
            core.load(source, words, engine="huggingface")
