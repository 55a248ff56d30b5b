"""The budget of all caches: what it bounds, who goes first, and that no cache is outside of it."""

from __future__ import annotations

import ast
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.memory import SMALL, Budget, Cache, cached, free_memory, nbytes

ROOT = Path(__file__).parent.parent
HUNDRED = bytes(100_000)


def test_all_caches_share_it_and_the_least_recently_used_goes_whichever_cache_it_is_in() -> None:
    budget = Budget(1_050_000)
    one, other = Cache[str, bytes](budget=budget), Cache[str, bytes](budget=budget)
    for number in range(5):
        one[f"{number}"] = HUNDRED
        other[f"{number}"] = HUNDRED
    assert len(one) == len(other) == 5
    assert budget.taken == one.currsize + other.currsize <= budget.limit == one.maxsize
    assert one["0"] is HUNDRED  # used again
    assert other.peek("0") is HUNDRED  # which is no use
    assert other.peek("none") is None
    one["5"] = HUNDRED
    assert ("0" in one, "0" in other, len(one), len(other)) == (True, False, 6, 4)
    other["6"] = HUNDRED
    assert "1" not in one
    with pytest.raises(KeyError):
        one["1"]
    assert one.get("1") is None
    del one["0"]
    one.clear()
    assert (len(one), one.currsize, budget.taken) == (0, 0, other.currsize)


def test_what_is_larger_than_all_of_it_is_not_kept_and_costs_nothing() -> None:
    budget = Budget(250_000)
    cache = Cache[str, bytes](budget=budget)
    cache["a"] = cache["b"] = HUNDRED
    with pytest.raises(ValueError, match="too large"):
        cache["c"] = bytes(300_000)
    assert [*cache] == ["a", "b"]
    with pytest.raises(ValueError, match="too large"):
        cache["a"] = bytes(300_000)  # the former value is not what was stored last
    assert [*cache] == ["b"]


def test_a_key_takes_memory_as_well() -> None:
    cache = Cache[str, int](budget=Budget(250_000))
    for letter in "abcd":
        cache[letter * 100_000] = 1
    assert len(cache) == 2


def test_small_entries_make_no_room_for_large_ones() -> None:
    """A table of 20 kB may have taken ten seconds; 10,000 sentences would take all there is."""
    budget = Budget(8_000_000)
    small, large = Cache[int, bytes](budget=budget), Cache[int, bytes](budget=budget)
    for number in range(9):
        small[number] = HUNDRED
    for number in range(50):
        large[number] = bytes(7_000_000 if number == 20 else SMALL * 4)
    assert len(small) == 9
    for number in range(9, 40):
        small[number] = HUNDRED  # beyond their share, they make room for each other
    assert 0.9e6 < small.currsize < 2e6
    assert large
    large.clear()
    for number in range(70):
        small[number] = HUNDRED
    assert len(small) == 70  # where there is room, they may take it
    large[50] = bytes(6_900_000)
    assert small.currsize <= budget.limit // 8 + 200_000
    assert 50 in large


def test_room_is_reserved_while_a_value_is_made() -> None:
    budget = Budget(1_000_000)
    cache = Cache[int, bytes](budget=budget)
    for number in range(9):
        cache[number] = HUNDRED
    assert budget.reserve(700_000)
    assert budget.taken <= budget.limit
    assert len(cache) < 4
    assert not budget.reserve(400_000)
    cache[10] = HUNDRED
    assert budget.taken <= budget.limit
    budget.release(700_000)
    cache[11] = bytes(700_000)
    assert 11 in cache
    assert budget.taken == cache.currsize


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 500_000)), max_size=40))
def test_it_is_never_exceeded_and_its_books_are_right(stored: list[tuple[int, int, int]]) -> None:
    budget = Budget(1_000_000)
    caches = [Cache[int, bytes](budget=budget) for _ in range(3)]
    for which, key, size in stored:
        caches[which][key] = bytes(size)
        assert len(caches[which][key]) == size
        assert budget.taken == sum(one.currsize for one in caches) <= budget.limit
        assert sum(len(one[k]) for one in caches for k in one) <= budget.taken
    budget._limit = 0
    budget._make_room(0)
    assert budget.taken == 0
    assert not any(caches)


