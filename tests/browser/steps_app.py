"""A small app of the tests' own: the page that goes step by step, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


def main() -> None:
    import streamlit as st

    st.set_page_config(layout="wide")
    st.navigation([st.Page(ROOT / "pages" / "step_by_step.py", title="Step by step")]).run()


if __name__ == "__main__":
    main()
