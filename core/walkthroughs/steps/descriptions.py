"""The title, the formula and the purpose of each step, in the order of the paper."""

from __future__ import annotations

from typing import NamedTuple

from ...localization import N_


class Words(NamedTuple):
    """The words of a step: see `core.walkthroughs.steps.record.Step`."""

    title: str
    formula: str
    why: str


STEPS: dict[str, Words] = {
    "pieces": Words(
        N_("Pieces and ids"),
        r"\text{text}\;\to\;\text{pieces}\;\to\;\text{ids}",
        N_(
            "The tokenizer splits the text into pieces from the model’s vocabulary, and each "
            "piece has a number, its *id*. In MiniLM or SmolLM2, a word outside the vocabulary becomes "
            "several pieces."
        ),
    ),
    "learned": Words(
        N_("One-hot × table"),
        r"\text{learned} = \text{one-hot}\cdot E",
        N_(
            "A row with a single 1 picks one row of the table: the same piece always starts from "
            "the same numbers. Two one-hot rows say nothing about how similar two words are; two "
            "learned rows do."
        ),
    ),
    "root": Words(
        N_("× √d_model"),
        r"\text{scaled} = \text{learned}\cdot\sqrt{d_\mathrm{model}}",
        N_(
            "The numbers in the table start at a size of about 1/√512. Multiplied by √512, they "
            "are as large as those of the positions, which come next and lie between −1 and 1."
        ),
    ),
    "position": Words(
        N_("+ position"),
        r"\text{sum} = \text{learned}\,(+\,\text{segment}) + P",
        N_(
            "Attention ignores the order of the words. Each position therefore adds a row of its "
            "own; BERT also adds a row that says which of two texts a piece belongs to."
        ),
    ),
    "embedded": Words(
        N_("Norm"),
        r"x = \frac{s - \bar s}{\sqrt{\mathrm{var}(s) + \varepsilon}}\cdot\gamma + \beta",
        N_(
            "Each row is shifted to mean 0 and rescaled to variance 1, then multiplied by γ and "
            "shifted by β, which are learned."
        ),
    ),
    "query": Words(
        N_("Queries"),
        r"Q = x\,W_Q",
        N_("A query is what a word looks for, as numbers: like what you type into a search box."),
    ),
    "key": Words(
        N_("Keys"),
        r"K = x\,W_K",
        N_(
            "A key is what a word can be found by: like the title of a page, which is compared with "
            "the search."
        ),
    ),
    "value": Words(
        N_("Values"),
        r"V = x\,W_V",
        N_("A value is what a word passes on to those that find it: like the page’s content."),
    ),
    "scores": Words(
        N_("Scores"),
        r"S = Q\,K^\top",
        N_(
            "Every query meets every key. Their dot product is large where they point the same "
            "way, and one matrix product computes it for all pairs of words at once."
        ),
    ),
    "scale": Words(
        N_("÷ √d"),
        r"S / \sqrt{d_k}",
        N_(
            "The longer the vectors, the larger their products. Division by √d makes the size of "
            "the scores independent of the width, and keeps the softmax from putting all weight "
            "on one word."
        ),
    ),
    "mask": Words(
        N_("Mask"),
        r"S_{ij} = -\infty\ \text{ for } j > i",
        N_("A decoder must not attend to later words: their scores become −∞, and $e^{-\\infty}=0$."),
    ),
    "weights": Words(
        N_("Softmax"),
        r"A_{ij} = \frac{e^{S_{ij}}}{\sum_m e^{S_{im}}}",
        N_(
            "Each row becomes weights between 0 and 1 that add up to 1. They say how much a word "
            "takes from each word, itself included."
        ),
    ),
    "mix": Words(
        N_("Weights × values"),
        r"Z_i = A\,V",
        N_(
            "The new row of each word is the mean of all values, weighted by how much the word "
            "attends to each."
        ),
    ),
    "join": Words(
        N_("Heads side by side"),
        r"Z = [\,Z_1\;Z_2\;\dots\;Z_h\,]",
        N_("Every head does the same with its own matrices; the results are placed side by side."),
    ),
    "output": Words(
        N_("× W_O"),
        r"O = Z\,W_O",
        N_("One more product mixes what the different heads have found."),
    ),
    "residual": Words(
        N_("Residual"),
        r"r = x + O",
        N_("The attention output is *added* to the input: the word’s vector is moved, not replaced."),
    ),
    "norm": Words(
        N_("Layer norm"),
        r"n = \frac{r - \bar r}{\sqrt{\mathrm{var}(r) + \varepsilon}}\cdot\gamma + \beta",
        N_("Each row again gets mean 0 and variance 1; then the learned γ and β are applied."),
    ),
    "inner": Words(
        N_("Feed-forward, inner"),
        r"u = n\,W_1 + b_1",
        N_("A small network works on each word separately; its first step leads into a wider space."),
    ),
    "activation": Words(
        N_("Activation"),
        r"a = f(u)",
        N_(
            "Numbers below 0 become 0, or nearly 0. Without this nonlinearity, the two products "
            "would amount to a single one."
        ),
    ),
    "outer": Words(
        N_("Feed-forward, outer"),
        r"o = a\,W_2 + b_2",
        N_("The second product leads back to the width of the model."),
    ),
    "residual2": Words(
        N_("Residual"),
        r"r = n + o",
        N_("The output of the network is added to its input."),
    ),
    "norm2": Words(
        N_("Layer norm: the output"),
        r"y = \frac{r - \bar r}{\sqrt{\mathrm{var}(r) + \varepsilon}}\cdot\gamma + \beta",
        N_("This is the output of the layer, and the x of the next one."),
    ),
}

