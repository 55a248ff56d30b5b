"""`make published`: expected and computed results, and the claims about the published weights.

Small random models with the real vocabulary stand for the published ones. Their expected results come
from plain `transformers`, by the lines that the article prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core import settings
from core.errors import ModelNotFound
from core.examples.first_texts import POEM as RIVER
from core.examples.first_texts import POEM_B as MONEY
from tests.pretrained.fake_hub import serve
from tests.pretrained.fakes import python
from tests.tiers import some
from tools import published
from tools.published import CLAIMS, Claim, Numbers, Within, Words

pytestmark = pytest.mark.check

DOC = " ".join((Path(published.__file__).parents[1] / "docs/published.md").read_text("utf-8").split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, make_folder: Callable[..., Path]) -> Path:
    """Models by the names of the published ones; BERT has a head 8, and no head has its width."""
    models = tmp_path_factory.mktemp("models")
    stand_ins = {
        "distilbert": make_folder("distilbert", every_piece=True),
        "bert": make_folder("bert", every_piece=True, num_attention_heads=11, hidden_size=33),
        "multilingual": make_folder("bert", every_piece=True),
    }
    for name, own in stand_ins.items():
        (models / name).symlink_to(own)
    return models


@pytest.fixture
def stand_ins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("POLYSEE_MODELS", str(folder))
    return folder


@pytest.fixture(scope="module")
def vectors(folder: Path) -> Callable[[str], tuple[torch.Tensor, torch.Tensor]]:
    """The learned and the transformer embeddings of a text, by the lines of the article's §4.1."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder / "distilbert")
    model = AutoModel.from_pretrained(folder / "distilbert").eval()

    def of(sequence: str) -> tuple[torch.Tensor, torch.Tensor]:
        token_dict = tokenizer(sequence, return_tensors="pt", truncation=True, max_length=512)
        token_dict.pop("token_type_ids", None)
        mask = token_dict.attention_mask[0].bool()
        with torch.no_grad():
            contextual = model(**token_dict).last_hidden_state[0]
            learned = model.embeddings.word_embeddings(token_dict["input_ids"])[0]
        return learned[mask], contextual[mask]

    return of


@pytest.fixture(scope="module")
def retold(vectors: Callable[[str], tuple[torch.Tensor, torch.Tensor]]) -> list[Claim]:
    """The claims about numbers, with those that the article would print for the small DistilBERT."""
    word, river, money = vectors("bank"), vectors(RIVER), vectors(MONEY)
    printed = [
        " ".join(f"{round(x, 2)}" for x in tensor[:5].tolist())
        for tensor in (word[0][1], river[0][11], money[0][-3], river[1][11], money[1][-3])
    ]
    for tensor in river:
        for row in (0, 1, 2, -3, -2, -1):
            first, last = ([f"{x:.4f}" for x in part] for part in (tensor[row, :3], tensor[row, -3:]))
            printed.append(" ".join([*first, "…", *last]))
    claims = [one for one in CLAIMS if isinstance(one.expected, Numbers)]
    return [
        replace(claim, expected=Numbers(numbers))
        for claim, numbers in zip(claims, printed, strict=True)
    ]


def check(*claims: Claim) -> tuple[published.Tally, list[str]]:
    lines: list[str] = []
    return published.check(claims, lines.append), lines


def test_what_is_printed_is_found_by_both_engines(stand_ins: Path, retold: list[Claim]) -> None:
    tally, lines = check(*retold)
    assert (tally.differ, tally.held, tally.missing, tally.status) == (0, 2 * 17, {}, 0)
    for claim in retold:
        at = next(i for i, line in enumerate(lines) if claim.name in line)
        assert claim.expected.printed in lines[at + 1]
        found = [line.removeprefix("    found     ") for line in lines[at + 2 : at + 4]]
        assert [line.rpartition("  ")[2] for line in found] == ["(scratch)", "(huggingface)"]
        # 0.3 of the article is 0.30 here.
        numbers = Numbers(found[0].rpartition("  ")[0]).values
        assert numbers == pytest.approx(Numbers(claim.expected.printed).values, abs=1e-9)


@pytest.mark.few(2)
@pytest.mark.parametrize("which", [0, 3, 8, 14])
def test_a_wrong_figure_is_found_to_differ(stand_ins: Path, retold: list[Claim], which: int) -> None:
    claim = retold[which]
    first, rest = claim.expected.printed.split(" ", 1)
    decimals = len(first.partition(".")[2])
    wrong = f"{float(first) + 2 * 10.0**-decimals:.{decimals}f} {rest}"
    tally, lines = check(replace(claim, expected=Numbers(wrong)), retold[1])
    assert (tally.differ, tally.held, tally.status) == (2, 2, 1)
    assert "DIFFERS" in lines[1]
    assert wrong in lines[2]
    assert all(line.endswith("differs)") for line in lines[3:5])
    assert "as expected" in lines[5]
    assert any(re.search(r"\b2 of 4\b", said) for said in tally.sentences())


