"""A trained model as one file, and as a model that Polysee opens like any other.

The file is a safetensors file. Its metadata hold the recipe, the tokens and the merges, as JSON; the
text is not in it. A file is not trusted: its tensors must have exactly the shapes that the recipe and
the number of tokens imply, and its tokenizer is built anew from the two lists.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as read_tensors
from safetensors.numpy import save, save_file

from .. import untrusted
from ..errors import ModelBroken, SettingError
from ..localization import N_, _, gettext
from ..pretrained import Model
from ..pretrained import load as load_model
from ..records.frozen import Array
from .recipe import TextRecipe
from .units import END, LONGEST, rebuilt

if TYPE_CHECKING:
    from .learning import Pause

MOST_BYTES = 18_000_000  # the largest recipe makes 16 MB
FOLDER = "model"  # in the ZIP file
_KEY = "polysee own text"
_FORMAT = 1
_MOST_TOKENS = 2_300
# Of our transformer, and of Llama's published weights.
_WHOLE = {"embeddings.tokens": "model.embed_tokens", "stack.norm": "model.norm"}
_PARTS = {
    "attention.query": "self_attn.q_proj",
    "attention.key": "self_attn.k_proj",
    "attention.value": "self_attn.v_proj",
    "attention.output": "self_attn.o_proj",
    "attention_norm": "input_layernorm",
    "output_norm": "post_attention_layernorm",
    "feed_forward.gate": "mlp.gate_proj",
    "feed_forward.inner": "mlp.up_proj",
    "feed_forward.outer": "mlp.down_proj",
}


@dataclass(frozen=True, eq=False)
class Learned:
    """A model of one's own text.

    Attributes:
        recipe: its settings.
        tokenizer: what it reads, as a tokenizer.json.
        weights: its numbers, by their names in `core.transformer`.
        text: what it learned from; "" for a model from a file.
        steps: how many steps it made.
        pauses: what it was on its way; none for a model from a file.
    """

    recipe: TextRecipe
    tokenizer: str
    weights: Mapping[str, Array]
    text: str
    steps: int
    pauses: tuple[Pause, ...] = ()


def dump(learned: Learned) -> bytes:
    """A model as a file, without its text."""
    model = json.loads(learned.tokenizer)["model"]
    merges = [one.split(" ") if isinstance(one, str) else list(one) for one in model["merges"]]
    about = {
        "format": _FORMAT,
        "recipe": asdict(learned.recipe),
        "steps": learned.steps,
        "tokens": sorted(model["vocab"], key=model["vocab"].__getitem__),
        "merges": merges,
    }
    made: bytes = save(dict(learned.weights), {_KEY: json.dumps(about)})
    return made


def folder(learned: Learned) -> bytes:
    """A model as a folder in the format of `transformers`, packed as ZIP.

    Unpacked, it opens by `core.load("folder")` and by `AutoModelForCausalLM.from_pretrained`.
    """
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="polysee-own-") as place:
        _write(learned, Path(place))
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
            for one in sorted(Path(place).iterdir()):
                file.writestr(f"{FOLDER}/{one.name}", one.read_bytes())
    return packed.getvalue()


def is_dumped(data: bytes) -> bool:
    """Whether `dump` may have written a file: `load` checks whether it did."""
    try:
        _about(data)
    except ModelBroken:
        return False
    return True


def load(data: bytes) -> Learned:
    """The model that `dump` wrote.

    Raises:
        ModelBroken: the file is too large, of another kind, or was changed.
    """
    if len(data) > MOST_BYTES:
        said = _("A model of one’s own text takes up at most {most} MB.")
        raise ModelBroken(said.format(most=MOST_BYTES // 10**6))
    about = _about(data)
    try:
        weights = read_tensors(data)
    except (SafetensorError, ValueError, KeyError) as error:  # KeyError: a type NumPy does not have
        raise _other(N_("its numbers cannot be read")) from error
    try:
        recipe = TextRecipe(**about["recipe"])
    except (KeyError, TypeError, SettingError) as error:
        raise _other(N_("it has no recipe that Polysee knows")) from error
    steps = about.get("steps")
    if isinstance(steps, bool) or not isinstance(steps, int) or not 0 <= steps <= recipe.steps:
        raise _other(N_("it made more steps than its recipe has"))
    tokens, merges = _lists(about)

    try:
        tokenizer = rebuilt(tokens, merges)
    except Exception as error:  # `tokenizers` raises no class of its own
        raise _other(N_("its tokens do not fit its merges")) from error
    shapes = {name: (one.shape, one.dtype) for name, one in weights.items()}
    if shapes != _shapes(recipe, tokenizer.get_vocab_size()):
        raise _other(N_("its numbers do not fit its recipe"))
    if not all(np.isfinite(one).all() for one in weights.values()):
        raise _other(N_("a number in it is not finite"))
    return Learned(recipe, tokenizer.to_str(), weights, "", steps)


def opened(learned: Learned, name: str = "your text") -> Model:
    """The model as `core.load` gives any: it is traced, explained, patched, and writes.

    Args:
        learned: the trained model.
        name: what it is called in messages and records.
    """
    with tempfile.TemporaryDirectory(prefix="polysee-own-") as folder:
        _write(learned, Path(folder))
        return load_model(folder, name=name)


def _write(learned: Learned, folder: Path) -> None:
    """The folder of a Llama."""
    recipe, table = learned.recipe, learned.weights["embeddings.tokens.weight"]
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": len(table),
        "hidden_size": recipe.width,
        "intermediate_size": 3 * recipe.width,
        "num_hidden_layers": recipe.layers,
        "num_attention_heads": recipe.heads,
        "num_key_value_heads": recipe.heads,
        "head_dim": recipe.width // recipe.heads,
        "hidden_act": "silu",
        "max_position_embeddings": recipe.window,
        "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        "tie_word_embeddings": True,
        "bos_token_id": None,
        "eos_token_id": 0,
    }
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "tokenizer.json").write_text(learned.tokenizer, "utf-8")
    about = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": END}
    (folder / "tokenizer_config.json").write_text(json.dumps(about), "utf-8")
    named = {_published(one): np.ascontiguousarray(array) for one, array in learned.weights.items()}
    save_file(named, folder / "model.safetensors", {"format": "pt"})


def _published(name: str) -> str:
    """The name of a tensor among Llama's."""
    stem = name.removesuffix(".weight")
    if stem in _WHOLE:
        return f"{_WHOLE[stem]}.weight"
    _, _, layer, part = stem.split(".", 3)
    return f"model.layers.{layer}.{_PARTS[part]}.weight"


