"""What a decoder keeps of each token while it writes, and what that spares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

BYTES = 4  # of a number in float32


@dataclass(frozen=True)
class CacheCost:
    """The sizes of a decoder, and counts that follow from them.

    A multiply-add is one product and its addition to a sum, as in a matrix product; norms, activations
    and softmax, which take far fewer, are left out. Of the scores, those that the causal mask hides are
    not counted.

    Attributes:
        n_layers, n_heads, d_head, d_model: the sizes of the decoder.
        n_kv_heads: heads of keys and values; several heads of queries may share one.
        d_ff: the width inside the feed-forward networks.
        gated: whether these have three matrices instead of two.
        n_vocabulary: how many tokens have a logit.
        windows: for each layer, to how many tokens a token attends at most (0: to all); empty: to all.
    """

    n_layers: int
    n_heads: int
    n_kv_heads: int
    d_head: int
    d_model: int
    d_ff: int
    gated: bool
    n_vocabulary: int
    windows: tuple[int, ...] = ()

    @property
    def kept(self) -> int:
        """Numbers that are kept of one token: a key and a value for each kv-head of each layer."""
        return self.n_layers * self.n_kv_heads * 2 * self.d_head

    @property
    def matrices(self) -> int:
        """Multiply-adds of one token in the matrices of all layers."""
        queries = 2 * self.d_model * self.n_heads * self.d_head  # and the output of the attention
        shared = 2 * self.d_model * self.n_kv_heads * self.d_head
        within = (2 + self.gated) * self.d_model * self.d_ff
        return self.n_layers * (queries + shared + within)

    @property
    def head(self) -> int:
        """Multiply-adds of the logits of one place."""
        return self.n_vocabulary * self.d_model

    @property
    def weights(self) -> int:
        """Numbers in all these matrices: each takes part in one multiply-add of a token."""
        return self.matrices + self.head

    def attention(self, keys: int) -> int:
        """Multiply-adds of one token's scores with so many keys, and of the mean of their values."""
        windows = self.windows or (0,) * self.n_layers
        seen = sum(min(keys, window) if window else keys for window in windows)
        return 2 * self.n_heads * self.d_head * seen

    def with_cache(self, tokens: int) -> int:
        """Multiply-adds to read the last of so many tokens, and to predict the next one."""
        return self.matrices + self.attention(tokens) + self.head

    def without_cache(self, tokens: int) -> int:
        """The same if keys and values were not kept: every token is read again."""
        every = sum(self.attention(count) for count in range(1, tokens + 1))
        return tokens * self.matrices + every + self.head

    def to_frame(self, tokens: range) -> pd.DataFrame:
        """One row for each length of the text: what is kept, and the multiply-adds."""
        import pandas as pd

        return pd.DataFrame(
            {
                "numbers_kept": [self.kept * n for n in tokens],
                "bytes_kept": [BYTES * self.kept * n for n in tokens],
                "multiply_adds_with_cache": [self.with_cache(n) for n in tokens],
                "multiply_adds_without_cache": [self.without_cache(n) for n in tokens],
            },
            index=pd.Index(tokens, name="tokens"),
        )
