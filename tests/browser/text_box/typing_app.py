"""Text boxes, and the texts that the page has received; without a model, and therefore fast."""

import json
import time

import streamlit as st

from ui import permalink, state


class Typing(state.PageState):
    one = state.Field("a", "one", "one cat", parse=str)
    other = state.Field("b", "other", "", parse=str)
    short = state.Field("s", "short", "", parse=str)
    story = state.Field("t", "story", "", parse=str)
    lines = state.Field("ln", "lines", "one", parse=str)
    usual = state.Field("u", "usual", "", parse=str)
    late = state.Field("la", "late", "", parse=str)
    slow = state.Whole("sl", "slow", 0, 0, 90)  # tenths of a second that a run takes


s = Typing()
heard = state.SessionValue[list[str]]("heard", [])


def hear(field: state.Field[str]) -> None:
    heard.set([*heard.get(), f"{field.key}: {field.get()}"])


state.begin(Typing)
first, second = st.columns(2)
with first:
    state.text(s.one, "One", named=False, placeholder="One", changed=lambda: hear(s.one))
with second:
    state.text(s.other, "Other", placeholder="Other", changed=lambda: hear(s.other))
state.text(s.short, "Short", most=12, width=200, follows=False, changed=lambda: hear(s.short))
state.paragraph(s.story, "Story", placeholder="Story", named=False, changed=lambda: hear(s.story))
state.paragraph(s.lines, "Lines", height=150, changed=lambda: hear(s.lines))
state.text(s.usual, "Usual", default="river", changed=lambda: hear(s.usual))
of_examples = tuple(one for one in s.link() if one != s.slow)
st.button("Example", on_click=permalink.go, args=(of_examples, {"a": "two dogs", "b": "three dogs"}))
st.text_input("Beside it", "as Streamlit draws one", key="beside")
for _ in range(s.slow.get()):
    time.sleep(0.1)
    st.empty()
state.text(s.late, "Late", changed=lambda: hear(s.late))
with st.container(key="heard"):
    st.text(json.dumps(heard.get()))
with st.container(key="has"):
    st.text(json.dumps([field.get() for field in (s.one, s.other, s.short, s.story, s.lines, s.usual)]))
state.end(Typing)
