"""The page Corpus says how the texts of a corpus were read, and what was left out."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    from core.corpus import Manifest
    from core.reading import Skipped
    from pages.corpus import texts

    skipped = (
        Skipped("a.csv", "line 3", "it has no text in “x”"),
        Skipped("/srv/secret/b.pdf", "", "it has a password"),
        Skipped("a.csv", "line 9", "it has no text in “x”"),
    )
    made = Manifest(
        "minilm", "0", False, 4, (), "en", {}, {"a.csv": "1", "/srv/secret/b.pdf": "2"}, 1, 1, 1, 1,
        "000001", 1, 1, skipped=skipped, skipped_count=3,
        readings={"a.csv": "a table (CSV)", "/srv/secret/b.pdf": "PDF"},
    )  # fmt: skip
    texts.draw(made)


def test_each_file_and_each_reason_is_named_without_a_path_of_the_server() -> None:
    app = AppTest.from_function(page).run()
    assert not app.exception
    assert "2 files, 3 things left out" in app.expander[0].label
    assert app.dataframe[0].value.values.tolist() == [["a.csv", "a table (CSV)"], ["b.pdf", "PDF"]]
    told = [one.value.replace("\\", "") for one in app.markdown]
    assert len(told) == 2
    assert "(a.csv, line 3, a.csv, line 9)" in told[0]
    assert "secret" not in "".join(told)
