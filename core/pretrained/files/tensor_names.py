"""Which published tensor corresponds to which part of our encoder.

BERT, RoBERTa, DistilBERT, MPNet, ELECTRA, ALBERT and DeBERTa-v2 are post-LN encoders of the same
structure as `core.transformer.Encoder`; names, positions, and what layers and tables share differ.
(`family_tables` has the decoders.) Every tensor of a checkpoint is either used, or on the explicit
list of heads that the encoder does not need. Any other tensor is refused: it would be a part of the
model that we omit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...errors import ModelBroken

if TYPE_CHECKING:
    from ...transformer import Disentangled, EncoderConfig

# transformers' names of the activations that we support. The last three are the same formula.
ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
}

_MPNET_PADDING = 1  # the row behind which its positions start, whatever its settings say

MOST_SHARED = 100  # layers that share their weights: no published model has more

# Their tensors have the names of BERT's; their positions start behind the padding token's number.
_ROBERTA = ("roberta", "xlm-roberta", "camembert")
# The types of encoders that ours runs.
ENCODERS = ("bert", "distilbert", "electra", "albert", "deberta-v2", "mpnet", *_ROBERTA)

_EMBEDDINGS = {
    "tokens": "embeddings.word_embeddings",
    "positions.table": "embeddings.position_embeddings",
    "norm": "embeddings.LayerNorm",
}
_SEGMENTS = {"segments": "embeddings.token_type_embeddings"}

# Within a layer: our module -> theirs.
_BERT_LAYER = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "feed_forward.inner": "intermediate.dense",
    "feed_forward.outer": "output.dense",
    "output_norm": "output.LayerNorm",
}
_DISTILBERT_LAYER = {
    "attention.query": "attention.q_lin",
    "attention.key": "attention.k_lin",
    "attention.value": "attention.v_lin",
    "attention.output": "attention.out_lin",
    "attention_norm": "sa_layer_norm",
    "feed_forward.inner": "ffn.lin1",
    "feed_forward.outer": "ffn.lin2",
    "output_norm": "output_layer_norm",
}

_DEBERTA_LAYER = {
    **_BERT_LAYER,
    "attention.query": "attention.self.query_proj",
    "attention.key": "attention.self.key_proj",
    "attention.value": "attention.self.value_proj",
}
_MPNET_LAYER = {
    **_BERT_LAYER,
    "attention.query": "attention.attn.q",
    "attention.key": "attention.attn.k",
    "attention.value": "attention.attn.v",
    "attention.output": "attention.attn.o",
    "attention_norm": "attention.LayerNorm",
}
_ALBERT_LAYER = {
    "attention.query": "attention.query",
    "attention.key": "attention.key",
    "attention.value": "attention.value",
    "attention.output": "attention.dense",
    "attention_norm": "attention.LayerNorm",
    "feed_forward.inner": "ffn",
    "feed_forward.outer": "ffn_output",
    "output_norm": "full_layer_layer_norm",
}

# Heads for other tasks, and buffers of indices: the encoder does not need them.
NOT_NEEDED = re.compile(
    r"""
      pooler\..*                                            # BERT's sentence vector
    | cls\.(predictions|seq_relationship)\..*               # BERT's masked word, next sentence
    | vocab_(transform|layer_norm|projector)\..*            # DistilBERT's masked word
    | lm_head\..* | embed_out\..* | predictions\..* | sop_classifier\..*    # RoBERTa's and ALBERT's
    | (discriminator|generator)_(predictions|lm_head)\..*   # ELECTRA's
    | (lm|mask)_predictions\..*                             # DeBERTa's
    | (pre_)?classifier\..* | qa_outputs\..*                # fine-tuned on other tasks
    | embeddings\.(position|token_type)_ids                 # 0, 1, 2, …; 0, 0, 0, …
    | final_logits_bias | (en|de)coder\.version             # BART's and Marian's next word
    | (score|classification_head|multiple_choice_head)\..*  # GPT-2, Llama and BART on other tasks
    | decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight  # not T5's
    """,
    re.VERBOSE,
)


# Buffers that no training produced: causal masks of GPT-2 and similar models, and rotations that
# config.json determines.
COMPUTED = re.compile(r"(.*\.)?(attn|attention)\.(masked_)?bias | (.*\.)?rotary_emb\.inv_freq", re.X)


def optional(name: str) -> bool:
    """Whether a stack of layers can do without a tensor of a checkpoint, by its current name."""
    return bool(NOT_NEEDED.fullmatch(name) or COMPUTED.fullmatch(name))


def encoder_config(config: Any) -> EncoderConfig | None:
    """Our shape for a `transformers` configuration, or None if our encoder does not support it.

    Args:
        config: that of one of `ENCODERS`; any other configuration gives None.
    """
    from ...transformer import (
        DISTANCES,
        EncoderConfig,
    )  # it imports torch, and a folder's files are checked first

    kind = config.model_type
    if kind not in ENCODERS:
        return None
    bert = kind != "distilbert"
    padding_id = config.pad_token_id if kind in _ROBERTA else None
    if kind == "mpnet":
        padding_id = _MPNET_PADDING
        # `transformers` has a setting for their number, and computes with 32 whatever it says.
        if config.relative_attention_num_buckets != DISTANCES.number:
            return None
    if kind in _ROBERTA and not (
        type(padding_id) is int
        and 0 <= padding_id < config.max_position_embeddings - 1
        and config.type_vocab_size
    ):
        return None
    activation = ACTIVATIONS.get(str(config.hidden_act if bert else config.activation))
    plain = getattr(config, "position_embedding_type", None) in (None, "absolute")
    if activation is None or not plain or getattr(config, "is_decoder", False):
        return None
    relative = None
    if kind == "deberta-v2":
        relative = _disentangled(config)
        if relative is None:
            return None
    placed = relative is None or config.position_biased_input
    shared: tuple[int, ...] = ()
    d_embedding = getattr(config, "embedding_size", 0) if kind in ("electra", "albert") else 0
    if kind == "electra" and d_embedding == config.hidden_size:
        d_embedding = 0  # there is no matrix between them then
    if kind == "albert":
        shared = _albert_weights(config)
        if not shared:
            return None
    return EncoderConfig(
        n_vocabulary=config.vocab_size,
        n_positions=config.max_position_embeddings if placed else 0,
        n_segments=config.type_vocab_size if bert and kind != "mpnet" else 0,
        n_layers=len(shared) or config.num_hidden_layers,
        n_heads=config.num_attention_heads,
        d_model=config.hidden_size,
        d_ff=config.intermediate_size if bert else config.hidden_dim,
        activation=activation,
        # DistilBERT has no setting for ε; in transformers, 1e-12 is part of the code.
        norm_eps=config.layer_norm_eps if bert else 1e-12,
        padding_id=padding_id,
        d_embedding=d_embedding,
        weights_of=shared,
        relative=relative,
        buckets=DISTANCES if kind == "mpnet" else None,
    )


def _disentangled(config: Any) -> Disentangled | None:
    """How a DeBERTa-v2 knows positions; None for settings that ours does not compute."""
    from ...transformer import Disentangled

    kinds = {*(config.pos_att_type or ())}
    longest = getattr(config, "max_relative_positions", -1)
    longest = config.max_position_embeddings if longest < 1 else longest
    buckets = max(getattr(config, "position_buckets", -1), 0)
    norms = {one.strip() for one in str(getattr(config, "norm_rel_ebd", "none")).lower().split("|")}
    width = config.hidden_size
    # A convolution beside the first layer (v2-xlarge) is no sum over tokens, each by itself.
    plain = (
        config.relative_attention
        and config.legacy
        and not getattr(config, "conv_kernel_size", 0)
        and getattr(config, "embedding_size", width) == width
        and getattr(config, "attention_head_size", None) in (None, width // config.num_attention_heads)
        and kinds <= {"c2p", "p2c"}
        and norms <= {"none", "layer_norm"}
        and (not buckets or (buckets > 1 and longest - 1 > buckets // 2))
    )
    if not plain:
        return None
    return Disentangled(
        span=buckets or longest,
        buckets=buckets,
        longest=longest,
        content_to_position="c2p" in kinds,
        position_to_content="p2c" in kinds,
        shared=bool(getattr(config, "share_att_key", False)),
        normed="layer_norm" in norms,
    )


def _albert_weights(config: Any) -> tuple[int, ...]:
    """For each layer of an ALBERT, which group's weights it runs on; none if that is not clear."""
    layers, groups = config.num_hidden_layers, config.num_hidden_groups
    if not 0 < groups <= layers or layers > MOST_SHARED or config.inner_group_num != 1:
        return ()
    return tuple(int(i / (layers / groups)) for i in range(layers))