def test_a_function_computes_each_result_once_for_all_who_ask() -> None:
    ran: list[int] = []

    @cached(budget=Budget(10_000_000))
    def square(number: int) -> int:
        ran.append(number)
        time.sleep(0.05)
        if number < 0:
            raise ValueError(number)
        return number**2

    found: list[int] = []
    all_who_ask = [threading.Thread(target=lambda: found.append(square(7))) for _ in range(5)]
    for one in all_who_ask:
        one.start()
    for one in all_who_ask:
        one.join()
    assert (found, ran) == ([49] * 5, [7])
    for _ in range(2):
        with pytest.raises(ValueError, match="-1"):
            square(-1)
    assert ran == [7, -1, -1]  # an error is not a result
    assert (square.cache_info().hits, square.cache_info().misses) == (4, 3)
    assert square.cache.currsize > 0
    square.cache_clear()
    assert square.cache.currsize == 0
    assert square(7) == 49
    assert ran[-1] == 7


def test_a_function_that_is_asked_once_about_each_of_many_keeps_the_last() -> None:
    asked = []

    @cached(most=3, budget=Budget(1_000_000))
    def square(x: int) -> int:
        asked.append(x)
        return x * x

    for x in (*range(10), 9, 8, 7, 6, 9):
        assert square(x) == x * x
    assert asked == [*range(10), 6]
    assert len(square.cache) == 3


def test_a_result_that_does_not_fit_is_returned() -> None:
    ran: list[int] = []

    @cached(budget=Budget(1_000), key=lambda size, unused: size)
    def made(size: int, unused: object) -> bytes:
        ran.append(size)
        return bytes(size)

    for unused in range(2):
        assert len(made(10_000, unused)) == 10_000
        assert len(made(10, unused)) == 10
    assert ran == [10_000, 10, 10_000]


def test_a_destructor_may_use_the_caches() -> None:
    budget = Budget(1_000)
    cache = Cache[int, Any](lambda _: 400, budget)

    class Leaving:
        def __del__(self) -> None:
            cache.get(0)
            cache.pop(1, None)
            cache[7] = None

    for number in range(5):
        cache[number] = Leaving()
    assert budget.taken == cache.currsize <= 1_000


def test_threads_share_it() -> None:
    budget = Budget(300_000)
    caches = [Cache[int, bytes](budget=budget) for _ in range(4)]

    def use(cache: Cache[int, bytes]) -> None:
        for number in range(300):
            cache[number % 17] = bytes(number * 100)
            cache.get(number % 5)
            cache.pop(number % 3, None)

    threads = [threading.Thread(target=use, args=(one,)) for one in caches]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert budget.taken == sum(one.currsize for one in caches) <= budget.limit


# Weighing


@dataclass(frozen=True)
class Held:
    name: str
    numbers: np.ndarray


class Pair(NamedTuple):
    first: Any
    second: Any


MEGABYTE = np.zeros(125_000)


def closing(over: np.ndarray) -> Callable[[], np.ndarray]:
    return lambda: over


@pytest.mark.parametrize(
    "value",
    [
        MEGABYTE,
        MEGABYTE[:10],  # keeps all of it alive
        MEGABYTE.reshape(5, -1)[1:].T,
        bytes(10**6),
        "河" * 500_000,
        [MEGABYTE, MEGABYTE],
        {"a": MEGABYTE, "b": (MEGABYTE[3:], {MEGABYTE.shape})},
        MappingProxyType({"a": MEGABYTE}),
        Held("a", MEGABYTE),
        Pair(Held("a", MEGABYTE), MEGABYTE[::2]),
        pd.DataFrame({"a": MEGABYTE}),
        pd.Series(MEGABYTE),
        torch.zeros(250_000),
        torch.nn.Linear(499, 500),
        partial(print, MEGABYTE),
        closing(MEGABYTE),
        [float(i) + 0.5 for i in range(25_000)],
    ],
    ids=lambda value: type(value).__name__,
)
def test_about_a_megabyte(value: object) -> None:
    assert 0.9e6 < nbytes(value) < 1.2e6


