"""A page with a picture whose handler raises an error, on the same server as the real app."""

import streamlit as st

if __name__ == "__main__":
    from core.figures import bars
    from ui import figure

    def broken(index: int) -> None:
        st.session_state["chosen"] = index
        raise KeyError(f"zymurgic {index}")

    picture = bars([0.5, 0.3], ["river", "bank"], unit="share", sentence="Two words.", name="two")
    figure.show(picture, "two", on_bar=broken)
    st.write(f"chosen: {st.session_state.get('chosen')}")
else:
    from ui.serving import entry, errors

    entry.set_up()
    app = st.App(
        __file__,
        routes=entry.routes(),
        middleware=entry.middleware(),
        on_script_error=errors.tell,
    )