def modern(name: str, prefix: str = "bert") -> str:
    """A tensor's name without the prefix of a model with a head, and with current names for LayerNorm.

    Checkpoints from before 2019 call its weight and bias `gamma` and `beta`. `prefix` is what this type
    of model puts before the names of a model with a head.
    """
    name = re.sub(rf"^({prefix}|albert|bert|distilbert|electra|roberta)\.", "", name)
    name = re.sub(r"\bLayerNorm\.gamma$", "LayerNorm.weight", name)
    return re.sub(r"\bLayerNorm\.beta$", "LayerNorm.bias", name)


# What wrappers put before the names of all tensors: torch.compile, DataParallel, sentence-transformers.
_COMPILED = "_orig_mod."
_WRAPPERS = ("module.", "auto_model.", "0.auto_model.")
# Names that are found inside a wrapper called “model”, but not inside the model of that name.
_OUTSIDE = frozenset({"model", "lm_head", "score", "classifier", "qa_outputs", "cls"})


def unwrapped(names: Iterable[str], *, own_model: bool) -> dict[str, str]:
    """The names of a checkpoint's tensors -> the same without those of wrappers.

    Args:
        names: their names.
        own_model: whether this type of model itself has tensors whose names begin with "model.".
    """
    made = {name: name.replace(_COMPILED, "") for name in names}
    while True:
        wrapper = next((one for one in _WRAPPERS if _all_begin(made, one)), None)
        if wrapper is None and _all_begin(made, "model."):
            firsts = {name.split(".")[1] for name in made.values()}
            if not own_model or firsts & _OUTSIDE:
                wrapper = "model."
        if wrapper is None:
            break
        made = {name: inner[len(wrapper) :] for name, inner in made.items()}
    # Two tensors of one name would be mistaken for each other; then nothing is clear.
    return made if len({*made.values()}) == len(made) else {name: name for name in made}