CROSS: dict[str, Words] = {
    "cross-query": Words(
        N_("Cross: queries"),
        r"Q = n\,W_Q",
        N_(
            "*Cross-attention*: the words that are being written attend to the words of the "
            "source. The queries come from the decoder, from the output of the preceding norm."
        ),
    ),
    "cross-key": Words(
        N_("Cross: keys"),
        r"K = m\,W_K",
        N_(
            "The keys come from the encoder: m is what its last layer returns for the source. "
            "Each layer of the decoder reads the same m, with its own $W_K$."
        ),
    ),
    "cross-value": Words(
        N_("Cross: values"),
        r"V = m\,W_V",
        N_("The values come from the encoder too: they hand over information about the source."),
    ),
    "cross-scores": Words(
        N_("Cross: scores"),
        r"S = Q\,K^\top",
        N_(
            "Every word of the target meets every word of the source. There are as many rows as "
            "the target has tokens, and as many columns as the source has."
        ),
    ),
    "cross-scale": Words(
        N_("Cross: ÷ √d"),
        r"S / \sqrt{d_k}",
        N_(
            "As in self-attention, division by √d makes the size of the scores independent of the"
            " width."
        ),
    ),
    "cross-weights": Words(
        N_("Cross: softmax"),
        r"A_{ij} = \frac{e^{S_{ij}}}{\sum_m e^{S_{im}}}",
        N_(
            "Each row says how much a word of the target takes from each word of the source. "
            "There is no mask here: the whole source is known before the first word is written."
        ),
    ),
    "cross-mix": Words(
        N_("Cross: weights × values"),
        r"Z_i = A\,V",
        N_("The new row of each word of the target is a weighted mean of values of the source."),
    ),
    "cross-join": Words(
        N_("Cross: heads side by side"),
        r"Z = [\,Z_1\;Z_2\;\dots\;Z_h\,]",
        N_(
            "Every head of the cross-attention has its own matrices; the results are placed side "
            "by side."
        ),
    ),
    "cross-output": Words(
        N_("Cross: × W_O"),
        r"O = Z\,W_O",
        N_("One more product mixes what the heads have found in the source."),
    ),
    "cross-residual": Words(
        N_("Cross: residual"),
        r"r = n + O",
        N_("What was found in the source is *added* to what the word already holds."),
    ),
    "cross-norm": Words(
        N_("Cross: layer norm"),
        r"n' = \frac{r - \bar r}{\sqrt{\mathrm{var}(r) + \varepsilon}}\cdot\gamma + \beta",
        N_(
            "The second of the three norms of a decoder layer: each row gets mean 0 and variance "
            "1, then the learned γ and β are applied."
        ),
    ),
}

# Steps with another title or purpose in a layer of a decoder.
DECODER: dict[str, Words] = {
    "mask": Words(
        N_("Mask"),
        r"S_{ij} = -\infty\ \text{ for } j > i",
        N_(
            "This is what makes the self-attention of a decoder *masked*: it predicts the next "
            "word, and must not see it. The scores of later words become −∞, and $e^{-\\infty}=0$."
        ),
    ),
    "inner": Words(
        N_("Feed-forward, inner"),
        r"u = n'\,W_1 + b_1",
        N_(
            "A small network works on each word separately, after both attentions; its first step"
            " leads into a wider space."
        ),
    ),
    "residual2": Words(
        N_("Residual"),
        r"r = n' + o",
        N_(
            "For the third time in this layer, a result is added to the input that it was "
            "computed from."
        ),
    ),
    "norm2": Words(
        N_("Layer norm: the output"),
        r"y = \frac{r - \bar r}{\sqrt{\mathrm{var}(r) + \varepsilon}}\cdot\gamma + \beta",
        N_(
            "This is the output of the layer, and the x of the next one. After the last layer, "
            "one more product turns it into a score for each word of the vocabulary."
        ),
    ),
}

