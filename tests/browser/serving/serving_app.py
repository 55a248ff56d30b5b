"""A small app on the same server as the real one: it answers, fails, and reruns on request."""

import streamlit as st

if __name__ == "__main__":
    from core.classroom import Question
    from ui import permalink
    from ui.classroom.address import seat_of
    from ui.serving import metrics
    from ui.serving.classroom import ROOMS, path_of
    from ui.state import Field

    state = (Field("say", "say", "", parse=str),)
    with metrics.run("small"):
        permalink.restore(state)
        typed = st.text_input("Say", key="say")
        st.write(f"{len(typed)} letters")
        st.caption(f"port {st.get_option('server.port')}")
        permalink.publish(state)
        if st.button("Break"):
            raise ValueError(f"cannot read {typed}") from KeyError(typed)
        st.button("Again")
        if st.toggle("Room"):
            if "room" not in st.session_state:
                st.session_state["room"] = ROOMS.open()
                ROOMS.ask(st.session_state["room"].name, Question("Which?", ("one", "two")))
            room = st.session_state["room"]
            st.caption(f"room {path_of(seat_of(st.context.cookies), room.name)} {room.key}")
else:
    from ui.serving import entry, errors

    entry.set_up()
    app = st.App(
        __file__,
        routes=entry.routes(),
        middleware=entry.middleware(),
        on_script_error=errors.tell,
    )
