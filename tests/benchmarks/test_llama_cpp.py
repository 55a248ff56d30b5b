"""llama.cpp beside ours: a package of the same shape in its place, run by the real script and Node."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import llama_cpp

FAKE = """
const numbers = [7, 8, 9, 10, 11, 12];
const sequence = {
    clearHistory: async () => {},
    evaluate: async function* (tokens) { for (const one of numbers) yield one + tokens.length; },
};
const context = { getSequence: () => sequence };
export const getLlama = async ({ gpu, build }) => {
    if (gpu !== false || build !== "never") throw new Error("not on one processor alone");
    return { loadModel: async () => ({
        tokenize: (text) => [...text],
        createContext: async ({ threads }) => (threads === 1 ? context : null),
    }) };
};
"""


def test_it_writes_as_many_tokens_as_asked_and_each_takes_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(llama_cpp.VARIABLE, raising=False)
    with pytest.raises(llama_cpp.NotThere, match=llama_cpp.VARIABLE):
        llama_cpp.written(tmp_path / "x.gguf", "ab", 4, 2)
    package = tmp_path / "node_modules" / "node-llama-cpp"
    package.mkdir(parents=True)
    monkeypatch.setenv(llama_cpp.VARIABLE, str(tmp_path))
    (package / "package.json").write_text(json.dumps({"type": "module", "main": "index.js"}))
    (package / "index.js").write_text(FAKE)
    found = llama_cpp.written(tmp_path / "x.gguf", "ab", 4, 2)
    assert found.ids == (9, 10, 11, 12)
    assert found.seconds > 0
    (package / "index.js").write_text("export const getLlama = 1;")
    with pytest.raises(llama_cpp.NotThere, match="did not run"):
        llama_cpp.written(tmp_path / "x.gguf", "ab", 4, 2)
