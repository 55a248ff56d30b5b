"""Polysee, the web app: `streamlit run app.py`.

The server imports this file once, as its ASGI entry; every visitor's run executes it again, as the
frame around the pages.
"""

from pathlib import Path

import streamlit as st

if __name__ == "__main__":
    st.set_page_config(page_title="Polysee", page_icon="👁️", layout="wide")
    st.logo(str(Path(__file__).parent / "ui" / "logo.svg"), size="large")
    from ui.serving import metrics, pace

    page = st.navigation(
        {
            "Explore": [
                st.Page("pages/compare.py", title="Compare", icon="⚖️", default=True),
                st.Page("pages/heads.py", title="Heads", icon="✳️", url_path="heads"),
                st.Page("pages/embeddings.py", title="Embeddings", icon="↗️", url_path="embeddings"),
                st.Page("pages/senses.py", title="Senses", icon="☁️", url_path="senses"),
            ],
            "Learn": [
                st.Page(
                    "pages/step_by_step.py", title="Step by step", icon="▶️", url_path="step-by-step"
                ),
                st.Page("pages/positions.py", title="Positions", icon="♒", url_path="positions"),
                st.Page(
                    "pages/encoder_decoder.py",
                    title="Encoder–decoder",
                    icon="↔️",
                    url_path="encoder-decoder",
                ),
                st.Page("pages/training.py", title="Training", icon="⚙️", url_path="training"),
            ],
        }
    )
    pace.keep()
    with metrics.run(page.url_path):
        page.run()
else:
    from starlette.routing import Route

    from ui import warm
    from ui.serving import entry, errors

    warm.check_settings()
    warm.use_navigation_alone()
    entry.set_up()
    app = st.App(
        __file__,
        lifespan=warm.lifespan,
        routes=[Route("/ready", warm.ready), *entry.routes()],
        middleware=entry.middleware(),
        on_script_error=errors.tell,
    )
