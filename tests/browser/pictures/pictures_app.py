"""A small app for the tests: our browser pictures, as the address names them.

There is no folder `pages` beside it: Streamlit would take it for the app's pages, and a dialog, which
captures the keys, would tell the first visitor that /heads is not one of them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.browser.pictures import heads_pictures as made
from tests.browser.pictures import matrix_pictures
from tests.browser.pictures.charts import bars_pictures
from tests.browser.pictures.heads import ordered_pictures
from tests.browser.pictures.layer import linked_pictures
from tests.browser.pictures.writing import writing_pictures


def heads() -> None:
    """All heads, and one layer."""
    import streamlit as st

    from core.figures import Picture
    from ui import figure

    asked, kept = st.query_params, st.session_state
    state = asked.get("state", "{}")
    st.text_input("Before")
    if asked.get("what") == "ordered":
        ordered_pictures.show(asked.to_dict(), kept)
    elif asked.get("what") == "linked":
        slow = float(asked.get("slow", "0"))
        linked_pictures.show(kept, json.loads(state), int(asked.get("n", "0")), slow)
    elif asked.get("what") == "grid":
        picture = made.asked_for(asked, {})
        chosen = {**picture.state, **kept.get("state", {})}
        figure.show(
            Picture(picture.module, {**picture.header, "state": chosen}, picture.payload),
            "grid",
            on_head=lambda head: kept.update(head=tuple(head)),
            on_state=lambda sent: kept.update(state=sent),
        )
    else:
        picture = made.asked_for(asked, kept.get("state", json.loads(state)))
        figure.show(picture, "layer", on_state=lambda sent: kept.update(state=sent))
    kept.runs = kept.get("runs", 0) + 1
    st.button("Again")
    st.write(f"run {kept.runs}, head {kept.get('head')}")
    st.code(json.dumps(kept.get("state"), sort_keys=True))


def main() -> None:
    import streamlit as st

    st.set_page_config(layout="wide")
    pages = [
        st.Page(matrix_pictures.show, title="Matrices and points", url_path="matrices", default=True),
        st.Page(writing_pictures.show, title="Texts and trees", url_path="writing"),
        st.Page(bars_pictures.show, title="Bars", url_path="bars"),
        st.Page(heads, title="Heads", url_path="heads"),
    ]
    st.navigation(pages, position="hidden").run()


if __name__ == "__main__":
    main()