def test_what_has_no_end_is_weighed_and_what_is_shared_by_all_is_not() -> None:
    endless: list[Any] = [1]
    endless.append(endless)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert nbytes(endless) < 1_000
    assert nbytes(deep) > 5_000_000
    assert nbytes([np, int, None, True, 3]) < 500


# All caches of the product

# What keeps results outside of the budget, a function or a mapping, and why its size is bounded.
BOUNDED = {
    "core/memory.py": {"OrderedDict": "the budget itself"},
    "core/lazy.py": {"homes": "the exports of our packages"},
    "core/markdown.py": {"_parser": "one parser"},
    "core/classroom/limits.py": {
        "OrderedDict": "buckets of addresses, of which full ones are forgotten"
    },
    "core/corpus/building/embed.py": {
        "_usual": "50,000 words of 64 letters: 15 MB, while a corpus is built"
    },
    "core/corpus/building/build.py": {"_names": "the columns of 16 rows, while a corpus is built"},
    "core/corpus/spelling.py": {"spelling_of": "the rules of 8 tokenizers"},
    "core/reading/columns.py": {"_kind_of_short": "4,096 cells of 100 letters: 1 MB"},
    "core/reading/encodings.py": {
        "_unlisted": "single characters",
        "_script": "single characters",
        "_languages": "the letters of some languages",
    },
    "core/records/inflections.py": {"_singulars": "1,024 words of 100 letters"},
    "core/records/particles.py": {
        "_with_particles": "256 words of 60 letters, with 170 endings: 8 MB, if all were Korean",
        "_stems": "1,024 words of 60 letters",
    },
    "core/records/pieces.py": {"_alphabet": "256 signs"},
    "core/records/spelling.py": {
        "lru_cache": "20,000 words of 40 letters, and 512 searches of 500, for a model: 6 MB",
        "_tables": "the letters of some styles",
    },
    "core/records/unspaced.py": {"_breaker": "one function"},
    "core/pretrained/engines/lent.py": {"WeakKeyDictionary": "a lock an object, gone with it"},
    "core/pretrained/files/mapped.py": {"WeakValueDictionary": "keeps nothing alive"},
    "core/transformer/positions.py": {"turns": "the angles of 4 texts: 8 MB at 8,192 tokens"},
    "core/pretrained/tokenizer/reader.py": {"lru_cache": "20,000 tokens of some letters: 3 MB a model"},
    "core/pretrained/files/tokenizer_apart.py": {"OrderedDict": "`MOST_REMEMBERED` digests"},
    "core/pretrained/tokenizer/alignment.py": {"_folded": "4,096 single characters"},
    "core/dictionary/meanings.py": {"_table": "the table that comes with us: 19 MB"},
    "core/dictionary/glosses.py": {"_text": "the table that comes with us, as one text: 2 MB"},
    "core/dictionary/unshown.py": {"_sums": "our file, 6 kB"},
    "core/language/lens.py": {"shipped": "the lenses that come with us: 5 MB"},
    "core/lessons/courses.py": {"_files": "our files"},
    "core/lessons/misconceptions.py": {"misconceptions_of": "our file"},
    "core/lessons/parsing.py": {"_files": "our files", "_translated": "our files, one a language"},
    "core/localization/catalogues.py": {
        "languages": "our files",
        "catalogue": "our files, one a language",
    },
    "core/localization/browser.py": {
        "content": "one a language: our catalogue, 50 kB",
        "_messages": "one a language: names of messages",
    },
    "core/localization/messages.py": {"decimal_symbol": "one a language"},
    "core/own_text/texts.py": {"ready": "our files, 12 kB"},
    "core/measures/attention/roles.py": {"_shipped": "our files, 1 MB"},
    "core/measures/senses/verdict.py": {"_shipped": "our files"},
    "core/figures/web/bundle.py": {
        "code": "our scripts, one a kind of picture: 2 MB",
        "library_code": "Plotly, compressed: 1.5 MB",
        "packed": "the same in base64",
    },
    "core/glossary/__init__.py": {"terms": "our file"},
    "core/examples/sentences.py": {"_by_word": "our file"},
    "core/examples/roles.py": {"role_sentences": "one list"},
    "core/untrusted/typed.py": {"_hints": "one a kind of record"},
    "core/pretrained/language_head.py": {"cache": "the tensors of a head while it is put together"},
    "core/sentences/__init__.py": {"_table": "our file"},
    "core/notebook/widget.py": {"_class": "one a kind of picture"},
    "core/notebook/views.py": {"_loaded": "the models that a notebook names: models, not results"},
    "core/walkthroughs/code/excerpt.py": {"lines": "lines of our own source"},
    "core/pretrained/engines/packed_loops.py": {"_machine_code": "some loops", "_compiled": "the same"},
    "core/pretrained/engines/compiled_pass.py": {"lru_cache": "lists of addresses of 8 lengths: 1 MB"},
    "core/pretrained/engines/recording.py": {"register": "one name"},
    "core/web/built.py": {"_found": "one list of files"},
    "ui/navigation.py": {"pages": "our pages, with their icons"},
    "ui/page/icons.py": {"style": "one stylesheet"},
    "ui/page/terms.py": {"_names": "the glossary's", "_forms": "the glossary's"},
    "ui/page/prose.py": {
        "in_english": "our files, one a page",
        "_translated": "our files, one a page and language",
    },
    "ui/paper/markdown_html.py": {"_markdown": "one parser"},
    "ui/paper/shell.py": {"_parts": "our files"},
    "ui/classroom/qr.py": {"code": "8 codes of 10 kB"},
    "ui/serving/classroom/rooms.py": {"_parts": "our files"},
    "ui/serving/sent_once.py": {
        "_version": "a digest a kind",
        "_library_version": "a digest a library",
        "_script": "our scripts, half a megabyte",
        "_words": "one a language: our catalogue, 50 kB",
    },
    "ui/serving/device_files.py": {"built": "one list of files", "_packed": "our files: 6 MB"},
    "ui/serving/page_html.py": {"html": "one page"},
    "ui/serving/files.py": {"WeakValueDictionary": "keeps nothing alive"},
    "ui/models/session_models.py": {
        "training_queue": "one queue",
        "WeakValueDictionary": "keeps nothing alive",
    },
    "ui/models/long_texts.py": {"queue": "one queue"},
    "ui/models/translators.py": {"shipped": "two small models"},
    "ui/models/lesson_records.py": {
        "_translator": "one",
        "_training": "one a recipe in a file of lessons",
    },
    "ui/models/model_cache.py": {"OrderedDict": "`MOST_MODELS` models, which are no results"},
    "ui/models/blocks.py": {"WeakKeyDictionary": "views of a result's arrays, gone with it"},
    "pages/encoder_decoder/query.py": {"_unseen": "one list a direction"},
    "pages/encoder_decoder/vocabulary.py": dict.fromkeys(("_french", "_english", "_paradigms"), "one"),
    "pages/encoder_decoder/translator.py": {"_published": "our files"},
    "pages/next_word/recorded.py": {"answers": "our file, 6 kB"},
    "pages/senses/job.py": {"WeakSet": "keeps nothing alive"},
}
KEEPING = {"cache", "lru_cache", "cache_data", "cache_resource", "cachedmethod", "OrderedDict"}
KEEPING |= {"WeakKeyDictionary", "WeakValueDictionary", "WeakSet", "LRUCache", "TTLCache", "LFUCache"}
KEEPING |= {"memoize", "FIFOCache", "RRCache", "TLRUCache"}