@pytest.mark.fuzz
def test_words_and_both_engines_on_the_stand_ins(stand_ins: Path) -> None:
    """Tokens, the start of the second sentence, the softmax of q and k, the engines, on any model."""
    claims = [
        claim
        for claim in CLAIMS
        if not isinstance(claim.expected, Numbers)
        and not (claim.model == "multilingual" and claim.compare is None)
    ]
    assert len(claims) == 10
    tally, _ = check(*claims)
    assert (tally.differ, tally.status) == (0, 0)
    assert tally.held == 2 * 4 + 6  # by each engine; by both at once
    wrong = [
        replace(c, expected=Words("[CLS] a [SEP]")) for c in claims if c.expected.printed[0] == "["
    ]
    assert check(*wrong)[0].status == 1


def test_half_of_the_last_digit() -> None:
    printed = Numbers("0.15 -0.16 … 0.44")
    assert printed.values == (0.15, -0.16, 0.44)
    assert printed.holds([0.1549, -0.1551, 0.4400])
    assert not printed.holds([0.1552, -0.16, 0.44])
    assert not printed.holds([0.15, -0.16])
    assert not printed.holds("0.15 -0.16 … 0.44")
    assert printed.written([0.1549, -0.1551, 0.44]) == "0.15 -0.16 … 0.44"
    assert printed.written([0.1752, -0.16, 0.44]) == "0.1752 -0.1600 … 0.4400"  # what differs is exact
    assert Numbers("0.0390").tolerance == pytest.approx(5e-5 + published.ROUNDING)
    assert Within(0.8, 1).holds([0.83])
    assert not Within(0.8, 1).holds([0.79])


def test_where_no_weights_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYSEE_HUB", "off")
    monkeypatch.setattr("core.pretrained.files.hub.cached", lambda hub_id: None)
    tally, lines = check(*CLAIMS)
    assert (tally.held, tally.differ, tally.status) == (0, 0, 2)
    assert set(tally.missing) == {"distilbert", "bert", "multilingual"}
    assert sum("not checked" in line for line in lines) == 3
    (said,) = tally.sentences()
    assert all(settings.CATALOGUE[name].hub_id in said for name in tally.missing)
    assert "not checked" in said


def test_a_model_that_cannot_be_read_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bert").mkdir()
    monkeypatch.setenv("POLYSEE_MODELS", str(tmp_path))
    tally, lines = check(*(claim for claim in CLAIMS if claim.model == "bert"))
    assert (tally.held, tally.differ, tally.status) == (0, 1, 1)
    assert "DIFFERS" in lines[1]


@pytest.mark.fuzz
@pytest.mark.parametrize(("offline", "status"), some([("0", 1), ("1", 2)], 1))
def test_the_command(folder: Path, tmp_path: Path, offline: str, status: int) -> None:
    """Offline, nothing is checked; online, the hub's random weights turn out to differ."""
    with serve() as hub:
        hub.repos[settings.CATALOGUE["distilbert"].hub_id] = folder / "distilbert"
        done = python(
            "import sys; from tools import published; sys.exit(published.main())",
            HF_ENDPOINT=hub.url,
            HF_HOME=str(tmp_path),
            HF_HUB_OFFLINE=offline,
        )
        asked = [*hub.asked]
    assert done.returncode == status, done.stderr
    assert ("DIFFERS" in done.stdout) == (status == 1)
    assert "were not checked" in done.stdout  # BERT is on neither
    assert bool(asked) == (offline == "0")


def test_the_document_names_every_place_and_what_is_printed() -> None:
    for claim in CLAIMS:
        for said in (claim.text, claim.place, f"`{claim.model}`"):
            assert said in DOC
        if claim.place == "§4.1":
            assert f"`{claim.expected.printed}`" in DOC
    assert f"{published.ROUNDING:f}".rstrip("0") in DOC


@pytest.mark.hub
@pytest.mark.parametrize("name", dict.fromkeys(claim.model for claim in CLAIMS))
def test_the_published_weights(name: str) -> None:
    try:
        models: dict[Any, Any] = published.load(name)
    except ModelNotFound as error:
        pytest.skip(f"the published weights cannot be had here: {error}")
    done = [one for claim in CLAIMS if claim.model == name for one in published.results(claim, models)]
    assert done
    wrong = [
        (one.claim.name, one.claim.expected.printed, one.found, one.by) for one in done if not one.holds
    ]
    assert wrong == []
