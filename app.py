"""Polysee, the web app: `streamlit run app.py`.

The server imports this file once, as its ASGI entry; every visitor's run executes it again, as the
frame around the pages.
"""

import streamlit as st

if __name__ == "__main__":
    from core.localization import _
    from ui import navigation
    from ui.page import icons, no_such_page
    from ui.serving import metrics
    from ui.state import language

    language.begin()
    st.logo(str(icons.FOLDER / "logo.svg"), size="large")
    menu = {  # the folders of pages/ in their order; what each is called, it says itself
        "Explore": (
            "compare",
            "next_word",
            "heads",
            "embeddings",
            "senses",
            "corpus",
        ),
        "Learn": (
            "lessons",
            "step_by_step",
            "positions",
            "encoder_decoder",
            "training",
            "glossary",
        ),
    }
    groups = {"Explore": _("Explore"), "Learn": _("Learn")}
    pages = navigation.pages()
    page = st.navigation(
        {
            groups[group]: [
                st.Page(
                    pages[name].script,
                    title=_(pages[name].title),
                    url_path=pages[name].address,
                    default=name == navigation.HOME,
                )
                for name in names
            ]
            for group, names in menu.items()
        }
    )
    no_such_page.note(page.url_path)
    st.set_page_config(
        page_title=f"{page.title} · Polysee",
        page_icon=str(icons.FOLDER / "icon.svg"),
        layout="wide",
    )
    st.html(icons.style())
    with metrics.run(page.url_path):
        page.run()
else:
    from starlette.routing import Route

    from ui import abandoned_work
    from ui.corpora import served as corpora
    from ui.models import warm
    from ui.paper import served as paper
    from ui.serving import entry, errors

    warm.check_settings()
    warm.use_navigation_alone()
    abandoned_work.end_work()
    entry.set_up()
    app = st.App(
        __file__,
        lifespan=warm.lifespan,
        routes=[Route("/ready", warm.ready), *paper.routes(), *corpora.routes(), *entry.routes()],
        middleware=entry.middleware(),
        on_script_error=errors.tell,
    )