_RMS = r"\frac{%s}{\sqrt{\overline{%s^2} + \varepsilon}}\cdot\gamma"
_MEAN = r"\frac{%s - \bar %s}{\sqrt{\mathrm{var}(%s) + \varepsilon}}\cdot\gamma + \beta"
# For a decoder alone, GPT-2 or one of the Llama family: its own steps, and other words for some.
ALONE: dict[str, Words] = {
    "learned": Words(
        N_("One-hot × table"),
        r"x = \text{one-hot}\cdot E",
        N_(
            "A row with a single 1 picks one row of the table. Nothing is added to it: this model"
            " keeps no vector for a position, and rotates queries and keys instead."
        ),
    ),
    "position": Words(
        N_("+ position"),
        r"x = \text{learned} + P",
        N_(
            "Attention ignores the order of the words. Each position therefore adds a learned row"
            " of its own. No norm follows: each layer normalizes what it reads."
        ),
    ),
    "pre-norm": Words(
        N_("RMSNorm"),
        "n = " + _RMS % ("x", "x"),
        N_(
            "*RMSNorm*: each row is divided by the root of the mean of its squares, then "
            "multiplied by the learned γ. No mean is subtracted, and there is no β. The attention"
            " reads this copy; x itself stays as it is (*pre-norm*)."
        ),
    ),
    "pre-norm-mean": Words(
        N_("Layer norm first"),
        "n = " + _MEAN % ("x", "x", "x"),
        N_(
            "The attention reads a normalized copy; x itself stays as it is (*pre-norm*). Each "
            "row gets mean 0 and variance 1; then the learned γ and β are applied."
        ),
    ),
    "query": Words(
        N_("Queries"),
        r"Q = n\,W_Q",
        N_("A query is what a token looks for, as numbers: like what you type into a search box."),
    ),
    "key": Words(
        N_("Keys"),
        r"K = n\,W_K",
        N_("A key is what a token can be found by: like the title of a page."),
    ),
    "value": Words(
        N_("Values"),
        r"V = n\,W_V",
        N_("A value is what a token passes on to those that find it: like the page’s content."),
    ),
    "turn-query": Words(
        N_("Rotate the queries"),
        r"Q' = R_{m\theta}\,Q",
        N_(
            "This is how the model knows positions: each pair of numbers of the query at position"
            " m is a point in a plane, and *turns* by m·θ. Every pair has its own θ, from 1 "
            "radian per position down to almost 0. Nothing is added, and no length changes."
        ),
    ),
    "turn-key": Words(
        N_("Rotate the keys"),
        r"K' = R_{m\theta}\,K",
        N_(
            "Keys turn in the same way. In the product of a query at m and a key at n, only the "
            "difference of their angles is left: it depends on the distance m − n alone."
        ),
    ),
    "scores": Words(
        N_("Scores"),
        r"S = Q'\,K'^\top",
        N_(
            "Every rotated query meets every rotated key. Their dot product is large where they "
            "point the same way."
        ),
    ),
    "mask": Words(
        N_("Mask"),
        r"S_{ij} = -\infty\ \text{ where } j \text{ is hidden from } i",
        N_(
            "A decoder predicts the next token, and must not see it: the scores of later tokens "
            "become −∞, and $e^{-\\infty}=0$."
        ),
    ),
    "residual": Words(
        N_("Residual"),
        r"r = x + O",
        N_(
            "The attention output is *added* to x as it came in, before its norm: from layer to "
            "layer, the vector is only ever added to."
        ),
    ),
    "pre-norm2": Words(
        N_("RMSNorm"),
        "n' = " + _RMS % ("r", "r"),
        N_(
            "*RMSNorm*: each row is divided by the root of the mean of its squares, then "
            "multiplied by the learned γ. No mean is subtracted, and there is no β. The "
            "feed-forward network reads this copy."
        ),
    ),
    "pre-norm2-mean": Words(
        N_("Layer norm first"),
        "n' = " + _MEAN % ("r", "r", "r"),
        N_("The feed-forward network reads a normalized copy as well."),
    ),
    "inner": Words(
        N_("Feed-forward, inner"),
        r"u = n'\,W_1 + b_1",
        N_("A small network works on each token separately; its first step leads into a wider space."),
    ),
    "gate": Words(
        N_("Gate"),
        r"g = n'\,W_\mathrm{gate}",
        N_(
            "A small network works on each token separately. Two products lead into a wider "
            "space: this one decides how far each of its numbers is let through."
        ),
    ),
    "opened": Words(
        N_("SiLU(gate)"),
        r"s = f(g)",
        N_(
            "SiLU multiplies each number by its sigmoid: large numbers stay, negative ones become"
            " almost 0."
        ),
    ),
    "up": Words(
        N_("Up"),
        r"u = n'\,W_\mathrm{up}",
        N_("The other product gives the numbers themselves."),
    ),
    "gated": Words(
        N_("Gate × up"),
        r"a = s \odot u",
        N_(
            "Number by number, the gate multiplies what it lets through: where s is almost 0, so "
            "is the product. With SiLU, this is *SwiGLU*."
        ),
    ),
    "outer": Words(
        N_("Down"),
        r"o = a\,W_\mathrm{down}",
        N_("The last product leads back to the width of the model."),
    ),
    "residual2": Words(
        N_("Residual: the output"),
        r"y = r + o",
        N_("This is the output of the layer, and the x of the next one: no norm follows the sum."),
    ),
    "final-norm": Words(
        N_("Final norm"),
        "f = " + _RMS % ("y", "y"),
        N_(
            "*RMSNorm*: each row is divided by the root of the mean of its squares, then "
            "multiplied by the learned γ. No mean is subtracted, and there is no β. It comes "
            "once, after the last layer."
        ),
    ),
    "final-norm-mean": Words(
        N_("Final norm"),
        "f = " + _MEAN % ("y", "y", "y"),
        N_("One more layer norm comes after the last layer."),
    ),
    "logits": Words(
        N_("Tied head"),
        r"\ell = f\,E^\top",
        N_(
            "The table that reads tokens also predicts them: the dot product with a token’s row "
            "is its score, the *logit*. The columns are the tokens that the model expects most "
            "after the whole text."
        ),
    ),
    "logits-untied": Words(
        N_("Head"),
        r"\ell = f\,W_U",
        N_(
            "A last matrix gives each token of the vocabulary a score, the *logit*. The columns "
            "are the tokens that the model expects most after the whole text."
        ),
    ),
    "next": Words(
        N_("Next token"),
        r"P_{ij} = e^{\ell_{ij}} \big/ \textstyle\sum_v e^{\ell_{iv}}",
        N_(
            "Softmax over the whole vocabulary: each row is what the model expects after its "
            "token. The last row predicts what follows the text."
        ),
    ),
}

