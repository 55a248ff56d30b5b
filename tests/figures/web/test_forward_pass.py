"""The browser's forward pass of the tiny model equals Python's, step by step, for any numbers."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import numpy as np
import pytest

from core.walkthroughs import tiny_numbers
from core.walkthroughs.steps.queries import tiny_pass
from tools import node

_COMPUTE = (node.WEB / "src" / "forward" / "compute.js").as_uri()
_ANSWER = f"""
import {{ forwardPass }} from "{_COMPUTE}";
import {{ readFileSync }} from "node:fs";
const queries = JSON.parse(readFileSync(0, "utf8"));
const all = queries.map((query) => {{
  for (const table of Object.values(query.tables)) table.values = Float64Array.from(table.values);
  return Object.entries(forwardPass(query)).map(([name, matrices]) =>
    [name, matrices.map(({{ rows, columns, values }}) => [rows, columns, [...values]])]);
}});
console.log(JSON.stringify(all));
"""


def case(seed: int) -> tuple[tuple[int, ...], dict[str, np.ndarray], int, bool]:
    """A text of one to four words, a head, a mask or none, and some other numbers."""
    rng = np.random.default_rng(seed)
    ids = tuple(int(i) for i in rng.integers(0, 5, size=1 + seed % 4))
    tables = {name: one.copy() for name, one in tiny_numbers.NUMBERS.items()}
    for _ in range(seed):
        one = tables[[*tables][rng.integers(len(tables))]]
        # what a visitor may type: up to 100, with three decimals
        one[rng.integers(one.shape[0]), rng.integers(one.shape[1])] = rng.choice(
            [round(rng.normal(), 3), round(rng.uniform(-100, 100), 3), 100, -100, 0]
        )
    return ids, tables, seed % 2, seed % 3 == 0


CASES = [case(seed) for seed in range(23)]


@pytest.fixture(scope="module")
def answers() -> list[dict[str, list[np.ndarray]]]:
    queries = [
        {
            "tables": {
                name: {"rows": len(one), "columns": one.shape[1], "values": one.ravel().tolist()}
                for name, one in tables.items()
            },
            **{"ids": ids, "head": head, "heads": tiny_numbers.N_HEADS, "causal": causal},
            "epsilon": tiny_numbers.EPS,
        }
        for ids, tables, head, causal in CASES
    ]
    said = subprocess.run(
        [node.NODE / "node", "--input-type=module", "--eval", _ANSWER],
        input=json.dumps(queries),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answered: list[list[Any]] = json.loads(said.stdout)
    return [
        {name: [np.array(v).reshape(r, c) for r, c, v in matrices] for name, matrices in one}
        for one in answered
    ]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_every_matrix_of_every_step_is_equal(
    answers: list[dict[str, list[np.ndarray]]], number: int
) -> None:
    ids, tables, head, causal = CASES[number]
    steps = tiny_pass(ids, tables, head, causal)
    assert [*answers[number]] == [one.name for one in steps]
    for step in steps:
        found = answers[number][step.name]
        wanted = [one.values for one in (*step.operands, step.result)]
        if len(found) > len(wanted):  # a bias of zeros is no operand in Python
            assert not found.pop(2).any()
        for mine, python in zip(found, wanted, strict=True):
            # Python computes in float32: equal to 1e-5, or to the precision of large numbers
            np.testing.assert_allclose(mine, python, rtol=2e-5, atol=1e-5, err_msg=step.name)
