"""What each step is called, its formula, and what it is for; in the order of the paper."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    """The words of a step: see `core.walkthroughs.steps.record.Step`."""

    title: str
    formula: str
    why: str


STEPS: dict[str, Words] = {
    "pieces": Words(
        "Pieces and ids",
        r"\text{text}\;\to\;\text{pieces}\;\to\;\text{ids}",
        "A text is cut into pieces that stand in the model's vocabulary; each has a number, its *id*. "
        "A word that is not in the vocabulary becomes several pieces; what no pieces are known for "
        "becomes the mark for unknown.",
    ),
    "learned": Words(
        "One-hot × table",
        r"\text{learned} = \text{one-hot}\cdot E",
        "A row with a single 1 picks one row of the table: the same piece always starts from the same "
        "numbers. Two one-hot rows say nothing about how similar two words are; learned rows can.",
    ),
    "root": Words(
        "× √d_model",
        r"\text{scaled} = \text{learned}\cdot\sqrt{d_\mathrm{model}}",
        "The numbers of a row begin about 1/√512 large. Times √512 they are as large as those of the "
        "positions, which come next and lie between −1 and 1.",
    ),
    "position": Words(
        "+ position",
        r"\text{sum} = \text{learned}\,(+\,\text{segment}) + P",
        "Attention does not see the order of the words, so each position adds a row of its own; BERT "
        "adds one that says which of two texts it is.",
    ),
    "embedded": Words(
        "Norm",
        r"x = \frac{s - \bar s}{\sqrt{\mathrm{var}(s) + \varepsilon}}\cdot\gamma + \beta",
        "Each row is shifted to mean 0 and stretched to variance 1, then scaled by γ and shifted by β, "
        "which were learned.",
    ),
    "query": Words(
        "Queries",
        r"Q = x\,W_Q",
        "What each word asks for. At a conference it is the question you come with; in a database, "
        "what you search for.",
    ),
    "key": Words(
        "Keys",
        r"K = x\,W_K",
        "What each word can be found by: the topic on a name badge, the label of a record.",
    ),
    "value": Words(
        "Values",
        r"V = x\,W_V",
        "What each word hands over when it is found: what the person tells you, the record itself.",
    ),
    "scores": Words(
        "Scores",
        r"S = Q\,K^\top",
        "Every query meets every key: the dot product is large where they point the same way. One "
        "product of matrices does it for all words at once.",
    ),
    "scale": Words(
        "÷ √d",
        r"S / \sqrt{d_k}",
        "A sum of more terms is larger. Divided by √d, scores keep their size whatever the width, and "
        "softmax does not put all on one word.",
    ),
    "mask": Words(
        "Mask",
        r"S_{ij} = -\infty\ \text{ for } j > i",
        "A decoder must not attend to what comes later: those scores become −∞, and e to the −∞ is 0.",
    ),
    "weights": Words(
        "Softmax",
        r"A_{ij} = \frac{e^{S_{ij}}}{\sum_m e^{S_{im}}}",
        "Each row becomes weights between 0 and 1 that add up to 1: how much a word takes from each.",
    ),
    "mix": Words(
        "Weights × values",
        r"Z_i = A\,V",
        "Each word's new row is the mean of all values, weighted by how much it attends to each.",
    ),
    "join": Words(
        "Heads side by side",
        r"Z = [\,Z_1\;Z_2\;\dots\;Z_h\,]",
        "Every head did the same with tables of its own; their results are put side by side.",
    ),
    "output": Words(
        "× W_O",
        r"O = Z\,W_O",
        "One more product lets what different heads found flow together.",
    ),
    "residual": Words(
        "Residual",
        r"r = x + O",
        "What attention found is *added* to what was there: the word is moved, not replaced.",
    ),
    "norm": Words(
        "Layer norm",
        r"n = \frac{r - \bar r}{\sqrt{\mathrm{var}(r) + \varepsilon}}\cdot\gamma + \beta",
        "Each row, on its own, back to mean 0 and variance 1; then the learned γ and β.",
    ),
    "inner": Words(
        "Feed-forward, inner",
        r"u = n\,W_1 + b_1",
        "A small network for each word on its own; first into a wider space.",
    ),
    "activation": Words(
        "Activation",
        r"a = f(u)",
        "What is below 0 is cut (or nearly so): without this bend two products would be one.",
    ),
    "outer": Words(
        "Feed-forward, outer",
        r"o = a\,W_2 + b_2",
        "Back to the width of the model.",
    ),
    "residual2": Words(
        "Residual",
        r"r = n + o",
        "Once more added to what was there.",
    ),
    "norm2": Words(
        "Layer norm: the output",
        r"y = \frac{r - \bar r}{\sqrt{\mathrm{var}(r) + \varepsilon}}\cdot\gamma + \beta",
        "What the layer returns: the next layer's x.",
    ),
}

PLAIN: dict[str, Words] = {
    "plain-scores": Words(
        "x · Xᵀ",
        r"s = x\,X^\top",
        "The word's own row against every word's row: which of them point the same way? No table is "
        "learned here.",
    ),
    "plain-scale": Words(
        "÷ √d",
        r"s / \sqrt{d_\mathrm{model}}",
        "Divided by √d, so that the size does not grow with the width.",
    ),
    "plain-weights": Words(
        "Softmax",
        r"w_j = \frac{e^{s_j}}{\sum_m e^{s_m}}",
        "Weights that add up to 1. A word is most like itself, so much weight often stays there.",
    ),
    "plain-mix": Words(
        "Weighted sum",
        r"y = w\,X",
        "The word's new row: a mix of all rows, nearer to the words that it is like.",
    ),
}