# For a model on another engine: what its recorded queries, keys and values do.
RECORDED: dict[str, Words] = {
    "scores": Words(
        N_("Scores"),
        r"S = Q\,K^\top",
        N_(
            "Every query meets every key. Q and K are those that the model itself computed for "
            "this head; if the model encodes positions by rotation, Q and K are already rotated."
        ),
    ),
    "scale": Words(
        N_("× scale"),
        r"S \cdot s",
        N_("Most models divide by √d. This one multiplies its scores by a factor of its own."),
    ),
    "capped": Words(
        N_("tanh"),
        r"\tanh(S)",
        N_(
            "This model squashes its scores: none can be larger than a bound c. The step before "
            "has already divided them by c."
        ),
    ),
    "uncapped": Words(
        N_("× c"),
        r"S \cdot c",
        N_("Multiplied by c, the scores return to their old scale, and now lie between −c and c."),
    ),
    "bias": Words(
        N_("+ position bias"),
        r"S + B",
        N_(
            "This model tells positions apart by numbers that it adds to the scores, one for each"
            " pair of positions."
        ),
    ),
    "mask": Words(
        N_("Mask"),
        r"S_{ij} = -\infty\ \text{ where } j \text{ is hidden from } i",
        N_(
            "The mask is a part of this model, which was trained with it: the scores of what a "
            "token must not see become −∞, and $e^{-\\infty}=0$."
        ),
    ),
}

PLAIN: dict[str, Words] = {
    "plain-scores": Words(
        N_("x · Xᵀ"),
        r"s = x\,X^\top",
        N_(
            "The word’s own row is multiplied by every word’s row: which of them point the same "
            "way? Nothing is learned here."
        ),
    ),
    "plain-scale": Words(
        N_("÷ √d"),
        r"s / \sqrt{d_\mathrm{model}}",
        N_("Division by √d keeps the size of the scores from growing with the width."),
    ),
    "plain-weights": Words(
        N_("Softmax"),
        r"w_j = \frac{e^{s_j}}{\sum_m e^{s_m}}",
        N_(
            "The weights add up to 1. A word is most similar to itself, and often keeps much of "
            "the weight."
        ),
    ),
    "plain-mix": Words(
        N_("Weighted sum"),
        r"y = w\,X",
        N_("The word’s new row is a mixture of all rows, closest to the words that it is similar to."),
    ),
}