def inside(names: Iterable[str], wanted: Collection[str], prefix: str = "bert") -> dict[str, str]:
    """The names of a checkpoint's tensors -> the same without what a module of somebody's own adds.

    That is one part before all names, or several. It is left out only where all wanted names are there
    then, and not before; otherwise every name stays.

    Args:
        names: their names.
        wanted: the current names of the tensors that the model needs.
        prefix: see `modern`.
    """
    made = {name: name for name in names}
    while not {modern(name, prefix) for name in made.values()}.issuperset(wanted):
        firsts = {name.partition(".")[0] for name in made.values()}
        if len(firsts) != 1 or not all(name.partition(".")[2] for name in made.values()):
            return {name: name for name in made}
        made = {name: inner.partition(".")[2] for name, inner in made.items()}
    return made


def _all_begin(names: Mapping[str, str], prefix: str) -> bool:
    return bool(names) and all(len(n) > len(prefix) and n.startswith(prefix) for n in names.values())


def ours(config: EncoderConfig, kind: str = "bert") -> Mapping[str, str]:
    """Their (current) tensor names -> the names in our encoder's state dict.

    Args:
        config: the shape.
        kind: the model type of the checkpoint.
    """
    modules = _EMBEDDINGS | (_SEGMENTS if config.n_segments else {})
    stacks = [f"encoder.layer.{i}" for i in range(config.n_layers)]
    layer, projection = _BERT_LAYER, "embeddings_project"
    if kind == "distilbert":
        stacks = [f"transformer.layer.{i}" for i in range(config.n_layers)]
        layer = _DISTILBERT_LAYER
    elif kind == "deberta-v2":
        assert config.relative is not None
        whole, inside = _of_distances(config.relative)
        layer, modules = _DEBERTA_LAYER | inside, modules | whole
        if not config.n_positions:
            del modules["positions.table"]
    elif kind == "mpnet":
        layer = _MPNET_LAYER
        modules = modules | {"distances.table": "encoder.relative_attention_bias"}
    elif kind == "albert":
        groups = range(max(config.weights_of) + 1)
        stacks = [f"encoder.albert_layer_groups.{i}.albert_layers.0" for i in groups]
        layer = _ALBERT_LAYER
        projection = "encoder.embedding_hidden_mapping_in"
    if config.d_embedding:
        modules = modules | {"projection": projection}
    for i, stack in enumerate(stacks):
        modules |= {f"layers.{i}.{our}": f"{stack}.{their}" for our, their in layer.items()}
    tables = {"tokens", "positions.table", "segments", "relative.table", "distances.table"}
    return MappingProxyType(
        {
            f"{their}.{part}": f"{our}.{part}"
            for our, their in modules.items()
            for part in (("weight",) if our in tables else ("weight", "bias"))
        }
    )