def _about(data: bytes) -> dict[str, Any]:
    """The metadata of the file."""
    size = int.from_bytes(data[:8], "little")
    try:
        header = untrusted.parse(data[8 : 8 + size]) if 8 + size <= len(data) else None
        about = untrusted.parse(header["__metadata__"][_KEY]) if isinstance(header, dict) else None
    except (untrusted.NotJson, KeyError, TypeError) as error:
        raise _other(N_("it was not saved here")) from error
    if not isinstance(about, dict) or about.get("format") != _FORMAT:
        raise _other(N_("it was not saved here"))
    return about


def _lists(about: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    """The tokens and merges of a file."""
    tokens, merges = about.get("tokens"), about.get("merges")
    if not isinstance(tokens, list) or not _are_names(tokens, _MOST_TOKENS):
        raise _other(N_("it has no tokens"))
    if tokens[:1] != [END] or len({*tokens}) != len(tokens):
        raise _other(N_("its tokens are not as they were learned"))
    if not isinstance(merges, list):
        raise _other(N_("it has no merges"))
    if len(merges) > _MOST_TOKENS or not all(_are_names(one, 2) and len(one) == 2 for one in merges):
        raise _other(N_("its merges are no pairs"))
    return tokens, [(one, other) for one, other in merges]


def _are_names(value: Any, most: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(isinstance(one, str) and 0 < len(one) <= LONGEST for one in value)
    )


def _shapes(recipe: TextRecipe, n_vocabulary: int) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
    """The shape of each tensor, by a formula: no file decides how much memory is taken."""
    wide, inner, number = recipe.width, 3 * recipe.width, np.dtype(np.float32)
    of_part: dict[str, tuple[int, ...]] = dict.fromkeys(_PARTS, (wide, wide))
    of_part |= {"attention_norm": (wide,), "output_norm": (wide,)}
    of_part |= {"feed_forward.gate": (inner, wide), "feed_forward.inner": (inner, wide)}
    of_part["feed_forward.outer"] = (wide, inner)
    made: dict[str, tuple[tuple[int, ...], np.dtype[Any]]] = {
        "embeddings.tokens.weight": ((n_vocabulary, wide), number),
        "stack.norm.weight": ((wide,), number),
    }
    for layer in range(recipe.layers):
        made |= {
            f"stack.layers.{layer}.{part}.weight": (shape, number) for part, shape in of_part.items()
        }
    return made


def _other(why: str) -> ModelBroken:
    said = _("This file is no model of a text of one’s own: {why}.")
    return ModelBroken(said.format(why=gettext(why)))