def keeping(source: str) -> Iterator[str]:
    """What keeps results outside of the budget: a decorated function, or a kind of mapping."""
    tree = ast.parse(source)
    decorators: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                decorators |= {id(part) for part in ast.walk(decorator)}
                if _named(decorator) & KEEPING:
                    yield node.name
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and id(node) not in decorators
            and (found := _named(node) & KEEPING)
        ):
            yield min(found)
        if isinstance(node, ast.Import | ast.ImportFrom) and "cachetools" in ast.unparse(node):
            yield "cachetools"


def _named(node: ast.AST) -> set[str]:
    """The name that is called, or that decorates."""
    node = node.func if isinstance(node, ast.Call) else node
    return {node.attr} if isinstance(node, ast.Attribute) else {getattr(node, "id", "")}


@pytest.mark.check
def test_every_cache_is_in_the_budget_or_has_a_small_bound_with_a_reason() -> None:
    found: dict[str, set[str]] = {}
    for folder in ("core", "ui", "pages"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if "node_modules" not in file.parts and (names := {*keeping(file.read_text("utf-8"))}):
                found[str(file.relative_to(ROOT))] = names
    assert found.pop("core/memory.py") == {"OrderedDict", "cachetools"}
    assert found == {file: {*of} for file, of in BOUNDED.items() if file != "core/memory.py"}


@pytest.mark.parametrize(
    "source",
    [
        "@cache\ndef f(): pass",
        "@functools.lru_cache(maxsize=3)\ndef f(): pass",
        "@st.cache_data\ndef f(): pass",
        "class A:\n @cache\n def f(self): pass",
        "f = functools.cache(g)",
        "import cachetools",
        "from cachetools import LRUCache",
        "x = OrderedDict()",
        "x: dict = weakref.WeakKeyDictionary()",
    ],
)
def test_a_cache_outside_of_it_is_seen(source: str) -> None:
    assert [*keeping(source)]


def test_what_is_in_it_is_not_seen() -> None:
    assert not [*keeping("from core.memory import cached\n@cached()\ndef f(): pass\nx = Cache()")]


MEMINFO = "MemTotal:       16000000 kB\nMemFree:          500000 kB\nMemAvailable:    4000000 kB\n"


def machine(root: Path, groups: dict[str, dict[str, str]], cgroup: str) -> Path:
    """The files of a system: `groups`: folder of a control group -> file -> content."""
    files = {"proc/meminfo": MEMINFO, "proc/self/cgroup": cgroup}
    for group, own in groups.items():
        files |= {f"sys/fs/cgroup/{group}/{name}": content for name, content in own.items()}
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def test_what_is_free_is_what_the_system_and_each_group_around_say(tmp_path: Path) -> None:
    stat = "anon 600000000\nactive_file 100000000\ninactive_file 50000000\n"
    limited = {"memory.max": "1000000000\n", "memory.current": "750000000\n", "memory.stat": stat}
    free = {"memory.max": "max\n", "memory.current": "1\n", "memory.stat": stat}
    assert free_memory(machine(tmp_path / "a", {}, "0::/\n")) == 4_096_000_000
    # Version 2: of a service in a slice with a limit, and in a container whose own group is the top.
    inside = machine(tmp_path / "b", {"app.slice/x": free, "app.slice": limited}, "0::/app.slice/x\n")
    assert free_memory(inside) == 400_000_000
    assert free_memory(machine(tmp_path / "c", {".": limited}, "0::/\n")) == 400_000_000
    assert free_memory(machine(tmp_path / "d", {".": limited}, "0::/not/seen/here\n")) == 400_000_000
    # Version 1, beside an unlimited one.
    old = {
        "memory.limit_in_bytes": "900000000\n",
        "memory.usage_in_bytes": "900000000\n",
        "memory.stat": "total_active_file 1000000\ntotal_inactive_file 2000000\n",
    }
    none = old | {"memory.limit_in_bytes": f"{2**63 - 4096}\n"}
    lines = "4:cpu:/x\n3:memory:/job\n0::/\n"
    assert free_memory(machine(tmp_path / "e", {"memory/job": old, "memory": none}, lines)) == 3_000_000
    full = limited | {"memory.current": "2000000000\n"}
    assert free_memory(machine(tmp_path / "f", {".": full}, "0::/\n")) == 0
    assert free_memory(tmp_path / "nothing") is None