def _of_distances(how: Disentangled) -> tuple[dict[str, str], dict[str, str]]:
    """Our modules that know distances -> theirs: for all layers, and in each layer."""
    whole, inside = {"relative.table": "encoder.rel_embeddings"}, {}
    if how.normed:
        whole["relative.norm"] = "encoder.LayerNorm"
    if how.content_to_position and not how.shared:
        inside["attention.position_key"] = "attention.self.pos_key_proj"
    if how.position_to_content and not how.shared:
        inside["attention.position_query"] = "attention.self.pos_query_proj"
    return whole, inside


def fit(
    wanted: Mapping[str, str],
    theirs: Mapping[str, tuple[int, ...]],
    shapes: Mapping[str, tuple[int, ...]],
    name: str,
    prefix: str = "bert",
    spare: Collection[str] = (),
) -> Mapping[str, str]:
    """Which tensor of a checkpoint goes where, after checking that all fit.

    Args:
        wanted: the checkpoint's (current) names -> the module's.
        theirs: the shapes of its tensors, by their names.
        shapes: the shapes in our module, by our names.
        name: the name of the model in messages.
        prefix: see `modern`.
        spare: further (current) names that the checkpoint may hold.

    Returns:
        Our names -> the checkpoint's names, one for each of ours.

    Raises:
        ModelBroken: if a tensor is missing, has another shape, or is unknown.
    """
    source: dict[str, str] = {}
    unknown: list[str] = []
    for their in theirs:
        today = modern(their, prefix)
        if today in wanted:
            other = source.setdefault(wanted[today], their)
            if other != their:
                raise ModelBroken(
                    "“{name}” contains both {other} and {their}, two names of the same part. It "
                    "does not say which one counts; save the model again, with one of them.",
                    name=name,
                    other=other,
                    their=their,
                )
        elif not optional(whole(today)) and today not in spare:
            unknown.append(whole(their))
    missing = {whole(their): None for their, our in wanted.items() if our not in source}
    if missing:
        raise ModelBroken(
            "“{name}” is incomplete: {some} missing from its weights. Choose another copy.",
            name=name,
            some=_some(missing),
        )
    wrong = [our for our, their in source.items() if shapes[our] != tuple(theirs[their])]
    if wrong:
        their = source[wrong[0]]
        raise ModelBroken(
            "The weights of “{name}” do not fit its config.json: {their} is {by}, and the "
            "configuration needs {by2}. One of the two files belongs to another model.",
            name=name,
            their=their,
            by=_by(theirs[their]),
            by2=_by(shapes[wrong[0]]),
        )
    if unknown:
        raise ModelBroken(
            "“{name}” contains tensors that its config.json does not explain: {some} left "
            "over. Ignoring them could give wrong numbers, and Polysee refuses the model.",
            name=name,
            some=_some(unknown),
        )
    return MappingProxyType(source)


def whole(name: str) -> str:
    """The name of a piece's tensor: "c_attn[1].weight" is a third of "c_attn.weight"."""
    before, bracket, after = name.partition("[")
    return before + after.partition("]")[2] if bracket else name


def _some(tensors: Iterable[str]) -> str:
    named = list(tensors)
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    return ", ".join(named[:3]) + more + (" is" if len(named) == 1 else " are")


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(str(n) for n in shape)
