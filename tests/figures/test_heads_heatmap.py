from __future__ import annotations

import numpy as np
import pytest

from core.figures import heads_heatmap


def made(values: np.ndarray, **more: object) -> tuple[dict, np.ndarray]:
    picture = heads_heatmap(values, title="score", sentence="All heads.", name="x", **more)  # type: ignore[arg-type]
    return dict(picture.header), np.frombuffer(picture.payload, "<f4").reshape(values.shape)


def test_layers_downwards_and_heads_to_the_right() -> None:
    values = np.linspace(0, 1, 15).reshape(3, 5)
    header, numbers = made(values, chosen=(1, 4))
    np.testing.assert_allclose(numbers, values, atol=1e-7)
    assert [*header["rows"]] == ["Layer 1", "Layer 2", "Layer 3"]
    assert [*header["columns"]] == ["1", "2", "3", "4", "5"]
    assert (header["scale"]["kind"], header["scale"]["root"]) == ("weights", False)
    assert [*header["marked"]["rows"], *header["marked"]["columns"]] == [1, 4]
    assert header["file"] == "polysee-x"


def test_a_layer_without_heads_and_a_single_missing_head_are_hatched() -> None:
    values = np.full((3, 5), 0.5)
    values[0] = np.nan
    values[2, 3] = np.nan
    header, numbers = made(values)
    assert np.isnan(numbers[0]).all()
    assert np.isfinite(numbers[1:]).all()
    assert len(header["scale"]["notes"]) == 1
    assert "masked" in header["scale"]


@pytest.mark.parametrize("value", [-0.1, 1.1, np.inf])
def test_a_score_is_from_0_to_1(value: float) -> None:
    values = np.full((3, 5), 0.5)
    values[1, 1] = value
    with pytest.raises(ValueError, match="from 0 to 1"):
        made(values)
