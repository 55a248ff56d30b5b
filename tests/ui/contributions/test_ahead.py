"""What each word adds, computed for both sentences at once before the picture asks for it."""

from __future__ import annotations

import pytest

from core.comparison import Chosen, Ends
from core.pretrained import Model
from ui.contributions import computed
from ui.contributions.computed import by_itself, layers_of

ENDS = Ends(("river", "money"), ("river",), ("money",))
A, B = Chosen("We sat on the bank.", "bank", 0), Chosen("The bank has lent us it.", "bank", 0)


def test_nothing_is_left_to_compute_for_two_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    layers_of.cache_clear()
    computed.ahead("minilm", (A, B), ENDS)
    assert len(layers_of.cache) == 3  # of A, of B, and of the word alone, which is one for both
    monkeypatch.setattr(Model, "contributions_by_layer", lambda *_, **__: pytest.fail("computed again"))
    for side in (A, B, by_itself("minilm", A)):
        assert layers_of("minilm", side, "bank", ENDS)[-1].tokens[1] in ("we", "the", "bank")
