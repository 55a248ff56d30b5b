"""A BERT of 12 layers × 12 heads with random weights, as large as bert-base, without the hub."""

from __future__ import annotations

import shutil
from pathlib import Path

NAME = "bert-12x12"
LAYERS = HEADS = 12
WIDTH = 768  # as in BERT-base: it determines the size of a layer's query and key, and thus of its bytes
# the scale of query and key weights: the scores then vary by about 2, as in trained heads
SHARP = 0.052


def save(models: Path, vocabulary: Path) -> Path:
    """Save it in its own folder below `models`, with the tokenizer from `vocabulary`."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    model = BertModel(
        BertConfig(num_hidden_layers=LAYERS, num_attention_heads=HEADS, hidden_size=WIDTH)
    )
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if name.endswith(("query.weight", "key.weight")):
                tensor.normal_(std=SHARP)
    folder = models / NAME
    model.save_pretrained(folder)
    for file in ("tokenizer.json", "tokenizer_config.json", "vocab.txt"):
        shutil.copy(vocabulary / file, folder)
    return folder
